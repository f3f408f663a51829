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

/** One thing that was found. */
export interface Hit {
  readonly kind: HitKind;
  /** By which it is opened: of a model its name, of a verifier and a prompt the slug. */
  readonly id: string;
  /**
   * What it is called, where that says more than its id; of a verdict the beginning of what it is
   * about.
   */
  readonly name: string | null;
  /**
   * Of a verdict its own; of a turn and of other work that of its last verdict; null where there is
   * none.
   */
  readonly outcome: Outcome | null;
  /** When it settled, or came; null for what has no time. */
  readonly at: Date | null;
  /**
   * Of other work than turns its last verdict, of a call through the gateway its session: what is
   * opened in its place.
   */
  readonly opens: string | null;
}
