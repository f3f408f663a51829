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
  /** The key to open it: the name of a model, the slug of a verifier or prompt. */
  readonly id: string;
  /** Its name, if that says more than its id; for a verdict the beginning of its subject. */
  readonly name: string | null;
  /**
   * A verdict's own outcome; for a turn and other work that of its last verdict; null if there is
   * none.
   */
  readonly outcome: Outcome | null;
  /** When it settled, or was received; null for items without a time. */
  readonly at: Date | null;
  /**
   * The item to open instead: the last verdict for work other than turns, the session for a call
   * through the gateway.
   */
  readonly opens: string | null;
}
