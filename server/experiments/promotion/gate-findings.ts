import type { Measure } from '../../measures';

/** On subjects of one truth that both options decided. */
export interface GatePart {
  /** For option A and option B: the share of bad subjects that failed, or of good ones that did. */
  readonly tried: Measure;
  readonly other: Measure;
  /** Subjects that both decided. */
  readonly items: number;
  /** Those that only A decided correctly, and those that only B did. */
  readonly better: number;
  readonly worse: number;
  /** McNemar, two-sided; null if the two never differ. */
  readonly midP: number | null;
  /**
   * The smallest difference of the two rates, 0..1, that this number of subjects would detect
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
  /** Over all compared slices (Holm 1979). */
  readonly adjustedP: number | null;
  /** The trust settings name it; otherwise it was chosen because it is large enough. */
  readonly isRequired: boolean;
  /** A is significantly worse there: a veto. */
  readonly isLost: boolean;
}

/**
 * `insufficient`: too few subjects. `not_worse`: no difference was shown. `could_not_run`: over 5 %
 * have no result.
 */
export type GateVerdict = 'better' | 'not_worse' | 'worse' | 'insufficient' | 'could_not_run';

/** The findings of a trial on replacing option B by option A. */
export interface GateFindings {
  readonly verdict: GateVerdict;
  /** Subjects with a result for both. */
  readonly items: number;
  /**
   * Subjects without a result for one of the two, as in an outage of a judge: left out of
   * everything else.
   */
  readonly inconclusive: number;
  readonly good: number;
  readonly bad: number;
  readonly catchRate: GatePart;
  /** False rejections of the good ones. */
  readonly falseRejectionRate: GatePart;
  /** Neither passed nor failed: by A, by B, by A only (`worse`), by B only. */
  readonly undecided: {
    readonly tried: number;
    readonly other: number;
    readonly better: number;
    readonly worse: number;
    readonly midP: number | null;
  };
  readonly slices: readonly GateSlice[];
  /**
   * Mean of one subject, US dollars, over those with a known cost for both; null if there is none.
   */
  readonly cost: {
    readonly tried: number | null;
    readonly other: number | null;
    readonly ratio: number | null;
  };
  /** Mean of one subject, milliseconds. */
  readonly latency: { readonly tried: number | null; readonly other: number | null };
  /** The reasons, in sentences with their numbers. */
  readonly reasons: readonly string[];
}

/** The record of a promotion without a conclusive trial. */
export interface NotTried {
  readonly verdict: 'not_tried';
  readonly reasons: readonly string[];
}
