import { expect, test } from 'vitest';
import { meetsThreshold } from './threshold';

const meanOf = (...scores: number[]) =>
  scores.reduce((sum, score) => sum + score, 0) / scores.length;

test('X-6: three scores of 0.7 average to 0.7 for the threshold, despite IEEE arithmetic', () => {
  expect(meanOf(0.7, 0.7, 0.7)).not.toBe(0.7);
  expect(meetsThreshold(meanOf(0.7, 0.7, 0.7), 0.7)).toBe(true);
});

test.each([
  [0.4 * 0.7 + 0.2 * 0.7 + 0.2 * 0.95 + 0.2 * 0.45, 0.7, 0.6999999999999998],
  [0.4 * 0.35 + 0.2 * 0.7 + 0.2 * 0.7 + 0.2 * 0.4, 0.5, 0.49999999999999994],
])('X-6: the weighted sum %d meets %d', (sum, threshold, naive) => {
  expect(sum).toBe(naive);
  expect(sum >= threshold).toBe(false);
  expect(meetsThreshold(sum, threshold)).toBe(true);
});

test('X-6: thresholds are inclusive, and a score below at 4 decimals is below', () => {
  expect(meetsThreshold(0.7, 0.7)).toBe(true);
  expect(meetsThreshold(0.6999, 0.7)).toBe(false);
  expect(meetsThreshold(0.69994, 0.7)).toBe(false);
  expect(meetsThreshold(0.69996, 0.7)).toBe(true);
  expect(meetsThreshold(0.7, 0.1 + 0.2 + 0.4)).toBe(true);
  expect(meetsThreshold(0, 0)).toBe(true);
  expect(meetsThreshold(1, 1)).toBe(true);
});

test('X-6: the same for points', () => {
  expect(meetsThreshold(74.99999999999999, 75)).toBe(true);
  expect(meetsThreshold(74.9, 75)).toBe(false);
});

test('X-6: NaN is not compared', () => {
  expect(() => meetsThreshold(Number.NaN, 0.7)).toThrow(RangeError);
  expect(() => meetsThreshold(0.7, Number.POSITIVE_INFINITY)).toThrow(RangeError);
});
