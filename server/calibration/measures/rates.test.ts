import { expect, test } from 'vitest';
import { type Counts, noCounts, ratesOf } from './rates';

const counts = (some: Partial<Counts>): Counts => ({ ...noCounts, ...some });

test.each([
  // caught, missed, state
  [14, 6, 'on_target'],
  [70, 30, 'on_target'],
  [69, 31, 'off_target'],
  [12, 8, 'off_target'],
  [60, 40, 'off_target'],
  [59, 41, 'alerting'],
  [0, 20, 'alerting'],
  [0, 19, 'insufficient'],
  [19, 0, 'insufficient'],
  [0, 0, 'no_data'],
] as const)('SOAR-26, SOAR-29: a catch rate of %d with %d missed is %s', (caught, missed, state) => {
  const { catchRate } = ratesOf(counts({ caught, missed, passed: 100 }));
  expect(catchRate).toMatchObject({ numerator: caught, denominator: caught + missed, state });
  expect(catchRate.value).toBe(caught + missed === 0 ? null : caught / (caught + missed));
});

test.each([
  // false rejections, all the rest, state
  [0, 20, 'on_target'],
  [10, 90, 'on_target'],
  [11, 89, 'off_target'],
  [15, 85, 'off_target'],
  [3, 17, 'off_target'],
  [16, 84, 'alerting'],
  [4, 15, 'insufficient'],
  [0, 0, 'no_data'],
] as const)('SOAR-27, SOAR-29: %d false rejections and %d others are %s, of all verifications with truth', (rejected, others, state) => {
  // The others are mostly bad ones that were caught: the formula takes them into its denominator all the same.
  const caught = Math.max(0, others - 5);
  const passed = others - caught;
  const { falsePositiveRate, falseRejectionRate } = ratesOf(counts({ caught, rejected, passed }));
  expect(falsePositiveRate).toMatchObject({ numerator: rejected, denominator: rejected + others, state });
  expect(falseRejectionRate).toMatchObject({ numerator: rejected, denominator: rejected + passed });
});

test('X-1: positive is "flagged as failing": the vector V1 of calibration.md', () => {
  const rates = ratesOf(counts({ caught: 42, missed: 8, rejected: 15, passed: 135, ruled: 40, overruled: 4, passes: 3800, decided: 5000 }));
  expect(rates.catchRate).toMatchObject({ value: 0.84, numerator: 42, denominator: 50 });
  expect(rates.catchRate.low).toBeCloseTo(0.7149, 4);
  expect(rates.catchRate.high).toBeCloseTo(0.9166, 4);
  expect(rates.falseRejectionRate).toMatchObject({ value: 0.1, numerator: 15, denominator: 150 });
  expect(rates.falseRejectionRate.low).toBeCloseTo(0.0615, 4);
  expect(rates.falseRejectionRate.high).toBeCloseTo(0.1584, 4);
  expect(rates.falsePositiveRate).toMatchObject({ value: 0.075, numerator: 15, denominator: 200 });
  expect(rates.agreement).toMatchObject({ value: 0.885, numerator: 177, denominator: 200 });
  expect(rates.kappa).toMatchObject({ numerator: null, denominator: 200, state: 'on_target' });
  expect(rates.kappa.value).toBeCloseTo(0.707, 4);
  expect(rates.overrideRate).toMatchObject({ value: 0.1, numerator: 4, denominator: 40 });
  expect(rates.passRate).toMatchObject({ value: 0.76, numerator: 3800, denominator: 5000 });
});

test('X-12: nothing counted is no data in every measure, and what this release cannot measure stays so', () => {
  for (const measure of Object.values(ratesOf(noCounts))) {
    expect(measure).toMatchObject({ value: null, denominator: 0, low: null, high: null, state: 'no_data' });
  }
  const { retrySuccess, correlation, correctedPassRate } = ratesOf(counts({ caught: 40, passed: 40, decided: 80, passes: 40 }));
  for (const measure of [retrySuccess, correlation, correctedPassRate]) expect(measure.state).toBe('no_data');
});
