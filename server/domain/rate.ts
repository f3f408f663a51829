/**
 * The only implementation of rates, for the console and the API. A rate with the denominator 0 has
 * no data: it is neither 0% nor 100% (X-12). The 95% interval is by Wilson 1927: (p + z²/2n ±
 * z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).
 */
export const z95 = 1.959963984540054;

/** Below this denominator, only counts are shown: the interval would be too wide to be useful. */
export const minSampleSize = 20;

/** `value`, `low` and `high` are in 0..1; all three are null if and only if there is no data. */
export type Rate =
  | {
      readonly state: 'no_data';
      readonly value: null;
      readonly numerator: 0;
      readonly denominator: 0;
      readonly low: null;
      readonly high: null;
    }
  | {
      readonly state: 'insufficient' | 'measured';
      readonly value: number;
      readonly numerator: number;
      readonly denominator: number;
      readonly low: number;
      readonly high: number;
    };

/**
 * @param weight the weight of one item, if several come from one session (`itemWeight`); it scales
 * the number of items in the interval
 * @throws RangeError if the arguments are not a part and its whole: a wrong count must not become a
 * plausible rate
 */
export function rate(numerator: number, denominator: number, weight = 1): Rate {
  if (
    !Number.isSafeInteger(numerator) ||
    !Number.isSafeInteger(denominator) ||
    numerator < 0 ||
    numerator > denominator
  ) {
    throw new RangeError(`no rate of ${numerator} in ${denominator}`);
  }
  if (denominator === 0)
    return { state: 'no_data', value: null, numerator: 0, denominator: 0, low: null, high: null };
  const { low, high } = wilson(numerator * weight, denominator * weight);
  return {
    state: denominator < minSampleSize ? 'insufficient' : 'measured',
    value: numerator / denominator,
    numerator,
    denominator,
    low,
    high,
  };
}

/** The Wilson interval; `n` must be above 0. */
export function wilson(k: number, n: number): { low: number; high: number } {
  const p = k / n;
  const z2 = z95 * z95;
  const middle = p + z2 / (2 * n);
  const half = z95 * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  const scale = 1 + z2 / n;
  // At 0 and 1 the bound is exact, without rounding errors.
  return {
    low: k === 0 ? 0 : (middle - half) / scale,
    high: k === n ? 1 : (middle + half) / scale,
  };
}
