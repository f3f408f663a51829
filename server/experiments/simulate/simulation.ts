import type { Matrix, Outcome } from '../../domain';
import type { Measure, Rates } from '../../measures';

/** A verdict that another threshold would decide differently. */
export interface Flip {
  readonly verdictId: string;
  readonly excerpt: string;
  /** On the verifier's own scale; null if none was measured. */
  readonly score: number | null;
  /**
   * The decision with the current thresholds and with the candidate, as the verifier's own word and
   * as one of the six outcomes.
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
   * Why the value cannot be set: out of range, or pass below fail; null if it can. A candidate with
   * a fault has no numbers.
   */
  readonly fault: string | null;
  /** Labelled verdicts decided differently than with the current thresholds. */
  readonly flips: {
    readonly total: number;
    readonly toPassed: number;
    readonly toFailed: number;
    readonly toReview: number;
    /** Flips that became correct, and flips that became incorrect. */
    readonly better: number;
    readonly worse: number;
    /** Newest first, at most 20; `listFlips` returns the rest in pages. */
    readonly sample: readonly Flip[];
  };
  /** Verdicts decided differently among all searched verdicts of the period, labelled or not. */
  readonly flipsOfAll: Measure;
  /** The labelled verdicts that pass or fail; the others need a person. */
  readonly matrix: Matrix;
  readonly catchRate: Measure;
  /** False rejections as a share of all verified work (SOAR-27). */
  readonly falsePositiveRate: Measure;
  /** False rejections as a share of good work. */
  readonly falseRejectionRate: Measure;
  /** Verdicts that need a person: they request one, or are neither passed nor failed. */
  readonly reviewLoad: Measure;
  /**
   * Total cost of missed failures, false rejections and reviews at the given prices, in their unit.
   */
  readonly cost: number;
}

/** A suggested value with its reason (SOAR-34, calibration.md 5.5). */
export interface ThresholdSuggestion {
  /** The criterion by which it was chosen. */
  readonly rule:
    | 'false_positives'
    | 'false_negatives'
    | 'least_cost'
    | 'max_youden'
    | 'catch_within_limit';
  /** Null if only the direction is known. */
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
  /** Number of verdicts of the scope, newest first, that were searched for `flipsOfAll`. */
  readonly looked: number;
  /** Labelled verdicts omitted because the basis of their decision was not stored. */
  readonly unknown: number;
  /**
   * Rates of the labelled verdicts as originally decided, regardless of current settings, as on all
   * other pages.
   */
  readonly recorded: Pick<Rates, 'catchRate' | 'falsePositiveRate' | 'falseRejectionRate'>;
  /** The current value, then the requested values in order. */
  readonly base: ThresholdCandidate;
  readonly candidates: readonly ThresholdCandidate[];
  readonly suggestions: readonly ThresholdSuggestion[];
  /** The labelled verdicts by score; null if the threshold is not compared with the score. */
  readonly histogram: LabelledHistogram | null;
}

/** Labelled verdicts in equal parts of the threshold's scale, which may include its upper end. */
export interface LabelledHistogram {
  readonly bins: readonly {
    readonly low: number;
    readonly high: number;
    readonly good: number;
    readonly bad: number;
  }[];
  /** Labelled verdicts without a score. */
  readonly unscored: number;
}

/** One version of a scope's threshold, with its author, time and reason. */
export interface ThresholdChange {
  readonly verifier: string;
  readonly key: string;
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly version: number;
  /** Null if the scope's own value was removed. */
  readonly value: number | null;
  readonly before: number | null;
  readonly reason: string | null;
  readonly by: string;
  readonly at: Date;
  /** Whether it is current; undoing it then restores `before`. */
  readonly isCurrent: boolean;
}
