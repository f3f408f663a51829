import type { Fragment, Sql } from 'postgres';
import type { Ctx } from '../platform';

/** A piece of work under this worker's lease. Its verdict is taken only under `fence`. */
export interface ClaimedWork {
  readonly projectId: string;
  readonly id: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly verifier: string;
  /** The rule that sent the subject here, or null. */
  readonly rule: string | null;
  readonly fence: number;
  readonly attempts: number;
  readonly createdAt: Date;
}

/** A subject that took its worker down so often is set aside. */
export const maxDeaths = 3;
/** And one whose attempts failed so often (reliability.md section 6, "attempts"). */
export const maxAttempts = 5;

export interface ClaimedRow {
  project_id: string;
  id: string;
  subject_kind: string;
  subject_id: string;
  revision: number;
  verifier: string;
  rule: string | null;
  fence: string;
  attempts: number;
  state: string;
  created_at: string;
}

/**
 * A claim need not reach the disk: one that is lost with the database's memory leaves the row due,
 * and a verdict under it is refused, since the row then has no owner or another one. So it does not
 * wait for it. Holds for the statement that it is in.
 */
export const withoutWaiting = (sql: Sql): Fragment =>
  sql`(select set_config('synchronous_commit', 'off', true)) is not null`;

/**
 * Claims due work for `owner` until the lease ends, by the database's clock. Every project with due
 * work gets an equal share of the batch, oldest first within it, so that one with a million rows
 * waiting delays no other (R-4, Q4).
 */
export async function claimWork(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  input: { readonly owner: string; readonly limit: number },
): Promise<ClaimedWork[]> {
  // `tenant` walks the index from project to project: its cost is that of the projects with work,
  // not of the rows. The last limit cuts nothing off; without it the planner takes `due` for most
  // of the table and reads all of it.
  const rows = await ctx.sql<ClaimedRow[]>`
    with recursive tenant(id) as (
      (select project_id from work where state = 'waiting' and owner is null and lane = 'fast' order by project_id limit 1)
      union all
      select (select w.project_id from work w where w.state = 'waiting' and w.owner is null and w.lane = 'fast'
          and w.project_id > tenant.id
        order by w.project_id limit 1)
      from tenant where tenant.id is not null
    ), turn_taking as (
      select id from tenant where id is not null order by random() limit ${input.limit}
    ), due as (
      select mine.project_id, mine.id from turn_taking cross join lateral (
        select w.project_id, w.id from work w
        where w.project_id = turn_taking.id and w.state = 'waiting' and w.owner is null and w.lane = 'fast'
          and w.due_at <= now()
        order by w.due_at limit (select greatest(1, ${input.limit}::int / greatest(1, count(*)))::int from turn_taking)
        for update skip locked
      ) as mine limit ${input.limit}
    )
    update work w set owner = ${input.owner}, attempts = w.attempts + 1, fence = w.fence + 1,
      due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from due where w.project_id = due.project_id and w.id = due.id and ${withoutWaiting(ctx.sql)}
    returning w.project_id, w.id, w.subject_kind, w.subject_id, w.revision, w.verifier, w.rule, w.fence, w.attempts, w.state, w.created_at`;
  return rows.map(asClaimed);
}

/**
 * Claims one row whose last claimer never came back: alone, so that a subject that kills its worker
 * takes no neighbour with it. Every row found lost leaves an attempt row; after `maxDeaths` it is
 * quarantined, and then nothing is returned for it.
 */
export async function claimLostWork(
  ctx: Pick<Ctx, 'sql' | 'log' | 'env'>,
  owner: string,
): Promise<ClaimedWork[]> {
  const rows = await ctx.sql<ClaimedRow[]>`
    with due as (
      select project_id, id, owner, fence, attempts, deaths from work
      where state = 'waiting' and owner is not null and lane = 'fast' and due_at <= now()
      order by due_at limit 1 for update skip locked
    ), ended as (
      insert into work_attempts (project_id, work_id, attempt, worker, "end", reason)
      select project_id, id, fence, owner, 'lost', 'the worker did not come back before its lease ended' from due
      on conflict do nothing
    )
    update work w set
      owner = case when due.deaths + 1 >= ${maxDeaths} then null else ${owner} end,
      state = case when due.deaths + 1 >= ${maxDeaths} then 'quarantined' else 'waiting' end,
      reason = case when due.deaths + 1 >= ${maxDeaths}
        then 'its worker died ' || (due.deaths + 1) || ' times while verifying it' else w.reason end,
      deaths = due.deaths + 1, attempts = due.attempts + 1, fence = w.fence + 1,
      due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from due where w.project_id = due.project_id and w.id = due.id
    returning w.project_id, w.id, w.subject_kind, w.subject_id, w.revision, w.verifier, w.rule, w.fence, w.attempts, w.state, w.created_at`;
  return rows.flatMap((row) => {
    if (row.state !== 'quarantined') return [asClaimed(row)];
    ctx.log.error(
      { project: row.project_id, subject: row.subject_id, verifier: row.verifier },
      'work quarantined: its worker died again',
    );
    return [];
  });
}

export function asClaimed(row: ClaimedRow): ClaimedWork {
  return {
    projectId: row.project_id,
    id: row.id,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    revision: row.revision,
    verifier: row.verifier,
    rule: row.rule,
    fence: Number(row.fence),
    attempts: row.attempts,
    createdAt: new Date(row.created_at),
  };
}

/** Keeps the lease of work in hand; returns how many rows are still ours. */
export async function extendLease(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  owner: string,
  claimed: readonly ClaimedWork[],
): Promise<number> {
  const keys = JSON.stringify(
    claimed.map((work) => ({ p: work.projectId, id: work.id, fence: work.fence })),
  );
  const rows = await ctx.sql`
    update work w set due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from jsonb_to_recordset(${keys}::text::jsonb) as k(p text, id text, fence bigint)
    where w.project_id = k.p and w.id = k.id and w.fence = k.fence and w.owner = ${owner} and w.state = 'waiting'`;
  return rows.count;
}
