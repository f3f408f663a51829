import { expect, test } from 'vitest';
import { createPace } from './pace';

/**
 * Works in slices of 0.5 ms at a given utilization, `idleMs` after the start, and returns the pause
 * after each slice.
 */
async function restsAt(rate: number, idleMs = 0): Promise<number[]> {
  let now = 0;
  const rests: number[] = [];
  const pause = (ms: number): Promise<void> => {
    rests.push(ms);
    now += ms;
    return Promise.resolve();
  };
  const pace = createPace({ now: () => now, busyRate: () => rate, pause });
  now += idleMs;
  for (let piece = 0; piece < 6; piece++) {
    now += 0.25;
    await pace.yieldToCalls();
  }
  return rests;
}

test.each([
  [0.2, [0, 0, 0]],
  [0.9, [2, 2, 2]],
])(
  'R-67 with an event loop utilization of %d a slice of work is followed by a pause of %j ms: a fifth of the time',
  async (rate, rests) => {
    expect(await restsAt(rate)).toEqual(rests);
  },
);

test.each([1_000, 60_000, 3_600_000])(
  'R-67 R-69 after %d ms without a call, the first pause is still short',
  async (idleMs) => {
    const [first = Number.NaN, ...others] = await restsAt(0.9, idleMs);
    expect(first).toBeLessThanOrEqual(50);
    expect(Math.max(...others)).toBeLessThanOrEqual(2);
  },
);
