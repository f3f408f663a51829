import { quantileOf } from '../rounds';
import type { Contender } from '../rounds';

/** A contender whose round is a number of sequential calls; `p50` and `p95` in milliseconds. */
export function calling(
  name: string,
  calls: number,
  call: (n: number) => Promise<unknown>,
): Contender {
  return {
    name,
    async run(round) {
      const times: number[] = [];
      for (let n = 0; n < calls; n++) {
        const began = performance.now();
        await call(round * calls + n);
        times.push(performance.now() - began);
      }
      return { p50: quantileOf(times, 0.5), p95: quantileOf(times, 0.95) };
    },
  };
}
