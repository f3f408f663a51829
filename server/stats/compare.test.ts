import fc from 'fast-check';
import jstat from 'jstat';
import { describe, expect, test } from 'vitest';
import {
  benjaminiHochberg,
  benjaminiYekutieli,
  bradleyTerry,
  cochranQ,
  correctedDifference,
  detectableDifference,
  fisherExact,
  holm,
  mcNemar,
  mcNemarOfClusters,
  mcNemarChiSquare,
  pairedPermutation,
  stuartMaxwell,
} from './compare';
import { twoProportionZ } from './drift';
import { createRandom, normalDraw } from './random';

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
    const told = mcNemar(better, worse);
    expect(told).toMatchObject({ better, worse });
    expect(told.exactP).toBeCloseTo(exact, 4);
    // 5 and 5: 2·P[X <= 5] − P[X = 5] is 1 exactly.
    expect(told.midP).toBeCloseTo(mid, 4);
  },
);

test('calibration.md 5.7 McNemar of 18 and 7: chi-square 4.00, p 0.0455', () => {
  const told = mcNemarChiSquare(18, 7);
  expect(told?.statistic).toBe(4);
  expect(told?.p).toBeCloseTo(0.0455, 4);
  expect(mcNemarChiSquare(5, 5)).toMatchObject({ statistic: 0, p: 1 });
});

