import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctionFor } from './choose-correction';
import { cellsOf, equalCells, type Labelled } from './cells-fixture';
import { complement, labelsOnly, naiveShare, ppi, roganGladen, skillOf } from './corrected';
import { createRandom } from './random';

const v1 = { caught: 42, missed: 8, rejected: 15, passed: 135 };
const nothing = { caught: 0, missed: 0, rejected: 0, passed: 0 };
const production = { flagged: 1200, decided: 5000 };

test('calibration.md 5.4 V1: naive 0.24 [0.2284, 0.2520], labels only 0.25', () => {
  // By the plain interval; Wilson's ends differ in the fourth digit at most.
  const naive = naiveShare(1200, 5000);
  expect(naive?.value).toBe(0.24);
  expect(naive?.low).toBeCloseTo(0.2284, 3);
  expect(naive?.high).toBeCloseTo(0.252, 3);
  expect(labelsOnly(equalCells(v1))?.value).toBe(0.25);
});

test('calibration.md 5.4 V1: Rogan and Gladen 0.1892, standard error 0.0310, [0.1284, 0.2500]', () => {
  const corrected = roganGladen({ ...production, matrix: v1 });
  expect(corrected?.value).toBeCloseTo(0.1892, 4);
  expect(corrected?.se).toBeCloseTo(0.031, 4);
  expect(corrected?.low).toBeCloseTo(0.1284, 4);
  expect(corrected?.high).toBeCloseTo(0.25, 4);
});

test('calibration.md 5.4 V1: Lang and Reiczigel [0.1238, 0.2503]', () => {
  const corrected = roganGladen({ ...production, matrix: v1, smallSample: true });
  expect(corrected?.low).toBeCloseTo(0.1238, 4);
  expect(corrected?.high).toBeCloseTo(0.2503, 4);
});

test('calibration.md 5.4 V1: PPI++ lambda 0.7279, 0.2172, standard error 0.0221, [0.1739, 0.2606]; lambda 0 is the labelled mean', () => {
  const corrected = ppi({ ...production, cells: equalCells(v1) });
  expect(corrected?.lambda).toBeCloseTo(0.7279, 4);
  expect(corrected?.value).toBeCloseTo(0.2172, 4);
  expect(corrected?.se).toBeCloseTo(0.0221, 4);
  expect(corrected?.low).toBeCloseTo(0.1739, 4);
  expect(corrected?.high).toBeCloseTo(0.2606, 4);
  expect(ppi({ ...production, cells: equalCells(v1), lambda: 0 })?.value).toBe(0.25);
});

/** The formulas of 5.4 item by item, every label with the same probability. */
function ppiOfItems(
  labelled: readonly Labelled[],
  flagged: number,
  decided: number,
): { value: number; se: number; lambda: number } {
  const n = labelled.length;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const variance = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + (one - mean(values)) ** 2, 0) / (values.length - 1);
  const y = labelled.map((one) => one.y);
  const f = labelled.map((one) => one.f);
  const unlabelled = [
    ...new Array<number>(flagged).fill(1),
    ...new Array<number>(decided - flagged).fill(0),
  ];
  const covariance =
    y.reduce<number>((sum, one, i) => sum + (one - mean(y)) * ((f[i] ?? 0) - mean(f)), 0) / n;
  const whole = mean([...f, ...unlabelled]);
  const all = whole * (1 - whole);
  const lambda = all === 0 ? 0 : Math.min(1, Math.max(0, covariance / ((1 + n / decided) * all)));
  const rest = variance(y.map((one, i) => one - lambda * (f[i] ?? 0)));
  const share = flagged / decided;
  const se = Math.sqrt((lambda ** 2 * share * (1 - share)) / decided + rest / n);
  return { value: mean(y) + lambda * (mean(unlabelled) - mean(f)), se, lambda };
}

