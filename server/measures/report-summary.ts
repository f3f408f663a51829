import { labelledOf, type Matrix } from '../domain';
import {
  balancedAccuracy,
  bcaOfCounts,
  fBeta,
  gwetAc1,
  mcc,
  skillOf,
  widened,
  youden,
} from '../stats';
import type { Counts } from './rates';
import type { CalibrationReport, Estimate } from './report';

/**
 * Single figures of a matrix with 95% intervals (calibration.md 5.3). Youden's J is the catch rate
 * minus the false-rejection rate and has Newcombe's interval of a difference; balanced accuracy is
 * (J + 1) / 2. The others have no closed-form interval and use 2,000 resamples of the four counts.
 * Weights items that share a session. Pure.
 */
export function calibrationSummary(
  matrix: Matrix & Pick<Counts, 'weights'>,
  seed: number,
): CalibrationReport['summary'] {
  const n = labelledOf(matrix);
  const skill = skillOf(matrix);
  const { bad = 1, good = 1, agreed = 1 } = matrix.weights ?? {};
  const ofClasses = Math.min(bad, good);
  const ofSkill = widened(
    { value: youden(matrix), low: skill?.low ?? null, high: skill?.high ?? null, n },
    ofClasses,
    [-1, 1],
  );
  const half = (end: number | null): number | null => (end === null ? null : (end + 1) / 2);
  return {
    balancedAccuracy: {
      value: balancedAccuracy(matrix),
      low: half(ofSkill.low),
      high: half(ofSkill.high),
      n,
    },
    youden: ofSkill,
    f1: widened(
      drawnAgain(matrix, n, (cells) => fBeta(cells), seed),
      ofClasses,
      [0, 1],
    ),
    mcc: widened(drawnAgain(matrix, n, mcc, seed), agreed, [-1, 1]),
    ac1: widened(drawnAgain(matrix, n, gwetAc1, seed), agreed, [-1, 1]),
  };
}

function drawnAgain(
  matrix: Matrix,
  n: number,
  statistic: (matrix: Matrix) => number | null,
  seed: number,
): Estimate {
  const { caught, missed, rejected, passed } = matrix;
  const ofCells = (cells: readonly number[]): number | null => {
    const [a = 0, b = 0, c = 0, d = 0] = cells;
    return statistic({ caught: a, missed: b, rejected: c, passed: d });
  };
  const interval = bcaOfCounts([caught, missed, rejected, passed], ofCells, { seed });
  return { value: statistic(matrix), low: interval?.low ?? null, high: interval?.high ?? null, n };
}
