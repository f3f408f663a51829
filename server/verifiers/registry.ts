import type { TurnContent } from '../domain';
import { agentOutput } from './agent-output';
import { code } from './code';
import { consistency } from './consistency';
import { decomposition } from './decomposition';
import { integrity } from './integrity';
import { integritySubject } from './integrity/from-turn';
import type { Kind } from './kind';
import { mission } from './mission';
import type { SubjectKind } from './subject-kind';
import { synthesis } from './synthesis';
import { task } from './task';

/** A kind that judges turns, and how a stored turn becomes its subject. */
export interface TurnKind {
  readonly kind: Kind<unknown, unknown, unknown>;
  readonly subjectOf: (turn: TurnContent) => unknown;
}

/** A kind whose subject and config the engine hands through without looking into them. */
export type AnySubjectKind = SubjectKind<unknown, unknown, unknown>;

/** Kinds of what callers hand over to verify routes. Adding one is one folder and one line here. */
export const subjectKinds: ReadonlyMap<string, AnySubjectKind> = new Map<string, AnySubjectKind>([
  ['task', task],
  ['consistency', consistency],
  ['mission', mission],
  ['code', code],
  ['decomposition', decomposition],
  ['agent-output', agentOutput],
  ['synthesis', synthesis],
]);

/** Kind name → kind. Adding a kind is one folder and one line here. */
export const turnKinds: ReadonlyMap<string, TurnKind> = new Map([['integrity', { kind: integrity, subjectOf: integritySubject }]]);
