import { expect, test } from 'vitest';
import { type SliceCounts, slicesOf } from './slices';

type Row = readonly [caught: number, missed: number, rejected: number, passed: number];
const slice = (
  value: string,
  [caught, missed, rejected, passed]: Row,
  by: SliceCounts['by'] = 'model',
): SliceCounts => ({
  by,
  value,
  caught,
  missed,
  rejected,
  passed,
});
const psOf = (counts: readonly SliceCounts[]) =>
  slicesOf(counts)[0]?.rows.map(({ adjustedP }) => adjustedP);

test('calibration.md 5.2, 5.7: catch and false rejections are tested separately, so that more of one does not hide less of the other', () => {
  // Agreement is 150 of 180 and 122 of 147, which no test separates; 50 of 54 and 10 of 15 caught:
  // Fisher's p 0.01912.
  const [models] = slicesOf([slice('a', [50, 4, 26, 100]), slice('b', [10, 5, 20, 112])]);
  const [a, b] = models?.rows ?? [];
  expect(models?.by).toBe('model');
  // Two tests of each of two slices, whose p are the same: adjusted over four tests the smaller
  // pair is times 4 / 2.
  expect(a?.adjustedP.catchRate).toBeCloseTo(2 * 0.019_117, 4);
  expect(b?.adjustedP.catchRate).toBeCloseTo(2 * 0.019_117, 4);
  expect(a?.adjustedP.falseRejectionRate).toBeGreaterThan(0.1);
  expect(b).toMatchObject({
    labelled: 147,
    catchRate: { numerator: 10, denominator: 15 },
    falseRejectionRate: { numerator: 20, denominator: 132 },
  });
});

test('calibration.md 5.7: a slice that falsely rejects more is found by that test alone, its p adjusted over all tests of the field', () => {
  const [a, b, c, few] =
    psOf([
      slice('a', [40, 10, 5, 95]),
      slice('b', [41, 9, 6, 94]),
      slice('c', [40, 10, 40, 60]),
      slice('few', [5, 5, 2, 3]),
    ]) ?? [];
  expect(c?.falseRejectionRate).toBeLessThan(0.001);
  expect(c?.catchRate).toBeGreaterThan(0.5);
  expect(few).toEqual({ catchRate: null, falseRejectionRate: null });
  expect(a?.falseRejectionRate).toBeLessThan(b?.falseRejectionRate ?? 0);
});

test('X-12: the only slice of a field has no rest to compare with, and if all is right nothing differs', () => {
  const none = { catchRate: null, falseRejectionRate: null };
  expect(psOf([slice('a', [90, 10, 5, 5])])).toEqual([none]);
  expect(psOf([slice('a', [50, 0, 0, 50]), slice('b', [50, 0, 0, 50])])).toEqual([none, none]);
  // One of them has no good item, so its false rejections cannot be compared.
  expect(psOf([slice('a', [50, 5, 0, 0]), slice('b', [50, 5, 5, 50])])).toEqual([
    { catchRate: 1, falseRejectionRate: null },
    { catchRate: 1, falseRejectionRate: null },
  ]);
  expect(slicesOf([])).toEqual([]);
  expect(
    slicesOf([slice('x', [1, 0, 0, 0], 'tier'), slice('a', [1, 0, 0, 0])]).map(({ by }) => by),
  ).toEqual(['model', 'tier']);
});

test('labels of one session count by their weight', () => {
  const weights = { bad: 0.2, good: 1, agreed: 1, rejected: 1 };
  const counts = [slice('a', [50, 4, 26, 100]), slice('b', [10, 5, 20, 112])];
  const [alone, together] = [
    psOf(counts),
    psOf(counts.map((row) => ({ ...row, weights, wholeWeights: weights }))),
  ];
  expect(alone?.[0]?.catchRate).toBeLessThan(0.05);
  expect(together?.[0]?.catchRate).toBeGreaterThan(0.3);
  expect(together?.[0]?.falseRejectionRate).toBeLessThan(0.5);
  const [group] = slicesOf([{ ...slice('a', [50, 4, 26, 100]), weights }]);
  // Wilson of 10 in 10.8.
  expect(group?.rows[0]?.catchRate).toMatchObject({ numerator: 50, denominator: 54 });
  expect(group?.rows[0]?.catchRate.low).toBeLessThan(0.68);
});
