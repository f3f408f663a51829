import { expect, test } from 'vitest';
import {
  confidenceSequence,
  cusum,
  effectiveLabels,
  pageHinkley,
  psi,
  twoProportionZ,
  windowedSequence,
} from './drift';
import { createRandom } from './random';

test('calibration.md 5.9 two proportions: by hand, and no test where nothing differs', () => {
  const told = twoProportionZ(
    { numerator: 30, denominator: 100 },
    { numerator: 45, denominator: 100 },
  );
  expect(told?.z).toBeCloseTo(-0.15 / Math.sqrt(0.375 * 0.625 * 0.02), 12);
  expect(told?.p).toBeCloseTo(0.0285, 4);
  const none = { numerator: 0, denominator: 0 };
  expect([
    twoProportionZ(none, none),
    twoProportionZ({ numerator: 1, denominator: 2 }, none),
    twoProportionZ({ numerator: 0, denominator: 9 }, { numerator: 0, denominator: 5 }),
  ]).toEqual([null, null, null]);
});

const rise = Array.from({ length: 200 }, (_, i) =>
  (i < 100 ? i % 10 === 0 : i % 2 === 0) ? 1 : 0,
);

test('calibration.md 5.9 CUSUM and Page-Hinkley see a rise after it came, and none where there is none', () => {
  for (const told of [
    cusum(rise, { target: 0.1, slack: 0.05, limit: 4 }),
    pageHinkley(rise, { slack: 0.05, limit: 4 }),
  ]) {
    expect(told.at).toBeGreaterThanOrEqual(100);
    expect(told.at).toBeLessThan(125);
    expect(told.path).toHaveLength(200);
  }
  expect(cusum(rise.slice(0, 100), { target: 0.1, slack: 0.05, limit: 4 }).at).toBeNull();
  expect(pageHinkley(rise.slice(0, 100), { slack: 0.05, limit: 4 }).at).toBeNull();
  // By hand: 1 − 0.2 − 0.1, twice, then −0.3.
  expect(cusum([1, 1, 0], { target: 0.2, slack: 0.1, limit: 9 }).path).toEqual([
    expect.closeTo(0.7),
    expect.closeTo(1.4),
    expect.closeTo(1.1),
  ]);
  expect(cusum([5], { target: 0, slack: 0, limit: 1 }).at).toBe(0);
  expect(cusum([], { target: 0, slack: 0, limit: 1 })).toEqual({ path: [], at: null });
});

test('calibration.md 5.9 PSI: by hand, 0 of the same shares, and finite with empty bins', () => {
  expect(psi([50, 50], [30, 70])).toBeCloseTo(-0.2 * Math.log(0.6) + 0.2 * Math.log(1.4), 12);
  expect(psi([10, 20, 30], [100, 200, 300])).toBeCloseTo(0, 12);
  expect(psi([50, 50, 0], [40, 40, 20])).toBeGreaterThan(0.25);
  expect(psi([50, 50, 0], [50, 50, 0])).toBe(0);
  expect([psi([], []), psi([0, 0], [1, 2]), psi([1], [0])]).toEqual([null, null, null]);
  expect(() => psi([1], [1, 2])).toThrow(RangeError);
});

test('calibration.md 5.9 confidence sequence: the formula, and 95 in 100 hold at every look at once', () => {
  const [n, rho] = [200, 10];
  const told = confidenceSequence(
    Array.from({ length: n }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    { rho },
  );
  const half = Math.sqrt(2 * (50 + rho) * Math.log(Math.sqrt((50 + rho) / rho) / 0.05)) / n;
  expect(told?.low).toBeCloseTo(0.25 - half, 12);
  expect(told?.high).toBeCloseTo(0.25 + half, 12);
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

test('calibration.md 5.9 windows: a late fall shows in its window and not in the whole', () => {
  const random = createRandom(591);
  const values = Array.from({ length: 4400 }, (_, i) =>
    random() < (i < 4000 ? 0.95 : 0.6) ? 1 : 0,
  );
  const windows = windowedSequence(values, { size: 400 });
  expect(windows).toHaveLength(11);
  expect(windows.at(-1)?.high).toBeLessThan(0.9);
  expect(confidenceSequence(values, { tightestAt: 400 })?.high).toBeGreaterThan(0.9);
  // α of all windows together.
  const spent = Array.from(
    { length: 100_000 },
    (_, k) => (0.05 * 6) / (Math.PI * (k + 1)) ** 2,
  ).reduce((sum, one) => sum + one, 0);
  expect(spent).toBeLessThanOrEqual(0.05);
  expect(windowedSequence(values.slice(0, 500), { size: 400 }).map(({ n }) => n)).toEqual([
    400, 100,
  ]);
});

test('X-12 calibration.md 5.9 without values there is no sequence, and none of what is not within 0 and 1', () => {
  expect(confidenceSequence([])).toBeNull();
  expect(windowedSequence([], { size: 10 })).toEqual([]);
  expect(() => confidenceSequence([1.5])).toThrow(RangeError);
});

test('calibration.md 5.9 effective labels: a half after a half-life, a quarter after two', () => {
  expect(effectiveLabels([0, 30, 60], 30)).toBeCloseTo(1.75, 12);
  expect(effectiveLabels([], 30)).toBe(0);
  expect(() => effectiveLabels([1], 0)).toThrow(RangeError);
});
