import type { Matrix } from '../domain';
import type { WeightedCell, WeightedCells } from './corrected';

/**
 * `y`: bad according to the truth; `f`: flagged by the machine; `probability`: that of the item's
 * draw, above 0 and at most 1.
 */
export interface Labelled {
  readonly y: 0 | 1;
  readonly f: 0 | 1;
  readonly probability: number;
}

/** @throws RangeError on an invalid probability */
export function cellsOf(labelled: readonly Labelled[]): WeightedCells {
  const sums = { caught: [0, 0, 0], missed: [0, 0, 0], rejected: [0, 0, 0], passed: [0, 0, 0] };
  for (const { y, f, probability } of labelled) {
    if (!(probability > 0 && probability <= 1))
      throw new RangeError(`no probability of being drawn: ${probability}`);
    const sum = sums[y === 1 ? (f === 1 ? 'caught' : 'missed') : f === 1 ? 'rejected' : 'passed'];
    for (const power of [0, 1, 2]) sum[power] = (sum[power] ?? 0) + probability ** -power;
  }
  const cell = ([n = 0, weight = 0, square = 0]: number[]): WeightedCell => ({ n, weight, square });
  return {
    caught: cell(sums.caught),
    missed: cell(sums.missed),
    rejected: cell(sums.rejected),
    passed: cell(sums.passed),
  };
}

/** The cells of a sample with the same probability for every item. */
export function equalCells(matrix: Matrix): WeightedCells {
  const cell = (n: number): WeightedCell => ({ n, weight: n, square: n });
  return {
    caught: cell(matrix.caught),
    missed: cell(matrix.missed),
    rejected: cell(matrix.rejected),
    passed: cell(matrix.passed),
  };
}
