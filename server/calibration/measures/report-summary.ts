import { labelledOf, type Matrix } from '../../domain';
import { gwetAc1 } from '../stats/agreement';
import { bcaOfCounts } from '../stats/bootstrap';
import { skillOf } from '../stats/corrected';
import { balancedAccuracy, fBeta, mcc, youden } from '../stats/summary';
import type { CalibrationReport, Estimate } from './report';

/**
 * Single figures of a matrix with 95 % intervals (calibration.md 5.3). Youden's J is the catch rate less the false-rejection rate, and has Newcombe's interval
 * of a difference; balanced accuracy is (J + 1) / 2. The others have none in closed form: the four counts are drawn again 2,000 times. Pure.
 */
export function summaryOf(matrix: Matrix, seed: number): CalibrationReport['summary'] {
  const n = labelledOf(matrix);
  const skill = skillOf(matrix);
  return {
    balancedAccuracy: {
      value: balancedAccuracy(matrix),
      low: skill === null ? null : (skill.low + 1) / 2,
      high: skill === null ? null : (skill.high + 1) / 2,
      n,
    },
    youden: { value: youden(matrix), low: skill?.low ?? null, high: skill?.high ?? null, n },
    f1: drawnAgain(matrix, n, (cells) => fBeta(cells), seed),
    mcc: drawnAgain(matrix, n, mcc, seed),
    ac1: drawnAgain(matrix, n, gwetAc1, seed),
  };
}

function drawnAgain(matrix: Matrix, n: number, statistic: (matrix: Matrix) => number | null, seed: number): Estimate {
  const { caught, missed, rejected, passed } = matrix;
  const ofCells = (cells: readonly number[]): number | null => {
    const [a = 0, b = 0, c = 0, d = 0] = cells;
    return statistic({ caught: a, missed: b, rejected: c, passed: d });
  };
  const interval = bcaOfCounts([caught, missed, rejected, passed], ofCells, { seed });
  return { value: statistic(matrix), low: interval?.low ?? null, high: interval?.high ?? null, n };
}
