import { minSampleSize, rate } from '@/server/domain';

/**
 * Rates as required by ui.md: value, interval and k/n; under n = 20 only counts, and an unmeasured
 * rate is not zero.
 */
export { minSampleSize };

const percent = (value: number) => (value * 100).toFixed(1);

export interface RateText {
  readonly counts: string;
  /** Null when n is too small for a rate. */
  readonly rate: string | null;
  readonly interval: string | null;
}

/** @param weight weight of one of `n`, if several belong to one session */
export const rateText = (k: number, n: number, weight = 1): RateText =>
  measuredText(rate(k, n, weight));

/** A rate with its given interval. */
export function measuredText({
  value,
  numerator,
  denominator,
  low,
  high,
}: {
  readonly value: number | null;
  readonly numerator: number | null;
  readonly denominator: number;
  readonly low: number | null;
  readonly high: number | null;
}): RateText {
  if (value === null) return { counts: 'not measured', rate: null, interval: null };
  const counts = `${(numerator ?? 0).toLocaleString('en')}/${denominator.toLocaleString('en')}`;
  if (denominator < minSampleSize || low === null || high === null)
    return { counts, rate: null, interval: null };
  return { counts, rate: `${percent(value)}%`, interval: `${percent(low)}–${percent(high)}%` };
}

/** A p-value: `0.029`, `< 0.001`; never zero. */
export function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
