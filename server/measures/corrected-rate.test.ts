import { expect, test } from 'vitest';
import type { Matrix } from '../domain';
import { correctPassRate, shownOf } from './corrected-rate';
import { type Counts, noCounts, ratesOf, type Sample } from './rates';

/** The audit's sample: each cell drawn with one probability. */
const sampled = (matrix: Matrix, probability: number): Sample => {
  const cell = (n: number) => ({ n, weight: n / probability, square: n / probability ** 2 });
  return {
    caught: cell(matrix.caught),
    missed: cell(matrix.missed),
    rejected: cell(matrix.rejected),
    passed: cell(matrix.passed),
  };
};

const v1: Matrix = { caught: 42, missed: 8, rejected: 15, passed: 135 };
/** V1: 200 labelled, and 5,000 others of which 1,200 were flagged. */
const counts = (some: Partial<Counts>): Counts => ({
  ...noCounts,
  ...v1,
  decided: 5200,
  passes: 5200 - 1257,
  ...some,
});

test.each([1, 0.04])(
  'calibration.md 5.4: the corrected pass rates of V1, drawn with probability %d',
  (probability) => {
    const corrected = correctPassRate(counts({ sample: sampled(v1, probability) }));
    // The file contains shares of bad ones: here each is 1 minus it.
    expect(corrected.ppi.lambda).toBeCloseTo(0.7279, 4);
    expect(corrected.ppi.value).toBeCloseTo(1 - 0.2172, 4);
    // The ends are those of the score test, slightly higher than the file's θ ± z·se, which are
    // pinned in `corrected.test.ts`.
    expect(corrected.ppi.low).toBeCloseTo(1 - 0.2658, 3);
    expect(corrected.ppi.high).toBeCloseTo(1 - 0.1815, 3);
    expect(corrected.roganGladen.value).toBeCloseTo(1 - 0.1892, 4);
    expect(corrected.roganGladen.low).toBeCloseTo(1 - 0.249, 3);
    expect(corrected.roganGladen.high).toBeCloseTo(1 - 0.1166, 3);
    expect(corrected.labelsOnly).toMatchObject({ value: 0.75, n: 200 });
    expect(corrected.naive).toMatchObject({ value: 3943 / 5200, n: 5200 });
    expect(corrected).toMatchObject({
      shown: 'ppi',
      disagree: false,
      decided: 5200,
      labelled: 200,
      defects: 50,
    });
    expect(shownOf(corrected)).toBe(corrected.ppi);
  },
);

test('calibration.md 5.4: labels without a draw give Rogan and Gladen, next to the naive value', () => {
  const corrected = correctPassRate(counts({}));
  expect(corrected).toMatchObject({
    shown: 'rogan_gladen',
    labelled: 0,
    defects: 0,
    disagree: false,
  });
  expect(corrected.naive).toMatchObject({ value: 3943 / 5200, n: 5200 });
  // N and p̂ are of the 5,000 without a label, of which 1,200 were flagged: V1.
  expect(corrected.roganGladen.value).toBeCloseTo(1 - 0.1892, 4);
  expect(corrected.roganGladen.low).toBeCloseTo(1 - 0.249, 3);
  expect(corrected.roganGladen.high).toBeCloseTo(1 - 0.1166, 3);
  expect(corrected.ppi).toEqual({ value: null, low: null, high: null, lambda: null, n: 0 });
  expect(ratesOf(counts({})).correctedPassRate).toMatchObject({
    numerator: null,
    denominator: 200,
    state: 'on_target',
  });
});

test('calibration.md 5.4: with other labels next to a sample none counts as unlabelled', () => {
  // 60 of the 200 labels are of a sample: the others are not part of N either.
  const some = sampled({ caught: 12, missed: 3, rejected: 5, passed: 40 }, 0.3);
  const corrected = correctPassRate(counts({ sample: some }));
  expect(corrected).toMatchObject({ shown: 'labels_only', labelled: 60 });
  expect(corrected.roganGladen).toEqual(correctPassRate(counts({})).roganGladen);
});

test('calibration.md 5.4: if most are labelled the rest is not representative, so all are corrected, which gives the share of labels if all are labelled', () => {
  const whole = correctPassRate(counts({ decided: 200, passes: 143 }));
  expect(whole.roganGladen.value).toBeCloseTo(0.75, 12);
  // All 20 remaining ones passed.
  const max = correctPassRate(counts({ decided: 220, passes: 163 }));
  expect(max.roganGladen.value).toBeCloseTo(1 - (57 / 220 - 0.1) / 0.74, 12);
});

test.each([
  ['under 100 labels', { caught: 20, missed: 5, rejected: 4, passed: 70 }, 'labels_only', 99],
  ['under 10 defects', { caught: 6, missed: 3, rejected: 20, passed: 171 }, 'labels_only', 200],
  ['enough of both', { caught: 6, missed: 4, rejected: 20, passed: 170 }, 'ppi', 200],
] as const)('calibration.md 5.4: a random sample with %s shows %s', (_, matrix, shown, n) => {
  const corrected = correctPassRate(counts({ ...matrix, sample: sampled(matrix, 0.05) }));
  expect(corrected.shown).toBe(shown);
  expect(shownOf(corrected)?.n).toBe(n);
  expect(
    ratesOf(counts({ ...matrix, sample: sampled(matrix, 0.05) })).correctedPassRate.denominator,
  ).toBe(n);
});

