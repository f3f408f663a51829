import type { Ctx } from '../platform';
import type { ClaimedWork } from '../queue';
import { loadRuleSources } from '../rules';
import { loadTurns, type StoredTurn, turnKey } from '../ingest';
import type { AnyKind } from '../verifiers';
import { WorkFacts } from './input';
import { loadTraceAnswers } from './rule-subjects/load-trace-answers';
import { withRuleSources } from './rule-sources';
import type { ProjectJudging } from './subjects/judging';
import {
  loadSubjects,
  type StoredSubject,
  type SubjectFacts,
  subjectKey,
} from './subjects/load-subjects';
import { readContent, type SubjectContent } from './subjects/subject-content';

/** The stored subject of one piece of work. */
export interface WorkItem {
  readonly facts: SubjectFacts;
  /** @throws Error on content that this release cannot read */
  read(kind: AnyKind, judging: Pick<ProjectJudging, 'config' | 'disabledBy'>): ItemRead;
}

export type ItemRead =
  | { readonly state: 'read'; readonly content: SubjectContent }
  | { readonly state: 'no_subject'; readonly reason: string }
  | {
      readonly state: 'skipped';
      readonly decision: { readonly state: string; readonly reason: string };
      readonly detail: unknown;
      readonly excerpt: string;
    };

type Load = () => WorkItem;

/** Whether the subject of the work is a turn or a trace itself, not a subject of a kind. */
export const isInPlace = ({ subjectKind }: Pick<ClaimedWork, 'subjectKind'>): boolean =>
  subjectKind === 'turn' || subjectKind === 'trace';

/**
 * The subjects of claimed work, without those that are no longer stored. Each is decoded only when
 * it is used, so that an unreadable one does not affect the others. `read`: those that need not be
 * loaded.
 */
export async function loadWorkItems(
  ctx: Ctx,
  claimed: readonly ClaimedWork[],
  read: ReadonlyMap<ClaimedWork, StoredSubject | null> = new Map(),
): Promise<ReadonlyMap<ClaimedWork, Load>> {
  const inPlace = claimed.filter(isInPlace);
  const found = new Map<ClaimedWork, Load>();
  for (const work of claimed) {
    const stored = read.get(work);
    if (stored != null) found.set(work, () => subjectItem(stored));
  }
  const toLoad = claimed.filter((work) => !isInPlace(work) && !found.has(work));
  if (inPlace.length > 0) {
    const [turns, traces, sourcesOf] = await Promise.all([
      loadTurns(ctx, inPlace),
      loadTraceAnswers(ctx, inPlace),
      loadRuleSources(ctx, inPlace),
    ]);
    for (const work of inPlace) {
      const trace = traces.get(work);
      const read =
        trace === undefined
          ? turns.get(turnKey(work.projectId, work.subjectId))
          : (): StoredTurn => trace;
      if (read !== undefined)
        found.set(work, () => turnItem(work, withRuleSources(read(), work, sourcesOf)));
    }
  }
  if (toLoad.length > 0) {
    const subjects = await loadSubjects(ctx, toLoad);
    for (const work of toLoad) {
      const stored = subjects.get(subjectKey(work.projectId, work.subjectKind, work.subjectId));
      if (stored !== undefined) found.set(work, () => subjectItem(stored));
    }
  }
  return found;
}

const subjectItem = (stored: StoredSubject): WorkItem => ({
  facts: stored,
  read: (kind) => ({ state: 'read', content: readContent(kind, stored.content) }),
});

/** A turn, or a trace in the form of a turn, for a kind that verifies it in place. */
export function turnItem(work: ClaimedWork, turn: StoredTurn): WorkItem {
  const { content } = turn;
  return {
    facts: {
      projectId: work.projectId,
      kind: work.subjectKind,
      id: work.subjectId,
      revision: turn.revision,
      clientId: content.clientId,
      missionId: null,
      taskId: null,
      sessionId: turn.sessionId,
      traceId: turn.traceId,
      turnId: work.subjectKind === 'turn' ? turn.id : null,
      model: turn.model,
      costUsd: null,
      createdAt: turn.endedAt ?? turn.startedAt ?? turn.receivedAt,
    },
    read(kind, { config, disabledBy }) {
      if (kind.fromTurn === undefined)
        throw new Error(`the verifier "${kind.name}" reads no turn in place`);
      const read = kind.fromTurn.read(content, {
        config: kind.config.parse(config),
        disabledBy,
        // True if a caller waits for the verdict, or received it with the answer.
        isHandedOver: work.rule === null || content.gateway?.integrity != null,
      });
      if (read.state === 'no_subject') return read;
      if (read.state === 'skipped') return { ...read, excerpt: excerptOf(content.answer) };
      const facts = WorkFacts.parse({ executor_model: turn.model });
      return { state: 'read', content: { subject: read.subject, facts } };
    },
  };
}

const excerptOf = (answer: string): string =>
  answer.slice(0, 600).replace(/\s+/g, ' ').trim().slice(0, 160).toWellFormed();
