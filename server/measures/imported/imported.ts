import type { Measure } from '../rates';
import type { Estimate } from '../report';

/** The results of imported judges on imported subjects, with people's labels. */
export interface ImportedMeasures {
  /** One row per judge, dimension and form, in that order. */
  readonly judges: readonly ImportedJudge[];
  /**
   * The agreement between people, one row per dimension and form that at least two of them
   * labelled.
   */
  readonly people: readonly PeopleAgreement[];
  /** Available filters: sources of the subjects that judges measured, at most 100. */
  readonly sources: readonly string[];
}

export type ImportedJudge = CategoricalJudge | NumericJudge;

interface JudgedItems {
  /** The judge's name in the import; several mapped columns are joined by `/`. */
  readonly judge: string;
  /** The judged dimension of the subject; null if the import named none. */
  readonly dimension: string | null;
  /**
   * Subjects that it measured, and those among the subjects read here (the latest 20,000) that have
   * truth.
   */
  readonly measured: number;
  readonly items: number;
  readonly labelled: number;
  /** Unreadable measurements, with or without truth, regardless of their substitute. */
  readonly noVerdict: number;
}

/**
 * Verdicts in words: pass or fail, the better of two, an error class. A missing verdict is wrong
 * and not a class.
 */
export interface CategoricalJudge extends JudgedItems {
  readonly form: 'pass_fail' | 'category';
  /**
   * The presentations of the subjects, such as "as-is" and "swapped"; empty if the import names
   * none.
   */
  readonly presentations: readonly string[];
  /**
   * Share of correct verdicts among all with truth, over all presentations. The interval treats the
   * verdicts on one subject as a cluster; `n` counts subjects.
   */
  readonly accuracy: Estimate;
  /**
   * Subjects for which the true word got more verdicts than any other word, over all presentations.
   * `tie` and missing verdicts count for neither side.
   */
  readonly together: Measure;
  /**
   * Subjects with the same verdict in all presentations, of those with two or more. Two missing
   * verdicts are equal.
   */
  readonly orderAgreement: Measure;
  /** Means over all words used by the truth or the judge; null if there are none. */
  readonly macroPrecision: number | null;
  readonly macroRecall: number | null;
  readonly macroF1: number | null;
  /** Cohen's kappa with the truth, over verdicts. A missing verdict is a separate word. */
  readonly kappa: Estimate;
  readonly classes: readonly JudgedClass[];
}

export interface JudgedClass {
  readonly word: string;
  /**
   * Verdicts on subjects whose truth is this word, verdicts with this word, and the overlap of
   * both.
   */
  readonly isTrue: number;
  readonly said: number;
  readonly right: number;
  readonly precision: Measure;
  readonly recall: Measure;
  readonly f1: number | null;
}

/** Grades on a scale, compared with people's grades. */
export interface NumericJudge extends JudgedItems {
  readonly form: 'grade';
  /** Number of pairs of a grade and the truth, on which all figures below are based. */
  readonly pairs: number;
  /** Kendall's tau-b. */
  readonly kendall: Estimate;
  readonly pearson: Estimate;
  readonly spearman: Estimate;
  /** Grades equal to the truth, and those within 1 of it. */
  readonly exact: Measure;
  readonly within1: Measure;
  readonly meanJudge: number | null;
  readonly meanTruth: number | null;
}

export interface PeopleAgreement {
  readonly dimension: string | null;
  readonly form: 'pass_fail' | 'category' | 'grade';
  /** Subjects that at least two people labelled, the raters, and their labels on all subjects. */
  readonly items: number;
  readonly raters: number;
  readonly labels: number;
  /** Krippendorff's alpha, nominal for words, interval for grades. */
  readonly alpha: Estimate;
  /**
   * Cohen's kappa of two raters, treating grades as words; at most 50 pairs, those with the most
   * common subjects first.
   */
  readonly pairs: readonly {
    readonly one: string;
    readonly other: string;
    readonly kappa: Estimate;
  }[];
  /**
   * How often each word is the truth, most frequent first; empty for grades. Excludes subjects
   * whose raters tie.
   */
  readonly truths: readonly { readonly word: string; readonly items: number }[];
}
