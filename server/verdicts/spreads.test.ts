import { expect, it } from 'vitest';
import { bucketOf, scoreOfBucket, spreadOf, valueOfBucket } from './spreads';

it.each([1e-12, 0.001, 0.5, 0.999, 1, 1.04, 12.5, 999, 86_400_000, 1e12])(
  'D3 the value of the bucket of %d is within 2 %% of it, on both sides of 0',
  (value) => {
    for (const each of [value, -value]) {
      const estimate = valueOfBucket(bucketOf(each));
      expect(Math.abs(estimate - each) / Math.abs(each)).toBeLessThanOrEqual(0.02);
      expect(Math.sign(estimate)).toBe(Math.sign(each));
    }
  },
);

it('D3 zero has a bucket of its own, and order is kept across it', () => {
  const values = [-1e15, -3, -0.01, 0, 0.01, 0.02, 3, 1e15];
  const buckets = values.map(bucketOf);
  expect(buckets[3]).toBe(0);
  expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  expect(valueOfBucket(0)).toBe(0);
});

it('D3 percentiles of buckets are within 2 % of those of the values', () => {
  const values = Array.from({ length: 5_000 }, (_, n) => Math.exp((n / 5_000) * 12) - 2);
  const counts = new Map<number, number>();
  for (const value of values) counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1);
  const spread = spreadOf([...counts].map(([bucket, count]) => ({ bucket, count })));
  expect(spread.n).toBe(5_000);
  for (const [share, estimate] of [
    [0.5, spread.p50],
    [0.95, spread.p95],
    [0.99, spread.p99],
  ] as const) {
    const exact = values[Math.ceil(share * values.length) - 1] ?? 0;
    expect(
      Math.abs((estimate ?? Number.NaN) - exact) / Math.abs(exact),
      `p${share}`,
    ).toBeLessThanOrEqual(0.02);
  }
});

const scoresOf = (...scores: readonly number[]) =>
  spreadOf(
    scores.map((score) => ({ bucket: bucketOf(score), count: 1 })),
    scoreOfBucket,
  );

it.each([0, 1, 100])(
  'D3 scores that all are %d are reported as that: no scale continues past its end',
  (score) => {
    expect(scoresOf(score, score, score)).toEqual({ n: 3, p50: score, p95: score, p99: score });
  },
);

it('D3 scores of every other bucket stay within 2 % of their value, and above the end of one scale others continue', () => {
  for (let score = 0.01; score <= 100; score += 0.01) {
    if (bucketOf(score) === bucketOf(1)) continue;
    const estimate = scoresOf(score).p50 ?? Number.NaN;
    expect(Math.abs(estimate - score) / score).toBeLessThanOrEqual(0.02);
    expect(estimate).toBeLessThanOrEqual(100);
  }
  expect(scoresOf(0.97, 12).p99).toBeCloseTo(12, 0);
});

it('X-12 without values there are no percentiles', () => {
  expect(spreadOf([])).toEqual({ n: 0, p50: null, p95: null, p99: null });
});
