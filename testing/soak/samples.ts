import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessName, Product } from './product';

/** Samples the memory and the open descriptors of each process of the product. */
export interface ProcessWatch {
  stop(): void;
  /** The processes that ran long enough to measure growth. */
  listUsage(): readonly ProcessUsage[];
}

/** Resource usage of one process, from its start to its exit. */
export interface ProcessUsage {
  readonly name: ProcessName;
  readonly minutes: number;
  /** Growth of the resident memory after the warm-up. */
  readonly memorySlopeMibPerS: number;
  /** Resident memory at the end. */
  readonly memoryMib: number;
  /** Maximum of open descriptors in the first and in the last third of the time after warm-up. */
  readonly maxDescriptors: readonly [first: number, last: number];
}

interface Sample {
  /** Seconds since the start of the watch. */
  readonly atS: number;
  readonly memoryMib: number;
  readonly descriptors: number;
}

const sampleEveryMs = 10_000;
const warmUpS = 180;
/** Fewer samples are not enough to measure growth. */
const minSamples = 30;

/** Returns null if the process has exited. */
function readSample(pid: number): Omit<Sample, 'atS'> | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN);
    return { memoryMib: kib / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

/**
 * The median of the slopes of all pairs of points (Theil 1950, Sen 1968). It is robust against the
 * jumps of garbage collection.
 */
export function medianSlope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const slopes: number[] = [];
  for (const [i, a] of points.entries())
    for (const b of points.slice(i + 1)) slopes.push((b.y - a.y) / (b.x - a.x));
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] ?? 0;
}

/** Returns null if the process did not run long enough. */
function summarize(name: ProcessName, all: readonly Sample[]): ProcessUsage | null {
  const startS = all[0]?.atS ?? 0;
  const samples = all.filter(({ atS }) => atS - startS >= warmUpS);
  if (samples.length < minSamples) return null;
  const third = Math.floor(samples.length / 3);
  const maxOf = (part: readonly Sample[]): number =>
    Math.max(...part.map(({ descriptors }) => descriptors));
  return {
    name,
    minutes: ((all.at(-1)?.atS ?? 0) - startS) / 60,
    memorySlopeMibPerS: medianSlope(
      samples.map(({ atS, memoryMib }) => ({ x: atS, y: memoryMib })),
    ),
    memoryMib: samples.at(-1)?.memoryMib ?? 0,
    maxDescriptors: [maxOf(samples.slice(0, third)), maxOf(samples.slice(-third))],
  };
}

export function watchProcesses(product: Product): ProcessWatch {
  const samplesByPid = new Map<
    number,
    { readonly name: ProcessName; readonly samples: Sample[] }
  >();
  const began = performance.now();
  const timer = setInterval(() => {
    const atS = (performance.now() - began) / 1_000;
    for (const [name, pid] of product.processes()) {
      const sample = readSample(pid);
      if (sample === null) continue;
      const sampled = samplesByPid.get(pid) ?? { name, samples: [] };
      sampled.samples.push({ atS, ...sample });
      samplesByPid.set(pid, sampled);
    }
  }, sampleEveryMs);
  return {
    stop: () => clearInterval(timer),
    listUsage: () =>
      [...samplesByPid.values()].flatMap(({ name, samples }) => summarize(name, samples) ?? []),
  };
}
