import fc from 'fast-check';
import { linearRegression } from 'simple-statistics';
import { expect, test } from 'vitest';
import {
  type BiasRow,
  exactBinomial,
  flipRate,
  icc2k,
  linearBiasHc3,
  selfAgreement,
  withinItemDeviation,
} from './probes';
import { createRandom, normalDraw } from './random';
import { fitLinearHc3 } from './regression';

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

test('calibration.md 5.8 exact binomial: the sum of all counts that are no likelier, in integers', () => {
  const choose = (n: number, k: number): bigint =>
    k === 0 ? 1n : (choose(n, k - 1) * BigInt(n - k + 1)) / BigInt(k);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), (n, raw) => {
      const k = Math.min(raw, n);
      let sum = 0n;
      for (let i = 0; i <= n; i++) if (choose(n, i) <= choose(n, k)) sum += choose(n, i);
      expect(exactBinomial(k, n)).toBeCloseTo(
        Number((sum * 10n ** 15n) / 2n ** BigInt(n)) / 1e15,
        9,
      );
    }),
    { seed: 58, numRuns: 200 },
  );
  // 0.2 of 3: P[3] = 0.008, P[2] = 0.096.
  expect(exactBinomial(2, 3, 0.2)).toBeCloseTo(0.104, 12);
  expect(exactBinomial(0, 0)).toBeNull();
  expect(() => exactBinomial(2, 1)).toThrow(RangeError);
});

test('calibration.md 5.8 repeats: flip rate, self-agreement, deviation within an item, by hand', () => {
  const repeats = [['a', 'a', 'a', 'b'], ['a', 'a', 'a', 'a'], ['a', 'b', 'a', 'b'], ['a']];
  expect(flipRate(repeats)).toMatchObject({
    value: expect.closeTo((0.25 + 0 + 0.5) / 3, 12),
    n: 3,
  });
  expect(flipRate(repeats)?.se).toBeCloseTo(0.25 / Math.sqrt(3), 12);
  expect(selfAgreement(repeats)).toMatchObject({
    value: expect.closeTo((6 / 12 + 1 + 4 / 12) / 3, 12),
    n: 3,
  });
  expect(withinItemDeviation([[1, 3], [2, 2], [5]])).toBeCloseTo(1, 12);
  expect([flipRate([]), flipRate([['a']]), selfAgreement([]), withinItemDeviation([[1]])]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("calibration.md 5.8 ICC(2,k) of Shrout and Fleiss's example is 0.62", () => {
  const ratings = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
  ];
  expect(icc2k(ratings)).toBeCloseTo(0.62, 2);
  expect([
    icc2k([]),
    icc2k([[1, 2]]),
    icc2k([[1], [2]]),
    icc2k([[1, 2], [1]]),
    icc2k([
      [3, 3],
      [3, 3],
    ]),
  ]).toEqual(new Array(5).fill(null));
});

const judged = (n: number, gamma: number): BiasRow[] => {
  const random = createRandom(n + 1);
  return Array.from({ length: n }, () => {
    const bad = random() < 0.3;
    const length = normalDraw(random);
    return {
      bad,
      terms: [length],
      flagged: random() < sigmoid(-2 + 3.5 * (bad ? 1 : 0) + gamma * length),
    };
  });
};

test('calibration.md 5.8 verbosity: a judge that flags long answers is detected, another one is not', () => {
  expect(linearBiasHc3(judged(6000, 0.5))?.[0]?.low).toBeGreaterThan(0);
});

test('calibration.md 5.8 least squares: equals the line of simple-statistics, and HC3 its definition for a single mean', () => {
  const points = Array.from({ length: 30 }, (_, i): [number, number] => [
    i,
    ((i * 7) % 11) + 0.3 * i,
  ]);
  const line = linearRegression(points);
  const fit = fitLinearHc3(points.map(([x, y]) => ({ terms: [x], y })));
  expect(fit?.[0]?.value).toBeCloseTo(line.b, 9);
  expect(fit?.[1]?.value).toBeCloseTo(line.m, 9);
  // Without terms every leverage is 1/n: Σ(e/(1 − 1/n))²/n².
  const ys = [1, 4, 2, 8, 5];
  const mean = fitLinearHc3(ys.map((y) => ({ terms: [], y })))?.[0];
  expect(mean?.value).toBeCloseTo(4, 12);
  expect(mean?.se).toBeCloseTo(Math.sqrt((9 + 0 + 4 + 16 + 1) / 0.8 ** 2) / 5, 12);
  // t of 4 degrees.
  expect((mean?.high ?? 0) - 4).toBeCloseTo(2.776_445 * (mean?.se ?? 0), 5);
});

test('calibration.md 5.8 HC3 covers the truth if the variance differs between rows', () => {
  const random = createRandom(582);
  let held = 0;
  for (let run = 0; run < 400; run++) {
    const rows = Array.from({ length: 60 }, () => {
      const x = random() * 3;
      return { terms: [x], y: 1 + 0.5 * x + x * normalDraw(random) };
    });
    const slope = fitLinearHc3(rows)?.[1];
    if (slope && slope.low <= 0.5 && slope.high >= 0.5) held++;
  }
  expect(held / 400).toBeGreaterThan(0.92);
});

test('X-12 calibration.md 5.8 undetermined results are null: no rows, separated classes, a constant term', () => {
  const rows = judged(200, 0.5);
  expect(linearBiasHc3(rows.map((row) => ({ ...row, terms: [3] })))).toBeNull();
});
