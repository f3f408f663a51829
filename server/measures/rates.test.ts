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
] as const)(
  'SOAR-26, SOAR-29: a catch rate of %d with %d missed is %s',
  (caught, missed, state) => {
    const { catchRate } = ratesOf(counts({ caught, missed, passed: 100 }));
    expect(catchRate).toMatchObject({ numerator: caught, denominator: caught + missed, state });
    expect(catchRate.value).toBe(caught + missed === 0 ? null : caught / (caught + missed));
  },
);

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
] as const)(
  'SOAR-27, SOAR-29: %d false rejections and %d others are %s, of all verifications with truth',
  (rejected, others, state) => {
    // The others are mostly bad ones that were caught: the formula includes them in its
    // denominator.
    const caught = Math.max(0, others - 5);
    const passed = others - caught;
    const { falsePositiveRate, falseRejectionRate } = ratesOf(counts({ caught, rejected, passed }));
    expect(falsePositiveRate).toMatchObject({
      numerator: rejected,
      denominator: rejected + others,
      state,
    });
    expect(falseRejectionRate).toMatchObject({
      numerator: rejected,
      denominator: rejected + passed,
    });
  },
);

test('X-1: positive is "flagged as failing": the vector V1 of calibration.md', () => {
  const rates = ratesOf(
    counts({
      caught: 42,
      missed: 8,
      rejected: 15,
      passed: 135,
      ruled: 40,
      overruled: 4,
      passes: 3800,
      decided: 5000,
    }),
  );
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

test('X-12: nothing counted is no data in every measure, and unmeasured values stay so', () => {
  for (const measure of Object.values(ratesOf(noCounts))) {
    expect(measure).toMatchObject({
      value: null,
      denominator: 0,
      low: null,
      high: null,
      state: 'no_data',
    });
  }
  const { retrySuccess, correlation } = ratesOf(
    counts({ caught: 40, passed: 40, decided: 80, passes: 40 }),
  );
  for (const measure of [retrySuccess, correlation]) expect(measure.state).toBe('no_data');
});

test.each([
  // passed, retries, state
  [12, 20, 'on_target'],
  [60, 100, 'on_target'],
  [59, 100, 'off_target'],
  [10, 20, 'off_target'],
  [50, 100, 'off_target'],
  [49, 100, 'alerting'],
  [9, 20, 'alerting'],
  [9, 19, 'insufficient'],
  [0, 0, 'no_data'],
] as const)('SOAR-28, SOAR-29: %d of %d retries that passed are %s', (passed, retries, state) => {
  const { retrySuccess } = ratesOf(noCounts, { retries: { passed, retries } });
  expect(retrySuccess).toMatchObject({
    value: retries === 0 ? null : passed / retries,
    numerator: passed,
    denominator: retries,
    state,
  });
});

test.each([
  // correlation, pairs, state
  [0.7, 100, 'on_target'],
  [0.699_96, 100, 'on_target'],
  [0.6999, 100, 'off_target'],
  [-1, 100, 'off_target'],
  [0.99, 99, 'insufficient'],
  [null, 100, 'no_data'],
  [null, 0, 'no_data'],
] as const)('SOAR-33 a correlation of %d over %d pairs is %s', (value, n, state) => {
  const { correlation } = ratesOf(noCounts, { correlation: { value, low: value, high: value, n } });
  expect(correlation).toEqual({
    value,
    numerator: null,
    denominator: n,
    low: value,
    high: value,
    state,
  });
});

test('labels of one session widen the intervals of all figures, and change no value', () => {
  const counts = {
    ...noCounts,
    caught: 30,
    missed: 10,
    rejected: 8,
    passed: 60,
    ruled: 50,
    overruled: 20,
    decided: 900,
    passes: 600,
  };
  const retries = { retries: 60, passed: 30 };
  const weights = {
    bad: 0.4,
    good: 0.4,
    agreed: 0.4,
    rejected: 0.4,
    flagged: 0.4,
    ruled: 0.4,
    decided: 0.4,
  };
  const correlation = { value: 0.6, low: 0.5, high: 0.7, n: 108 };
  const [alone, together] = [
    ratesOf(counts, { correlation, retries }),
    ratesOf({ ...counts, weights }, { correlation, retries: { ...retries, weight: 0.4 } }),
  ];
  for (const name of [
    'catchRate',
    'falsePositiveRate',
    'falseRejectionRate',
    'agreement',
    'kappa',
    'correlation',
    'retrySuccess',
    'overrideRate',
    'passRate',
  ] as const) {
    const [one, other] = [alone[name], together[name]];
    expect(other.value, name).toBe(one.value);
    expect(other.low, name).toBeLessThan(one.low ?? 0);
    expect(other.high, name).toBeGreaterThan(one.high ?? 1);
  }
});
