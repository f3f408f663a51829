import type { Interval } from './intervals';

/**
 * Detection of a change (calibration.md 5.9). Confidence sequence, normal mixture (Howard et al.
 * 2021), for values in 0..1 with V = t/4: |mean − θ| < 1/t·√(2(V+ρ)·ln(√((V+ρ)/ρ)/α)), for all t at
 * once.
 */

/** The ρ for which the sequence is almost the tightest after `at` values. */
function mixtureFor(at: number, alpha: number): number {
  const level = 2 * Math.log(1 / alpha);
  return at / 4 / (level + Math.log(1 + level));
}

export interface Sequence extends Interval {
  readonly mean: number;
  readonly n: number;
}

/**
 * May be evaluated after every value, any number of times: it is valid at all of them
 * simultaneously with probability 1 − `alpha`. Null without values.
 * @param tightestAt the number of values at which it should be tightest, chosen before any value is
 * seen
 * @throws RangeError on a value outside 0..1
 */
export function confidenceSequence(
  values: readonly number[],
  {
    alpha = 0.05,
    tightestAt = 500,
    rho = mixtureFor(tightestAt, alpha),
  }: { alpha?: number; tightestAt?: number; rho?: number } = {},
): Sequence | null {
  if (!values.every((value) => value >= 0 && value <= 1))
    throw new RangeError('a value is not within 0 and 1');
  const n = values.length;
  if (n === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const v = n / 4 + rho;
  const half = Math.sqrt(2 * v * Math.log(Math.sqrt(v / rho) / alpha)) / n;
  return { mean, n, low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
}
