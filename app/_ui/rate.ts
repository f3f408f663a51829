/**
 * Rates as ui.md asks: value, interval and k/n; under n = 20 counts only.
 * Interval: Wilson 1927, 95 %: (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).
 */
const Z = 1.959963984540054;
export const leastForRate = 20;

export function wilson(k: number, n: number): { low: number; high: number } {
  const p = k / n;
  const z2 = Z * Z;
  const middle = p + z2 / (2 * n);
  const half = Z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  const scale = 1 + z2 / n;
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}

const percent = (rate: number) => (rate * 100).toFixed(1);

export interface RateText {
  readonly counts: string;
  /** Null when n is too small to say a rate. */
  readonly rate: string | null;
  readonly interval: string | null;
}

export function rateText(k: number, n: number): RateText {
  if (n === 0) return { counts: 'not measured', rate: null, interval: null };
  const counts = `${k.toLocaleString('en')}/${n.toLocaleString('en')}`;
  if (n < leastForRate) return { counts, rate: null, interval: null };
  const { low, high } = wilson(k, n);
  return { counts, rate: `${percent(k / n)} %`, interval: `${percent(low)}–${percent(high)} %` };
}
