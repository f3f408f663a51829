import fc from 'fast-check';
import jstat from 'jstat';
import { describe, expect, test } from 'vitest';
import { detectableDifference, fisherExact, mcNemar, mcNemarOfClusters } from './compare';
import { createRandom } from './random';

test.each([
  // The values of calibration.md, and by hand: 2 · (1/2)^6, less half of it.
  [18, 7, 0.0433, 0.029],
  [7, 18, 0.0433, 0.029],
  [6, 0, 0.0313, 0.0156],
  [1, 0, 1, 0.5],
  [5, 5, 1, 1],
])(
  'X-12 calibration.md 5.7 McNemar of %i better and %i worse: exact %f, mid-p %f',
  (better, worse, exact, mid) => {
    const result = mcNemar(better, worse);
    expect(result).toMatchObject({ better, worse });
    expect(result.exactP).toBeCloseTo(exact, 4);
    // 5 and 5: 2·P[X <= 5] − P[X = 5] is 1 exactly.
    expect(result.midP).toBeCloseTo(mid, 4);
  },
);

test('calibration.md 5.7 McNemar is the binomial as summed by jStat', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), (better, worse) => {
      fc.pre(better + worse > 0);
      const { exactP, midP } = mcNemar(better, worse);
      const below = jstat.jStat.binomial.cdf(Math.min(better, worse), better + worse, 0.5);
      expect(exactP).toBeCloseTo(Math.min(1, 2 * below), 6);
      expect(midP).toBeCloseTo(
        Math.min(
          1,
          2 * below - jstat.jStat.binomial.pdf(Math.min(better, worse), better + worse, 0.5),
        ),
        6,
      );
    }),
    { seed: 57, numRuns: 200 },
  );
});

test('X-12 without a difference there is no test, and an invalid count gives no p', () => {
  expect(mcNemar(0, 0)).toEqual({ better: 0, worse: 0, exactP: null, midP: null });
  expect(mcNemar(1500, 1400).midP).toBeCloseTo(0.0634, 3);
  expect(() => mcNemar(-1, 2)).toThrow(RangeError);
});

test.each([
  // Fisher's tea test: 3 of 4 cups against 1 of 4, (1 + 16 + 16 + 1) / 70; and all of 4 against
  // none.
  [3, 4, 1, 4, 34 / 70],
  [4, 4, 0, 4, 2 / 70],
  [50, 54, 10, 15, 0.019_117],
  [10, 15, 50, 54, 0.019_117],
  [1, 10, 1, 10, 1],
])('calibration.md 5.7 Fisher: %d of %d against %d of %d', (k, n, l, m, p) => {
  expect(
    fisherExact({ numerator: k, denominator: n }, { numerator: l, denominator: m }),
  ).toBeCloseTo(p, 5);
});

