import { type RateDifference, wilson } from '../domain';

/**
 * Counts of items decided twice: passed both times, only the second time, only the first time, and
 * never.
 */
export interface Twice {
  readonly both: number;
  readonly onlySecond: number;
  readonly onlyFirst: number;
  readonly neither: number;
}

/**
 * The difference of two shares of the same items, second minus first, with its 95% interval.
 * Newcombe 1998 ("Improved confidence intervals for the difference between binomial proportions
 * based on paired data", Statistics in Medicine 17), method 10: combines both Wilson intervals as
 * for independent shares and subtracts their correlation, which is phi with a continuity correction
 * if positive. Null without items.
 */
export function pairedDifference({
  both: a,
  onlySecond: b,
  onlyFirst: c,
  neither: d,
}: Twice): RateDifference | null {
  const n = a + b + c + d;
  if (n === 0) return null;
  const [second, first] = [(a + b) / n, (a + c) / n];
  const [of2, of1] = [wilson(a + b, n), wilson(a + c, n)];
  const margins = (a + b) * (c + d) * (a + c) * (b + d);
  const product = a * d - b * c;
  const phi =
    margins === 0 ? 0 : (product > 0 ? Math.max(product - n / 2, 0) : product) / Math.sqrt(margins);
  const [below2, above2, below1, above1] = [
    second - of2.low,
    of2.high - second,
    first - of1.low,
    of1.high - first,
  ];
  const value = second - first;
  return {
    value,
    low: value - Math.sqrt(Math.max(0, below2 ** 2 - 2 * phi * below2 * above1 + above1 ** 2)),
    high: value + Math.sqrt(Math.max(0, above2 ** 2 - 2 * phi * above2 * below1 + below1 ** 2)),
  };
}
