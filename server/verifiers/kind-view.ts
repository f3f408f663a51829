import type { SubjectTarget } from '../domain';

/** What pages, labels and rules need to know of a kind: pure data, safe in a browser. */
export interface KindView {
  /** The verifier's slug, the subject's kind, the member of the reply. */
  readonly name: string;
  /** Its label in the console; ids and filters keep the name. */
  readonly label: string;
  /** For people: what it judges. */
  readonly judges: string;
  /** For people: how scores become a verdict. */
  readonly rule: string;
  /** What rules may send to it (online.md 2). */
  readonly targets: readonly SubjectTarget[];
  /** The verdicts that it gives, in its own words, the best first (product.md 2). */
  readonly verdicts: readonly string[];
  /** The highest score on its own scale, which begins at 0. */
  readonly scoreMax: number;
  /**
   * Rules send it turns and traces as they are, which it reads in place: a mapping has nothing to
   * set.
   */
  readonly readsTurns: boolean;
  /** Retries that a caller has by default, before the verifier has run. */
  readonly retries: number;
}
