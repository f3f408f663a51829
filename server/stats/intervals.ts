import { z95 } from '../domain';
import { betaQuantile } from './distributions';

/**
 * Intervals of rates and means other than Wilson's, which is in the domain (calibration.md 5.1).
 * Clopper and Pearson 1934, exact and conservative, for gates:
 *   [B(α/2; k, n−k+1), B(1−α/2; k+1, n−k)].
 * Clustered rows (turns of a session, repeats of an item):
 *   Var(x̄) = G/(G−1) · 1/n² · Σ_g (Σ_{i in g} (x_i − x̄))².
 */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A value with its standard error and its 95% interval. */
export interface Estimated extends Interval {
  readonly value: number;
  readonly se: number;
}

/** value ± z·se, clipped to `least` and `most`. */
export function estimated(
  value: number,
  se: number,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
): Estimated {
  const within = (bound: number): number => Math.min(max, Math.max(min, bound));
  return {
    value: within(value),
    se,
    low: within(value - z95 * se),
    high: within(value + z95 * se),
  };
}

/**
 * Null if n is 0.
 * @param weight the weight of one item, if sessions have several
 * @throws RangeError if `k` of `n` is not a valid count
 */
export function clopperPearson(k: number, n: number, alpha = 0.05, weight = 1): Interval | null {
  if (!Number.isSafeInteger(k) || !Number.isSafeInteger(n) || k < 0 || k > n)
    throw new RangeError(`no rate of ${k} in ${n}`);
  if (n === 0) return null;
  return {
    low: k === 0 ? 0 : betaQuantile(alpha / 2, k * weight, (n - k) * weight + 1),
    high: k === n ? 1 : betaQuantile(1 - alpha / 2, k * weight + 1, (n - k) * weight),
  };
}

/** Variance of the mean of all rows. Null with fewer than two non-empty clusters. */
export function clusteredVariance(clusters: readonly (readonly number[])[]): number | null {
  const nonEmpty = clusters.filter((cluster) => cluster.length > 0);
  const n = nonEmpty.reduce((sum, cluster) => sum + cluster.length, 0);
  if (nonEmpty.length < 2) return null;
  const mean = nonEmpty.flat().reduce((sum, value) => sum + value, 0) / n;
  const spread = nonEmpty.reduce(
    (sum, cluster) => sum + cluster.reduce((part, value) => part + value - mean, 0) ** 2,
    0,
  );
  return ((nonEmpty.length / (nonEmpty.length - 1)) * spread) / (n * n);
}
