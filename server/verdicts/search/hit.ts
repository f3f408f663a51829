import type { Outcome } from '../../domain';

const hitKinds = [
  'verdict',
  'turn',
  'subject',
  'trace',
  'session',
  'pipeline',
  'call',
  'model',
  'verifier',
  'prompt',
  'rule',
  'person',
] as const;
export type HitKind = (typeof hitKinds)[number];

/** One search result. */
export interface SearchHit {
  readonly kind: HitKind;
  /**
   * The key that opens the item: an id, the name of a model, or the slug of a verifier or prompt.
   */
  readonly id: string;
  /** The item's name, if it differs from the id; for a verdict, the beginning of its subject. */
  readonly name: string | null;
  /**
   * For a verdict, its outcome; for a turn or other work, the outcome of its last verdict; null if
   * there is none.
   */
  readonly outcome: Outcome | null;
  /** When the item settled or was received; null for items without a time. */
  readonly at: Date | null;
  /**
   * The item to open instead: for work other than turns its last verdict, for a gateway call its
   * session.
   */
  readonly opens: string | null;
}
