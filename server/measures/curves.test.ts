import { expect, test } from 'vitest';
import { curvesOf, type ScoreGroup } from './curves';

/** The vector of calibration.md 5.5, on a scale of quality: a low score indicates a defect. */
const scores = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05];
const bad = [1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0];
const groups: ScoreGroup[] = scores
  .map((score, at) => ({
    score: Math.round((1 - score) * 10_000) / 10_000,
    bad: bad[at] ?? 0,
    good: 1 - (bad[at] ?? 0),
  }))
  .toSorted((a, b) => a.score - b.score);

test('calibration.md 5.5: area, best threshold and matrices of the test vector, for scores that must pass', () => {
  const curves = curvesOf(groups, 0.5, 1);
  expect(curves?.auc.value).toBeCloseTo(0.8333, 4);
  expect(curves?.auc.n).toBe(12);
  expect(curves?.auc.low).toBeLessThan(0.8333);
  expect(curves?.averagePrecision.value).toBeGreaterThan(0.5);
  expect(curves?.averagePrecision.high).toBeLessThanOrEqual(1);
  // J is 0.5 at t of 0.3, 0.6, 0.7 and 0.85 on the scale of defects: scores that fail from t up
  // there are below the next score here.
  expect(curves?.bestYouden).toBe(0.8);
  expect(curves?.points.find(({ threshold }) => threshold === 0.8)).toEqual({
    threshold: 0.8,
    caught: 6,
    missed: 0,
    rejected: 3,
    passed: 3,
  });
  // Nothing is below the lowest, and all but the highest are below the highest.
  expect(curves?.points[0]).toEqual({
    threshold: 0.05,
    caught: 0,
    missed: 6,
    rejected: 0,
    passed: 6,
  });
  expect(curves?.points.at(-1)).toEqual({
    threshold: 0.95,
    caught: 6,
    missed: 0,
    rejected: 5,
    passed: 1,
  });
});

test('calibration.md 5.5: the current threshold is among the points, between two scores too', () => {
  const between = curvesOf(groups, 0.5, 1)?.points ?? [];
  expect(between).toHaveLength(13);
  expect(between.find(({ threshold }) => threshold === 0.5)).toEqual({
    threshold: 0.5,
    caught: 5,
    missed: 1,
    rejected: 2,
    passed: 4,
  });
  expect(curvesOf(groups, 0.4, 1)?.points).toHaveLength(12);
  expect(curvesOf(groups, null, 1)?.threshold).toBeNull();
});

test('calibration.md 5.5: of many scores 200 points remain, including both ends, the best and the current one', () => {
  const many = Array.from({ length: 3000 }, (_, at) => ({
    score: at / 3000,
    bad: at < 1234 ? 1 : 0,
    good: at < 1234 ? 0 : 1,
  }));
  const curves = curvesOf(many, 0.700_05, 1);
  const thresholds = curves?.points.map(({ threshold }) => threshold) ?? [];
  expect(thresholds.length).toBeLessThanOrEqual(200);
  expect(thresholds).toEqual(expect.arrayContaining([0, 1234 / 3000, 0.700_05, 2999 / 3000]));
  expect(thresholds).toEqual(thresholds.toSorted((a, b) => a - b));
  expect(curves?.auc.value).toBe(1);
});

test('X-12: without scores there are no curves, and of one class no area', () => {
  expect(curvesOf([], 0.7, 1)).toBeNull();
  const good = curvesOf([{ score: 0.5, bad: 0, good: 30 }], 0.7, 1);
  expect(good?.auc).toEqual({ value: null, low: null, high: null, n: 30 });
  expect(good?.averagePrecision.value).toBeNull();
  expect(good?.bestYouden).toBeNull();
});
