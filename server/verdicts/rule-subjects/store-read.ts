import { type Ctx, joinStatements } from '../../platform';
import { type ClaimedWork, turnWorkOver } from '../../queue';
import type { PipelineFacts } from '../../verifiers';
import { insertPipelines, registerModelNames } from '../../ingest';
import { pipelineQuery } from '../../domain';
import type { StoredSubject } from '../subjects/load-subjects';

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

/** Work whose subject was read and stored. */
export interface ReadWork {
  readonly work: ClaimedWork;
  /** Null if a later revision of it is stored. */
  readonly stored: StoredSubject | null;
}

interface OwnedRead {
  readonly owner: string;
  readonly subject: ReadSubject;
}

/**
 * Stores subjects under the ids of the data that they were read from, replaces earlier revisions,
 * and changes the work to refer to them, in one statement with the subjects of other batches. Work
 * whose lease this owner has lost is omitted: it was deleted with its turn, or claimed by another
 * worker. An output of an experiment belongs to no mission, even if its item names one.
 */
export async function storeRead(
  ctx: Ctx,
  owner: string,
  subjects: readonly ReadSubject[],
): Promise<ReadWork[]> {
  const read = await Promise.all(subjects.map((subject) => storeOwned(ctx, { owner, subject })));
  return read.filter((each) => each !== null);
}

const storeOwned = joinStatements(storeAll);

async function storeAll(
  ctx: Ctx,
  owned: readonly OwnedRead[],
): Promise<readonly (ReadWork | null)[]> {
  const { sql } = ctx;
  const subjects = owned.map(({ subject }) => subject);
  await registerModelNames(
    ctx,
    subjects.map(({ work: { projectId }, model: name }) => ({ projectId, name })),
  );
  const rows = await sql<Row[]>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(owned.map(rowOf))}::text::json) as r(
        n int, o text, p text, w text, fence bigint, k text, i text, rv int, c text, h text, turn text, trace text, session text, mission text,
        model text, cost double precision, query text, complexity text, staged boolean)
    ), mine as materialized (
      select i.n, w.project_id, w.id, case when w.experiment_id is null then i.mission end as mission
      from input i join work w on w.project_id = i.p and w.id = i.w
      where w.owner = i.o and w.fence = i.fence and w.state = 'waiting'
      order by w.project_id, w.id for update of w
    ), stored as (
      insert into subjects as s (project_id, kind, id, revision, content, content_hash, mission_id, session_id, trace_id, turn_id, model, cost_usd)
      select distinct on (p, k, i) p, k, i, rv, c, h, mine.mission, session, trace, turn, model, cost
      from input join mine on mine.n = input.n order by p, k, i, rv desc
      on conflict (project_id, kind, id) do update set revision = excluded.revision, content = excluded.content,
        content_hash = excluded.content_hash, mission_id = excluded.mission_id, session_id = excluded.session_id,
        trace_id = excluded.trace_id, model = excluded.model, cost_usd = excluded.cost_usd
      where s.revision <= excluded.revision
      returning s.project_id, s.kind, s.id, s.revision, s.client_id, s.mission_id, s.task_id,
        s.turn_id, s.created_at
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
    select mine.n, s.client_id, s.mission_id, s.task_id, s.turn_id, s.created_at
    from mine join input i on i.n = mine.n
    left join stored s on s.project_id = i.p and s.kind = i.k and s.id = i.i and s.revision = i.rv`;
  const found = new Map(rows.map((row) => [row.n, row]));
  return subjects.map((subject, n) => {
    const row = found.get(n);
    if (row === undefined) return null;
    const work = { ...subject.work, subjectKind: subject.kind };
    return { work, stored: storedOf(subject, row) };
  });
}

interface Row {
  n: number;
  client_id: string | null;
  mission_id: string | null;
  task_id: string | null;
  turn_id: string | null;
  created_at: string | null;
}

function storedOf(subject: ReadSubject, row: Row): StoredSubject | null {
  if (row.created_at === null) return null;
  const { work, kind, content, sessionId, traceId, model, costUsd } = subject;
  return {
    projectId: work.projectId,
    kind,
    id: work.subjectId,
    revision: work.revision,
    content,
    clientId: row.client_id,
    missionId: row.mission_id,
    taskId: row.task_id,
    sessionId,
    traceId,
    turnId: row.turn_id,
    model,
    costUsd,
    createdAt: new Date(row.created_at),
  };
}

const rowOf = ({ owner, subject: each }: OwnedRead, n: number) => ({
  n,
  o: owner,
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
