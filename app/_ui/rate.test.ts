import { expect, test } from 'vitest';
import { rateText, wilson } from './rate';

test('Wilson gives the vectors of calibration.md (V1)', () => {
  expect(wilson(42, 50).low).toBeCloseTo(0.7149, 4);
  expect(wilson(42, 50).high).toBeCloseTo(0.9166, 4);
  expect(wilson(42, 57).low).toBeCloseTo(0.6102, 4);
  expect(wilson(42, 57).high).toBeCloseTo(0.8335, 4);
});

test('under n = 20 only counts are shown, and nothing measured is not zero', () => {
  expect(rateText(3, 19)).toEqual({ counts: '3/19', rate: null, interval: null });
  expect(rateText(0, 0)).toEqual({ counts: 'not measured', rate: null, interval: null });
  expect(rateText(42, 50)).toEqual({ counts: '42/50', rate: '84.0 %', interval: '71.5–91.7 %' });
});