test('calibration.md 5.4 PPI++ of cells equals that of the items', () => {
  const bit = fc.constantFrom<0 | 1>(0, 1);
  const item = fc.record({ y: bit, f: bit, probability: fc.constant(0.05) });
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 2, maxLength: 60 }),
      fc.integer({ min: 1, max: 300 }),
      fc.nat(300),
      (labelled, decided, raw) => {
        const flagged = Math.min(raw, decided);
        const expected = ppiOfItems(labelled, flagged, decided);
        const result = ppi({ cells: cellsOf(labelled), flagged, decided });
        expect(result?.lambda).toBeCloseTo(expected.lambda, 9);
        expect(result?.value).toBeCloseTo(Math.min(1, Math.max(0, expected.value)), 9);
        expect(result?.se).toBeCloseTo(expected.se, 9);
      },
    ),
    { seed: 54, numRuns: 300 },
  );
});

test('calibration.md 5.4 labels of unequal probability are weighted: flagged ones drawn more often do not count more', () => {
  // Drawn: 80% of 400 flagged, 10% of 1600 passed. 300 of the flagged and 160 of the passed are
  // bad.
  const draw = (n: number, y: 0 | 1, f: 0 | 1, probability: number): Labelled[] =>
    new Array<Labelled>(n).fill({ y, f, probability });
  const labelled = [
    ...draw(240, 1, 1, 0.8),
    ...draw(80, 0, 1, 0.8),
    ...draw(16, 1, 0, 0.1),
    ...draw(144, 0, 0, 0.1),
  ];
  const cells = cellsOf(labelled);
  expect(cells.caught).toEqual({
    n: 240,
    weight: expect.closeTo(300, 6),
    square: expect.closeTo(375, 6),
  });
  expect(labelsOnly(cells)?.value).toBeCloseTo(460 / 2000, 10);
  const corrected = ppi({ cells, flagged: 400 - 320, decided: 2000 - 480 });
  expect(corrected?.value).toBeCloseTo(460 / 2000, 10);
  expect(corrected?.se).toBeLessThan(labelsOnly(cells)?.se ?? 0);
});

test('calibration.md 5.4 unequal probabilities: the mean of many draws is the truth, and the intervals contain it', () => {
  const random = createRandom(541);
  let [sum, held] = [0, 0];
  const runs = 800;
  for (let run = 0; run < runs; run++) {
    const items = Array.from({ length: 1500 }, () => {
      const y: 0 | 1 = random() < 0.2 ? 1 : 0;
      const f: 0 | 1 = random() < (y === 1 ? 0.7 : 0.2) ? 1 : 0;
      const probability = f === 1 ? 0.3 : 0.1;
      return { f, y: random() < probability ? y : null, probability };
    });
    const labelled = items.flatMap(({ f, y, probability }) =>
      y === null ? [] : [{ f, y, probability }],
    );
    const unlabelled = items.filter(({ y }) => y === null);
    const corrected = ppi({
      cells: cellsOf(labelled),
      flagged: unlabelled.filter(({ f }) => f === 1).length,
      decided: unlabelled.length,
    });
    sum += corrected?.value ?? 0;
    if (corrected && corrected.low <= 0.2 && corrected.high >= 0.2) held++;
  }
  expect(sum / runs).toBeCloseTo(0.2, 2);
  expect(held / runs).toBeGreaterThan(0.92);
});

test('X-12 calibration.md 5.4 without data there is no estimate', () => {
  const none = equalCells(nothing);
  expect(naiveShare(0, 0)).toBeNull();
  expect(labelsOnly(none)).toBeNull();
  expect(ppi({ ...production, cells: none })).toBeNull();
  expect(ppi({ ...production, cells: equalCells({ ...nothing, caught: 1 }) })).toBeNull();
  expect(roganGladen({ ...production, matrix: nothing })).toBeNull();
  expect(roganGladen({ flagged: 0, decided: 0, matrix: v1 })).toBeNull();
  expect(() => cellsOf([{ y: 1, f: 1, probability: 0 }])).toThrow(RangeError);
});

