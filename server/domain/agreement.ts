import type { Share } from './rate-difference';

/**
 * How far a verifier agrees with the truth. Positive is "flagged as failing", and so the four
 * cells have names of their own: nowhere is "false positive" said alone.
 */
export interface Matrix {
  /** Bad, and flagged. */
  readonly caught: number;
  /** Bad, and passed: a missed failure. */
  readonly missed: number;
  /** Good, and flagged: a false rejection. */
  readonly rejected: number;
  /** Good, and passed. */
  readonly passed: number;
}

/** Items of a matrix: labelled, and either passed or failed. */
export const labelledOf = ({ caught, missed, rejected, passed }: Matrix): number =>
  caught + missed + rejected + passed;

/**
 * The rates of a matrix, each as part and whole: the one place that defines them. Pages, the API,
 * reports, alerts, the simulation of thresholds and its suggestions all take them from here.
 */
export function sharesOf(
  matrix: Matrix,
): Readonly<
  Record<
    'catchRate' | 'falseRejectionRate' | 'falsePositiveRate' | 'precision' | 'agreement',
    Share
  >
> {
  const { caught, missed, rejected, passed } = matrix;
  const labelled = labelledOf(matrix);
  return {
    /** Bad ones that were flagged, of the bad ones. */
    catchRate: { numerator: caught, denominator: caught + missed },
    /** Good ones that were flagged, of the good ones. */
    falseRejectionRate: { numerator: rejected, denominator: rejected + passed },
    /** SOAR's formula: good ones that were flagged, of all (SOAR-27). */
    falsePositiveRate: { numerator: rejected, denominator: labelled },
    /** Bad ones, of the flagged ones. */
    precision: { numerator: caught, denominator: caught + rejected },
    agreement: { numerator: caught + passed, denominator: labelled },
  };
}

/** A share as a number; null where there is nothing to divide by. */
export const shareValue = ({ numerator, denominator }: Share): number | null =>
  denominator === 0 ? null : numerator / denominator;
