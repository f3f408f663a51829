import type { Measure } from '../rates';
import type { Estimate } from '../report';

/** The results of imported judges on imported subjects, next to people's labels. */
export interface ImportedMeasures {
  /** A row for each judge, dimension and form, in that order. */
  readonly judges: readonly ImportedJudge[];
  /**
   * The agreement between people, a row for each dimension and form on which at least two of them
   * ruled.
   */
  readonly people: readonly PeopleAgreement[];
  /** Available filters: sources of the subjects that judges measured, at most 100. */
  readonly sources: readonly string[];
}

export type ImportedJudge = CategoricalJudge | NumericJudge;

interface JudgedItems {
  /** Its name in the import; joined by `/` if the mapping joins several. */
  readonly judge: string;
  /** The judged dimension of the subject; null if the import named none. */
  readonly dimension: string | null;
  /**
   * Subjects that it measured, those read here (the latest 20,000), and those of them with truth.
   */
  readonly measured: number;
  readonly items: number;
  readonly labelled: number;
  /** Unreadable measurements, with truth or without, whatever their substitute. */
  readonly noVerdict: number;
}

/**
 * Verdicts in words: pass or fail, which of two is better, an error class. A missing verdict is
 * wrong, and not a class.
 */
export interface CategoricalJudge extends JudgedItems {
  readonly form: 'pass_fail' | 'category';
  /**
   * The presentations of the subjects, such as "as-is" and "swapped"; empty if the import names
   * none.
   */
  readonly presentations: readonly string[];
  /**
   * Correct verdicts of all with truth, over all presentations; the interval treats the verdicts on
   * one subject as a cluster. `n`: subjects.
   */
  readonly accuracy: Estimate;
  /**
   * Subjects on which the truth got more verdicts than any other word, over all presentations;
   * `tie` and missing verdicts count for no side.
   */
  readonly together: Measure;
  /**
   * Subjects with the same verdict in all presentations, two missing verdicts being equal; of those
   * with two or more.
   */
  readonly orderAgreement: Measure;
  /** Means over all words of the truth or the judge; null if there is none. */
  readonly macroPrecision: number | null;
  readonly macroRecall: number | null;
  readonly macroF1: number | null;
  /** Cohen's kappa with the truth, over verdicts. A missing verdict is a separate word. */
  readonly kappa: Estimate;
  readonly classes: readonly JudgedClass[];
}

export interface JudgedClass {
  readonly word: string;
  /** Verdicts on subjects whose truth is this word; verdicts with this word; and both. */
  readonly isTrue: number;
  readonly said: number;
  readonly right: number;
  readonly precision: Measure;
  readonly recall: Measure;
  readonly f1: number | null;
}

/** Grades on a scale, next to people's. */
export interface NumericJudge extends JudgedItems {
  readonly form: 'grade';
  /** Pairs of a grade and the truth, the basis of all figures below. */
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
  /** Subjects that at least two of them ruled on, the raters, and their labels on all subjects. */
  readonly items: number;
  readonly raters: number;
  readonly labels: number;
  /** Krippendorff's alpha, nominal for words, interval for grades. */
  readonly alpha: Estimate;
  /**
   * Cohen's kappa of two raters, grades taken as words; those with the most common subjects first,
   * at most 50.
   */
  readonly pairs: readonly {
    readonly one: string;
    readonly other: string;
    readonly kappa: Estimate;
  }[];
  /**
   * How often each word is the truth, most frequent first; empty for grades. Subjects whose raters
   * tie have none.
   */
  readonly truths: readonly { readonly word: string; readonly items: number }[];
}
