import { expect, test } from 'vitest';
import { rateText } from './rate';

test('X-12: under n = 20 only counts are shown, and nothing measured is not zero', () => {
  expect(rateText(3, 19)).toEqual({ counts: '3/19', rate: null, interval: null });
  expect(rateText(0, 0)).toEqual({ counts: 'not measured', rate: null, interval: null });
  expect(rateText(42, 50)).toEqual({ counts: '42/50', rate: '84.0 %', interval: '71.5–91.7 %' });
});
