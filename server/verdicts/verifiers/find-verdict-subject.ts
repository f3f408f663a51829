import type { ProjectCtx } from '../../access';
import {
  showSubject,
  type SubjectDetailView,
  type SubjectPages,
  viewDetail,
} from '../../verifiers';

/** The progress of a verification without a verdict. */
export interface SubjectProgress {
  /**
   * `parked`: postponed until `scheduledAt`, because its judge could not be called or an attempt
   * failed.
   */
  readonly state: 'waiting' | 'in_hand' | 'parked' | 'quarantined';
  /** `slow`: waits for a judge. */
  readonly lane: 'fast' | 'slow';
  readonly reason: string | null;
  readonly scheduledAt: Date;
}

/** The subject of a verdict, other than a turn. */
export interface VerdictSubject extends SubjectPages {
  readonly id: string;
  readonly kind: string;
  readonly clientId: string | null;
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  /** Spans of that trace have been received, so it has a page. */
  readonly hasTrace: boolean;
  /** The model that did the work. */
  readonly model: string | null;
  /** The cost of the work, in US dollars; null if unknown. */
  readonly costUsd: number | null;
  readonly receivedAt: Date;
  readonly detail: SubjectDetailView;
  /** Null if there is a verdict. */
  readonly progress: SubjectProgress | null;
}

interface Row {
  id: string;
  kind: string;
  client_id: string | null;
  mission_id: string | null;
  task_id: string | null;
  session_id: string | null;
  trace_id: string | null;
  has_trace: boolean;
  model: string | null;
  cost_usd: number | null;
  created_at: string;
  content: string;
  verdict_kind: string | null;
  detail: unknown;
  due_at: string | null;
  lane: SubjectProgress['lane'] | null;
  state: string | null;
  reason: string | null;
  in_hand: boolean;
  is_later: boolean;
}

/**
 * The subject of a settled or pending verdict; null if the subject is a turn or is not stored, or
 * if the verdict belongs to another project.
 */
export async function findVerdictSubject(
  ctx: ProjectCtx,
  verdictId: string,
): Promise<VerdictSubject | null> {
  const [row] = await ctx.sql<Row[]>`
    with about as (
      select subject_kind, subject_id, kind as verdict_kind, detail, null::timestamptz as due_at, null::text as lane, null::text as state, null::text as reason,
        false as in_hand, false as is_later
      from verdicts where project_id = ${ctx.projectId} and id = ${verdictId}
      union all
      select subject_kind, subject_id, null, null, due_at, lane, state, reason, owner is not null, due_at > now()
      from work where project_id = ${ctx.projectId} and id = ${verdictId}
    )
    select s.id, s.kind, s.client_id, s.mission_id, s.task_id, s.session_id, s.trace_id, s.model, s.cost_usd, s.created_at, s.content,
      exists(select from traces t where t.project_id = ${ctx.projectId} and t.id = s.trace_id) as has_trace,
      a.verdict_kind, a.detail, a.due_at, a.lane, a.state, a.reason, a.in_hand, a.is_later
    from about a join subjects s on s.project_id = ${ctx.projectId} and s.kind = a.subject_kind and s.id = a.subject_id limit 1`;
  if (row === undefined) return null;
  return {
    id: row.id,
    kind: row.kind,
    clientId: row.client_id,
    missionId: row.mission_id,
    taskId: row.task_id,
    sessionId: row.session_id,
    traceId: row.trace_id,
    hasTrace: row.has_trace,
    model: row.model,
    costUsd: row.cost_usd,
    receivedAt: new Date(row.created_at),
    ...showSubject(
      { storedKind: row.kind, kind: row.verdict_kind, detail: row.detail },
      row.content,
    ),
    detail: viewDetail(row.detail),
    progress: progressOf(row),
  };
}

function progressOf({
  state,
  lane,
  reason,
  due_at,
  in_hand,
  is_later,
}: Row): SubjectProgress | null {
  if (state === null || lane === null || due_at === null) return null;
  const at = { lane, reason, scheduledAt: new Date(due_at) };
  if (state === 'quarantined') return { ...at, state };
  if (in_hand) return { ...at, state: 'in_hand' };
  return { ...at, state: is_later ? 'parked' : 'waiting' };
}
