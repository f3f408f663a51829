import { measureShare } from '../rates';
import type { Estimate } from '../report';
import { type CorrelationOf, kendallTauB, pearson, spearman, widened } from '../../stats';
import type { NumericJudge } from './imported';
import type { JudgedRow } from './imported-rows';

type Grades = Omit<
  NumericJudge,
  'judge' | 'dimension' | 'form' | 'measured' | 'items' | 'labelled' | 'noVerdict'
>;

/**
 * Pure. Measures the rows of one judge and dimension; the grade of each presentation forms a pair
 * with the truth.
 * @param weight the weight of one item, if sessions have several
 */
export function measureGrades(rows: readonly JudgedRow[], weight: number): Grades {
  // Grades have no common scale with pass and fail, so that a distance between them is meaningless.
  // If there are grades, only they are the truth.
  const graded = pairsOf(rows.filter(({ truth }) => truth === null));
  const pairs = graded.length > 0 ? graded : pairsOf(rows);
  const near = (max: number): number =>
    graded.filter(([grade, truth]) => Math.abs(grade - truth) <= max).length;
  return {
    pairs: pairs.length,
    kendall: widened(estimateOf(kendallTauB(pairs)), weight, [-1, 1]),
    pearson: widened(estimateOf(pearson(pairs)), weight, [-1, 1]),
    spearman: widened(estimateOf(spearman(pairs)), weight, [-1, 1]),
    exact: measureShare(near(0), graded.length, undefined, weight),
    within1: measureShare(near(1), graded.length, undefined, weight),
    meanJudge: mean(pairs.map(([grade]) => grade)),
    meanTruth: mean(pairs.map(([, truth]) => truth)),
  };
}

const pairsOf = (rows: readonly JudgedRow[]) =>
  rows.flatMap(({ truth_grade: truth, said, items }) =>
    said.flatMap(([, , grade]) =>
      truth === null || grade === null
        ? []
        : new Array<readonly [number, number]>(items).fill([grade, truth]),
    ),
  );

const estimateOf = ({ value, low, high, n }: CorrelationOf): Estimate => ({ value, low, high, n });

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
