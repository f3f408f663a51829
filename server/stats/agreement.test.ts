import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categoricalKappa, cohenKappa, krippendorffAlpha } from './agreement';
import { createRandom } from './random';

const v1 = { caught: 42, missed: 8, rejected: 15, passed: 135 };
type Unit = (number | null)[];

test('X-1 calibration.md 5.2 V1: kappa 0.7070, standard error 0.0567, [0.5959, 0.8181]', () => {
  const kappa = cohenKappa(v1);
  expect(kappa.n).toBe(200);
  expect(kappa.value).toBeCloseTo(0.707, 4);
  expect(kappa.se).toBeCloseTo(0.0567, 4);
  expect(kappa.low).toBeCloseTo(0.5959, 4);
  expect(kappa.high).toBeCloseTo(0.8181, 4);
  // po 0.885, pe 0.6075.
  expect(kappa.value).toBeCloseTo((0.885 - 0.6075) / (1 - 0.6075), 12);
});

test.each([
  [{ caught: 0, missed: 0, rejected: 0, passed: 0 }, 0],
  [{ caught: 9, missed: 0, rejected: 0, passed: 0 }, 9],
  [{ caught: 0, missed: 0, rejected: 0, passed: 9 }, 9],
])('X-12 kappa of %j is no data, neither 0 nor NaN', (matrix, n) => {
  expect(cohenKappa(matrix)).toEqual({ value: null, se: null, low: null, high: null, n });
});

test('X-12 a measured kappa of 0 is not no data', () => {
  expect(cohenKappa({ caught: 5, missed: 5, rejected: 5, passed: 5 })).toMatchObject({
    value: 0,
    n: 20,
  });
  expect(cohenKappa({ caught: 9, missed: 0, rejected: 1, passed: 0 })).toMatchObject({
    value: 0,
    low: -1,
    high: expect.closeTo(0.8212, 3) as number,
  });
});

test('X-1 full agreement is 1, full disagreement is -1, each with Wilson’s interval of 20, and intervals stay within -1 and 1', () => {
  expect(cohenKappa({ caught: 10, missed: 0, rejected: 0, passed: 10 })).toMatchObject({
    value: 1,
    se: 0,
    low: expect.closeTo(0.6777, 3) as number,
    high: 1,
  });
  expect(cohenKappa({ caught: 0, missed: 10, rejected: 10, passed: 0 })).toMatchObject({
    value: -1,
    low: -1,
    high: expect.closeTo(-0.6777, 3) as number,
  });
});

test.each([-1, 0.5, Number.NaN])('X-12 %d is not a count', (caught) => {
  expect(() => cohenKappa({ caught, missed: 1, rejected: 1, passed: 1 })).toThrow(RangeError);
});

/** By the definition, pair by pair: how often two random items, one of each rater, would agree. */
function kappaOfPairs(pairs: readonly (readonly [string, string])[]): number {
  let [same, byChance] = [0, 0];
  for (const [one] of pairs) for (const [, other] of pairs) byChance += one === other ? 1 : 0;
  for (const [one, other] of pairs) same += one === other ? 1 : 0;
  const [po, pe] = [same / pairs.length, byChance / pairs.length ** 2];
  return (po - pe) / (1 - pe);
}

test('calibration.md 5.2 kappa of any classes equals its definition, pair by pair', () => {
  const label = fc.constantFrom('1', '2', 'tie', '__proto__');
  fc.assert(
    fc.property(fc.array(fc.tuple(label, label), { minLength: 2, maxLength: 60 }), (pairs) => {
      fc.pre(new Set(pairs.flat()).size > 1);
      const kappa = categoricalKappa(pairs);
      expect(kappa.n).toBe(pairs.length);
      expect(kappa.value).toBeCloseTo(kappaOfPairs(pairs), 10);
      // The order of the raters and the names of the classes are irrelevant.
      const turned = categoricalKappa(pairs.map(([one, other]) => [other, one]));
      expect(turned.value).toBeCloseTo(kappa.value ?? Number.NaN, 10);
      expect(turned.se).toBeCloseTo(kappa.se ?? Number.NaN, 10);
    }),
    { seed: 52, numRuns: 300 },
  );
});

test('X-12 calibration.md 5.2 categorical kappa of nothing, and of one class, is no data', () => {
  expect(categoricalKappa([])).toEqual({ value: null, se: null, low: null, high: null, n: 0 });
  expect(categoricalKappa([['a', 'a']]).value).toBeNull();
});

