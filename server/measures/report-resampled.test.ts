import { expect, test } from 'vitest';
import { resampled } from './report-resampled';

const mean = (items: readonly number[]): number | null =>
  items.length === 0 ? null : items.reduce((sum, item) => sum + item, 0) / items.length;
/** A fifth of them are 1. */
const items = (n: number): number[] => Array.from({ length: n }, (_, at) => (at % 5 === 0 ? 1 : 0));

test.each([100, 300, 2000])(
  'calibration.md 5.1: the interval of a mean of %d is as wide as its error implies',
  (n) => {
    const half = 1.96 * Math.sqrt((0.2 * 0.8) / n);
    const { value, low, high, n: of } = resampled(items(n), mean, 5);
    expect([value, of]).toEqual([0.2, n]);
    expect(((high ?? 0) - (low ?? 0)) / 2 / half).toBeGreaterThan(0.8);
    expect(((high ?? 0) - (low ?? 0)) / 2 / half).toBeLessThan(1.2);
    expect(low).toBeLessThan(0.2);
    expect(high).toBeGreaterThan(0.2);
  },
);

test('calibration.md 5.1: the same seed gives the same interval', () => {
  const distinct = Array.from({ length: 700 }, (_, at) => at / 700);
  expect(resampled(distinct, mean, 5)).toEqual(resampled(distinct, mean, 5));
});

test('X-12: a statistic without a value has no interval', () => {
  expect(resampled([], mean, 5)).toEqual({ value: null, low: null, high: null, n: 0 });
  expect(resampled([1], mean, 5)).toEqual({ value: 1, low: null, high: null, n: 1 });
});
