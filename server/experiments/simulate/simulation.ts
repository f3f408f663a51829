import type { Outcome } from '../../domain';
import type { Measure, Rates } from '../../measures';

/** A verdict that another threshold would decide otherwise. */
export interface Flip {
  readonly verdictId: string;
  readonly excerpt: string;
  /** On the verifier's own scale; null where none was measured. */
  readonly score: number | null;
  /**
   * As the thresholds in force decide it, and as the candidate does: in the verifier's own words,
   * and in the six of all.
   */
  readonly before: { readonly verdict: string | null; readonly outcome: Outcome };
  readonly after: { readonly verdict: string | null; readonly outcome: Outcome };
  /** Whether the subject was good; null where no one said. */
  readonly good: boolean | null;
  readonly settledAt: Date;
}

/** What one value of a threshold would have made of the period's verdicts. */
export interface Candidate {
  readonly value: number;
  /**
   * Why it cannot be set: out of range, or pass below fail; null where it can. Nothing else is told
   * then.
   */
  readonly fault: string | null;
  /** Labelled verdicts decided otherwise than by the thresholds in force. */
  readonly flips: {
    readonly total: number;
    readonly toPassed: number;
    readonly toFailed: number;
    readonly toReview: number;
    /** Became right, became wrong. */
    readonly better: number;
    readonly worse: number;
    /** Newest first, at most 20; the rest by pages (`listFlips`). */
    readonly sample: readonly Flip[];
  };
  /**
   * All verdicts of the period, labelled or not, that it would decide otherwise, of those looked
   * at.
   */
  readonly flipsOfAll: Measure;
  readonly catchRate: Measure;
  /** False rejections of all that was verified (SOAR-27). */
  readonly falsePositiveRate: Measure;
  /** False rejections of the good ones. */
  readonly falseRejectionRate: Measure;
  /**
   * Verdicts that a person has to look at: one is called for, or they are neither passed nor
   * failed.
   */
  readonly reviewLoad: Measure;
  /**
   * Price of missed failures, false rejections and reviews together, by the prices asked for; in
   * their unit.
   */
  readonly cost: number;
}

/** A value that history speaks for, and why (SOAR-34, calibration.md 5.5). */
export interface ThresholdSuggestion {
  /** What it is chosen by. */
  readonly rule:
    | 'false_positives'
    | 'false_negatives'
    | 'least_cost'
    | 'max_youden'
    | 'catch_within_limit';
  /** Null: the direction is known, and no value. */
  readonly value: number | null;
  readonly direction: 'lower' | 'raise';
  /** In a sentence, with its numbers. */
  readonly why: string;
}

/**
 * What moving one threshold would do, tried on verdicts whose decision can be made again. Asks no
 * judge and changes nothing.
 */
export interface Simulation {
  readonly verifier: string;
  readonly key: string;
  readonly scope: { readonly missionId: string | null; readonly taskId: string | null };
  readonly from: Date | null;
  readonly to: Date;
  /** In force now for the scope. */
  readonly current: number;
  readonly labelled: number;
  readonly good: number;
  readonly bad: number;
  /** Verdicts of the scope that were looked at for `flipsOfAll`, the newest. */
  readonly looked: number;
  /** Labelled verdicts that were stored without what their decision rests on, and are left out. */
  readonly unknown: number;
  /**
   * As the labelled verdicts were decided when they were verified, whatever is in force now: the
   * rates of all other pages.
   */
  readonly recorded: Pick<Rates, 'catchRate' | 'falsePositiveRate' | 'falseRejectionRate'>;
  /** Of the value in force, then one for each that was asked for, in their order. */
  readonly base: Candidate;
  readonly candidates: readonly Candidate[];
  readonly suggestions: readonly ThresholdSuggestion[];
}

/** One version of a scope's threshold: who set it, when and why. */
export interface ThresholdChange {
  readonly verifier: string;
  readonly key: string;
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly version: number;
  /** Null: the scope's own value was taken back. */
  readonly value: number | null;
  readonly before: number | null;
  readonly reason: string | null;
  readonly by: string;
  readonly at: Date;
  /** It is the one in force, so undoing it brings `before` back. */
  readonly inForce: boolean;
}
