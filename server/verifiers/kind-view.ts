import type { SubjectTarget } from '../domain';

/** Metadata of a kind for pages, labels and rules: pure, and safe in a browser. */
export interface KindView {
  /** The verifier's slug, the subject's kind, and the member of the reply. */
  readonly name: string;
  /** Its label in the console; ids and filters keep the name. */
  readonly label: string;
  /** For people: what the kind judges. */
  readonly judges: string;
  /** For people: how the verdict follows from the scores. */
  readonly rule: string;
  /** Targets that rules may send to it (online.md 2). */
  readonly targets: readonly SubjectTarget[];
  /** Its native verdicts, the best first (product.md 2). */
  readonly verdicts: readonly string[];
  /** The highest score on its own scale, which begins at 0. */
  readonly scoreMax: number;
  /**
   * Rules send it turns and traces unchanged, and it reads them in place, so no mapping is needed.
   */
  readonly readsTurns: boolean;
  /** True if projects define any number of verifiers of this kind, and none is built in. */
  readonly definedByProjects?: true;
  /** The default number of a caller's retries, used until the verifier has run. */
  readonly retries: number;
}
