import { expect, test } from 'vitest';
import { resampled, resampledAlike } from './report-resampled';

const mean = (items: readonly number[]): number | null =>
  items.length === 0 ? null : items.reduce((sum, item) => sum + item, 0) / items.length;
/** A fifth of them 1. */
const items = (n: number): number[] => Array.from({ length: n }, (_, at) => (at % 5 === 0 ? 1 : 0));

test.each([100, 300, 2000])('calibration.md 5.1: the interval of a mean of %d is as wide as its error says', (n) => {
  const half = 1.96 * Math.sqrt((0.2 * 0.8) / n);
  const alike = resampledAlike(
    items(n),
    String,
    (kinds) => {
      const count = kinds.reduce((sum, { times }) => sum + times, 0);
      return count === 0 ? null : kinds.reduce((sum, { item, times }) => sum + item * times, 0) / count;
    },
    5,
  );
  for (const { value, low, high, n: of } of [resampled(items(n), mean, 5), alike]) {
    expect([value, of]).toEqual([0.2, n]);
    expect(((high ?? 0) - (low ?? 0)) / 2 / half).toBeGreaterThan(0.8);
    expect(((high ?? 0) - (low ?? 0)) / 2 / half).toBeLessThan(1.2);
    expect(low).toBeLessThan(0.2);
    expect(high).toBeGreaterThan(0.2);
  }
});

test('calibration.md 5.1: the same seed gives the same interval, and items of which no two are alike are resampled as such', () => {
  const distinct = Array.from({ length: 700 }, (_, at) => at / 700);
  expect(resampled(distinct, mean, 5)).toEqual(resampled(distinct, mean, 5));
  const alike = resampledAlike(distinct, String, (kinds) => mean(kinds.flatMap(({ item, times }) => Array<number>(times).fill(item))), 5);
  const half = 1.96 * Math.sqrt(1 / 12 / 700);
  expect(((alike.high ?? 0) - (alike.low ?? 0)) / 2 / half).toBeGreaterThan(0.8);
  expect(((alike.high ?? 0) - (alike.low ?? 0)) / 2 / half).toBeLessThan(1.2);
});

test('X-12: a statistic without a value has no interval', () => {
  expect(resampled([], mean, 5)).toEqual({ value: null, low: null, high: null, n: 0 });
  expect(resampled([1], mean, 5)).toEqual({ value: 1, low: null, high: null, n: 1 });
  expect(resampledAlike([], String, () => null, 5)).toEqual({ value: null, low: null, high: null, n: 0 });
});
