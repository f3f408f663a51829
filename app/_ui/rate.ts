import { leastForRate, rate } from '@/server/domain';

/**
 * Rates as ui.md asks: value, interval and k/n; under n = 20 counts only, and nothing measured is
 * not zero.
 */
export { leastForRate };

const percent = (value: number) => (value * 100).toFixed(1);

export interface RateText {
  readonly counts: string;
  /** Null when n is too small to say a rate. */
  readonly rate: string | null;
  readonly interval: string | null;
}

/** @param worth of one of `n`, where several are of one session */
export const rateText = (k: number, n: number, worth = 1): RateText =>
  measuredText(rate(k, n, worth));

/** A rate with the interval that came with it. */
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
  if (denominator < leastForRate || low === null || high === null)
    return { counts, rate: null, interval: null };
  return { counts, rate: `${percent(value)} %`, interval: `${percent(low)}–${percent(high)} %` };
}

/** A chance as tests give it: `0.029`, `< 0.001`; none is nought. */
export function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
