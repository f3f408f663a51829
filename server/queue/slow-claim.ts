import type { Ctx } from '../platform';
import { asClaimed, type ClaimedRow, type ClaimedWork, withoutWaiting } from './claim';

/**
 * Claims one row of the slow lane by its id, as the job says that names it. Null when there is nothing to do: it is settled, another
 * worker holds it, it is not due, or it was never in this lane. The lease and the fence are those of `claimWork`.
 */
export async function claimSlowWork(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  input: { readonly owner: string; readonly projectId: string; readonly id: string },
): Promise<ClaimedWork | null> {
  const [row] = await ctx.sql<ClaimedRow[]>`
    update work w set owner = ${input.owner}, attempts = w.attempts + 1, fence = w.fence + 1, hinted_at = null,
      due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    where w.project_id = ${input.projectId} and w.id = ${input.id} and w.lane = 'slow' and w.state = 'waiting'
      and w.owner is null and w.due_at <= now() and ${withoutWaiting(ctx.sql)}
    returning w.project_id, w.id, w.subject_kind, w.subject_id, w.revision, w.verifier, w.rule, w.fence, w.attempts, w.state, w.created_at`;
  return row === undefined ? null : asClaimed(row);
}

/** Keeps the leases of what is in hand; returns the ids that are still ours. What is missing was settled, or is another's by now. */
export async function keepLeases(ctx: Pick<Ctx, 'sql' | 'env'>, owner: string, held: readonly ClaimedWork[]): Promise<ReadonlySet<string>> {
  const keys = JSON.stringify(held.map((work) => ({ p: work.projectId, id: work.id, fence: work.fence })));
  const rows = await ctx.sql<{ id: string }[]>`
    update work w set due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from jsonb_to_recordset(${keys}::text::jsonb) as k(p text, id text, fence bigint)
    where w.project_id = k.p and w.id = k.id and w.fence = k.fence and w.owner = ${owner} and w.state = 'waiting'
      and ${withoutWaiting(ctx.sql)}
    returning w.id`;
  return new Set(rows.map((row) => row.id));
}
