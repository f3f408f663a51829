import type { Fragment, Sql } from 'postgres';
import type { Ctx } from '../platform';

/** Work leased by this worker. Its verdict is accepted only under `fence`. */
export interface ClaimedWork {
  readonly projectId: string;
  readonly id: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly verifier: string;
  /** The rule that planned the verification, or null. */
  readonly rule: string | null;
  readonly fence: number;
  readonly attempts: number;
  readonly createdAt: Date;
  /** The budget of the experiment that the work belongs to; only in the slow lane. */
  readonly experimentBudget?: ExperimentBudget;
}

export interface ExperimentBudget {
  readonly experimentId: string;
  /** Millionths of a US dollar. */
  readonly micros: number;
}

/** Worker deaths after which a subject is quarantined. */
export const maxDeaths = 3;
/** Failed attempts after which work is quarantined (reliability.md section 6, "attempts"). */
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
  /** Null without an experiment, and for one without a budget; only in the slow lane. */
  budget?: ExperimentBudget | null;
}

/**
 * Lets a claim commit without waiting for the disk. If a database crash loses the claim, the row
 * can be claimed again, and a verdict under the lost claim is refused because the row then has no
 * owner or another one. Applies to the statement that contains it.
 */
export const asyncCommit = (sql: Sql): Fragment =>
  sql`(select set_config('synchronous_commit', 'off', true)) is not null`;

/**
 * Claims ready work for `owner` until the lease ends, by the database's clock. Every project with
 * ready work gets an equal share of the batch, oldest first, so that a project with a million
 * waiting rows delays no other (R-4, Q4).
 */
export async function claimWork(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  input: { readonly owner: string; readonly limit: number },
): Promise<ClaimedWork[]> {
  // `tenant` walks the index from project to project, so the cost grows with the projects that have
  // work, not with the rows. The last limit removes nothing; without it the planner expects `due`
  // to contain most of the table and scans all of it.
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
    from due where w.project_id = due.project_id and w.id = due.id and ${asyncCommit(ctx.sql)}
    returning w.project_id, w.id, w.subject_kind, w.subject_id, w.revision, w.verifier, w.rule, w.fence, w.attempts, w.state, w.created_at`;
  return rows.map(asClaimed);
}

/**
 * Claims one row whose previous worker never returned. It runs alone, so that a subject that kills
 * its worker affects no other work. Every lost row leaves an attempt row; after `maxDeaths` the row
 * is quarantined and not returned.
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
    ...(row.budget != null && { experimentBudget: row.budget }),
  };
}

/** Renews the leases of claimed work; returns the number of rows that this worker still owns. */
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
