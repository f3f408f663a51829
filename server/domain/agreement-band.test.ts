import { expect, test } from 'vitest';
import { bandOf } from './agreement-band';

test.each([
  [-0.01, 'poor'],
  [0, 'slight'],
  [0.2, 'slight'],
  [0.21, 'fair'],
  [0.6, 'moderate'],
  [0.707, 'substantial'],
  [0.81, 'almost perfect'],
  [1, 'almost perfect'],
])('calibration.md 5.2 a kappa of %d is called %s', (kappa, word) => {
  expect(bandOf(kappa)).toBe(word);
});
