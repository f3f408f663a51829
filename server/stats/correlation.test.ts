import fc from 'fast-check';
import { sampleCorrelation, sampleRankCorrelation } from 'simple-statistics';
import { expect, test } from 'vitest';
import { kendallTauB, pearson, pearsonOfSums, spearman } from './correlation';

type Pair = [number, number];
const pairsOf = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -5, max: 5 })),
  { minLength: 3, maxLength: 60 },
);
const varies = (pairs: readonly Pair[]): boolean =>
  [0, 1].every((side) => new Set(pairs.map((pair) => pair[side])).size > 1);

/** By the definition: all pairs of items. */
function tauOfPairs(pairs: readonly Pair[]): number {
  let [agree, one, other] = [0, 0, 0];
  for (const [i, a] of pairs.entries()) {
    for (const b of pairs.slice(i + 1)) {
      agree += Math.sign(a[0] - b[0]) * Math.sign(a[1] - b[1]);
      one += a[0] === b[0] ? 0 : 1;
      other += a[1] === b[1] ? 0 : 1;
    }
  }
  return agree / Math.sqrt(one * other);
}

test('SOAR-33 calibration.md 5.6 Pearson equals that of simple-statistics, and that of sums from a query', () => {
  fc.assert(
    fc.property(pairsOf, (pairs) => {
      fc.pre(varies(pairs));
      const { value } = pearson(pairs);
      expect(value).toBeCloseTo(
        sampleCorrelation(
          pairs.map(([x]) => x),
          pairs.map(([, y]) => y),
        ),
        10,
      );
      const sum = (of: (pair: Pair) => number): number =>
        pairs.reduce((total, pair) => total + of(pair), 0);
      const sums = {
        n: pairs.length,
        x: sum(([x]) => x),
        y: sum(([, y]) => y),
        xx: sum(([x]) => x * x),
        yy: sum(([, y]) => y * y),
        xy: sum(([x, y]) => x * y),
      };
      expect(pearsonOfSums(sums).value).toBeCloseTo(value ?? Number.NaN, 9);
    }),
    { seed: 33, numRuns: 200 },
  );
});

test("SOAR-33 Pearson's interval is Fisher's", () => {
  const pairs = Array.from({ length: 103 }, (_, i): Pair => [i, (i * 37) % 103]);
  const { value, low, high } = pearson(pairs);
  expect(low).toBeCloseTo(Math.tanh(Math.atanh(value ?? 0) - 0.1959963984540054), 12);
  expect(high).toBeCloseTo(Math.tanh(Math.atanh(value ?? 0) + 0.1959963984540054), 12);
});

test('calibration.md 5.6 Spearman of distinct values equals that of simple-statistics', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 4, maxLength: 40 }),
      (xs) => {
        const ys = xs.map((x) => (x * 617) % 1009);
        expect(spearman(xs.map((x, i) => [x, ys[i] ?? 0])).value).toBeCloseTo(
          sampleRankCorrelation(xs, ys),
          10,
        );
      },
    ),
    { seed: 34, numRuns: 100 },
  );
});

test('calibration.md 5.6 Spearman is Pearson of the ranks, with mean ranks for equal values', () => {
  const pairs: Pair[] = [
    [1, 2],
    [1, 1],
    [3, 2],
    [4, 9],
    [4, 9],
  ];
  const ranks: Pair[] = [
    [1.5, 2.5],
    [1.5, 1],
    [3, 2.5],
    [4.5, 4.5],
    [4.5, 4.5],
  ];
  expect(spearman(pairs).value).toBeCloseTo(pearson(ranks).value ?? 0, 12);
});

test('calibration.md 5.6 Kendall by merging equals its definition over all pairs, with ties', () => {
  fc.assert(
    fc.property(pairsOf, (pairs) => {
      fc.pre(varies(pairs));
      expect(kendallTauB(pairs).value).toBeCloseTo(tauOfPairs(pairs), 10);
    }),
    { seed: 35, numRuns: 300 },
  );
});

test('calibration.md 5.6 the same order is 1, the reverse −1', () => {
  const line = Array.from({ length: 30 }, (_, i): Pair => [i, i ** 3]);
  for (const of of [spearman, kendallTauB]) {
    expect(of(line).value).toBe(1);
    expect(of(line.map(([x, y]) => [x, -y])).value).toBe(-1);
  }
  const { low, high } = kendallTauB(Array.from({ length: 54 }, (_, i): Pair => [i, (i * 17) % 54]));
  expect(low).toBeLessThan(high ?? 0);
});

test.each([
  ['nothing', []],
  ['one constant side', Array.from({ length: 9 }, (_, i): Pair => [i, 0.1])],
])('X-12 %s: no correlation', (_, pairs) => {
  const none = { value: null, low: null, high: null, n: pairs.length };
  expect([pearson(pairs), spearman(pairs), kendallTauB(pairs)]).toEqual([none, none, none]);
});

test('X-12 sums of equal values are no data, and few pairs have no interval', () => {
  expect(pearsonOfSums({ n: 0, x: 0, y: 0, xx: 0, yy: 0, xy: 0 }).value).toBeNull();
  expect(
    pearsonOfSums({ n: 30, x: 30 * 0.1, y: 12, xx: 30 * 0.1 ** 2, yy: 12, xy: 12 * 0.1 }).value,
  ).toBeNull();
  expect(
    pearson([
      [0, 1],
      [1, 0],
      [2, 5],
    ]),
  ).toMatchObject({ low: null, high: null, n: 3 });
  expect(
    spearman([
      [0, 1],
      [1, 0],
      [2, 5],
    ]),
  ).toMatchObject({ low: null, high: null, n: 3 });
  expect(pearsonOfSums({ n: 3, x: 3, y: 6, xx: 5, yy: 26, xy: 10 })).toMatchObject({
    low: null,
    high: null,
  });
  expect(() => kendallTauB([[Number.NaN, 1]])).toThrow(RangeError);
});
