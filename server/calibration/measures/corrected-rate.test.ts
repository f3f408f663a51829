import { expect, test } from 'vitest';
import type { Matrix } from '../../domain';
import { correctPassRate, shownOf } from './corrected-rate';
import { type Counts, noCounts, ratesOf, type Sample } from './rates';

/** The audit's sample: each cell drawn with one probability. */
const sampled = (matrix: Matrix, probability: number): Sample => {
  const cell = (n: number) => ({ n, weight: n / probability, square: n / probability ** 2 });
  return { caught: cell(matrix.caught), missed: cell(matrix.missed), rejected: cell(matrix.rejected), passed: cell(matrix.passed) };
};

const v1: Matrix = { caught: 42, missed: 8, rejected: 15, passed: 135 };
/** V1: 200 labelled, and 5,000 others of which 1,200 were flagged. */
const counts = (some: Partial<Counts>): Counts => ({ ...noCounts, ...v1, decided: 5200, passes: 5200 - 1257, ...some });

test.each([1, 0.04])('calibration.md 5.4: the corrected pass rates of V1, drawn with probability %d', (probability) => {
  const corrected = correctPassRate(counts({ sample: sampled(v1, probability) }));
  // The file gives shares of bad: here each is 1 less it.
  expect(corrected.ppi.lambda).toBeCloseTo(0.7279, 4);
  expect(corrected.ppi.value).toBeCloseTo(1 - 0.2172, 4);
  expect(corrected.ppi.low).toBeCloseTo(1 - 0.2606, 4);
  expect(corrected.ppi.high).toBeCloseTo(1 - 0.1739, 4);
  expect(corrected.roganGladen.value).toBeCloseTo(1 - 0.1892, 4);
  expect(corrected.roganGladen.low).toBeCloseTo(1 - 0.25, 3);
  expect(corrected.roganGladen.high).toBeCloseTo(1 - 0.1284, 4);
  expect(corrected.labelsOnly).toMatchObject({ value: 0.75, n: 200 });
  expect(corrected.naive).toMatchObject({ value: 3943 / 5200, n: 5200 });
  expect(corrected).toMatchObject({ shown: 'ppi', disagree: false, decided: 5200, labelled: 200, defects: 50 });
  expect(shownOf(corrected)).toBe(corrected.ppi);
});

test('calibration.md 5.4: labels that nobody drew give Rogan and Gladen, the naive value beside it', () => {
  const corrected = correctPassRate(counts({ decided: 5000, passes: 3800 }));
  expect(corrected).toMatchObject({ shown: 'rogan_gladen', labelled: 0, defects: 0, disagree: false });
  expect(corrected.naive.value).toBe(0.76);
  expect(corrected.roganGladen.value).toBeCloseTo(0.8108, 4);
  expect(corrected.ppi).toEqual({ value: null, low: null, high: null, lambda: null, n: 0 });
  expect(ratesOf(counts({ decided: 5000, passes: 3800 })).correctedPassRate).toMatchObject({
    numerator: null,
    denominator: 200,
    state: 'on_target',
  });
});

test.each([
  ['under 100 labels', { caught: 20, missed: 5, rejected: 4, passed: 70 }, 'labels_only', 99],
  ['under 10 defects', { caught: 6, missed: 3, rejected: 20, passed: 171 }, 'labels_only', 200],
  ['enough of both', { caught: 6, missed: 4, rejected: 20, passed: 170 }, 'ppi', 200],
] as const)('calibration.md 5.4: a random sample with %s shows %s', (_, matrix, shown, n) => {
  const corrected = correctPassRate(counts({ ...matrix, sample: sampled(matrix, 0.05) }));
  expect(corrected.shown).toBe(shown);
  expect(shownOf(corrected)?.n).toBe(n);
  expect(ratesOf(counts({ ...matrix, sample: sampled(matrix, 0.05) })).correctedPassRate.denominator).toBe(n);
});

test('calibration.md 5.4: a verifier that flags no better than chance is not turned round', () => {
  const corrected = correctPassRate(counts({ caught: 10, missed: 40, rejected: 30, passed: 120 }));
  expect(corrected.shown).toBeNull();
  expect(corrected.roganGladen.value).toBeNull();
  expect(ratesOf(counts({ caught: 10, missed: 40, rejected: 30, passed: 120 })).correctedPassRate.state).toBe('no_data');
});

test('calibration.md 5.4: a sample and enriched labels that say different things are told of', () => {
  // The sample holds far more missed failures than all the labels together.
  const sample = sampled({ caught: 20, missed: 80, rejected: 5, passed: 195 }, 0.05);
  const corrected = correctPassRate(counts({ caught: 480, missed: 20, rejected: 5, passed: 495, sample }));
  expect(corrected).toMatchObject({ shown: 'ppi', disagree: true });
});

test('X-12: more labels than verdicts, as between two statements, is no rate above 1', () => {
  const few = correctPassRate(counts({ decided: 150, passes: 90, sample: sampled(v1, 1) }));
  for (const { value } of [few.naive, few.ppi, few.labelsOnly]) {
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThanOrEqual(1);
  }
});
