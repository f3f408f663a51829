import { expect, test } from 'vitest';
import { pText, rateText } from './rate';

test('X-12: under n = 20 only counts are shown, and an unmeasured rate is not zero', () => {
  expect(rateText(3, 19)).toEqual({ counts: '3/19', rate: null, interval: null });
  expect(rateText(0, 0)).toEqual({ counts: 'not measured', rate: null, interval: null });
  expect(rateText(42, 50)).toEqual({ counts: '42/50', rate: '84.0%', interval: '71.5–91.7%' });
});

test('calibration.md 5.1 items with a lower weight have a wider interval', () => {
  expect(rateText(42, 50, 0.5)).toEqual({
    counts: '42/50',
    rate: '84.0%',
    interval: '65.3–93.6%',
  });
});

test('a p-value is never zero', () => {
  expect([0.0004, 0.001, 0.0286, 1].map(pText)).toEqual(['< 0.001', '0.001', '0.029', '1.000']);
});
