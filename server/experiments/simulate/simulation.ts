import type { Outcome } from '../../domain';
import type { Measure, Rates } from '../../measures';

/** A verdict that another threshold would decide differently. */
export interface Flip {
  readonly verdictId: string;
  readonly excerpt: string;
  /** On the verifier's own scale; null if none was measured. */
  readonly score: number | null;
  /**
   * By the current thresholds and by the candidate: in the verifier's own words, and as one of the
   * six outcomes.
   */
  readonly before: { readonly verdict: string | null; readonly outcome: Outcome };
  readonly after: { readonly verdict: string | null; readonly outcome: Outcome };
  /** Whether the subject was good; null if unknown. */
  readonly good: boolean | null;
  readonly settledAt: Date;
}

/** The effect of one threshold value on the period's verdicts. */
export interface ThresholdCandidate {
  readonly value: number;
  /**
   * Why it cannot be set: out of range, or pass below fail; null if it can. With a fault there are
   * no numbers.
   */
  readonly fault: string | null;
  /** Labelled verdicts decided differently than by the current thresholds. */
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
   * All verdicts of the period, labelled or not, that it would decide differently, of those
   * searched.
   */
  readonly flipsOfAll: Measure;
  readonly catchRate: Measure;
  /** False rejections of all verified work (SOAR-27). */
  readonly falsePositiveRate: Measure;
  /** False rejections of the good ones. */
  readonly falseRejectionRate: Measure;
  /** Verdicts that need a person: one is requested, or they are neither passed nor failed. */
  readonly reviewLoad: Measure;
  /**
   * Total cost of missed failures, false rejections and reviews, by the given prices; in their
   * unit.
   */
  readonly cost: number;
}

/** A suggested value, and the reason (SOAR-34, calibration.md 5.5). */
export interface ThresholdSuggestion {
  /** The criterion of its choice. */
  readonly rule:
    | 'false_positives'
    | 'false_negatives'
    | 'least_cost'
    | 'max_youden'
    | 'catch_within_limit';
  /** Null: only the direction is known. */
  readonly value: number | null;
  readonly direction: 'lower' | 'raise';
  /** The reason in a sentence, with its numbers. */
  readonly why: string;
}

/**
 * The effect of changing one threshold, simulated on verdicts whose decision can be repeated. Calls
 * no judge and changes nothing.
 */
export interface Simulation {
  readonly verifier: string;
  readonly key: string;
  readonly scope: { readonly missionId: string | null; readonly taskId: string | null };
  readonly from: Date | null;
  readonly to: Date;
  /** The current value for the scope. */
  readonly current: number;
  readonly labelled: number;
  readonly good: number;
  readonly bad: number;
  /** Verdicts of the scope that were searched for `flipsOfAll`, the newest. */
  readonly looked: number;
  /** Labelled verdicts that were stored without the basis of their decision, and are left out. */
  readonly unknown: number;
  /**
   * The labelled verdicts as originally decided, regardless of current settings: the rates of all
   * other pages.
   */
  readonly recorded: Pick<Rates, 'catchRate' | 'falsePositiveRate' | 'falseRejectionRate'>;
  /** For the current value, then one for each requested value, in order. */
  readonly base: ThresholdCandidate;
  readonly candidates: readonly ThresholdCandidate[];
  readonly suggestions: readonly ThresholdSuggestion[];
}

/** One version of a scope's threshold: who set it, when and why. */
export interface ThresholdChange {
  readonly verifier: string;
  readonly key: string;
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly version: number;
  /** Null: the scope's own value was removed. */
  readonly value: number | null;
  readonly before: number | null;
  readonly reason: string | null;
  readonly by: string;
  readonly at: Date;
  /** It is current, so undoing it restores `before`. */
  readonly inForce: boolean;
}
