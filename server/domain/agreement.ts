import type { Share } from './rate-difference';

/**
 * The agreement of a verifier with the ground truth. Positive is "flagged as failing", so the
 * four cells have names of their own: "false positive" alone is never used.
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
 * The rates of a matrix, each as part and whole: their only definition. Pages, the API, reports,
 * alerts, the simulation of thresholds and its suggestions all use it.
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
    /** Flagged bad items, of the bad items. */
    catchRate: { numerator: caught, denominator: caught + missed },
    /** Flagged good items, of the good items. */
    falseRejectionRate: { numerator: rejected, denominator: rejected + passed },
    /** SOAR's formula: flagged good items, of all items (SOAR-27). */
    falsePositiveRate: { numerator: rejected, denominator: labelled },
    /** Bad items, of the flagged items. */
    precision: { numerator: caught, denominator: caught + rejected },
    agreement: { numerator: caught + passed, denominator: labelled },
  };
}

/** A share as a number; null for a zero denominator. */
export const shareValue = ({ numerator, denominator }: Share): number | null =>
  denominator === 0 ? null : numerator / denominator;
