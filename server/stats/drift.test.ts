import { expect, test } from 'vitest';
import { confidenceSequence } from './drift';
import { createRandom } from './random';

test('calibration.md 5.9 confidence sequence: the formula, and 95 in 100 contain the truth at all times simultaneously', () => {
  const [n, rho] = [200, 10];
  const sequence = confidenceSequence(
    Array.from({ length: n }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    { rho },
  );
  const half = Math.sqrt(2 * (50 + rho) * Math.log(Math.sqrt((50 + rho) / rho) / 0.05)) / n;
  expect(sequence?.low).toBeCloseTo(0.25 - half, 12);
  expect(sequence?.high).toBeCloseTo(0.25 + half, 12);
  const random = createRandom(59);
  let left = 0;
  for (let run = 0; run < 300; run++) {
    const values: number[] = [];
    let out = false;
    for (let i = 0; i < 300; i++) {
      values.push(random() < 0.5 ? 1 : 0);
      const look = confidenceSequence(values, { tightestAt: 100 });
      if (look && (look.low > 0.5 || look.high < 0.5)) out = true;
    }
    if (out) left++;
  }
  expect(left / 300).toBeLessThan(0.05);
});

test('calibration.md 5.9 windows: a late drop is detected in its window and not in the whole', () => {
  const random = createRandom(591);
  const values = Array.from({ length: 4400 }, (_, i) =>
    random() < (i < 4000 ? 0.95 : 0.6) ? 1 : 0,
  );
  expect(confidenceSequence(values, { tightestAt: 400 })?.high).toBeGreaterThan(0.9);
  // The α of all windows together.
  const spent = Array.from(
    { length: 100_000 },
    (_, k) => (0.05 * 6) / (Math.PI * (k + 1)) ** 2,
  ).reduce((sum, one) => sum + one, 0);
  expect(spent).toBeLessThanOrEqual(0.05);
});

test('X-12 calibration.md 5.9 there is no sequence without values, or of values outside 0 and 1', () => {
  expect(confidenceSequence([])).toBeNull();
  expect(() => confidenceSequence([1.5])).toThrow(RangeError);
});
