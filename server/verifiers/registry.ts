import { z } from 'zod';
import { type Episode, kindTargets, type SubjectTarget, type TurnContent } from '../domain';
import { agentOutput } from './agent-output';
import { code } from './code';
import { consistency } from './consistency';
import { decomposition } from './decomposition';
import { integrity, integrityOpinion } from './integrity';
import { IntegrityConfig } from './integrity/config';
import { absentSources, integritySubject } from './integrity/from-turn';
import type { IntegritySubject } from './integrity/subject';
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
  /**
   * Why arriving traffic holds nothing to verify, a code; null where it holds something. Not asked
   * about what a caller handed over.
   */
  readonly absent?: (subject: unknown, config: unknown) => string | null;
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
  [
    'integrity',
    {
      kind: integrity,
      subjectOf: integritySubject,
      opinion: integrityOpinion,
      absent: (subject, config) =>
        absentSources(subject as IntegritySubject, IntegrityConfig.parse(config)),
    },
  ],
  [
    'turn',
    {
      kind: recordedTurn,
      subjectOf: recordedEpisode,
      recorded: (episode) => askedOfRecord(episode as Episode),
    },
  ],
]);

/** What rules may send to each verifier. */
export const ruleTargets: ReadonlyMap<string, readonly SubjectTarget[]> = new Map(
  Object.entries(kindTargets),
);

/** What subjects of a kind are called where they are stored. */
export function storedKindOf({
  name,
  storedAs,
}: Pick<AnySubjectKind, 'name' | 'storedAs'>): string {
  return storedAs ?? name;
}

/** The members that a mapping may set; null for a verifier that reads turns as they are. */
export function subjectMembersOf(verifier: string): readonly string[] | null {
  const schema = subjectKinds.get(verifier)?.subject;
  return schema === undefined ? null : membersOf(schema);
}

/** Of an object, also one behind a transformation. */
function membersOf(schema: unknown): readonly string[] | null {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodPipe ? membersOf(schema.in) : null;
}