test('calibration.md 5.4: a verifier that flags no better than chance is not corrected', () => {
  const corrected = correctPassRate(counts({ caught: 10, missed: 40, rejected: 30, passed: 120 }));
  expect(corrected.shown).toBeNull();
  expect(corrected.roganGladen.value).toBeNull();
  expect(
    ratesOf(counts({ caught: 10, missed: 40, rejected: 30, passed: 120 })).correctedPassRate.state,
  ).toBe('no_data');
});

test('calibration.md 5.4: a contradiction between a sample and enriched labels is reported', () => {
  // The sample has far more missed failures than all the labels together.
  const sample = sampled({ caught: 20, missed: 80, rejected: 5, passed: 195 }, 0.05);
  const corrected = correctPassRate(
    counts({ caught: 480, missed: 20, rejected: 5, passed: 495, sample }),
  );
  expect(corrected).toMatchObject({ shown: 'ppi', disagree: true });
});

test('X-12: more labels than verdicts, as between two statements, is no rate above 1', () => {
  const few = correctPassRate(counts({ decided: 150, passes: 90, sample: sampled(v1, 1) }));
  for (const { value } of [few.naive, few.ppi, few.labelsOnly]) {
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThanOrEqual(1);
  }
});

/** Draws of this number with one probability, labelled or not. */
const drawn = (n: number, probability: number) => ({
  n,
  weight: n / probability,
  square: n / probability ** 2,
});
const reach = (more: object = {}) => ({
  decided: 5200,
  passes: 5200 - 1257,
  aged: 0,
  agedLabelled: 0,
  ...more,
});

test('calibration.md 5.4: a sample represents verdicts decided since the first drawn one, not earlier ones', () => {
  const audit = reach();
  const both = { sample: sampled(v1, 0.04), drawn: drawn(208, 0.04) };
  const since = correctPassRate(counts({ ...both, audit }));
  // The same, with 20,000 before the audit that all passed.
  const corrected = correctPassRate(
    counts({ ...both, audit, decided: 25_200, passes: 25_200 - 1257 }),
  );
  expect(corrected).toMatchObject({
    shown: 'ppi',
    decided: 25_200,
    reached: 5200,
    drawn: 208,
    labelled: 200,
    ppi: since.ppi,
  });
  expect(corrected.naive.value).toBe((25_200 - 1257) / 25_200);
  expect(corrected.roganGladen.value).toBeGreaterThan(since.roganGladen.value ?? 1);
});

test.each([
  ['as many as the probability implies', drawn(208, 0.04), 'ppi'],
  ['within four standard errors', drawn(258, 0.04), 'ppi'],
  ['far fewer', drawn(120, 0.04), null],
  ['far more', drawn(300, 0.04), null],
  ['all, each with probability 1', drawn(5200, 1), 'ppi'],
  ['each with probability 1, but two are missing', drawn(5198, 1), null],
] as const)('calibration.md 5.4: of 5,200 decided the drawn represent %s', (_, all, shown) => {
  const probability = all.n / all.weight;
  for (const [matrix, otherwise] of [
    [v1, 'ppi'],
    [{ caught: 6, missed: 3, rejected: 20, passed: 71 }, 'labels_only'],
  ] as const) {
    const corrected = correctPassRate(
      counts({ sample: sampled(matrix, probability), drawn: all, audit: reach() }),
    );
    expect(corrected.shown).toBe(shown === null ? null : otherwise);
    expect(corrected.why.includes('not drawn from all verdicts')).toBe(shown === null);
    expect(corrected.why).not.toMatch(/\bfrom all\b(?! verdicts of this period)/);
  }
});

test.each([
  [300, 270, 'ppi', null],
  [300, 269, 'ppi', '269 of 300 that were drawn more than a day ago are labelled'],
  [300, 150, 'ppi', '150 of 300'],
  [300, 149, null, 'Only 149 of 300'],
  [0, 0, 'ppi', null],
] as const)(
  'calibration.md 5.4: of %d drawn more than a day ago %d are labelled: %s',
  (aged, agedLabelled, shown, said) => {
    const corrected = correctPassRate(
      counts({
        sample: sampled(v1, 0.04),
        drawn: drawn(208, 0.04),
        audit: reach({ aged, agedLabelled }),
      }),
    );
    expect(corrected.shown).toBe(shown);
    expect(corrected.why.includes('day ago')).toBe(said !== null);
    expect(corrected.why).toContain(said ?? 'labels of a random sample');
  },
);

test('calibration.md 5.4: labels picked by the verifier’s verdict correct nothing', () => {
  expect(correctPassRate(counts({ queued: 100 })).shown).toBe('rogan_gladen');
  const picked = correctPassRate(counts({ queued: 101 }));
  expect(picked).toMatchObject({ shown: null, roganGladen: { value: null } });
  expect(picked.why).toContain('queues picked');
});

test.each([
  ['all bad', { caught: 60, missed: 60, rejected: 0, passed: 0 }, 5200 - 2600],
  ['all bad and flagged', { caught: 120, missed: 0, rejected: 0, passed: 0 }, 0],
] as const)(
  'calibration.md 5.4: if the labels are %s, no interval has zero width',
  (_, matrix, passes) => {
    const corrected = correctPassRate(counts({ ...matrix, passes, sample: sampled(matrix, 0.04) }));
    expect(corrected).toMatchObject({
      shown: 'labels_only',
      ppi: { value: null },
      labelsOnly: { value: 0, low: 0 },
    });
    expect(corrected.labelsOnly.high).toBeGreaterThan(0.02);
  },
);