test('calibration.md 5.2 the standard error is the deviation of samples from one population', () => {
  const random = createRandom(12);
  const values: number[] = [];
  for (let run = 0; run < 4000; run++) {
    const cells = [0, 0, 0, 0];
    for (let i = 0; i < 200; i++) {
      const at = random();
      const cell = at < 0.21 ? 0 : at < 0.25 ? 1 : at < 0.325 ? 2 : 3;
      cells[cell] = (cells[cell] ?? 0) + 1;
    }
    const [caught = 0, missed = 0, rejected = 0, passed = 0] = cells;
    values.push(cohenKappa({ caught, missed, rejected, passed }).value ?? 0);
  }
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const scatter = Math.sqrt(
    values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / values.length,
  );
  expect(scatter / (cohenKappa(v1).se ?? 0)).toBeGreaterThan(0.95);
  expect(scatter / (cohenKappa(v1).se ?? 0)).toBeLessThan(1.05);
});

/**
 * From the definition: mean distance of pairs within items, each pairable value weighted by its
 * frequency, over that of all pairs.
 */
function alphaOfPairs(
  units: readonly (readonly (number | null)[])[],
  distance: (a: number, b: number) => number,
): number {
  const held = units
    .map((unit) => unit.filter((one) => one !== null))
    .filter((unit) => unit.length > 1);
  const all = held.flat();
  let [within, between] = [0, 0];
  for (const unit of held) {
    for (const [i, one] of unit.entries())
      for (const [k, other] of unit.entries())
        if (i !== k) within += distance(one, other) / (unit.length - 1);
  }
  for (const [i, one] of all.entries())
    for (const [k, other] of all.entries()) if (i !== k) between += distance(one, other);
  return 1 - within / all.length / (between / (all.length * (all.length - 1)));
}

test('calibration.md 5.2 V1: nominal alpha 0.7073', () => {
  const units = [
    ...new Array<Unit>(42).fill([1, 1]),
    ...new Array<Unit>(8).fill([0, 1]),
    ...new Array<Unit>(15).fill([1, 0]),
    ...new Array<Unit>(135).fill([0, 0]),
  ];
  expect(krippendorffAlpha(units, 'nominal')).toBeCloseTo(0.7073, 4);
});

test("calibration.md 5.2 alpha of Krippendorff's own example: nominal 0.743, ordinal 0.815, interval 0.849", () => {
  const raters = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
    [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
  ];
  const units = Array.from({ length: 12 }, (_, i) => raters.map((rater) => rater[i] ?? null));
  expect(krippendorffAlpha(units, 'nominal')).toBeCloseTo(0.743, 3);
  expect(krippendorffAlpha(units, 'ordinal')).toBeCloseTo(0.815, 3);
  expect(krippendorffAlpha(units, 'interval')).toBeCloseTo(0.849, 3);
});

test('calibration.md 5.2 alpha equals its definition, pair by pair, with missing ratings', () => {
  const rating = fc.option(fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(
      fc.array(fc.array(rating, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 25 }),
      (units) => {
        const paired = units
          .map((unit) => unit.filter((one) => one !== null))
          .filter((unit) => unit.length > 1);
        fc.pre(new Set(paired.flat()).size > 1);
        expect(krippendorffAlpha(units, 'nominal')).toBeCloseTo(
          alphaOfPairs(units, (a, b) => (a === b ? 0 : 1)),
          10,
        );
        expect(krippendorffAlpha(units, 'interval')).toBeCloseTo(
          alphaOfPairs(units, (a, b) => (a - b) ** 2),
          10,
        );
        const all = paired.flat();
        const ordinal = (a: number, b: number): number => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          const between = all.filter((one) => one >= low && one <= high).length;
          const ends = all.filter((one) => one === low || one === high).length;
          return a === b ? 0 : (between - ends / 2) ** 2;
        };
        expect(krippendorffAlpha(units, 'ordinal')).toBeCloseTo(alphaOfPairs(units, ordinal), 10);
      },
    ),
    { seed: 521, numRuns: 300 },
  );
});

test('X-12 calibration.md 5.2 alpha without ratings, of single ratings, or of one class is no data; words have no order', () => {
  expect([
    krippendorffAlpha([], 'nominal'),
    krippendorffAlpha([['a'], [null, 'b']], 'nominal'),
    krippendorffAlpha([['a', 'a']], 'nominal'),
  ]).toEqual([null, null, null]);
  expect(() => krippendorffAlpha([['a', 'b']], 'ordinal')).toThrow(RangeError);
  expect(
    krippendorffAlpha(
      [
        ['a', 'b'],
        ['b', 'b'],
      ],
      'nominal',
    ),
  ).toBe(0);
});
