import type { SubjectTarget } from '../domain';

/** The data on a kind for pages, labels and rules: pure, safe in a browser. */
export interface KindView {
  /** The verifier's slug, the subject's kind, and the member of the reply. */
  readonly name: string;
  /** Its label in the console; ids and filters keep the name. */
  readonly label: string;
  /** For people: the judged property. */
  readonly judges: string;
  /** For people: the derivation of the verdict from the scores. */
  readonly rule: string;
  /** Targets that rules may send to it (online.md 2). */
  readonly targets: readonly SubjectTarget[];
  /** Its verdicts, in its own words, the best first (product.md 2). */
  readonly verdicts: readonly string[];
  /** The highest score on its own scale, which begins at 0. */
  readonly scoreMax: number;
  /**
   * Rules send it turns and traces unchanged, and it reads them in place: there is nothing to map.
   */
  readonly readsTurns: boolean;
  /** The default number of a caller's retries, before the verifier has run. */
  readonly retries: number;
}
