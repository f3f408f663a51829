import type { TurnContent } from '../domain';
import { integrity } from './integrity';
import { integritySubject } from './integrity/from-turn';
import type { Kind } from './kind';

/** A kind that judges turns, and how a stored turn becomes its subject. */
export interface TurnKind {
  readonly kind: Kind<unknown, unknown, unknown>;
  readonly subjectOf: (turn: TurnContent) => unknown;
}

/** Kind name → kind. Adding a kind is one folder and one line here. */
export const turnKinds: ReadonlyMap<string, TurnKind> = new Map([['integrity', { kind: integrity, subjectOf: integritySubject }]]);
