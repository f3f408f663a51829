import { normalTwoSided } from './distributions';
import type { Interval } from './intervals';

/**
 * Has something changed (calibration.md 5.9). Two proportions: z with the pooled share. CUSUM (Page
 * 1954): S = max(0, S + x − target − slack), alarm above a limit. Page and Hinkley: distance of the
 * running sum of x − mean − slack from its least. PSI: Σ (a − e)·ln(a/e). Confidence sequence,
 * normal mixture (Howard et al. 2021), for values in 0..1 with V = t/4: |mean − θ| <
 * 1/t·√(2(V+ρ)·ln(√((V+ρ)/ρ)/α)), for all t at once. Effective labels: Σ 2^(−age/h).
 */

/** Null where a denominator is 0, or nothing or everything is counted in both. */
export function twoProportionZ(
  one: { readonly numerator: number; readonly denominator: number },
  other: { readonly numerator: number; readonly denominator: number },
): { readonly z: number; readonly p: number } | null {
  const whole = one.denominator + other.denominator;
  const share = (one.numerator + other.numerator) / whole;
  const variance = share * (1 - share) * (1 / one.denominator + 1 / other.denominator);
  if (one.denominator === 0 || other.denominator === 0 || variance === 0) return null;
  const z =
    (one.numerator / one.denominator - other.numerator / other.denominator) / Math.sqrt(variance);
  return { z, p: normalTwoSided(z) };
}

export interface Alarm {
  /** The sum after each value. */
  readonly path: readonly number[];
  /** Index of the first value that raised it above the limit; null: none did. */
  readonly at: number | null;
}

/**
 * Upward, of values about `target`; changes below `slack` are not looked for. For downward changes
 * negate values and target.
 */
export function cusum(
  values: readonly number[],
  {
    target,
    slack,
    limit,
  }: { readonly target: number; readonly slack: number; readonly limit: number },
): Alarm {
  let sum = 0;
  return alarm(
    values.map((value) => {
      sum = Math.max(0, sum + value - target - slack);
      return sum;
    }),
    limit,
  );
}

/** Upward, without a target: against the mean of what came so far. */
export function pageHinkley(
  values: readonly number[],
  { slack, limit }: { readonly slack: number; readonly limit: number },
): Alarm {
  let [mean, sum, least] = [0, 0, 0];
  return alarm(
    values.map((value, i) => {
      mean += (value - mean) / (i + 1);
      sum += value - mean - slack;
      least = Math.min(least, sum);
      return sum - least;
    }),
    limit,
  );
}

function alarm(path: readonly number[], limit: number): Alarm {
  const at = path.findIndex((sum) => sum > limit);
  return { path, at: at < 0 ? null : at };
}

/**
 * Population stability index of counts in the same bins: under 0.1 little, above 0.25 much has
 * moved. Where a bin is empty on one side, every count is raised by a half. Null where one side has
 * nothing.
 */
export function psi(expected: readonly number[], actual: readonly number[]): number | null {
  if (expected.length !== actual.length) throw new RangeError('bins differ');
  const used = expected
    .map((count, i) => [count, actual[i] ?? 0] as const)
    .filter(([e, a]) => e + a > 0);
  const sum = (side: 0 | 1): number => used.reduce((total, pair) => total + pair[side], 0);
  if (sum(0) === 0 || sum(1) === 0) return null;
  const more = used.some(([e, a]) => e === 0 || a === 0) ? 0.5 : 0;
  const [ofExpected, ofActual] = [sum(0) + more * used.length, sum(1) + more * used.length];
  return used.reduce((total, [e, a]) => {
    const [before, after] = [(e + more) / ofExpected, (a + more) / ofActual];
    return total + (after - before) * Math.log(after / before);
  }, 0);
}

/** The ρ with which the sequence is near its tightest after `at` values. */
function mixtureFor(at: number, alpha: number): number {
  const level = 2 * Math.log(1 / alpha);
  return at / 4 / (level + Math.log(1 + level));
}

export interface Sequence extends Interval {
  readonly mean: number;
  readonly n: number;
}

/**
 * May be looked at after every value, any number of times: it holds for all of them at once with 1
 * − `alpha`. `tightestAt`: after how many values it should be tightest, told before any was seen.
 * Null without values. @throws RangeError on a value outside 0..1
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

/**
 * The same, window by window, since a long healthy beginning hides a late fall: windows of `size`
 * values one after the other, the k-th with α·6/(π²k²), which sum to α however many there will be.
 * The last one may be short.
 */
export function windowedSequence(
  values: readonly number[],
  { size, alpha = 0.05 }: { readonly size: number; readonly alpha?: number },
): Sequence[] {
  const windows: Sequence[] = [];
  for (let from = 0; from < values.length; from += size) {
    const own = (alpha * 6) / (Math.PI * (windows.length + 1)) ** 2;
    const window = confidenceSequence(values.slice(from, from + size), {
      alpha: own,
      tightestAt: size,
    });
    if (window) windows.push(window);
  }
  return windows;
}

/** `ages` and `halfLife` in one unit. @throws RangeError where the half-life is none */
export function effectiveLabels(ages: readonly number[], halfLife: number): number {
  if (!(halfLife > 0)) throw new RangeError(`no half-life: ${halfLife}`);
  return ages.reduce((sum, age) => sum + 2 ** (-Math.max(0, age) / halfLife), 0);
}