test('calibration.md 5.7 Fisher: p sums the tables that are no likelier, by their binomial coefficients', () => {
  const choose = (n: number, k: number): number =>
    Array.from({ length: k }, (_, i) => (n - i) / (i + 1)).reduce((all, one) => all * one, 1);
  const share = fc
    .integer({ min: 1, max: 25 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
  fc.assert(
    fc.property(share, share, ([k, n], [l, m]) => {
      const chance = (at: number): number => choose(n, at) * choose(m, k + l - at);
      const tables = Array.from({ length: Math.min(n, k + l) + 1 }, (_, at) => at).filter(
        (at) => k + l - at <= m,
      );
      const sum = (ats: readonly number[]): number => ats.reduce((all, at) => all + chance(at), 0);
      const exact = sum(tables.filter((at) => chance(at) <= chance(k) * (1 + 1e-9))) / sum(tables);
      const found = fisherExact({ numerator: k, denominator: n }, { numerator: l, denominator: m });
      expect(found === null).toBe(tables.length === 1);
      expect(found ?? 1).toBeCloseTo(exact, 9);
    }),
  );
  expect(
    fisherExact({ numerator: 0, denominator: 0 }, { numerator: 1, denominator: 2 }),
  ).toBeNull();
  expect(() =>
    fisherExact({ numerator: 3, denominator: 2 }, { numerator: 1, denominator: 2 }),
  ).toThrow(RangeError);
});

test('calibration.md 5.7 Fisher: for large counts it approaches the z test of two shares, and extremes are never NaN', () => {
  const [one, other] = [
    { numerator: 45_300, denominator: 90_000 },
    { numerator: 110_000, denominator: 220_000 },
  ];
  const pooled = (one.numerator + other.numerator) / (one.denominator + other.denominator);
  const se = Math.sqrt(pooled * (1 - pooled) * (1 / one.denominator + 1 / other.denominator));
  const z = (one.numerator / one.denominator - other.numerator / other.denominator) / se;
  expect(fisherExact(one, other)).toBeCloseTo(2 * jstat.jStat.normal.cdf(-Math.abs(z), 0, 1), 2);
  expect(
    fisherExact({ numerator: 90_000, denominator: 90_000 }, { numerator: 0, denominator: 90_000 }),
  ).toBe(0);
});

test('calibration.md 5.7 the smallest difference that a number of pairs detects', () => {
  expect(detectableDifference(400, 0.2)).toBeCloseTo(
    (1.959964 + 0.841621) * Math.sqrt(0.2 / 400),
    6,
  );
  expect(detectableDifference(0, 0.2)).toBeNull();
});

describe('McNemar of clusters', () => {
  const side = fc.constantFrom(1 as const, 0 as const, -1 as const);

  test('with one pair per cluster it is McNemar, for any counts', () => {
    fc.assert(
      fc.property(fc.array(side, { maxLength: 60 }), (sides) => {
        const alone = mcNemarOfClusters(sides.map((one, i) => ({ cluster: String(i), side: one })));
        const count = (of: number): number => sides.filter((one) => one === of).length;
        expect(alone).toEqual(mcNemar(count(1), count(-1)));
      }),
    );
  });

  test('it is the share of all choices of sign with a sum at least as extreme', () => {
    const pairs = fc.array(fc.record({ cluster: fc.constantFrom('a', 'b', 'c', 'd', 'e'), side }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(pairs, (given) => {
        const sums = new Map<string, number>();
        for (const one of given) sums.set(one.cluster, (sums.get(one.cluster) ?? 0) + one.side);
        const differences = [...sums.values()];
        const found = mcNemarOfClusters(given);
        if (given.every((one) => one.side === 0)) return;
        const distance = Math.abs(differences.reduce((sum, one) => sum + one, 0));
        const choices = Array.from({ length: 2 ** differences.length }, (_, signs) =>
          differences.reduce((sum, one, i) => sum + ((signs >> i) & 1 ? one : -one), 0),
        );
        const asFar = choices.filter((sum) => Math.abs(sum) >= distance).length;
        expect(found.exactP).toBeCloseTo(asFar / choices.length, 9);
      }),
    );
  });

  test('with two equal ones, it finds a difference in at most about 5 of 100 trials of uniform clusters', () => {
    const random = createRandom(7);
    const [trials, sessions, turns] = [2000, 30, 6];
    let [clustered, single] = [0, 0];
    for (let trial = 0; trial < trials; trial++) {
      const pairs = Array.from({ length: sessions }, (_, cluster) => {
        const lean = random() < 0.5 ? 1 : -1;
        return Array.from({ length: turns }, () => ({
          cluster: String(cluster),
          side:
            random() < 0.5 ? (0 as const) : random() < 0.9 ? (lean as 1 | -1) : (-lean as 1 | -1),
        }));
      }).flat();
      const { better, worse, midP } = mcNemarOfClusters(pairs);
      if ((midP ?? 1) < 0.05) clustered++;
      if ((mcNemar(better, worse).midP ?? 1) < 0.05) single++;
    }
    expect(clustered / trials).toBeLessThan(0.06);
    expect(single / trials).toBeGreaterThan(0.15);
  });
});
