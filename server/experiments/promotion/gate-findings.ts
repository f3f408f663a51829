import type { Measure } from '../../measures';

/** Results on subjects of one truth that both options decided. */
export interface GatePart {
  /**
   * Rates of options A and B: the share of bad subjects that failed, or of good ones that failed.
   */
  readonly tried: Measure;
  readonly other: Measure;
  /** Subjects that both decided. */
  readonly items: number;
  /** Subjects that only A decided correctly, and those that only B did. */
  readonly better: number;
  readonly worse: number;
  /** McNemar's mid-p, two-sided; null if the options never differ. */
  readonly midP: number | null;
  /**
   * The smallest difference of the two rates (0..1) that this number of subjects would detect
   * (calibration.md 5.7); null without subjects.
   */
  readonly detectable: number | null;
}

/** Subjects of one slice that both options decided. */
export interface GateSlice {
  readonly by: string;
  readonly value: string;
  readonly items: number;
  readonly better: number;
  readonly worse: number;
  readonly midP: number | null;
  /** Adjusted over all compared slices (Holm 1979). */
  readonly adjustedP: number | null;
  /** Whether the trust settings name the slice; otherwise it was chosen for its size. */
  readonly isRequired: boolean;
  /** Whether A is significantly worse in the slice, which is a veto. */
  readonly isLost: boolean;
}

/**
 * `insufficient`: too few subjects. `not_worse`: no difference was shown. `could_not_run`: more
 * than 5% of the subjects have no result.
 */
export type GateVerdict = 'better' | 'not_worse' | 'worse' | 'insufficient' | 'could_not_run';

/** The findings of a trial about replacing option B with option A. */
export interface GateFindings {
  readonly verdict: GateVerdict;
  /** Subjects with a result for both. */
  readonly items: number;
  /**
   * Subjects without a result for one of the options, as in an outage of a judge: excluded from
   * everything else.
   */
  readonly inconclusive: number;
  readonly good: number;
  readonly bad: number;
  readonly catchRate: GatePart;
  /** The share of good subjects that were rejected. */
  readonly falseRejectionRate: GatePart;
  /** Subjects neither passed nor failed: by A, by B, only by A (`worse`), only by B. */
  readonly undecided: {
    readonly tried: number;
    readonly other: number;
    readonly better: number;
    readonly worse: number;
    readonly midP: number | null;
  };
  readonly slices: readonly GateSlice[];
  /**
   * Mean cost per subject in US dollars, over subjects whose cost is known for both options; null
   * if there are none.
   */
  readonly cost: {
    readonly tried: number | null;
    readonly other: number | null;
    readonly ratio: number | null;
  };
  /** Mean latency per subject in milliseconds. */
  readonly latency: { readonly tried: number | null; readonly other: number | null };
  /** The reasons, in sentences with their numbers. */
  readonly reasons: readonly string[];
}

/** The record of a promotion without a conclusive trial. */
export interface NotTried {
  readonly verdict: 'not_tried';
  readonly reasons: readonly string[];
}
