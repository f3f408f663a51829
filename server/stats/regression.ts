import { studentTwoSidedQuantile } from './distributions';
import { type Estimated, estimated } from './intervals';
import { dot, inverse, times } from './linear-system';

/**
 * Logistic regression by Newton's method (iteratively reweighted least squares), with Wald
 * intervals; and least squares with the standard errors HC3 of MacKinnon and White 1985: (X'X)⁻¹ X'
 * diag(e²/(1−h)²) X (X'X)⁻¹, intervals by Student's t with n − k degrees. A row's `terms` stand
 * without the intercept, which is coefficient 0.
 */
export interface Row {
  readonly terms: readonly number[];
  /** For the logistic form 0..1. */
  readonly y: number;
}

export function sigmoid(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

export function logit(p: number): number {
  return Math.log(p) - Math.log1p(-p);
}

const mostSteps = 100;
/**
 * A coefficient beyond it: the classes are parted by the terms, and the likelihood has no greatest
 * place.
 */
const mostCoefficient = 50;

/**
 * Maximum likelihood. Null with fewer rows than coefficients, with terms that hang together, and
 * where the classes are parted. `intercept` false: without one.
 */
export function fitLogistic(
  rows: readonly Row[],
  { intercept = true }: { readonly intercept?: boolean } = {},
): Estimated[] | null {
  const design = rows.map(({ terms }) => (intercept ? [1, ...terms] : [...terms]));
  const k = design[0]?.length ?? 0;
  if (k === 0 || rows.length < k) return null;
  let coefficients = new Array<number>(k).fill(0);
  const likelihoodOf = (at: readonly number[]): number =>
    rows.reduce((sum, { y }, i) => {
      const x = dot(design[i] ?? [], at);
      // −ln(1 + e^x) without overflow.
      return sum + y * x - (Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x))));
    }, 0);
  let likelihood = likelihoodOf(coefficients);
  for (let step = 0; step < mostSteps; step++) {
    const shares = design.map((row) => sigmoid(dot(row, coefficients)));
    const gradient = coefficients.map((_, j) =>
      rows.reduce((sum, { y }, i) => sum + (y - (shares[i] ?? 0)) * (design[i]?.[j] ?? 0), 0),
    );
    const covariance = inverse(
      products(
        design,
        shares.map((share) => share * (1 - share)),
      ),
    );
    if (!covariance) return null;
    const move = times(covariance, gradient);
    // Newton's error is squared by each step: this one ends it.
    if (move.every((part, j) => Math.abs(part) < 1e-7 * (1 + Math.abs(coefficients[j] ?? 0)))) {
      return coefficients.map((value, j) =>
        estimated(value + (move[j] ?? 0), Math.sqrt(Math.max(0, covariance[j]?.[j] ?? 0))),
      );
    }
    // Halve a step that would overshoot.
    let size = 1;
    let next = coefficients;
    do {
      next = coefficients.map((value, j) => value + size * (move[j] ?? 0));
      size /= 2;
    } while (likelihoodOf(next) < likelihood - 1e-10 * Math.abs(likelihood) && size > 1e-6);
    coefficients = next;
    likelihood = likelihoodOf(coefficients);
    const scaled = coefficients.map((value, j) => Math.abs(value) * spreadOf(design, j));
    if (!scaled.every((value) => value < mostCoefficient)) return null;
  }
  return null;
}

/** Least squares. Null with no more rows than coefficients, and with terms that hang together. */
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
    // A row that alone carries a term has leverage 1 and no residual.
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

function spreadOf(design: readonly (readonly number[])[], column: number): number {
  const values = design.map((row) => row[column] ?? 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length,
  );
  // A term that never varies is the intercept.
  return spread === 0 ? Math.abs(mean) : spread;
}
