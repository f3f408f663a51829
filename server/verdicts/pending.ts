import type { Fragment, Sql } from 'postgres';

/** A verification that has no verdict yet. */
export interface PendingVerdict {
  readonly state: 'pending' | 'quarantined';
  readonly id: string;
  readonly kind: string;
  readonly verifier: string;
  readonly subjectId: string;
  readonly subjectKind: string;
  readonly turnId: string | null;
  readonly clientId: string | null;
  readonly traceId: string | null;
  readonly sessionId: string | null;
  readonly missionId: string | null;
  readonly taskId: string | null;
  /** The experiment whose output it is on; null if on live work. */
  readonly experimentId: string | null;
  /** The model that did the work. */
  readonly model: string | null;
  readonly reason: string | null;
  readonly createdAt: Date;
}

export interface PendingRow {
  id: string;
  verifier: string;
  kind: string;
  subject_kind: string;
  subject_id: string;
  state: string;
  reason: string | null;
  created_at: string;
  client_id: string | null;
  trace_id: string | null;
  session_id: string | null;
  mission_id: string | null;
  task_id: string | null;
  experiment_id: string | null;
  model: string | null;
}

/** The columns of a `PendingRow`, from work `w` with its turn `t` or subject `s`. */
export const pendingColumns = (sql: Sql): Fragment => sql`
  w.id, w.verifier, coalesce((select kind from verifiers o where o.project_id = w.project_id and o.slug = w.verifier), w.verifier) as kind,
  w.subject_kind, w.subject_id, w.state, w.reason, w.created_at, w.experiment_id, s.client_id, s.mission_id, s.task_id,
  coalesce(t.trace_id, s.trace_id) as trace_id, coalesce(t.session_id, s.session_id) as session_id, coalesce(t.model, s.model) as model`;

/** The tables of `pendingColumns`. */
export const pendingTables = (sql: Sql): Fragment => sql`
  work w
  left join turns t on w.subject_kind = 'turn' and t.project_id = w.project_id and t.id = w.subject_id
  left join subjects s on s.project_id = w.project_id and s.kind = w.subject_kind and s.id = w.subject_id`;

export function asPending(row: PendingRow): PendingVerdict {
  return {
    state: row.state === 'quarantined' ? 'quarantined' : 'pending',
    id: row.id,
    kind: row.kind,
    verifier: row.verifier,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    turnId: row.subject_kind === 'turn' ? row.subject_id : null,
    clientId: row.client_id,
    traceId: row.trace_id,
    sessionId: row.session_id,
    missionId: row.mission_id,
    taskId: row.task_id,
    experimentId: row.experiment_id,
    model: row.model,
    reason: row.reason,
    createdAt: new Date(row.created_at),
  };
}
