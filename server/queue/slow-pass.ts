import type { Ctx } from '../platform';
import type { ClaimedWork } from './claim';

/**
 * Moves claimed work to the slow lane, because a model must be called: the owner is removed, the
 * row is ready at once, and the current attempt is not counted. One statement, whose notification
 * wakes the publishers. Returns the number of rows that this worker still owned.
 * @param options.urgent a caller waits for the verdict: it overtakes work without a waiting caller.
 * Work that was inserted as urgent stays so
 */
export async function moveToSlowLane(
  ctx: Pick<Ctx, 'sql'>,
  owner: string,
  claimed: readonly ClaimedWork[],
  options: { readonly urgent?: boolean } = {},
): Promise<number> {
  const keys = JSON.stringify(
    claimed.map((work) => ({ p: work.projectId, id: work.id, fence: work.fence })),
  );
  const [row] = await ctx.sql<{ n: number }[]>`
    with passed as (
      update work w set lane = 'slow', owner = null, hinted_at = null, due_at = now(), attempts = greatest(0, w.attempts - 1),
        priority = case when ${options.urgent === true} then 0 else least(w.priority, 1) end
      from jsonb_to_recordset(${keys}::text::jsonb) as k(p text, id text, fence bigint)
      where w.project_id = k.p and w.id = k.id and w.fence = k.fence and w.owner = ${owner} and w.state = 'waiting'
      returning w.id
    )
    select count(*)::int as n, case when count(*) > 0 then pg_notify('assay_slow', '')::text end as notified from passed`;
  return row?.n ?? 0;
}

/**
 * Parks work of the slow lane, for example while its judge is down: ready again after `forMs`
 * milliseconds by the database's clock, the attempt not counted, the reason shown. Does
 * nothing for work that another worker owns.
 */
export async function parkWork(
  ctx: Pick<Ctx, 'sql'>,
  owner: string,
  work: ClaimedWork,
  input: { readonly forMs: number; readonly reason: string },
): Promise<void> {
  const reason = input.reason.replaceAll('\u0000', '').toWellFormed().slice(0, 1000);
  await ctx.sql`
    update work set owner = null, hinted_at = null, attempts = greatest(0, attempts - 1), reason = ${reason},
      due_at = now() + ${Math.max(0, input.forMs)} * interval '1 millisecond'
    where project_id = ${work.projectId} and id = ${work.id} and owner = ${owner} and fence = ${work.fence}`;
}

/** Calls `onWork` whenever work is moved to the slow lane, until `unlisten`. */
export function listenForSlowWork(
  ctx: Pick<Ctx, 'sql'>,
  onWork: () => void,
): Promise<{ unlisten(): Promise<void> }> {
  return ctx.sql.listen('assay_slow', onWork);
}
