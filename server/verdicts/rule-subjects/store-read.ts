import type { Ctx } from '../../platform';
import { type ClaimedWork, turnWorkOver } from '../../queue';
import type { PipelineFacts } from '../../verifiers';
import { insertPipelines, registerModelNames } from '../../ingest';
import { pipelineQuery } from '../../domain';

/** A subject that was read from stored data for one piece of claimed work. */
export interface ReadSubject {
  readonly work: ClaimedWork;
  /** The value of `subjects.kind`. */
  readonly kind: string;
  /** JSON text that PostgreSQL accepts, in the format of `readContent`. */
  readonly content: string;
  readonly contentHash: string;
  readonly turnId: string | null;
  readonly traceId: string | null;
  readonly sessionId: string | null;
  readonly missionId: string | null;
  readonly model: string | null;
  /** The cost of the work, in US dollars. */
  readonly costUsd: number | null;
  readonly pipeline: PipelineFacts | null;
}

/**
 * Stores subjects under the ids of the data that they were read from, replaces earlier revisions,
 * and changes the work to refer to them, in one statement. Work whose lease this owner has lost is
 * omitted: it was deleted with its turn, or claimed by another worker. An output of an experiment
 * belongs to no mission, even if its item names one. Returns the updated work.
 */
export async function storeRead(
  ctx: Ctx,
  owner: string,
  subjects: readonly ReadSubject[],
): Promise<ClaimedWork[]> {
  if (subjects.length === 0) return [];
  const { sql } = ctx;
  await registerModelNames(
    ctx,
    subjects.map(({ work: { projectId }, model: name }) => ({ projectId, name })),
  );
  const rows = await sql<{ n: number }[]>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(subjects.map(rowOf))}::text::json) as r(
        n int, p text, w text, fence bigint, k text, i text, rv int, c text, h text, turn text, trace text, session text, mission text,
        model text, cost double precision, query text, complexity text, staged boolean)
    ), mine as materialized (
      select i.n, w.project_id, w.id, case when w.experiment_id is null then i.mission end as mission
      from input i join work w on w.project_id = i.p and w.id = i.w
      where w.owner = ${owner} and w.fence = i.fence and w.state = 'waiting'
      order by w.project_id, w.id for update of w
    ), stored as (
      insert into subjects as s (project_id, kind, id, revision, content, content_hash, mission_id, session_id, trace_id, turn_id, model, cost_usd)
      select distinct on (p, k, i) p, k, i, rv, c, h, mine.mission, session, trace, turn, model, cost
      from input join mine on mine.n = input.n order by p, k, i, rv desc
      on conflict (project_id, kind, id) do update set revision = excluded.revision, content = excluded.content,
        content_hash = excluded.content_hash, mission_id = excluded.mission_id, session_id = excluded.session_id,
        trace_id = excluded.trace_id, model = excluded.model, cost_usd = excluded.cost_usd
      where s.revision <= excluded.revision
    ), staged as (${insertPipelines(
      ctx,
      sql`
      select p, coalesce(trace, session), max(query), max(complexity), max(trace), max(session), 'checkpoints', now(), now()
      from input join mine on mine.n = input.n
      where staged and coalesce(trace, session) is not null group by 1, 2 order by 1, 2`,
    )}
    ), events as (
      insert into mission_events (project_id, mission_id, id, task_id, event, verdict_id, created_at)
      select p, mine.mission, w || ':started', null, 'started', w, now()
      from input join mine on mine.n = input.n where mine.mission is not null order by 1, 2, 3
      on conflict do nothing
    ), turned_over as (
      ${turnWorkOver(
        sql,
        sql`
        select mine.project_id, mine.id, i.k as kind from mine join input i on i.n = mine.n`,
      )}
    )
    select n from mine`;
  const existing = new Set(rows.map(({ n }) => n));
  return subjects.flatMap(({ work, kind }, n) =>
    existing.has(n) ? [{ ...work, subjectKind: kind }] : [],
  );
}

const rowOf = (each: ReadSubject, n: number) => ({
  n,
  p: each.work.projectId,
  w: each.work.id,
  fence: each.work.fence,
  k: each.kind,
  i: each.work.subjectId,
  rv: each.work.revision,
  c: each.content,
  h: each.contentHash,
  turn: each.turnId,
  trace: each.traceId,
  session: each.sessionId,
  mission: each.missionId,
  model: each.model,
  cost: each.costUsd,
  query: each.pipeline === null ? null : pipelineQuery(each.pipeline.query),
  complexity: each.pipeline?.complexity ?? null,
  staged: each.pipeline !== null,
});
