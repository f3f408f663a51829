import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { reportFigure } from '../figures';
import { processorMs, processorMsSince } from '../processor-time';
import { room } from '../room';
import { createRandom, type Random, randomOf } from '../seed';
import { long } from '../stack';

/** Processor time that one input may take on a main thread, milliseconds. */
export const FUZZ_STALL_MS = 50;

/**
 * Seconds for a test that is one of `parts` in its file: 10 minutes a file in the long form, by
 * default 6 seconds in `npm test`. `ASSAY_FUZZ_S` overrides the time of the file.
 */
export function fuzzSeconds(parts: number, shortSeconds = 6): number {
  return Number(process.env.ASSAY_FUZZ_S ?? (long ? 600 : shortSeconds)) / parts;
}

export interface Fuzzing<T> {
  /** Creates an input; the same random numbers create the same input. */
  readonly make: (random: Random) => T;
  /** Takes the input as the product does. @throws Error for a fault of the product */
  readonly run: (input: T) => void;
  /** The input, for the message of a failed test. */
  readonly show: (input: T) => string;
}

/** Quicker than `expect`. @throws Error naming what does not hold */
export function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`it does not hold that ${what}`);
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
 * Runs a pure part of the product with random inputs for some seconds. `ASSAY_SEED` replays a run.
 * @returns the number of inputs
 * @throws Error naming the seed, the number of the input and the input
 */
export function fuzz<T>(name: string, seconds: number, { make, run, show }: Fuzzing<T>): number {
  const { seed } = createRandom(name);
  const end = performance.now() + seconds * 1000;
  const warm = performance.now() + seconds * 300;
  const limitMs = room * FUZZ_STALL_MS;
  let longestMs = 0;
  let inputs = 0;
  let firstHeap: number | null = null;
  while (performance.now() < end) {
    const input = make(randomOf(seed, inputs));
    const fail = (why: string, cause?: unknown): never => {
      throw new Error(`seed ${seed}, input ${inputs}: ${why}\n${show(input).slice(0, 4_000)}`, {
        cause,
      });
    };
    const began = process.cpuUsage();
    try {
      run(input);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error), error);
    }
    let ms = processorMsSince(began);
    // A collection of garbage may fall into any input: it does not fall into the same one again.
    for (let tries = 0; tries < 3 && ms >= FUZZ_STALL_MS; tries++)
      ms = Math.min(
        ms,
        processorMs(() => run(input)),
      );
    if (ms >= limitMs) fail(`took ${ms} ms of processor time`);
    longestMs = Math.max(longestMs, ms);
    inputs++;
    if (firstHeap === null && performance.now() > warm) firstHeap = heapBytes();
  }
  const grownBytes = heapBytes() - (firstHeap ?? heapBytes());
  reportFigure(name, {
    seed,
    inputs,
    'longest ms': Math.round(longestMs * 10) / 10,
    'heap growth MB': Math.round(grownBytes / 1e5) / 10,
  });
  if (grownBytes > GROWTH_BYTES)
    throw new Error(`seed ${seed}: the heap grew by ${grownBytes} bytes over ${inputs} inputs`);
  return inputs;
}
