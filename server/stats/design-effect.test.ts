import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClusterSums, clusterSums, designEffect, wilson } from '../domain';
import { widened } from './design-effect';
import { clusteredVariance } from './intervals';
import { binomialDraw, createRandom } from './random';

const sumsOf = (clusters: readonly (readonly number[])[]): ClusterSums => {
  const held = clusters
    .filter((cluster) => cluster.length > 0)
    .map((cluster) => [cluster.length, cluster.reduce((a, b) => a + b, 0)] as const);
  const sum = (of: (n: number, x: number) => number): number =>
    held.reduce((whole, [n, x]) => whole + of(n, x), 0);
  return {
    clusters: held.length,
    n: sum((n) => n),
    x: sum((_, x) => x),
    nn: sum((n) => n * n),
    xn: sum((n, x) => n * x),
    xx: sum((_, x) => x * x),
  };
};

test('calibration.md 5.1 it is the ratio of the cluster-robust variance to that of single items, and never below 1', () => {
  const cluster = fc.array(fc.constantFrom(0, 1), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(cluster, { minLength: 2, maxLength: 30 }), (clusters) => {
      const sums = sumsOf(clusters);
      const found = designEffect(sums);
      expect(found).toBeGreaterThanOrEqual(1);
      const variance = clusteredVariance(clusters);
      const p = sums.x / sums.n;
      if (variance === null || sums.nn === sums.n || p === 0 || p === 1) return;
      expect(found).toBeCloseTo(Math.max(1, variance / ((p * (1 - p)) / sums.n)), 9);
    }),
  );
});

test.each([
  ['single items', [[1], [0], [1], [1]], 1],
  ['one cluster', [[1, 0, 1]], 1],
  [
    'clusters of five equal items',
    Array.from({ length: 20 }, (_, n) => [0, 0, 0, 0, 0].fill(n % 2)),
    (20 / 19) * 5,
  ],
  ['equal items', Array.from({ length: 20 }, () => [1, 1, 1, 1, 1]), 5],
])('of %s', (_, clusters, expected) => {
  expect(designEffect(sumsOf(clusters))).toBeCloseTo(expected, 9);
});

test('calibration.md 5.1 with clusters the interval contains the truth at its level, without them far less often', () => {
  const random = createRandom(24_101);
  let [held, plain] = [0, 0];
  const runs = 1000;
  for (let run = 0; run < runs; run++) {
    const clusters = Array.from({ length: 60 }, () => {
      // Sessions are mostly good or mostly bad: 0.8 on average.
      const x = binomialDraw(random, 5, random() < 0.75 ? 0.95 : 0.35);
      return [0, 0, 0, 0, 0].map((_, n) => (n < x ? 1 : 0));
    });
    const sums = sumsOf(clusters);
    const weight = 1 / designEffect(sums);
    const holds = ({ low, high }: { low: number; high: number }): number =>
      low <= 0.8 && 0.8 <= high ? 1 : 0;
    held += holds(wilson(sums.x * weight, sums.n * weight));
    plain += holds(wilson(sums.x, sums.n));
  }
  expect(held / runs).toBeGreaterThan(0.93);
  expect(held / runs).toBeLessThan(0.97);
  expect(plain / runs).toBeLessThan(0.85);
});

test('sums of items are the sums of their clusters', () => {
  const clusters = fc.array(fc.array(fc.constantFrom(0, 1), { maxLength: 5 }), { maxLength: 12 });
  fc.assert(
    fc.property(clusters, (given) => {
      const items = given.flatMap((each, at) =>
        each.map((one) => ({ cluster: String(at), counted: one === 1 })),
      );
      expect(clusterSums(items)).toEqual(sumsOf(given));
    }),
  );
});

test('an interval grows by the root of the design effect, within the limits of the figure', () => {
  const one = { value: 0.5, low: 0.4, high: 0.7, n: 9 };
  const found = widened(one, 0.25, [0, 1]);
  expect(found.low).toBeCloseTo(0.3, 12);
  expect(found.high).toBeCloseTo(0.9, 12);
  expect(widened(one, 0.01, [0, 1])).toEqual({ value: 0.5, low: 0, high: 1, n: 9 });
  expect(widened(one, 1, [0, 1])).toBe(one);
  const none = { value: null, low: null, high: null };
  expect(widened(none, 0.5, [0, 1])).toBe(none);
});
