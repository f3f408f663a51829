/** A figure with its interval; null if there is none. */
interface Bounded {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Widens the interval of items whose effective number is below their count: its ends move away from
 * the value by √(design effect), like the error of a mean.
 * @param weight 1 / design effect, above 0 and at most 1
 * @param range the limits of the figure
 */
export function widened<T extends Bounded>(
  one: T,
  weight: number,
  [min, max]: readonly [number, number],
): T {
  const { value, low, high } = one;
  if (weight === 1 || value === null || low === null || high === null) return one;
  const by = 1 / Math.sqrt(weight);
  return {
    ...one,
    low: Math.max(min, value - (value - low) * by),
    high: Math.min(max, value + (high - value) * by),
  };
}
