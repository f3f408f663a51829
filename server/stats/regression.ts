import { studentTwoSidedQuantile } from './distributions';
import type { Estimated } from './intervals';
import { dot, inverse, times } from './linear-system';

/**
 * Least squares with the HC3 standard errors of MacKinnon and White 1985: (X'X)⁻¹ X'
 * diag(e²/(1−h)²) X (X'X)⁻¹, intervals by Student's t with n − k degrees. A row's `terms` exclude
 * the intercept, which is coefficient 0.
 */
export interface Row {
  readonly terms: readonly number[];
  readonly y: number;
}

/** Least squares. Null if there are no more rows than coefficients, or if terms are collinear. */
export function fitLinearHc3(rows: readonly Row[]): Estimated[] | null {
  const design = rows.map(({ terms }) => [1, ...terms]);
  const k = design[0]?.length ?? 0;
  if (rows.length <= k) return null;
  const bread = inverse(
    products(
      design,
      rows.map(() => 1),
    ),
  );
  if (!bread) return null;
  const moment = Array.from({ length: k }, (_, j) =>
    rows.reduce((sum, { y }, i) => sum + y * (design[i]?.[j] ?? 0), 0),
  );
  const coefficients = times(bread, moment);
  const weights = rows.map(({ y }, i) => {
    const row = design[i] ?? [];
    const leverage = dot(row, times(bread, row));
    // A row that alone determines a term has leverage 1 and no residual.
    return leverage > 1 - 1e-12 ? 0 : ((y - dot(row, coefficients)) / (1 - leverage)) ** 2;
  });
  const meat = products(design, weights);
  const t = studentTwoSidedQuantile(0.05, rows.length - k);
  return coefficients.map((value, j) => {
    const side = bread[j] ?? [];
    const se = Math.sqrt(Math.max(0, dot(side, times(meat, side))));
    return { value, se, low: value - t * se, high: value + t * se };
  });
}

/** X' diag(weights) X. */
function products(design: readonly (readonly number[])[], weights: readonly number[]): number[][] {
  const k = design[0]?.length ?? 0;
  const sums = Array.from({ length: k }, () => new Array<number>(k).fill(0));
  for (const [row, values] of design.entries()) {
    const weight = weights[row] ?? 0;
    for (const [i, target] of sums.entries()) {
      for (let j = 0; j < k; j++)
        target[j] = (target[j] ?? 0) + weight * (values[i] ?? 0) * (values[j] ?? 0);
    }
  }
  return sums;
}
