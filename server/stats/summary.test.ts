import fc from 'fast-check';
import { sampleCorrelation } from 'simple-statistics';
import { expect, test } from 'vitest';
import { balancedAccuracy, sensitivity, fBeta, mcc, specificity, youden } from './summary';

const v1 = { caught: 42, missed: 8, rejected: 15, passed: 135 };
const nothing = { caught: 0, missed: 0, rejected: 0, passed: 0 };

test('calibration.md 5.3 V1: balanced accuracy 0.870, Youden 0.740, MCC 0.7098', () => {
  expect(sensitivity(v1)).toBeCloseTo(0.84, 10);
  expect(specificity(v1)).toBeCloseTo(0.9, 10);
  expect(balancedAccuracy(v1)).toBeCloseTo(0.87, 10);
  expect(youden(v1)).toBeCloseTo(0.74, 10);
  expect(mcc(v1)).toBeCloseTo(0.7098, 4);
});

test('calibration.md 5.3 F is the harmonic mean of precision and catch rate, and beta leans to the catch rate', () => {
  const [p, r] = [42 / 57, 0.84];
  expect(fBeta(v1)).toBeCloseTo((2 * p * r) / (p + r), 12);
  expect(fBeta(v1, 2)).toBeCloseTo((5 * p * r) / (4 * p + r), 12);
});

test.each([
  balancedAccuracy,
  youden,
  (matrix: typeof v1) => fBeta(matrix),
  mcc,
  sensitivity,
  specificity,
])('X-12 calibration.md 5.3 %o without items is no data', (statistic) => {
  expect(statistic(nothing)).toBeNull();
});

test('X-12 calibration.md 5.3 with one class, figures that need both are null', () => {
  const bad = { caught: 9, missed: 1, rejected: 0, passed: 0 };
  expect([balancedAccuracy(bad), youden(bad), mcc(bad), specificity(bad)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(sensitivity(bad)).toBe(0.9);
  expect(fBeta({ ...nothing, passed: 5 })).toBeNull();
});

test('calibration.md 5.3 MCC is the correlation of the two classes, item by item', () => {
  const cell = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(cell, cell, cell, cell, (caught, missed, rejected, passed) => {
      const truth = [
        ...new Array<number>(caught + missed).fill(1),
        ...new Array<number>(rejected + passed).fill(0),
      ];
      const flags = [
        [caught, 1],
        [missed, 0],
        [rejected, 1],
        [passed, 0],
      ].flatMap(([n = 0, flag = 0]) => new Array<number>(n).fill(flag));
      expect(mcc({ caught, missed, rejected, passed })).toBeCloseTo(
        sampleCorrelation(truth, flags),
        10,
      );
    }),
    { seed: 53, numRuns: 100 },
  );
});
