import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { reportFigure } from '../figures';
import { processorMs, processorMsSince } from '../processor-time';
import { timeFactor } from '../time-factor';
import { createRandom, type Random, randomOf } from '../seed';
import { type Extent, startProgress } from './extent';

/** Processor time that one input may take on a main thread, milliseconds. */
export const FUZZ_STALL_MS = 50;

/** 'taken': the product read the input and got a result from it. */
export type Outcome = 'taken' | 'refused';

/**
 * The minimum share of accepted inputs: if all mutations are refused, they test only one branch.
 */
const TAKEN_MIN = 0.05;

export interface Fuzzing<T> {
  /** Creates an input; the same random numbers create the same input. */
  readonly make: (random: Random) => T;
  /** Processes the input as the product does. @throws Error for a fault of the product */
  readonly run: (input: T) => Outcome;
  /** The input, for the message of a failed test. */
  readonly show: (input: T) => string;
}

/** Quicker than `expect`. @throws Error naming the failed condition */
export function check(holds: boolean, statement: string): void {
  if (!holds) throw new Error(`not true: ${statement}`);
}

/** Bytes of the heap without garbage. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

/** Retained memory by which the heap may differ between the first and the last tenth. */
const GROWTH_BYTES = 24 * 1024 * 1024;

/**
 * Runs a pure part of the product with random inputs. `ASSAY_SEED` replays a run.
 * @returns how many inputs were taken
 * @throws Error naming the seed, the number of the input and the input; or if not both outcomes
 *   occurred, or too few inputs were taken
 */
export function fuzz<T>(name: string, extent: Extent, { make, run, show }: Fuzzing<T>): number {
  const { seed } = createRandom(name);
  const progress = startProgress(extent);
  const limitMs = timeFactor * FUZZ_STALL_MS;
  const counts = { taken: 0, refused: 0 };
  let longestMs = 0;
  let inputs = 0;
  let firstHeap: number | null = null;
  for (; progress(inputs) < 1; inputs++) {
    const input = make(randomOf(seed, inputs));
    const fail = (why: string, cause?: unknown): never => {
      throw new Error(`seed ${seed}, input ${inputs}: ${why}\n${show(input).slice(0, 4_000)}`, {
        cause,
      });
    };
    const began = process.cpuUsage();
    try {
      counts[run(input)]++;
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error), error);
    }
    let ms = processorMsSince(began);
    // A garbage collection may happen during any input, but rarely during the same one again.
    for (let tries = 0; tries < 3 && ms >= FUZZ_STALL_MS; tries++)
      ms = Math.min(
        ms,
        processorMs(() => run(input)),
      );
    if (ms >= limitMs) fail(`took ${ms} ms of processor time`);
    longestMs = Math.max(longestMs, ms);
    if (firstHeap === null && progress(inputs) > 0.3) firstHeap = heapBytes();
  }
  const grownBytes = heapBytes() - (firstHeap ?? heapBytes());
  reportFigure(name, {
    seed,
    inputs,
    'taken %': Math.round((counts.taken / inputs) * 1000) / 10,
    'longest ms': Math.round(longestMs * 10) / 10,
    'heap growth MB': Math.round(grownBytes / 1e5) / 10,
  });
  if (grownBytes > GROWTH_BYTES)
    throw new Error(`seed ${seed}: the heap grew by ${grownBytes} bytes over ${inputs} inputs`);
  if (counts.refused === 0 || counts.taken === 0 || counts.taken < inputs * TAKEN_MIN)
    throw new Error(`seed ${seed}: ${counts.taken} inputs were taken, ${counts.refused} refused`);
  return counts.taken;
}
