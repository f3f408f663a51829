import { expect, test } from 'vitest';
import { rate, wilson } from './rate';

test('X-12: a rate with denominator 0 is no data: not 0 %, not 100 %, and never NaN', () => {
  expect(rate(0, 0)).toEqual({
    state: 'no_data',
    value: null,
    numerator: 0,
    denominator: 0,
    low: null,
    high: null,
  });
});

test('X-12: a rate of 0 that was measured is a rate', () => {
  expect(rate(0, 25)).toMatchObject({ state: 'measured', value: 0, low: 0 });
  expect(rate(25, 25)).toMatchObject({ state: 'measured', value: 1, high: 1 });
});

test('X-12: a denominator under 20 is reported as insufficient', () => {
  expect(rate(1, 1)).toMatchObject({ state: 'insufficient', value: 1 });
  expect(rate(3, 19).state).toBe('insufficient');
  expect(rate(3, 20).state).toBe('measured');
});

test.each([
  [1, 0],
  [2, 1],
  [-1, 3],
  [0.5, 3],
  [Number.NaN, 3],
  [0, Number.NaN],
  [1, Number.POSITIVE_INFINITY],
])('X-12: %d in %d is no rate', (k, n) => {
  expect(() => rate(k, n)).toThrow(RangeError);
});

test('Wilson gives the vectors of calibration.md (V1)', () => {
  expect(wilson(42, 50).low).toBeCloseTo(0.7149, 4);
  expect(wilson(42, 50).high).toBeCloseTo(0.9166, 4);
  expect(wilson(42, 57).low).toBeCloseTo(0.6102, 4);
  expect(wilson(42, 57).high).toBeCloseTo(0.8335, 4);
});
