import type { Ctx } from '../platform';
import { maxDeaths, asyncCommit } from './claim';

/** A ready row of the slow lane for which a job is to be published. */
export interface RowToPublish {
  readonly projectId: string;
  readonly id: string;
  readonly revision: number;
  /**
   * Grows with every claim: a job for an earlier claim has another id, so the queue does not drop
   * this one as a duplicate.
   */
  readonly fence: number;
  /** As in the row: 0 a caller waits, 1 normal, 2 its worker was lost once, 3 twice. */
  readonly priority: number;
  /** A job was published before, and no worker has claimed the row since. */
  readonly again: boolean;
}

export interface PublishLimits {
  /** Maximum number of new rows. */
  readonly limit: number;
  /**
   * Maximum number of queued jobs per project and priority, so that a project with 10,000 rows
   * delays no other for long.
   */
  readonly perProject: number;
  /** Age at which an unclaimed job is published again. */
  readonly staleMs: number;
}

/**
 * Maximum number of queued rows per project whose worker was lost once, or twice. Low, because only
 * a few such rows, or one, run at a time.
 */
const lostOncePerProject = 4;
const lostTwicePerProject = 1;

interface MarkedRow {
  project_id: string;
  id: string;
  revision: number;
  fence: string;
  priority: number;
  again: boolean;
  turn: string;
}

/**
 * Selects ready rows of the slow lane without a job, projects in turn, and rows whose job seems to
 * be lost; marks them as published. Skips rows that another process selects at the same time.
 * Returns them in publishing order.
 */
export async function markPublished(
  ctx: Pick<Ctx, 'sql'>,
  input: PublishLimits,
): Promise<RowToPublish[]> {
  // As in `claimWork`, `tenant` walks the index from project to project. A project whose rows are
  // all parked is visited and yields none.
  const rows = await ctx.sql<MarkedRow[]>`
    with recursive tenant(id) as (
      (select project_id from work where state = 'waiting' and owner is null and lane = 'slow' and hinted_at is null
        order by project_id limit 1)
      union all
      select (select w.project_id from work w
        where w.state = 'waiting' and w.owner is null and w.lane = 'slow' and w.hinted_at is null and w.project_id > tenant.id
        order by w.project_id limit 1)
      from tenant where tenant.id is not null
    ), queued as (
      select project_id, priority, count(*)::int as n from work
      where state = 'waiting' and owner is null and lane = 'slow' and hinted_at is not null group by project_id, priority
    ), room as (
      select tenant.id, p.priority, greatest(0, p.most - coalesce(queued.n, 0)) as n
      from tenant cross join (values (0, ${input.perProject}::int), (1, ${input.perProject}::int), (2, ${lostOncePerProject}::int),
        (3, ${lostTwicePerProject}::int)) as p(priority, most)
      left join queued on queued.project_id = tenant.id and queued.priority = p.priority
      where tenant.id is not null
    ), mine as (
      select picked.* from room cross join lateral (
        select w.project_id, w.id, w.priority, w.due_at from work w
        where w.project_id = room.id and w.priority = room.priority and w.state = 'waiting' and w.owner is null and w.lane = 'slow'
          and w.hinted_at is null and w.due_at <= now()
        order by w.due_at limit least(room.n, ${input.limit}::int)
        for update skip locked
      ) as picked
    ), fresh as (
      select project_id, id, row_number() over (partition by project_id, priority order by due_at) as turn from mine
      order by priority, turn limit ${input.limit}
    ), stale as (
      select project_id, id from work
      where state = 'waiting' and owner is null and lane = 'slow' and hinted_at is not null
        and hinted_at <= now() - ${input.staleMs} * interval '1 millisecond'
      order by hinted_at limit ${input.limit} for update skip locked
    ), due as (
      select project_id, id, turn, false as again from fresh
      union all select project_id, id, 0, true from stale
    )
    update work w set hinted_at = now() from due
    where w.project_id = due.project_id and w.id = due.id and ${asyncCommit(ctx.sql)}
    returning w.project_id, w.id, w.revision, w.fence, w.priority, due.again, due.turn`;
  return rows
    .sort((a, b) => a.priority - b.priority || Number(a.turn) - Number(b.turn))
    .map((row) => ({
      projectId: row.project_id,
      id: row.id,
      revision: row.revision,
      fence: Number(row.fence),
      priority: row.priority,
      again: row.again,
    }));
}

/**
 * Unmarks rows whose jobs could not be published or found no slot; the next pass selects them
 * again.
 */
export async function unpublishWork(
  ctx: Pick<Ctx, 'sql'>,
  published: readonly Pick<RowToPublish, 'projectId' | 'id' | 'fence'>[],
): Promise<void> {
  const keys = JSON.stringify(
    published.map((row) => ({ p: row.projectId, id: row.id, fence: row.fence })),
  );
  await ctx.sql`
    update work w set hinted_at = null from jsonb_to_recordset(${keys}::text::jsonb) as k(p text, id text, fence bigint)
    where w.project_id = k.p and w.id = k.id and w.fence = k.fence and w.owner is null and w.lane = 'slow'`;
}

/**
 * Unmarks all rows, after the queue was unavailable and may have lost its jobs. A job that still
 * exists makes the queue ignore its copy.
 */
export async function republishAll(ctx: Pick<Ctx, 'sql'>): Promise<void> {
  await ctx.sql`
    with hinted as materialized (
      select project_id, id from work where state = 'waiting' and owner is null and lane = 'slow' and hinted_at is not null
      order by project_id, id for update
    )
    update work w set hinted_at = null from hinted
    where w.project_id = hinted.project_id and w.id = hinted.id and w.owner is null and ${asyncCommit(ctx.sql)}`;
}

/**
 * Releases rows whose worker never returned: each leaves an attempt row and can be retried at once,
 * alongside only a few other such rows, so that a row that kills its worker affects few others.
 * After `maxDeaths` the row is quarantined. Returns the number of rows found.
 */
export async function freeLostSlowWork(ctx: Pick<Ctx, 'sql' | 'log'>): Promise<number> {
  const rows = await ctx.sql<
    { project_id: string; subject_id: string; verifier: string; state: string }[]
  >`
    with lost as (
      select project_id, id, owner, fence, deaths from work
      where state = 'waiting' and owner is not null and lane = 'slow' and due_at <= now()
      order by due_at limit 200 for update skip locked
    ), ended as (
      insert into work_attempts (project_id, work_id, attempt, worker, "end", reason)
      select project_id, id, fence, owner, 'lost', 'the worker did not come back before its lease ended' from lost
      on conflict do nothing
    )
    update work w set owner = null, hinted_at = null, due_at = now(), deaths = lost.deaths + 1, priority = least(3, lost.deaths + 2),
      state = case when lost.deaths + 1 >= ${maxDeaths} then 'quarantined' else 'waiting' end,
      reason = case when lost.deaths + 1 >= ${maxDeaths}
        then 'its worker died ' || (lost.deaths + 1) || ' times while verifying it' else w.reason end
    from lost where w.project_id = lost.project_id and w.id = lost.id
    returning w.project_id, w.subject_id, w.verifier, w.state`;
  for (const row of rows) {
    if (row.state !== 'quarantined') continue;
    ctx.log.error(
      { project: row.project_id, subject: row.subject_id, verifier: row.verifier },
      'work quarantined: its worker died again',
    );
  }
  return rows.length;
}
