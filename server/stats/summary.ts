import { type Matrix, sharesOf, shareValue } from '../domain';

/**
 * Single figures of a matrix (calibration.md 5.3), all computed on reading: only the four cells are
 * stored. Each is null if a denominator is 0, because "no data" must not become 0.
 */
const share = (numerator: number, denominator: number): number | null =>
  shareValue({ numerator, denominator });

/** Sensitivity q₁: the flagged share of bad items. */
export function sensitivity(matrix: Matrix): number | null {
  return shareValue(sharesOf(matrix).catchRate);
}

/** Specificity q₀: the passed share of good items. */
export function specificity({ rejected, passed }: Matrix): number | null {
  return share(passed, rejected + passed);
}

/** (q₁ + q₀) / 2: 0.5 means no better than chance. */
export function balancedAccuracy(matrix: Matrix): number | null {
  const [one, other] = [sensitivity(matrix), specificity(matrix)];
  return one === null || other === null ? null : (one + other) / 2;
}

/** Youden 1950: J = q₁ + q₀ − 1, 0 means no better than chance, −1..1. */
export function youden(matrix: Matrix): number | null {
  const [one, other] = [sensitivity(matrix), specificity(matrix)];
  return one === null || other === null ? null : one + other - 1;
}

/** (1+β²)·TP / ((1+β²)·TP + β²·FN + FP); `beta` above 1 gives missed failures more weight. */
export function fBeta({ caught, missed, rejected }: Matrix, beta = 1): number | null {
  const weight = beta * beta;
  return share((1 + weight) * caught, (1 + weight) * caught + weight * missed + rejected);
}

/** Matthews 1975: the correlation of the two classes, −1..1. */
export function mcc({ caught, missed, rejected, passed }: Matrix): number | null {
  // Takes the roots one by one: the product of four counts exceeds the integers that a float
  // represents exactly.
  const scale =
    Math.sqrt(caught + rejected) *
    Math.sqrt(caught + missed) *
    Math.sqrt(passed + rejected) *
    Math.sqrt(passed + missed);
  return share(caught * passed - rejected * missed, scale);
}
