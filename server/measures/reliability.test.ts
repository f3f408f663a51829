import { expect, test } from 'vitest';
import { type ConfidenceGroup, reliabilityOf } from './reliability';

const group = (
  p: number,
  right: number,
  wrong: number,
  of: ConfidenceGroup['of'] = 'confidence',
): ConfidenceGroup => ({
  of,
  p,
  right,
  wrong,
});

test('calibration.md 5.6: bins of equal mass, calibration error and Brier score by hand', () => {
  const reliability = reliabilityOf([group(0.5, 5, 5), group(0.9, 6, 4), group(1, 10, 0)], 1);
  expect(reliability?.of).toBe('confidence');
  expect(reliability?.bins.reduce((sum, { n }) => sum + n, 0)).toBe(30);
  // Equal confidences stay together: three bins.
  expect(
    reliability?.bins.map(({ low, high, n, right }) => [low, high, n, right.numerator]),
  ).toEqual([
    [0.5, 0.5, 10, 5],
    [0.9, 0.9, 10, 6],
    [1, 1, 10, 10],
  ]);
  expect(reliability?.bins[0]?.right.state).toBe('insufficient');
  expect(reliability?.ece.value).toBeCloseTo(0.1, 12);
  expect(reliability?.ece.low).toBeGreaterThanOrEqual(0);
  expect(reliability?.ece.high).toBeGreaterThan(0.1);
  expect(reliability?.brier.value).toBeCloseTo((10 * 0.25 + 6 * 0.01 + 4 * 0.81) / 30, 12);
  expect(reliability?.brier.n).toBe(30);
});

test('calibration.md 5.6: scores replace unknown confidences, and are never mixed with them', () => {
  expect(reliabilityOf([group(0.8, 8, 2, 'score')], 1)).toMatchObject({
    of: 'score',
    ece: { n: 10 },
  });
  expect(reliabilityOf([group(0.8, 8, 2, 'score'), group(0.6, 3, 2)], 1)).toMatchObject({
    of: 'confidence',
    ece: { n: 5 },
  });
  expect(reliabilityOf([], 1)).toBeNull();
});
