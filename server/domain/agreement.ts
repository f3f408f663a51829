import type { Share } from './rate-difference';

/**
 * The agreement of a verifier with the ground truth. Positive means "flagged as failing". The
 * four cells have their own names, and "false positive" is never used alone, because it is
 * ambiguous.
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

/** The items of a matrix: labelled, and either passed or failed. */
export const labelledOf = ({ caught, missed, rejected, passed }: Matrix): number =>
  caught + missed + rejected + passed;

/**
 * The rates of a matrix, each as a numerator and denominator. This is their only definition: pages,
 * the API, reports, alerts, and the simulation and suggestion of thresholds all use it.
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
    /** The flagged ones among the bad items. */
    catchRate: { numerator: caught, denominator: caught + missed },
    /** The flagged ones among the good items. */
    falseRejectionRate: { numerator: rejected, denominator: rejected + passed },
    /** SOAR's formula: the flagged good items among all items (SOAR-27). */
    falsePositiveRate: { numerator: rejected, denominator: labelled },
    /** The bad ones among the flagged items. */
    precision: { numerator: caught, denominator: caught + rejected },
    agreement: { numerator: caught + passed, denominator: labelled },
  };
}

/** A share as a number; null for a zero denominator. */
export const shareValue = ({ numerator, denominator }: Share): number | null =>
  denominator === 0 ? null : numerator / denominator;
