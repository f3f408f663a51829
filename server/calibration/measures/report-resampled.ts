import { bca, bcaOfCounts } from '../stats/bootstrap';
import type { Interval } from '../stats/intervals';
import { createRandom } from '../stats/random';
import type { Estimate } from './report';

/** Items that are resampled at the most: an interval of many more takes seconds, and is hardly another one. */
const mostResampled = 300;

/**
 * A statistic of items with its bootstrap interval (calibration.md 5.1), 2,000 resamples, seeded, so that the same labels give the same ends. Of
 * more than 300 items a random 300 are resampled, and the ends drawn in by √(300/n), as the error of a mean is (Politis and Romano 1994).
 */
export function resampled<T>(items: readonly T[], statistic: (sample: readonly T[]) => number | null, seed: number): Estimate {
  const value = statistic(items);
  const n = items.length;
  const none = { value, low: null, high: null, n };
  if (value === null) return none;
  const part = n <= mostResampled ? items : partOf(items, seed);
  const middle = part === items ? value : statistic(part);
  const interval = bca(part, statistic, { seed });
  if (interval === null || middle === null) return none;
  return { value, ...drawnIn(interval, value - middle, part.length / n, value), n };
}

function drawnIn({ low, high }: Interval, shift: number, share: number, value: number): Interval {
  const narrower = Math.sqrt(share);
  return { low: value - (value - shift - low) * narrower, high: value + (high - value + shift) * narrower };
}

/** Items that are alike, and how many there are. */
export interface Alike<T> {
  readonly item: T;
  readonly times: number;
}

/** The same where many items are alike, of which the statistic only has to know how many there are: their counts are drawn again. */
export function resampledAlike<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  statistic: (alike: readonly Alike<T>[]) => number | null,
  seed: number,
): Estimate {
  const all = alikeOf(items, keyOf);
  const value = statistic(all);
  const n = items.length;
  const none = { value, low: null, high: null, n };
  if (value === null) return none;
  const isWhole = all.length <= mostResampled;
  const drawn = isWhole ? all : alikeOf(partOf(items, seed), keyOf);
  const middle = isWhole ? value : statistic(drawn);
  const again = (cells: readonly number[]): number | null => statistic(drawn.map(({ item }, at) => ({ item, times: cells[at] ?? 0 })));
  const interval = bcaOfCounts(
    drawn.map(({ times }) => times),
    again,
    { seed },
  );
  if (interval === null || middle === null) return none;
  return { value, ...drawnIn(interval, value - middle, isWhole ? 1 : mostResampled / n, value), n };
}

function alikeOf<T>(items: readonly T[], keyOf: (item: T) => string): Alike<T>[] {
  const found = new Map<string, { item: T; times: number }>();
  for (const item of items) {
    const known = found.get(keyOf(item));
    if (known === undefined) found.set(keyOf(item), { item, times: 1 });
    else known.times++;
  }
  return [...found.values()];
}

/** Without putting back, each as likely (Knuth's algorithm S). */
function partOf<T>(items: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  let wanted = mostResampled;
  return items.filter((_item, at) => {
    if (random() * (items.length - at) >= wanted) return false;
    wanted--;
    return true;
  });
}
