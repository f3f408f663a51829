import { wilson } from '../../server/domain';

/**
 * Rates with their 95 % Wilson intervals, and the difference of two with Newcombe's interval, which
 * is computed from them.
 */
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

export function rateOf(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, rate: Number.NaN, low: 0, high: 1 };
  return { hits, of, rate: hits / of, ...wilson(hits, of) };
}

export function differenceOf(a: Rate, b: Rate): Difference {
  const value = a.rate - b.rate;
  return {
    value,
    low: value - Math.hypot(a.rate - a.low, b.high - b.rate),
    high: value + Math.hypot(a.high - a.rate, b.rate - b.low),
  };
}
