import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';

/** The facts about a subject other than its content. */
export interface SubjectFacts {
  readonly projectId: string;
  readonly kind: string;
  readonly id: string;
  readonly revision: number;
  readonly clientId: string | null;
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  /** The turn that a rule's subject was read from. */
  readonly turnId: string | null;
  readonly model: string | null;
  readonly costUsd: number | null;
  /** When the subject was received; in a simulated project, when the work ended. */
  readonly createdAt: Date;
}

/** A stored subject, with its content as JSON text. */
export interface StoredSubject extends SubjectFacts {
  readonly content: string;
}

/** The key of a subject among those of several projects. */
export const subjectKey = (projectId: string, kind: string, id: string): string =>
  JSON.stringify([projectId, kind, id]);

interface Row {
  project_id: string;
  kind: string;
  id: string;
  revision: number;
  content: string;
  client_id: string | null;
  mission_id: string | null;
  task_id: string | null;
  session_id: string | null;
  trace_id: string | null;
  turn_id: string | null;
  model: string | null;
  cost_usd: number | null;
  created_at: string;
}

/** The subjects of some work, by `subjectKey`. */
export async function loadSubjects(
  ctx: Pick<Ctx, 'sql'>,
  claimed: readonly ClaimedWork[],
): Promise<ReadonlyMap<string, StoredSubject>> {
  const keys = claimed.map((work) => ({
    p: work.projectId,
    k: work.subjectKind,
    i: work.subjectId,
  }));
  const rows = await ctx.sql<Row[]>`
    select s.project_id, s.kind, s.id, s.revision, s.content, s.client_id, s.mission_id, s.task_id, s.session_id, s.trace_id, s.turn_id, s.model, s.cost_usd, s.created_at
    from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb) as q(p text, k text, i text)
    cross join lateral (
      select * from subjects where project_id = q.p and kind = q.k and id = q.i limit 1
    ) s`;
  return new Map(rows.map((row) => [subjectKey(row.project_id, row.kind, row.id), asSubject(row)]));
}

function asSubject(row: Row): StoredSubject {
  return {
    projectId: row.project_id,
    kind: row.kind,
    id: row.id,
    revision: row.revision,
    content: row.content,
    clientId: row.client_id,
    missionId: row.mission_id,
    taskId: row.task_id,
    sessionId: row.session_id,
    traceId: row.trace_id,
    turnId: row.turn_id,
    model: row.model,
    costUsd: row.cost_usd,
    createdAt: new Date(row.created_at),
  };
}
