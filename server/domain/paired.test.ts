import { expect, test } from 'vitest';
import { mcNemar } from './paired';

test.each([
  // The values of the specification of calibration, and by hand: 2 · (1/2)^6, less half of it.
  [18, 7, 0.0433, 0.029],
  [7, 18, 0.0433, 0.029],
  [6, 0, 0.0313, 0.0156],
  [1, 0, 1, 0.5],
  [5, 5, 1, 1],
])('X-12 paired test of %i better and %i worse: exact %f, mid-p %f', (better, worse, exact, mid) => {
  const test = mcNemar(better, worse);
  expect(test).toMatchObject({ better, worse });
  expect(test.exactP).toBeCloseTo(exact, 4);
  expect(test.midP).toBeCloseTo(mid, 4);
});

test('X-12 without a difference there is no test, and a wrong count is no plausible p', () => {
  expect(mcNemar(0, 0)).toEqual({ better: 0, worse: 0, exactP: null, midP: null });
  expect(mcNemar(1500, 1400).midP).toBeCloseTo(0.0634, 3);
  expect(() => mcNemar(-1, 2)).toThrow(RangeError);
});