test('calibration.md 5.7 McNemar is the binomial, added up by jStat', () => {
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

test('X-12 without a difference there is no test, and a wrong count is no plausible p', () => {
  expect(mcNemar(0, 0)).toEqual({ better: 0, worse: 0, exactP: null, midP: null });
  expect(mcNemarChiSquare(0, 0)).toBeNull();
  expect(mcNemar(1500, 1400).midP).toBeCloseTo(0.0634, 3);
  expect(() => mcNemar(-1, 2)).toThrow(RangeError);
  expect(() => mcNemarChiSquare(0.5, 2)).toThrow(RangeError);
});

test('calibration.md 5.7 Stuart and Maxwell: of two classes McNemar without correction, of three by hand', () => {
  expect(
    stuartMaxwell([
      [30, 18],
      [7, 45],
    ])?.statistic,
  ).toBeCloseTo(121 / 25, 10);
  // Fleiss 1981: for three classes (n23·d1² + n13·d2² + n12·d3²)/(2(n12·n23 + n12·n13 + n13·n23)),
  // n the mean of both ways.
  const table = [
    [35, 5, 0],
    [15, 20, 5],
    [10, 5, 5],
  ];
  const [n12, n13, n23] = [10, 5, 5];
  const [d1, d2, d3] = [40 - 60, 40 - 30, 20 - 10];
  const expected =
    (n23 * d1 ** 2 + n13 * d2 ** 2 + n12 * d3 ** 2) / (2 * (n12 * n23 + n12 * n13 + n13 * n23));
  const told = stuartMaxwell(table);
  expect(told?.statistic).toBeCloseTo(expected, 10);
  expect(told?.df).toBe(2);
  expect(told?.p).toBeCloseTo(Math.exp(-expected / 2), 10);
});

test('X-12 calibration.md 5.7 Stuart and Maxwell: no difference, no test; a class both always agree on changes nothing', () => {
  expect(
    stuartMaxwell([
      [3, 0],
      [0, 9],
    ]),
  ).toBeNull();
  expect(stuartMaxwell([])).toBeNull();
  const plain = stuartMaxwell([
    [30, 18],
    [7, 45],
  ]);
  expect(
    stuartMaxwell([
      [30, 0, 18],
      [0, 12, 0],
      [7, 0, 45],
    ]),
  ).toEqual(plain);
});

test('calibration.md 5.7 Cochran: of two judges McNemar without correction, of three by the definition', () => {
  const rows: (0 | 1)[][] = [
    ...new Array<(0 | 1)[]>(18).fill([1, 0]),
    ...new Array<(0 | 1)[]>(7).fill([0, 1]),
    [1, 1],
    [0, 0],
  ];
  expect(cochranQ(rows)).toMatchObject({ statistic: expect.closeTo(121 / 25, 10), df: 1 });
  const three: (0 | 1)[][] = [
    [1, 1, 0],
    [1, 1, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 1],
    [1, 1, 0],
  ];
  // Columns 5, 5, 1, mean 11/3; rows 2, 2, 1, 1, 3, 2.
  const spread = [5, 5, 1].reduce((sum, one) => sum + (one - 11 / 3) ** 2, 0);
  const rest = [2, 2, 1, 1, 3, 2].reduce((sum, one) => sum + one * (3 - one), 0);
  expect(cochranQ(three)?.statistic).toBeCloseTo((3 * 2 * spread) / rest, 10);
  expect(cochranQ(three)?.p).toBeCloseTo(Math.exp(-(cochranQ(three)?.statistic ?? 0) / 2), 10);
  expect([
    cochranQ([]),
    cochranQ([[1], [0]]),
    cochranQ([
      [1, 1],
      [0, 0],
    ]),
  ]).toEqual([null, null, null]);
});

/** By the definition: least level at which the procedure would refuse each. */
const level = (ps: readonly number[], refuses: (alpha: number) => Set<number>): number[] =>
  ps.map((_, i) => {
    for (let step = 0; step <= 4000; step++) if (refuses(step / 4000).has(i)) return step / 4000;
    return 1;
  });

test('calibration.md 5.7 Holm and Benjamini-Hochberg: the adjusted p is the least level at which the procedure refuses', () => {
  const ps = [0.01, 0.04, 0.03, 0.005, 0.55, 0.03];
  const order = ps.map((_, i) => i).sort((a, b) => (ps[a] ?? 0) - (ps[b] ?? 0));
  const down = level(ps, (alpha) => {
    const refused = new Set<number>();
    for (const [rank, i] of order.entries()) {
      if ((ps[i] ?? 1) > alpha / (ps.length - rank) + 1e-12) break;
      refused.add(i);
    }
    return refused;
  });
  const up = level(ps, (alpha) => {
    const last = order.findLastIndex(
      (i, rank) => (ps[i] ?? 1) <= (alpha * (rank + 1)) / ps.length + 1e-12,
    );
    return new Set(order.slice(0, last + 1));
  });
  for (const [i, p] of holm(ps).entries()) expect(p).toBeCloseTo(down[i] ?? -1, 3);
  for (const [i, p] of benjaminiHochberg(ps).entries()) expect(p).toBeCloseTo(up[i] ?? -1, 3);
  expect(holm(ps)[3]).toBeCloseTo(0.03, 12);
  expect(benjaminiYekutieli(ps)[3]).toBeCloseTo(
    0.03 * (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5 + 1 / 6),
    12,
  );
  expect([holm([]), benjaminiHochberg([0.2])]).toEqual([[], [0.2]]);
});

test.each([
  // Fisher's tea: 3 of 4 cups against 1 of 4, (1 + 16 + 16 + 1) / 70; and all of 4 against none.
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

test('calibration.md 5.7 Fisher: p is that of all tables, and no likelier ones, by their binomial coefficients', () => {
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

test('calibration.md 5.7 Fisher: of many it comes to the z test of two shares, and the hopeless is no NaN', () => {
  const [one, other] = [
    { numerator: 45_300, denominator: 90_000 },
    { numerator: 110_000, denominator: 220_000 },
  ];
  expect(fisherExact(one, other)).toBeCloseTo(twoProportionZ(one, other)?.p ?? -1, 2);
  expect(
    fisherExact({ numerator: 90_000, denominator: 90_000 }, { numerator: 0, denominator: 90_000 }),
  ).toBe(0);
});

test('calibration.md 5.7 permutation: all signs of few pairs, drawn ones of many, near to each other', () => {
  // 8 and 8 more of one sign of 2⁸.
  expect(pairedPermutation([1, 2, 1, 3, 1, 1, 2, 4], { seed: 1 })).toBe(2 / 256);
  expect(pairedPermutation([0.1, -0.1, 0.2, -0.2], { seed: 1 })).toBe(1);
  expect(pairedPermutation([], { seed: 1 })).toBeNull();
  const random = createRandom(57);
  const many = Array.from({ length: 60 }, () => normalDraw(random) + 0.3);
  const mean = many.reduce((sum, one) => sum + one, 0) / 60;
  const z = mean / Math.sqrt(many.reduce((sum, one) => sum + one * one, 0) / 3600);
  expect(pairedPermutation(many, { seed: 2 })).toBeCloseTo(
    2 * (1 - jstat.jStat.normal.cdf(Math.abs(z), 0, 1)),
    2,
  );
  expect(pairedPermutation(many, { seed: 2 })).toBe(pairedPermutation(many, { seed: 2 }));
});

test('calibration.md 5.7 Bradley and Terry: two players are the odds, many fulfil their likelihood', () => {
  const [one = 0, other = 0] =
    bradleyTerry([
      [0, 30],
      [10, 0],
    ]) ?? [];
  expect(one - other).toBeCloseTo(Math.log(3), 9);
  const wins = [
    [0, 7, 9.5, 4],
    [3, 0, 6, 8],
    [2.5, 4, 0, 5],
    [6, 2, 1, 0],
  ];
  const logs = bradleyTerry(wins) ?? [];
  expect(logs.reduce((sum, log) => sum + log, 0)).toBeCloseTo(0, 9);
  for (const [i, log] of logs.entries()) {
    const won = (wins[i] ?? []).reduce((sum, count) => sum + count, 0);
    const expected = logs.reduce(
      (sum, rival, j) =>
        i === j
          ? sum
          : sum + ((wins[i]?.[j] ?? 0) + (wins[j]?.[i] ?? 0)) / (1 + Math.exp(rival - log)),
      0,
    );
    expect(expected).toBeCloseTo(won, 8);
  }
});

test('X-12 calibration.md 5.7 Bradley and Terry: who never loses, or never meets the others, has no strength', () => {
  expect([
    bradleyTerry([]),
    bradleyTerry([
      [0, 5],
      [0, 0],
    ]),
    bradleyTerry([
      [0, 1, 0, 0],
      [1, 0, 0, 0],
      [0, 0, 0, 1],
      [0, 0, 1, 0],
    ]),
  ]).toEqual([null, null, null]);
});

test('calibration.md 5.7 a corrected difference has the error of both arms', () => {
  const told = correctedDifference({ value: 0.3, se: 0.03 }, { value: 0.2, se: 0.04 });
  expect(told.value).toBeCloseTo(0.1, 12);
  expect(told.se).toBeCloseTo(0.05, 12);
  expect(told.p).toBeCloseTo(0.0455, 4);
  expect(correctedDifference({ value: 0.3, se: 0 }, { value: 0.2, se: 0 }).p).toBeNull();
});

test('calibration.md 5.7 the least difference that so many pairs show', () => {
  expect(detectableDifference(400, 0.2)).toBeCloseTo(
    (1.959964 + 0.841621) * Math.sqrt(0.2 / 400),
    6,
  );
  expect(detectableDifference(0, 0.2)).toBeNull();
});

describe('McNemar of clusters', () => {
  const side = fc.constantFrom(1 as const, 0 as const, -1 as const);

  test('with one pair a cluster it is McNemar, whatever the counts', () => {
    fc.assert(
      fc.property(fc.array(side, { maxLength: 60 }), (sides) => {
        const alone = mcNemarOfClusters(sides.map((one, i) => ({ cluster: String(i), side: one })));
        const count = (of: number): number => sides.filter((one) => one === of).length;
        expect(alone).toEqual(mcNemar(count(1), count(-1)));
      }),
    );
  });

  test('it is the share of all choices of sign whose sum is as far out', () => {
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
        expect(found.exactP).toBeCloseTo(
          pairedPermutation(differences, { seed: 1 }) ?? Number.NaN,
          9,
        );
      }),
    );
  });

  test('where the two are equal, it finds a difference in at most about 5 of 100 trials of clusters that agree', () => {
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
