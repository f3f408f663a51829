import type { Measure } from './rates';
import type { Slice, SliceField } from './report-input';
import type { VerifierMeasures } from './measure';

/**
 * A statistic that is no share, with its 95 % interval; null where its data do not give it. `n`
 * counts what it rests on.
 */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/**
 * All that is known of how far one verifier can be trusted, for one version, policy, slice and
 * period.
 */
export interface CalibrationReport extends VerifierMeasures {
  readonly from: Date | null;
  readonly to: Date;
  /** What else could be asked for, with the labelled rows of each. */
  readonly versions: readonly { readonly version: number; readonly labels: number }[];
  readonly policies: readonly { readonly policy: number; readonly labels: number }[];
  readonly judges: readonly { readonly judge: string; readonly labels: number }[];
  /** Labels that are not counted in yet. */
  readonly pending: number;
  /** Items on which blind votes stand against each other: outside of every rate. */
  readonly contested: number;
  readonly precision: Measure;
  readonly summary: {
    readonly balancedAccuracy: Estimate;
    readonly youden: Estimate;
    readonly f1: Estimate;
    readonly mcc: Estimate;
    /** Gwet's AC1: as kappa, and little moved by how rare defects are. */
    readonly ac1: Estimate;
  };
  readonly human: HumanCeiling;
  readonly corrected: Corrected;
  /** Null where the verifier gives no score. */
  readonly curves: Curves | null;
  /** Null where no confidence is known. */
  readonly reliability: Reliability | null;
  /** SOAR-33: score against truth. */
  readonly correlation: Correlation;
  /** SOAR-31: measures beyond their alert limit, with what is to be done; empty where none is. */
  readonly alerts: readonly Alert[];
  readonly slices: readonly SliceGroup[];
  /** Null where the verifier has no anchor set with two runs. */
  readonly drift: Drift | null;
}

/**
 * How far people agree with each other on what they both labelled, next to how far the verifier
 * agrees with them on the same items.
 */
export interface HumanCeiling {
  readonly items: number;
  readonly raters: number;
  /** Krippendorff's alpha, nominal. */
  readonly alpha: Estimate;
  /** Cohen's kappa of pairs of raters, those with the most items in common first. */
  readonly pairs: readonly {
    readonly one: string;
    readonly other: string;
    readonly kappa: Estimate;
  }[];
  /** Mean kappa of the verifier with each rater, on the same items. */
  readonly machine: Estimate;
}

/** Shares of good items in all that was decided, naive and corrected (calibration.md 5.4). */
export interface Corrected {
  /** Share that the machine passed, of all that it decided. */
  readonly naive: Estimate;
  /** Of the random sample alone. */
  readonly labelsOnly: Estimate;
  readonly ppi: Estimate & { readonly lambda: number | null };
  readonly roganGladen: Estimate;
  /** The one whose assumption the sampling meets; null: none does. */
  readonly shown: 'ppi' | 'labels_only' | 'rogan_gladen' | null;
  /** Why it is that one, in a sentence. */
  readonly why: string;
  /** Both corrections hold, and differ by more than their joint error. */
  readonly disagree: boolean;
  /** What it rests on: decided, drawn, drawn and labelled, and human defects among them. */
  readonly decided: number;
  /** Decided from the first drawn verdict on: what the sample speaks for. */
  readonly reached: number;
  readonly drawn: number;
  readonly labelled: number;
  readonly defects: number;
}

/** One threshold on the score: what is below it fails. */
export interface SweepPoint {
  readonly threshold: number;
  readonly caught: number;
  readonly missed: number;
  readonly rejected: number;
  readonly passed: number;
}

export interface Curves {
  /** Ascending thresholds, at most 200 of all that differ. */
  readonly points: readonly SweepPoint[];
  /** Of scores as detectors of defects: 1 is perfect, 0.5 is chance. DeLong's interval. */
  readonly auc: Estimate;
  readonly averagePrecision: Estimate;
  /** In force now; null where scores decide by none. */
  readonly threshold: number | null;
  /** Of the points, by greatest Youden J, the highest threshold of those that tie. */
  readonly bestYouden: number | null;
}

export interface Reliability {
  /** Which number is read as a probability of being right. */
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
  /** SOAR-33: below 100 pairs nothing is suggested; `no_data`: one of the two does not vary. */
  readonly state: 'no_data' | 'insufficient' | 'on_target' | 'recalibrate';
  /** SOAR-31 and SOAR-34: what to do; empty where nothing is to be done, or too little is known. */
  readonly advice: readonly string[];
}

export interface Alert {
  readonly measure: 'catchRate' | 'falsePositiveRate' | 'retrySuccess';
  /** In a sentence. */
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
     * Fisher's exact test of each rate against the rest's, Benjamini-Hochberg over all tests of the
     * group; null where there is none.
     */
    readonly adjustedP: {
      readonly catchRate: number | null;
      readonly falseRejectionRate: number | null;
    };
  }[];
}

/**
 * The latest run of an anchor set next to the one before: what the judge changed, and what is left
 * of the change is the traffic's.
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
  /** Items decided otherwise, of those that both decided. */
  readonly flips: Measure;
  /** Became right, became wrong, and the mid-p of McNemar's test. */
  readonly better: number;
  readonly worse: number;
  readonly p: number | null;
  /**
   * Change of the pass rate in production between the two runs, and of the same frozen items: the
   * judge's part; the rest is the system's.
   */
  readonly headline: Estimate;
  readonly judgePart: Estimate;
  readonly systemPart: Estimate;
}
