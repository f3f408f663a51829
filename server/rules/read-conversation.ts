import type { Sql } from 'postgres';
import type { SubjectTarget } from '../domain';
import { loadTurns, type TurnOrigin, turnKey } from '../ingest';
import type { RuleSubject } from './match';
import { storedSubject } from './stored-subject';

/** Subjects that are verified when they end or become idle. */
export type Conversation = Extract<SubjectTarget, 'session' | 'mission'>;

/** A session or mission in the form that filters read. */
export interface ConversationState {
  /** Grows with each turn of a session, and each subject of a mission. */
  readonly revision: number;
  readonly subject: RuleSubject;
}

export async function readConversation(
  sql: Sql,
  projectId: string,
  target: Conversation,
  id: string,
): Promise<ConversationState | null> {
  const [row] =
    target === 'session'
      ? await sql<ConversationRow[]>`
          select count(*)::int as revision, array_agg(distinct model) filter (where model is not null) as models,
            (array_agg(id order by received_at desc, id desc))[1] as last,
            (array_agg(origin order by received_at desc, id desc))[1] as origin
          from turns where project_id = ${projectId} and session_id = ${id} and not superseded and origin <> 'experiment'`
      : await sql<ConversationRow[]>`
          select count(*)::int as revision, array_agg(distinct model) filter (where model is not null) as models,
            (array_agg(turn_id order by created_at desc, id desc) filter (where turn_id is not null))[1] as last, 'api' as origin
          from subjects where project_id = ${projectId} and mission_id = ${id} and id <> mission_id`;
  if (row === undefined || row.revision === 0) return null;
  const models = row.models ?? [];
  const turns =
    row.last === null ? null : await loadTurns({ sql }, [{ projectId, subjectId: row.last }]);
  const turn = row.last === null ? undefined : turns?.get(turnKey(projectId, row.last))?.();
  const own =
    turn === undefined ? { ...nothingKnown, origin: row.origin } : storedSubject(turn, row.origin);
  return {
    revision: row.revision,
    subject: {
      ...own,
      id,
      models,
      sessionId: target === 'session' ? id : own.sessionId,
    },
  };
}

interface ConversationRow {
  revision: number;
  models: string[] | null;
  /** The last turn; null if a mission has none. */
  last: string | null;
  origin: TurnOrigin;
}

const nothingKnown: Omit<RuleSubject, 'id' | 'origin'> = {
  sessionId: null,
  traceId: null,
  userId: null,
  source: null,
  model: null,
  tags: [],
  metadata: {},
  hasSources: false,
  answerChars: 0,
};
