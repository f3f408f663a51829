import { expect, test } from 'vitest';
import { cohenKappa } from './agreement';

test('X-1: kappa and its standard error give the vector of calibration.md (V1)', () => {
  const kappa = cohenKappa({ caught: 42, missed: 8, rejected: 15, passed: 135 });
  expect(kappa.n).toBe(200);
  expect(kappa.value).toBeCloseTo(0.707, 4);
  expect(kappa.se).toBeCloseTo(0.0567, 4);
  expect(kappa.low).toBeCloseTo(0.5959, 4);
  expect(kappa.high).toBeCloseTo(0.8181, 4);
});

test.each([
  [{ caught: 0, missed: 0, rejected: 0, passed: 0 }, 0],
  [{ caught: 9, missed: 0, rejected: 0, passed: 0 }, 9],
  [{ caught: 0, missed: 0, rejected: 0, passed: 9 }, 9],
])('X-12: kappa of %j is no data, not 0 and not NaN', (matrix, n) => {
  expect(cohenKappa(matrix)).toEqual({ value: null, se: null, low: null, high: null, n });
});

test('X-12: a kappa of 0 that was measured is a kappa', () => {
  expect(cohenKappa({ caught: 5, missed: 5, rejected: 5, passed: 5 })).toMatchObject({ value: 0, n: 20 });
  expect(cohenKappa({ caught: 9, missed: 0, rejected: 1, passed: 0 })).toMatchObject({ value: 0, low: 0, high: 0 });
});

test('X-1: whole agreement is 1, whole disagreement is below 0, and no interval leaves -1 to 1', () => {
  expect(cohenKappa({ caught: 10, missed: 0, rejected: 0, passed: 10 })).toMatchObject({ value: 1, se: 0, low: 1, high: 1 });
  expect(cohenKappa({ caught: 0, missed: 10, rejected: 10, passed: 0 })).toMatchObject({ value: -1, low: -1 });
});

test.each([-1, 0.5, Number.NaN])('X-12: %d is no count', (caught) => {
  expect(() => cohenKappa({ caught, missed: 1, rejected: 1, passed: 1 })).toThrow(RangeError);
});
