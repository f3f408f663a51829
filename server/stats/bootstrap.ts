import { normalLower, normalQuantile } from './distributions';
import type { Interval } from './intervals';
import { binomialDraw, createRandom, type Random } from './random';

/**
 * The bias-corrected and accelerated (BCa) bootstrap interval of Efron 1987 (calibration.md 5.1).
 * Its ends are the quantiles of the resampled statistics at
 *   α₁ = Φ(z₀ + (z₀ + z_α) / (1 − a(z₀ + z_α)))
 * and at the same expression for 1 − α. z₀ = Φ⁻¹(share of resamples below the statistic; equal ones
 * count half). a = Σd³ / (6 (Σd²)^1.5), where d is the mean of the leave-one-out statistics minus
 * each of them. Items are resampled whole: for clustered rows an item is the cluster.
 */
export interface BootstrapOptions {
  readonly seed: number;
  /** At least 2,000 for displayed intervals. */
  readonly resamples?: number;
  readonly alpha?: number;
}

/**
 * Maximum number of jackknife statistics. With more items, each omits a group of items: for a sum
 * of independent parts the acceleration is the same.
 */
const maxTakenOut = 200;
/**
 * Minimum share of resamples with a value: below it the interval would describe only a selected
 * part.
 */
const minGiven = 0.95;

/**
 * Null with fewer than two items, if the statistic has no value, or if more than 5% of its
 * resamples have none.
 */
export function bca<T>(
  items: readonly T[],
  statistic: (sample: readonly T[]) => number | null,
  { seed, resamples = 2000, alpha = 0.05 }: BootstrapOptions,
): Interval | null {
  const value = statistic(items);
  const n = items.length;
  if (value === null || n < 2) return null;
  const random = createRandom(seed);
  const drawn = Array.from({ length: resamples }, () => statistic(resample(items, random)));
  const groups = Math.min(n, maxTakenOut);
  const left = Array.from({ length: groups }, (_, group) =>
    statistic(items.filter((_item, i) => i % groups !== group)),
  );
  return interval(
    value,
    drawn,
    left.map((one) => ({ value: one, times: 1 })),
    alpha,
  );
}

/**
 * The same for a statistic of counts alone, such as a matrix. It resamples all counts at once,
 * regardless of their number.
 * @param cells counts of items; null under the same conditions as `bca`
 */
export function bcaOfCounts(
  cells: readonly number[],
  statistic: (cells: readonly number[]) => number | null,
  { seed, resamples = 2000, alpha = 0.05 }: BootstrapOptions,
): Interval | null {
  const value = statistic(cells);
  const n = cells.reduce((sum, cell) => sum + cell, 0);
  if (value === null || n < 2) return null;
  const random = createRandom(seed);
  const drawn = Array.from({ length: resamples }, () =>
    statistic(resampleCounts(cells, n, random)),
  );
  const left = cells.flatMap((times, at) =>
    times === 0
      ? []
      : [{ value: statistic(cells.map((cell, i) => (i === at ? cell - 1 : cell))), times }],
  );
  return interval(value, drawn, left, alpha);
}

/**
 * Keeps the order of the items: a statistic that sorts them then gets them sorted, and sorting is
 * most of its cost.
 */
function resample<T>(items: readonly T[], random: Random): T[] {
  const times = new Uint32Array(items.length);
  for (let i = 0; i < items.length; i++) {
    const drawn = Math.floor(random() * items.length);
    times[drawn] = (times[drawn] ?? 0) + 1;
  }
  const sample: T[] = [];
  for (const [i, item] of items.entries())
    for (let n = times[i] ?? 0; n > 0; n--) sample.push(item);
  return sample;
}

/** A multinomial draw: a binomial draw for each cell, from the items not yet drawn. */
function resampleCounts(cells: readonly number[], n: number, random: Random): number[] {
  let [left, of] = [n, n];
  return cells.map((cell) => {
    const drawn = of === 0 ? 0 : binomialDraw(random, left, cell / of);
    left -= drawn;
    of -= cell;
    return drawn;
  });
}

function interval(
  value: number,
  drawn: readonly (number | null)[],
  left: readonly { readonly value: number | null; readonly times: number }[],
  alpha: number,
): Interval | null {
  const given = drawn.filter((one) => one !== null).sort((a, b) => a - b);
  if (given.length === 0 || given.length < minGiven * drawn.length) return null;
  const below =
    given.reduce((sum, one) => sum + (one < value ? 1 : one === value ? 0.5 : 0), 0) / given.length;
  // The normal quantile is unbounded at the ends, where half a resample counts on the other side.
  const bias = normalQuantile(
    Math.min(1 - 0.5 / given.length, Math.max(0.5 / given.length, below)),
  );
  const acceleration = accelerationOf(left);
  const end = (share: number): number => {
    const z = bias + normalQuantile(share);
    return quantile(given, normalLower(bias + z / Math.max(1e-9, 1 - acceleration * z)));
  };
  return { low: end(alpha / 2), high: end(1 - alpha / 2) };
}

function accelerationOf(
  left: readonly { readonly value: number | null; readonly times: number }[],
): number {
  let [times, sum] = [0, 0];
  for (const one of left) {
    if (one.value === null) continue;
    times += one.times;
    sum += one.times * one.value;
  }
  let [squares, cubes] = [0, 0];
  for (const one of left) {
    if (one.value === null) continue;
    const off = sum / times - one.value;
    squares += one.times * off ** 2;
    cubes += one.times * off ** 3;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/** A quantile of ascending values, interpolated between neighbours (Hyndman and Fan's type 7). */
export function quantile(ascending: readonly number[], share: number): number {
  const at = Math.min(1, Math.max(0, share)) * (ascending.length - 1);
  const low = ascending[Math.floor(at)] ?? Number.NaN;
  const high = ascending[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}
