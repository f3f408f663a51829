import type { Ctx } from '../platform';
import { asClaimed, type ClaimedRow, type ClaimedWork, asyncCommit } from './claim';

/** Identifies a row of work. */
export interface WorkKey {
  readonly projectId: string;
  readonly id: string;
}

/** A row as a job identifies it. */
export interface NamedWork extends WorkKey {
  /**
   * The row's fence when the job was published. A queue may deliver a job again after the row was
   * claimed and lost: that job does not reflect the loss, and would run the row next to other lost
   * rows.
   */
  readonly fence?: number;
}

/**
 * Claims rows of the slow lane by the ids in a job. Null where the row is settled, owned by another
 * worker, not ready, claimed since the job was published, or never in this lane. The lease and the
 * fence are those of `claimWork`. Returns results in the given order; a repeated row is claimed for
 * its first occurrence only.
 */
export async function claimSlowBatch(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  owner: string,
  keys: readonly NamedWork[],
): Promise<readonly (ClaimedWork | null)[]> {
  const named = JSON.stringify(
    keys.map(({ projectId, id, fence }) => ({ p: projectId, id, f: fence ?? null })),
  );
  // Rows are locked in a fixed order, so that concurrent claims wait for each other instead of
  // deadlocking. The limits remove nothing; without them the planner scans the whole table.
  const rows = await ctx.sql<ClaimedRow[]>`
    with due as (
      select mine.project_id, mine.id
      from (select p, id, f from jsonb_to_recordset(${named}::text::jsonb) as k(p text, id text, f bigint) order by p, id limit ${keys.length}) k
      cross join lateral (
        select w.project_id, w.id from work w
        where w.project_id = k.p and w.id = k.id and w.lane = 'slow' and w.state = 'waiting' and w.owner is null and w.due_at <= now()
          and (k.f is null or w.fence = k.f)
        limit 1 for update
      ) as mine limit ${keys.length}
    )
    update work w set owner = ${owner}, attempts = w.attempts + 1, fence = w.fence + 1, hinted_at = null,
      due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from due where w.project_id = due.project_id and w.id = due.id and w.owner is null and ${asyncCommit(ctx.sql)}
    returning w.project_id, w.id, w.subject_kind, w.subject_id, w.revision, w.verifier, w.rule, w.fence, w.attempts, w.state, w.created_at,
      (select jsonb_build_object('experimentId', e.id, 'micros', e.budget_micros) from experiments e
        where e.project_id = w.project_id and e.id = w.experiment_id and e.budget_micros is not null) as budget`;
  const claimed = new Map(
    rows.map((row) => [keyOf({ projectId: row.project_id, id: row.id }), asClaimed(row)]),
  );
  return keys.map((key) => {
    const work = claimed.get(keyOf(key)) ?? null;
    claimed.delete(keyOf(key));
    return work;
  });
}

/**
 * Claims one row.
 * @internal For tests only.
 */
export async function claimSlowWork(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  { owner, ...key }: NamedWork & { readonly owner: string },
): Promise<ClaimedWork | null> {
  const [work] = await claimSlowBatch(ctx, owner, [key]);
  return work ?? null;
}

const keyOf = ({ projectId, id }: WorkKey): string => JSON.stringify([projectId, id]);

/**
 * Renews the leases of claimed work; returns the ids that this worker still owns. A missing one was
 * settled, or another worker owns it.
 */
export async function renewLeases(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  owner: string,
  works: readonly ClaimedWork[],
): Promise<ReadonlySet<string>> {
  const keys = JSON.stringify(
    works.map((work) => ({ p: work.projectId, id: work.id, fence: work.fence })),
  );
  const rows = await ctx.sql<{ id: string }[]>`
    update work w set due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from jsonb_to_recordset(${keys}::text::jsonb) as k(p text, id text, fence bigint)
    where w.project_id = k.p and w.id = k.id and w.fence = k.fence and w.owner = ${owner} and w.state = 'waiting'
      and ${asyncCommit(ctx.sql)}
    returning w.id`;
  return new Set(rows.map((row) => row.id));
}
