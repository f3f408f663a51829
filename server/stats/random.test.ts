import { expect, test } from 'vitest';
import { binomialDraw, createRandom, normalDraw, seedOf } from './random';

const draw = (seed: number, n: number): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: n }, () => random());
};

test('calibration.md 5.1 the same seed gives the same numbers, another seed gives others', () => {
  expect(draw(7, 50)).toEqual(draw(7, 50));
  expect(draw(7, 50)).not.toEqual(draw(8, 50));
  expect(seedOf('integrity@3')).toBe(seedOf('integrity@3'));
  expect(seedOf('integrity@3')).not.toBe(seedOf('integrity@4'));
});

test('calibration.md 5.1 numbers are uniform, and neighbours are uncorrelated', () => {
  const numbers = draw(20_261_123, 100_000);
  expect(numbers.every((one) => one >= 0 && one < 1)).toBe(true);
  const counts = new Array<number>(20).fill(0);
  for (const one of numbers) counts[Math.floor(one * 20)] = (counts[Math.floor(one * 20)] ?? 0) + 1;
  // Chi-square with 19 degrees of freedom: one seed in a thousand exceeds 43.8.
  expect(counts.reduce((sum, count) => sum + (count - 5000) ** 2 / 5000, 0)).toBeLessThan(43.8);
  const lag =
    numbers.slice(1).reduce((sum, one, i) => sum + (one - 0.5) * ((numbers[i] ?? 0) - 0.5), 0) /
    (99_999 / 12);
  expect(Math.abs(lag)).toBeLessThan(0.0104);
});

test.each([
  [30, 0.2],
  [500, 0.9],
  [100, 0.5],
  [50_000, 0.3],
])('calibration.md 5.4 binomial draws of %i and %d have their mean and variance', (n, share) => {
  const random = createRandom(11);
  const draws = Array.from({ length: 20_000 }, () => binomialDraw(random, n, share));
  const mean = draws.reduce((sum, one) => sum + one, 0) / draws.length;
  const variance = draws.reduce((sum, one) => sum + (one - mean) ** 2, 0) / draws.length;
  const expected = n * share * (1 - share);
  expect(Math.abs(mean - n * share)).toBeLessThan(3.5 * Math.sqrt(expected / draws.length));
  expect(variance / expected).toBeGreaterThan(0.96);
  expect(variance / expected).toBeLessThan(1.04);
  expect(draws.every((one) => Number.isInteger(one) && one >= 0 && one <= n)).toBe(true);
});

test('calibration.md 5.4 without items, and for shares of 0 and 1, the result is fixed', () => {
  const random = createRandom(1);
  expect([
    binomialDraw(random, 0, 0.5),
    binomialDraw(random, 9, 0),
    binomialDraw(random, 9, 1),
  ]).toEqual([0, 0, 9]);
  const normals = Array.from({ length: 20_000 }, () => normalDraw(random));
  expect(Math.abs(normals.reduce((sum, one) => sum + one, 0) / 20_000)).toBeLessThan(0.025);
});
