import type { Episode, SubjectTarget, TurnContent } from '../domain';
import { agentOutput } from './agent-output';
import { code } from './code';
import { consistency } from './consistency';
import { decomposition } from './decomposition';
import { integrity, integrityOpinion } from './integrity';
import { integritySubject } from './integrity/from-turn';
import type { Kind } from './kind';
import { mission } from './mission';
import type { Asked, SubjectKind } from './subject-kind';
import { synthesis } from './synthesis';
import { task } from './task';
import type { TurnOpinion } from './turn-opinion';
import { askedOfRecord, askedTurn, recordedEpisode, recordedTurn } from './turn';

/** A kind that judges turns, and how a stored turn becomes its subject. */
export interface TurnKind {
  readonly kind: Kind<unknown, unknown, unknown>;
  /** Null: there is nothing of this kind to verify in the turn. */
  readonly subjectOf: (turn: TurnContent) => unknown;
  /**
   * The kind reads what was found when the turn was made: what that took. No rule sends turns to
   * it.
   */
  readonly recorded?: (subject: unknown) => Asked;
  /** Left out by kinds that ask no judge. */
  readonly opinion?: TurnOpinion;
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
  ['turn', askedTurn],
]);

/** Kind name → kind. Adding a kind is one folder and one line here. */
export const turnKinds: ReadonlyMap<string, TurnKind> = new Map<string, TurnKind>([
  ['integrity', { kind: integrity, subjectOf: integritySubject, opinion: integrityOpinion }],
  [
    'turn',
    {
      kind: recordedTurn,
      subjectOf: recordedEpisode,
      recorded: (episode) => askedOfRecord(episode as Episode),
    },
  ],
]);

/** What rules may send to each verifier (online.md 2, default readings). */
export const ruleTargets: ReadonlyMap<string, readonly SubjectTarget[]> = new Map<
  string,
  readonly SubjectTarget[]
>([
  ['integrity', ['turn', 'trace']],
  ['task', ['turn', 'trace']],
  ['code', ['turn', 'trace']],
  ['turn', ['turn', 'session']],
  ['decomposition', ['trace']],
  ['agent-output', ['trace']],
  ['synthesis', ['trace']],
  ['consistency', ['session', 'mission']],
  ['mission', ['mission']],
]);

/** What subjects of a kind are called where they are stored. */
export function storedKindOf({
  name,
  storedAs,
}: Pick<AnySubjectKind, 'name' | 'storedAs'>): string {
  return storedAs ?? name;
}
