/** Rates with their 95 % Wilson intervals, and the difference of two with Newcombe's interval, which is made of them. */
export interface Rate {
  readonly hits: number;
  readonly of: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const Z = 1.959964;

export function rateOf(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, rate: Number.NaN, low: 0, high: 1 };
  const share = hits / of;
  const scale = 1 + (Z * Z) / of;
  const middle = (share + (Z * Z) / (2 * of)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))) / scale;
  return { hits, of, rate: share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

export function differenceOf(a: Rate, b: Rate): Difference {
  const value = a.rate - b.rate;
  return {
    value,
    low: value - Math.hypot(a.rate - a.low, b.high - b.rate),
    high: value + Math.hypot(a.high - a.rate, b.rate - b.low),
  };
}
