import { bca, createRandom, type Interval } from '../stats';
import type { Estimate } from './report';

/**
 * Maximum number of resampled items: an interval over many more takes seconds and hardly differs.
 */
const maxResampled = 300;

/**
 * A statistic of items with its bootstrap interval (calibration.md 5.1) from 2,000 seeded
 * resamples: the same labels yield the same bounds. Of more than 300 items it resamples a random
 * 300 and scales the ends by √(300/n), like the error of a mean (Politis and Romano 1994).
 */
export function resampled<T>(
  items: readonly T[],
  statistic: (sample: readonly T[]) => number | null,
  seed: number,
): Estimate {
  const value = statistic(items);
  const n = items.length;
  const none = { value, low: null, high: null, n };
  if (value === null) return none;
  const part = n <= maxResampled ? items : partOf(items, seed);
  const middle = part === items ? value : statistic(part);
  const interval = bca(part, statistic, { seed });
  if (interval === null || middle === null) return none;
  return { value, ...drawnIn(interval, value - middle, part.length / n, value), n };
}

function drawnIn({ low, high }: Interval, shift: number, share: number, value: number): Interval {
  const narrower = Math.sqrt(share);
  return {
    low: value - (value - shift - low) * narrower,
    high: value + (high - value + shift) * narrower,
  };
}

/** Without replacement, each equally likely (Knuth's algorithm S). */
function partOf<T>(items: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  let wanted = maxResampled;
  return items.filter((_item, at) => {
    if (random() * (items.length - at) >= wanted) return false;
    wanted--;
    return true;
  });
}
