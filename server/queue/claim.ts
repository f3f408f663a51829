import type { Ctx } from '../platform';

/** A piece of work under this worker's lease. Its verdict is taken only under `fence`. */
export interface ClaimedWork {
  readonly projectId: string;
  readonly id: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly verifier: string;
  readonly fence: number;
  readonly attempts: number;
  readonly createdAt: Date;
}

/** A subject that took its worker down so often is set aside (R-13). */
const maxDeaths = 3;
/** And one whose attempts failed so often (reliability.md section 6, "attempts"). */
export const maxAttempts = 5;

interface ClaimedRow {
  project_id: string;
  id: string;
  subject_kind: string;
  subject_id: string;
  revision: number;
  verifier: string;
  fence: string;
  attempts: number;
  state: string;
  created_at: string;
}

/**
 * Claims due work for `owner` until the lease ends, oldest first, by the database's clock.
 * `lost` claims one row whose last claimer never came back: alone, so that a subject that kills its worker
 * takes no neighbour with it. Every row found lost leaves an attempt row; after `maxDeaths` it is quarantined.
 */
export async function claimWork(
  ctx: Pick<Ctx, 'sql' | 'log' | 'env'>,
  input: { readonly owner: string; readonly limit: number; readonly lost: boolean },
): Promise<ClaimedWork[]> {
  const { sql } = ctx;
  const rows = await sql<ClaimedRow[]>`
    with due as (
      select project_id, id, owner, fence, attempts, deaths from work
      where state = 'waiting' and due_at <= now() and owner ${input.lost ? sql`is not null` : sql`is null`}
      order by due_at limit ${input.lost ? 1 : input.limit} for update skip locked
    ), ended as (
      insert into work_attempts (project_id, work_id, attempt, worker, "end", reason)
      select project_id, id, fence, owner, 'lost', 'the worker did not come back before its lease ended'
      from due where owner is not null
      on conflict do nothing
    )
    update work w set
      owner = case when due.owner is not null and due.deaths + 1 >= ${maxDeaths} then null else ${input.owner} end,
      state = case when due.owner is not null and due.deaths + 1 >= ${maxDeaths} then 'quarantined' else 'waiting' end,
      reason = case when due.owner is not null and due.deaths + 1 >= ${maxDeaths}
        then 'its worker died ' || (due.deaths + 1) || ' times while verifying it' else w.reason end,
      deaths = due.deaths + case when due.owner is not null then 1 else 0 end,
      attempts = due.attempts + 1, fence = w.fence + 1,
      due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from due where w.project_id = due.project_id and w.id = due.id
    returning w.project_id, w.id, w.subject_kind, w.subject_id, w.revision, w.verifier, w.fence, w.attempts, w.state, w.created_at`;
  const claimed: ClaimedWork[] = [];
  for (const row of rows) {
    if (row.state === 'quarantined') {
      ctx.log.error(
        { project: row.project_id, subject: row.subject_id, verifier: row.verifier },
        'work quarantined: its worker died again',
      );
      continue;
    }
    claimed.push({
      projectId: row.project_id,
      id: row.id,
      subjectKind: row.subject_kind,
      subjectId: row.subject_id,
      revision: row.revision,
      verifier: row.verifier,
      fence: Number(row.fence),
      attempts: row.attempts,
      createdAt: new Date(row.created_at),
    });
  }
  return claimed;
}

/** Keeps the lease of work in hand; returns how many rows are still ours. */
export async function extendLease(ctx: Pick<Ctx, 'sql' | 'env'>, owner: string, claimed: readonly ClaimedWork[]): Promise<number> {
  const keys = JSON.stringify(claimed.map((work) => ({ p: work.projectId, id: work.id, fence: work.fence })));
  const rows = await ctx.sql`
    update work w set due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from jsonb_to_recordset(${keys}::text::jsonb) as k(p text, id text, fence bigint)
    where w.project_id = k.p and w.id = k.id and w.fence = k.fence and w.owner = ${owner} and w.state = 'waiting'`;
  return rows.count;
}
