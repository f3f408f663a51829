import type { Measure } from './rates';
import type { Slice, SliceField } from './report-input';
import type { VerifierMeasures } from './measure';

/**
 * A statistic that is not a share, with its 95% interval; null if its data do not determine it.
 * `n` is the number of items it is based on.
 */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** The calibration report of one verifier, for one version, policy, slice and period. */
export interface CalibrationReport extends VerifierMeasures {
  readonly from: Date | null;
  readonly to: Date;
  /** The other available filters, each with its number of labelled rows. */
  readonly versions: readonly { readonly version: number; readonly labels: number }[];
  readonly policies: readonly { readonly policy: number; readonly labels: number }[];
  readonly judges: readonly { readonly judge: string; readonly labels: number }[];
  /** Labels that are not counted yet. */
  readonly pending: number;
  /** Items with contested blind votes: excluded from every rate. */
  readonly contested: number;
  readonly precision: Measure;
  readonly summary: {
    readonly balancedAccuracy: Estimate;
    readonly youden: Estimate;
    readonly f1: Estimate;
    readonly mcc: Estimate;
    /** Gwet's AC1: like kappa, but hardly affected by the rarity of defects. */
    readonly ac1: Estimate;
  };
  readonly human: HumanCeiling;
  readonly corrected: Corrected;
  /** Null if the verifier returns no score. */
  readonly curves: Curves | null;
  /** Null if no confidence is known. */
  readonly reliability: Reliability | null;
  /** SOAR-33: correlation of score and truth. */
  readonly correlation: Correlation;
  /**
   * SOAR-31: measures beyond their alert limit, with the recommended action; empty if there are
   * none.
   */
  readonly alerts: readonly MeasureAlert[];
  readonly slices: readonly SliceGroup[];
  /** Null if the verifier has no anchor set with two runs. */
  readonly drift: Drift | null;
}

/**
 * The agreement between people on their common items, and the verifier's agreement with them on the
 * same items.
 */
export interface HumanCeiling {
  readonly items: number;
  readonly raters: number;
  /** Krippendorff's alpha, nominal. */
  readonly alpha: Estimate;
  /** Cohen's kappa of pairs of raters, those with the most common items first. */
  readonly pairs: readonly {
    readonly one: string;
    readonly other: string;
    readonly kappa: Estimate;
  }[];
  /** Mean kappa of the verifier with each rater, on the same items. */
  readonly machine: Estimate;
}

/** Shares of good items among all decided ones, naive and corrected (calibration.md 5.4). */
export interface Corrected {
  /** Share of decided items that the verifier passed. */
  readonly naive: Estimate;
  /** Based on the random sample alone. */
  readonly labelsOnly: Estimate;
  readonly ppi: Estimate & { readonly lambda: number | null };
  readonly roganGladen: Estimate;
  /** The correction whose assumption the sampling meets; null if there is none. */
  readonly shown: 'ppi' | 'labels_only' | 'rogan_gladen' | null;
  /** The reason for the choice, in a sentence. */
  readonly why: string;
  /** Both corrections apply and differ by more than their joint error. */
  readonly disagree: boolean;
  /** The counts it is based on: decided, drawn, drawn and labelled, and defects by human labels. */
  readonly decided: number;
  /** Verdicts decided from the first drawn one on: the population of the sample. */
  readonly reached: number;
  readonly drawn: number;
  readonly labelled: number;
  readonly defects: number;
}

/** One threshold on the score: scores below it fail. */
export interface SweepPoint {
  readonly threshold: number;
  readonly caught: number;
  readonly missed: number;
  readonly rejected: number;
  readonly passed: number;
}

export interface Curves {
  /** Ascending thresholds, at most 200 of all distinct ones. */
  readonly points: readonly SweepPoint[];
  /** AUC of the scores as detectors of defects: 1 is perfect, 0.5 is chance. DeLong's interval. */
  readonly auc: Estimate;
  readonly averagePrecision: Estimate;
  /** The current threshold; null if no threshold decides scores. */
  readonly threshold: number | null;
  /** The point with the greatest Youden J; in a tie, the highest threshold. */
  readonly bestYouden: number | null;
}

export interface Reliability {
  /** The number interpreted as a probability of being right. */
  readonly of: 'confidence' | 'score';
  readonly bins: readonly {
    readonly low: number;
    readonly high: number;
    readonly n: number;
    readonly mean: number;
    readonly right: Measure;
  }[];
  readonly ece: Estimate;
  readonly brier: Estimate;
}

export interface Correlation {
  readonly pearson: Estimate;
  readonly spearman: Estimate;
  /** SOAR-33: nothing is suggested below 100 pairs; `no_data`: score or truth is constant. */
  readonly state: 'no_data' | 'insufficient' | 'on_target' | 'recalibrate';
  /**
   * SOAR-31 and SOAR-34: recommended actions; empty if there is nothing to do, or too little is
   * known.
   */
  readonly advice: readonly string[];
}

export interface MeasureAlert {
  readonly measure: 'catchRate' | 'falsePositiveRate' | 'retrySuccess';
  /** The recommended action, in a sentence. */
  readonly action: string;
}

export interface SliceGroup {
  readonly by: SliceField;
  readonly rows: readonly {
    readonly slice: Slice;
    readonly labelled: number;
    readonly catchRate: Measure;
    readonly falseRejectionRate: Measure;
    /**
     * Fisher's exact test of each rate against the rest, with Benjamini-Hochberg over all tests of
     * the group; null if there is none.
     */
    readonly adjustedP: {
      readonly catchRate: number | null;
      readonly falseRejectionRate: number | null;
    };
  }[];
}

/**
 * The latest run of an anchor set compared with the previous one: the part of the change that the
 * judge causes, and the remaining change, which the traffic causes.
 */
export interface Drift {
  readonly set: { readonly id: string; readonly name: string; readonly items: number };
  readonly before: {
    readonly run: string;
    readonly at: Date;
    readonly verifier: string;
    readonly judge: string | null;
  };
  readonly after: {
    readonly run: string;
    readonly at: Date;
    readonly verifier: string;
    readonly judge: string | null;
  };
  /** Items decided differently, as a share of those that both runs decided. */
  readonly flips: Measure;
  /** Items that became right, items that became wrong, and the mid-p of McNemar's test. */
  readonly better: number;
  readonly worse: number;
  readonly p: number | null;
  /**
   * Change of the pass rate between the two runs: in production (`headline`), and of the same
   * frozen items (the judge's part). The difference between them is the system's part.
   */
  readonly headline: Estimate;
  readonly judgePart: Estimate;
  readonly systemPart: Estimate;
}
