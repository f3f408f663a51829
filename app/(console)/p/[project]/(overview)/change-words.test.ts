import { expect, test } from 'vitest';
import { actionText, changeText } from './change-words';

const share = (numerator: number, denominator: number) => ({ numerator, denominator });
const of = (value: number, low: number, high: number) => ({
  now: share(42, 50),
  before: share(36, 50),
  difference: { value, low, high },
});

test.each([
  [of(0.12, -0.0435, 0.2767), '+12.0 points (−4.3 to +27.7)', null],
  [of(0.2, 0.05, 0.3), '+20.0 points (+5.0 to +30.0)', 'rose'],
  [of(-0.2, -0.3, -0.05), '−20.0 points (−30.0 to −5.0)', 'fell'],
  [of(0, -0.1, 0.1), '0.0 points (−10.0 to +10.0)', null],
  [{ now: share(1, 19), before: share(1, 30), difference: null }, 'too few to compare', null],
  [{ now: share(0, 0), before: share(0, 0), difference: null }, '', null],
])('X-12 a change of %j reads %s', (compared, text, word) => {
  expect(changeText(compared)).toEqual({ text, word });
});

test('an unknown action keeps its name', () => {
  expect([actionText('thresholds.update'), actionText('a.b')]).toEqual(['Threshold moved', 'a.b']);
});
