import type { Measure } from '../../measures';

/** On subjects of one truth that both options decided. */
export interface GatePart {
  /**
   * Of option A and of option B: the share of bad subjects that failed, or of good ones that did.
   */
  readonly tried: Measure;
  readonly other: Measure;
  /** Subjects that both decided. */
  readonly items: number;
  /** Those that A alone is right about, and those that B alone is. */
  readonly better: number;
  readonly worse: number;
  /** McNemar, two-sided; null where the two never differ. */
  readonly midP: number | null;
  /**
   * The least difference of the two rates, 0..1, that so many subjects would show (calibration.md
   * 5.7); null without subjects.
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
  /** Over all slices that were looked at (Holm 1979). */
  readonly adjustedP: number | null;
  /** The trust settings name it; else it was chosen because it is large enough. */
  readonly isRequired: boolean;
  /** A is worse there by more than chance makes: a veto. */
  readonly isLost: boolean;
}

/**
 * `insufficient`: too little to tell. `not_worse`: no difference was shown. `could_not_run`: over 5
 * % have no result.
 */
export type GateVerdict = 'better' | 'not_worse' | 'worse' | 'insufficient' | 'could_not_run';

/** What a trial says of letting option A take the place of option B. */
export interface GateFindings {
  readonly verdict: GateVerdict;
  /** Subjects that have a result with both. */
  readonly items: number;
  /**
   * Subjects without a result with one of the two, as in an outage of a judge: left out of all
   * else.
   */
  readonly inconclusive: number;
  readonly good: number;
  readonly bad: number;
  readonly catchRate: GatePart;
  /** False rejections of the good ones. */
  readonly falseRejectionRate: GatePart;
  /** Neither passed nor failed: of A, of B, of A alone (`worse`), of B alone. */
  readonly undecided: {
    readonly tried: number;
    readonly other: number;
    readonly better: number;
    readonly worse: number;
    readonly midP: number | null;
  };
  readonly slices: readonly GateSlice[];
  /**
   * Mean of one subject, US dollars, over those whose cost is known of both; null where there is
   * none.
   */
  readonly cost: {
    readonly tried: number | null;
    readonly other: number | null;
    readonly ratio: number | null;
  };
  /** Mean of one subject, milliseconds. */
  readonly latency: { readonly tried: number | null; readonly other: number | null };
  /** Why, in sentences with their numbers. */
  readonly reasons: readonly string[];
}

/** What is written down with a promotion where no trial speaks for it or against it. */
export interface NotTried {
  readonly verdict: 'not_tried';
  readonly reasons: readonly string[];
}
