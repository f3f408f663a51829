import type { Sql, TransactionSql } from 'postgres';
import type { Ctx } from '../platform';
import { type ClaimedDelivery, maxDeliveryAttempts } from './claim';

/** These functions have no effect on a delivery that was claimed again or replayed since. */

/** `remark` is information to show despite the success. */
export async function recordDelivered(
  ctx: Pick<Ctx, 'sql'>,
  claimed: ClaimedDelivery,
  remark: string | null,
): Promise<void> {
  await ctx.sql`
    update deliveries set state = 'delivered', delivered_at = now(), last_error = ${remark}, owner = null
    where project_id = ${claimed.projectId} and id = ${claimed.id} and fence = ${claimed.fence} and state = 'waiting'`;
}

/**
 * Schedules a retry after 5, 10, 20 … s. Marks the delivery as dead, with the reason, after
 * `maxDeliveryAttempts`, or immediately if the failure is `final`.
 */
export async function recordFailed(
  ctx: Pick<Ctx, 'sql'>,
  claimed: ClaimedDelivery,
  reason: string,
  final: boolean,
): Promise<void> {
  await ctx.sql`
    update deliveries set owner = null, last_error = ${reason},
      state = case when ${final} or attempts >= ${maxDeliveryAttempts} then 'dead' else 'waiting' end,
      due_at = now() + 5 * power(2, attempts - 1) * interval '1 second'
    where project_id = ${claimed.projectId} and id = ${claimed.id} and fence = ${claimed.fence} and state = 'waiting'`;
}

/** Returns claimed deliveries that were not sent, without counting the attempt. */
export async function returnDeliveries(
  ctx: Pick<Ctx, 'sql'>,
  claimed: readonly ClaimedDelivery[],
  afterSeconds: number,
): Promise<void> {
  if (claimed.length === 0) return;
  const keys = JSON.stringify(
    claimed.map((each) => ({ p: each.projectId, id: each.id, fence: each.fence })),
  );
  await ctx.sql`
    update deliveries v set owner = null, attempts = v.attempts - 1, due_at = now() + ${afterSeconds} * interval '1 second'
    from jsonb_to_recordset(${keys}::text::jsonb) as k(p text, id text, fence bigint)
    where v.project_id = k.p and v.id = k.id and v.fence = k.fence and v.state = 'waiting'`;
}

/**
 * Deletes finished deliveries older than 30 days with their notices, and deliveries whose
 * destination was deleted.
 */
export async function pruneDeliveries(ctx: Pick<Ctx, 'sql'>): Promise<void> {
  await ctx.sql`delete from deliveries where state <> 'waiting' and created_at < now() - interval '30 days'`;
  await ctx.sql`
    delete from deliveries v where not exists (select from destinations d where d.project_id = v.project_id and d.id = v.destination_id)`;
  await ctx.sql`
    delete from notices n where created_at < now() - interval '30 days'
      and not exists (select from deliveries v where v.project_id = n.project_id and v.notice_id = n.id and v.state = 'waiting')`;
}

/** Frees deliveries after a restore: the workers of the backup no longer exist. */
export async function freeDeliveries(sql: Sql | TransactionSql): Promise<void> {
  await sql`update deliveries set owner = null, fence = fence + 1 where owner is not null`;
}

/**
 * Removes sealed secrets after a restore without the key that sealed them, and disables their
 * destinations. Returns the number of destinations.
 */
export async function dropDestinationSecrets(sql: Sql | TransactionSql): Promise<number> {
  const done = await sql`
    update destinations set secret_sealed = null, headers_sealed = null, actions_secret_sealed = null, enabled = false
    where secret_sealed is not null or headers_sealed is not null or actions_secret_sealed is not null`;
  return done.count;
}