test('calibration.md 5.4 with nothing unlabelled PPI++ is the labels, and a constant machine is ignored', () => {
  expect(ppi({ flagged: 0, decided: 0, cells: equalCells(v1) })).toMatchObject({
    value: 0.25,
    lambda: 0,
  });
  expect(
    ppi({ flagged: 0, decided: 500, cells: equalCells({ ...nothing, missed: 5, passed: 45 }) }),
  ).toMatchObject({
    value: 0.1,
    lambda: 0,
  });
});

test.each([
  [{ caught: 5, missed: 45, rejected: 15, passed: 135 }, 'flags bad and good alike'],
  [{ caught: 1, missed: 49, rejected: 135, passed: 15 }, 'flags the wrong ones'],
  [{ caught: 6, missed: 4, rejected: 20, passed: 80 }, 'may be as bad as chance'],
])('calibration.md 5.4 Rogan and Gladen refuse %j: the machine %s', (matrix) => {
  expect(roganGladen({ ...production, matrix })).toBeNull();
  expect(skillOf(matrix)?.low).toBeLessThan(0.1);
});

test('calibration.md 5.4 value and ends are clipped to 0 and 1', () => {
  expect(roganGladen({ flagged: 1, decided: 1000, matrix: v1 })).toMatchObject({
    value: 0,
    low: 0,
  });
  expect(roganGladen({ flagged: 990, decided: 1000, matrix: v1 })).toMatchObject({
    value: 1,
    high: 1,
  });
});

test('calibration.md 5.4 the share of good is the complement, with its ends swapped', () => {
  expect(complement({ value: 0.2, se: 0.1, low: 0.125, high: 0.375 })).toEqual({
    value: 0.8,
    se: 0.1,
    low: 0.625,
    high: 0.875,
  });
});

const half = { caught: 21, missed: 4, rejected: 8, passed: 67 };
const few = { caught: 8, missed: 1, rejected: 9, passed: 90 };
const handful = { caught: 2, missed: 0, rejected: 1, passed: 7 };

test.each([
  ['a random sample that is large enough: PPI++', v1, v1, 'ppi'],
  ['100 labels, 25 bad: PPI++', half, v1, 'ppi'],
  ['108 labels but 9 bad: labels only', few, v1, 'labels_only'],
  ['10 drawn, and enriched labels: Rogan and Gladen', handful, v1, 'rogan_gladen'],
  ['none drawn, and enriched labels: Rogan and Gladen', nothing, v1, 'rogan_gladen'],
  [
    'none drawn, and an uninformative machine: none',
    nothing,
    { caught: 5, missed: 45, rejected: 15, passed: 135 },
    null,
  ],
  [
    'none drawn, and labels only of bad items: none',
    nothing,
    { ...nothing, caught: 40, missed: 9 },
    null,
  ],
  ['nothing labelled: none', nothing, nothing, null],
] as const)('calibration.md 5.4 the displayed correction: %s', (_, sample, matrix, shown) => {
  const correction = correctionFor({
    ...production,
    all: production,
    turned: production,
    sample: equalCells(sample),
    matrix,
  });
  expect(correction.shown).toBe(shown);
  expect(correction.why).toMatch(/^[A-Z0-9].*\.$/);
  expect(correction.naive).not.toBeNull();
  expect(correction.labelled).toBe(sample.caught + sample.missed + sample.rejected + sample.passed);
});

test('calibration.md 5.4 V1: both assumptions are met and the difference is within the joint error; a greater one is reported', () => {
  expect(
    correctionFor({
      ...production,
      all: production,
      turned: production,
      sample: equalCells(v1),
      matrix: v1,
    }).disagree,
  ).toBe(false);
  // Labels from an earlier time, when the machine was far better.
  const other = { caught: 490, missed: 10, rejected: 10, passed: 490 };
  const sample = { caught: 30, missed: 70, rejected: 30, passed: 870 };
  const few = { flagged: 300, decided: 5000 };
  expect(
    correctionFor({ ...few, all: few, turned: few, sample: equalCells(sample), matrix: other })
      .disagree,
  ).toBe(true);
  expect(
    correctionFor({ ...few, all: few, turned: few, sample: equalCells(handful), matrix: other })
      .disagree,
  ).toBe(false);
});
