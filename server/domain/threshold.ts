/**
 * Thresholds are inclusive, and both sides are rounded to 4 decimals first: three scores of
 * 0.7 average 0.6999999999999998 in IEEE arithmetic, and must meet 0.7. The same for rates 0..1 and
 * points 0..100.
 * @throws RangeError for NaN: "no score" is a state, and never compared
 */
export function meetsThreshold(value: number, threshold: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(threshold))
    throw new RangeError(`${value} cannot be compared with the threshold ${threshold}`);
  return Math.round(value * 10_000) >= Math.round(threshold * 10_000);
}
