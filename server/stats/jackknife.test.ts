import { expect, test } from 'vitest';
import { jackknife } from './jackknife';
import { createRandom, normalDraw } from './random';

const mean = (items: readonly number[]): number | null =>
  items.length === 0 ? null : items.reduce((sum, item) => sum + item, 0) / items.length;

test('calibration.md 5.1: for a mean with one item per group the jackknife gives the standard error of the mean', () => {
  const items = [1, 4, 2, 8, 5, 7];
  const middle = mean(items) ?? 0;
  const se = Math.sqrt(
    items.reduce((sum, item) => sum + (item - middle) ** 2, 0) / (items.length - 1) / items.length,
  );
  const found = jackknife(items, mean);
  expect(found?.value).toBeCloseTo(middle, 12);
  expect(found?.se).toBeCloseTo(se, 12);
  expect(found?.high).toBeCloseTo(middle + 1.959963984540054 * se, 12);
});

test.each([
  ['300 items', 300],
  ['12,000 items, of which 1,000 are used', 12_000],
])('calibration.md 5.1: about 95 %% of its intervals contain the true mean: %s', (_name, n) => {
  const random = createRandom(7);
  let held = 0;
  for (let run = 0; run < 300; run++) {
    const found = jackknife(
      Array.from({ length: n }, () => normalDraw(random)),
      mean,
    );
    if (found !== null && found.low <= 0 && found.high >= 0) held++;
  }
  expect(held / 300).toBeGreaterThan(0.9);
  expect(held / 300).toBeLessThan(0.985);
});

test('calibration.md 5.1: a statistic without a value has no interval', () => {
  expect(jackknife([], mean)).toBeNull();
  expect(jackknife([1], mean)).toBeNull();
  expect(jackknife([1, 2, 3], (sample) => (sample.length < 3 ? null : 1))).toBeNull();
  expect(jackknife([0, 1, 1, 1], mean, { min: 0, max: 1 })).toMatchObject({
    value: 0.75,
    high: 1,
  });
});
