import fc from 'fast-check';
import jstat from 'jstat';
import { expect, test } from 'vitest';
import { newcombe, wilson } from '../domain';
import { clopperPearson, clusteredVariance, estimated } from './intervals';

test.each([
  ['catch', 42, 50, 0.7149, 0.9166],
  ['false rejections', 15, 150, 0.0615, 0.1584],
  ['precision', 42, 57, 0.6102, 0.8335],
])('calibration.md 5.1 V1: Wilson of %s, %i of %i', (_, k, n, low, high) => {
  expect(wilson(k, n).low).toBeCloseTo(low, 4);
  expect(wilson(k, n).high).toBeCloseTo(high, 4);
});

test.each([
  ['catch', 42, 50, 0.7089, 0.9283],
  ['false rejections', 15, 150, 0.0571, 0.1596],
])('calibration.md 5.1 V1: Clopper and Pearson of %s, %i of %i', (_, k, n, low, high) => {
  const interval = clopperPearson(k, n);
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
});

test('calibration.md 5.1 Clopper and Pearson: each end leaves α/2 of the binomial beyond it', () => {
  const upper = (k: number, n: number, share: number): number =>
    1 - (k === 0 ? 0 : jstat.jStat.binomial.cdf(k - 1, n, share));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 80 }), fc.nat(80), (n, raw) => {
      const k = Math.min(raw, n);
      const interval = clopperPearson(k, n);
      if (!interval) throw new Error('no interval');
      expect(k === 0 ? interval.low : upper(k, n, interval.low)).toBeCloseTo(
        k === 0 ? 0 : 0.025,
        8,
      );
      expect(k === n ? 1 - interval.high : 1 - upper(k + 1, n, interval.high)).toBeCloseTo(
        k === n ? 0 : 0.025,
        8,
      );
      // It contains the share itself.
      expect(interval.low).toBeLessThanOrEqual(k / n);
      expect(interval.high).toBeGreaterThanOrEqual(k / n);
    }),
    { seed: 51, numRuns: 200 },
  );
});

test('X-12 calibration.md 5.1 without items there is no interval', () => {
  expect(clopperPearson(0, 0)).toBeNull();
  expect(() => clopperPearson(3, 2)).toThrow(RangeError);
  expect(() => clopperPearson(0.5, 2)).toThrow(RangeError);
});

test('calibration.md 5.1 the difference of 42/50 and 36/50 by Newcombe', () => {
  const difference = newcombe(
    { numerator: 42, denominator: 50 },
    { numerator: 36, denominator: 50 },
  );
  expect(difference.value).toBeCloseTo(0.12, 10);
  expect(difference.low).toBeCloseTo(-0.0435, 4);
  expect(difference.high).toBeCloseTo(0.2767, 4);
});

test('calibration.md 5.1 clustered: single rows give the plain variance, equal rows that of one per cluster', () => {
  const values = [1, 0, 0, 1, 1, 1, 0, 1];
  const mean = 5 / 8;
  const plain = values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 7 / 8;
  expect(clusteredVariance(values.map((one) => [one]))).toBeCloseTo(plain, 14);
  expect(clusteredVariance(values.map((one) => [one, one, one, one]))).toBeCloseTo(plain, 14);
  // By hand: mean 0.6, sums of differences 0.4·2, −0.6·2, 0.4; 3/2 · (0.64 + 1.44 + 0.16) / 25.
  expect(clusteredVariance([[1, 1], [0, 0], [1], []])).toBeCloseTo((1.5 * 2.24) / 25, 14);
});

test('X-12 calibration.md 5.1 one cluster gives no variance', () => {
  expect(clusteredVariance([])).toBeNull();
  expect(clusteredVariance([[1, 0, 1]])).toBeNull();
});

test('calibration.md 5.4 value and ends are clipped to the bounds', () => {
  expect(estimated(-0.1, 0.2, 0, 1)).toMatchObject({ value: 0, low: 0 });
  expect(estimated(1.2, 0.01, 0, 1)).toEqual({ value: 1, se: 0.01, low: 1, high: 1 });
});
