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

export function rateText(k: number, n: number): RateText {
  const { state, value, low, high } = rate(k, n);
  if (state === 'no_data') return { counts: 'not measured', rate: null, interval: null };
  const counts = `${k.toLocaleString('en')}/${n.toLocaleString('en')}`;
  if (state === 'insufficient') return { counts, rate: null, interval: null };
  return { counts, rate: `${percent(value)} %`, interval: `${percent(low)}–${percent(high)} %` };
}

/** A chance as tests give it: `0.029`, `< 0.001`; none is nought. */
export function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
