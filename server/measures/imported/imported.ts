import type { Measure } from '../rates';
import type { Estimate } from '../report';

/** What imported judges made of imported subjects, next to what people said of them. */
export interface ImportedMeasures {
  /** A row for each judge, dimension and form, by these. */
  readonly judges: readonly ImportedJudge[];
  /**
   * How far the people agree with each other, a row for each dimension and form on which at least
   * two of them ruled.
   */
  readonly people: readonly PeopleAgreement[];
  /** What else could be asked for: sources of the subjects that judges measured, at most 100. */
  readonly sources: readonly string[];
}

export type ImportedJudge = CategoricalJudge | NumericJudge;

interface JudgedItems {
  /** Its name in the import; joined by `/` where the mapping joins several. */
  readonly judge: string;
  /** What was judged about the subject; null where the import named nothing. */
  readonly dimension: string | null;
  /**
   * Subjects that it measured, those looked at here (the latest 20,000), and those of them with
   * truth.
   */
  readonly measured: number;
  readonly items: number;
  readonly labelled: number;
  /** Measurements that could not be read, with truth or without, whatever they were taken for. */
  readonly noVerdict: number;
}

/**
 * Verdicts in words: pass or fail, which of two is better, an error class. A verdict that is
 * missing is wrong, and no class.
 */
export interface CategoricalJudge extends JudgedItems {
  readonly form: 'pass_fail' | 'category';
  /**
   * In which the subjects were shown, as "as-is" and "swapped"; empty where the import names none.
   */
  readonly presentations: readonly string[];
  /**
   * Right verdicts of all with truth, those of all presentations; the interval takes the verdicts
   * on one subject together. `n`: subjects.
   */
  readonly accuracy: Estimate;
  /**
   * Subjects on which the truth got more verdicts than any other word, over all presentations;
   * `tie` and no verdict are for no one.
   */
  readonly together: Measure;
  /**
   * Subjects on which all presentations gave the same, no verdict at all being the same as no
   * verdict; of those with two or more.
   */
  readonly orderAgreement: Measure;
  /** Means over all words that the truth or the judge has; null where there is none. */
  readonly macroPrecision: number | null;
  readonly macroRecall: number | null;
  readonly macroF1: number | null;
  /** Cohen's kappa with the truth, over verdicts. A missing verdict is a word of its own. */
  readonly kappa: Estimate;
  readonly classes: readonly JudgedClass[];
}

export interface JudgedClass {
  readonly word: string;
  /** Verdicts on subjects whose truth it is; verdicts that say it; and both. */
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
  /** Pairs of a grade and the truth that all figures below rest on. */
  readonly pairs: number;
  /** Kendall's tau-b. */
  readonly kendall: Estimate;
  readonly pearson: Estimate;
  readonly spearman: Estimate;
  /** Grades that are the truth, and those at most 1 away from it. */
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
   * Cohen's kappa of two raters, grades taken as words; those with the most subjects in common
   * first, at most 50.
   */
  readonly pairs: readonly {
    readonly one: string;
    readonly other: string;
    readonly kappa: Estimate;
  }[];
  /**
   * How often each word is the truth, most often first; empty for grades. Subjects whose raters tie
   * have none.
   */
  readonly truths: readonly { readonly word: string; readonly items: number }[];
}
