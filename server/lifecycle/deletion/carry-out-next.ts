import { type Ctx, deletionChannel } from '../../platform';
import { carryOut, recheckDeletion } from './carry-out';

interface NextDeletion {
  project_id: string;
  id: string;
  state: 'pending' | 'done';
}

/** How long a worker continues one deletion before it checks for others. */
const turnMs = 5_000;

/**
 * Continues the deletion that has waited longest and has no holder, or rechecks a completed one.
 * Returns whether there was one.
 * @throws on storage faults; the lease then expires
 */
export async function carryOutNext(ctx: Ctx): Promise<boolean> {
  const [row] = await ctx.sql<NextDeletion[]>`
    update deletions d set leased_until = now() + interval '30 seconds'
    from (
      select project_id, id from deletions
      where (state = 'pending' and leased_until <= now()) or (state = 'done' and sweep_at <= now() and leased_until <= now())
      order by leased_until limit 1 for update skip locked
    ) as next
    where d.project_id = next.project_id and d.id = next.id
    returning d.project_id, d.id, d.state`;
  if (row === undefined) return false;
  if (row.state === 'done') await recheckDeletion(ctx, row);
  else await carryOut(ctx, row, ctx.clock.monotonicMs() + turnMs);
  return true;
}

/** Calls `wake` when a deletion is requested, in any process. */
export async function listenForDeletions(
  { sql }: Pick<Ctx, 'sql'>,
  wake: () => void,
): Promise<{ unlisten(): Promise<void> }> {
  return sql.listen(deletionChannel, wake, wake);
}
