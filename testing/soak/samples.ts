import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessName, Product } from './product';

/** Memory and descriptors of each process of the product, from start to end of each. */
export interface Watch {
  stop(): void;
  lives(): readonly Life[];
}

/** One process between its start and its end. */
export interface Life {
  readonly name: ProcessName;
  readonly minutes: number;
  /** Growth of the resident memory after the warm-up, MiB per second. */
  readonly memorySlope: number;
  readonly memoryMib: number;
  /** The most open descriptors in the first and in the last third after the warm-up. */
  readonly descriptors: readonly [number, number];
}

interface Sample {
  readonly s: number;
  readonly mib: number;
  readonly descriptors: number;
}

const everyMs = 10_000;
const warmUpS = 180;
/** Shorter lives say nothing about growth. */
const minSamples = 30;

function sampleOf(pid: number): Omit<Sample, 's'> | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN);
    return { mib: kib / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

/** The median of the slopes of all pairs (Theil 1950, Sen 1968): robust against garbage collection. */
export function medianSlope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const slopes: number[] = [];
  for (const [i, a] of points.entries())
    for (const b of points.slice(i + 1)) slopes.push((b.y - a.y) / (b.x - a.x));
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] ?? 0;
}

function describeLife(name: ProcessName, all: readonly Sample[]): Life | null {
  const begin = all[0]?.s ?? 0;
  const samples = all.filter(({ s }) => s - begin >= warmUpS);
  if (samples.length < minSamples) return null;
  const third = Math.floor(samples.length / 3);
  const most = (some: readonly Sample[]): number =>
    Math.max(...some.map(({ descriptors }) => descriptors));
  return {
    name,
    minutes: ((all.at(-1)?.s ?? 0) - begin) / 60,
    memorySlope: medianSlope(samples.map(({ s, mib }) => ({ x: s, y: mib }))),
    memoryMib: samples.at(-1)?.mib ?? 0,
    descriptors: [most(samples.slice(0, third)), most(samples.slice(-third))],
  };
}

export function watchProcesses(product: Product): Watch {
  const lives = new Map<number, { readonly name: ProcessName; readonly samples: Sample[] }>();
  const began = performance.now();
  const timer = setInterval(() => {
    const s = (performance.now() - began) / 1_000;
    for (const [name, pid] of product.processes()) {
      const sample = sampleOf(pid);
      if (sample === null) continue;
      const life = lives.get(pid) ?? { name, samples: [] };
      life.samples.push({ s, ...sample });
      lives.set(pid, life);
    }
  }, everyMs);
  return {
    stop: () => clearInterval(timer),
    lives: () =>
      [...lives.values()].flatMap(({ name, samples }) => describeLife(name, samples) ?? []),
  };
}
