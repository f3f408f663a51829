import { expect, test } from 'vitest';
import { type SliceCounts, slicesOf } from './slices';

const slice = (value: string, right: number, wrong: number, by: SliceCounts['by'] = 'model'): SliceCounts => ({
  by,
  value,
  caught: right,
  missed: wrong,
  rejected: 0,
  passed: 0,
});

test('calibration.md 5.7: a slice that agrees less than the rest is found, its p adjusted over the field', () => {
  const [models] = slicesOf([slice('a', 90, 10), slice('b', 88, 12), slice('c', 60, 40), slice('few', 5, 5)]);
  const [a, b, c, few] = models?.rows ?? [];
  expect(models?.by).toBe('model');
  expect(c?.adjustedP).toBeLessThan(0.001);
  expect(few?.adjustedP).toBeNull();
  // z of 90/100 against 153/210: 3.42, p 0.000636; the greatest of three p stays as it is.
  expect(a?.adjustedP).toBeLessThan(0.01);
  expect(Math.max(a?.adjustedP ?? 0, b?.adjustedP ?? 0)).toBe(b?.adjustedP);
  expect(c).toMatchObject({ labelled: 100, catchRate: { numerator: 60, denominator: 100 }, falseRejectionRate: { state: 'no_data' } });
});

test('X-12: the only slice of a field has no rest to stand beside, and where all is right nothing differs', () => {
  expect(slicesOf([slice('a', 90, 10)])[0]?.rows[0]?.adjustedP).toBeNull();
  expect(slicesOf([slice('a', 50, 0), slice('b', 50, 0)])[0]?.rows.map(({ adjustedP }) => adjustedP)).toEqual([null, null]);
  expect(slicesOf([])).toEqual([]);
  expect(slicesOf([slice('x', 1, 0, 'tier'), slice('a', 1, 0)]).map(({ by }) => by)).toEqual(['model', 'tier']);
});
