import { sql as query } from 'drizzle-orm';
import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { notifyChanged } from '../../platform';
import { enqueueRefresh } from '../../queue';
import { asReviewItem, findItems, queuesToNotify } from './find-items';
import type { ReviewItem } from './item';
import type { AssignmentFilter, ReviewQueue } from './review-input';

/** How long an item is reserved for one person, by the database's clock. */
export const reservedMinutes = 15;
/**
 * How many times one call reserves again because items were withdrawn: their subject was deleted or
 * has a new revision.
 */
const tries = 5;

export interface ReserveItems {
  readonly verifier?: string | undefined;
  readonly queue?: ReviewQueue | undefined;
  readonly assigned?: AssignmentFilter | undefined;
  readonly limit: number;
}

/**
 * Reserves items for this person: first those that this person has already reserved, then those
 * assigned to this person, to no one, and to others, the most urgent first. An item is reserved for
 * one person at a time, and never for someone who has ruled on it.
 * Before a ruling, a repeated call returns the same items, so that a page reload continues with
 * them.
 */
export async function reserveItems(ctx: ProjectCtx, input: ReserveItems): Promise<ReviewItem[]> {
  for (let n = 0; ; n++) {
    const ids = await reserve(ctx, input);
    const gone = await withdrawGone(ctx, ids);
    if (gone === 0 || n === tries)
      return (await findItems(ctx, ids)).filter(({ state }) => state === 'open').map(asReviewItem);
  }
}

async function reserve(ctx: ProjectCtx, { limit, ...which }: ReserveItems): Promise<string[]> {
  const [verifier, queue] = [which.verifier ?? null, which.queue ?? null];
  const { sql, projectId } = ctx;
  const account = ctx.actor.label;
  const assigned = which.assigned ?? null;
  const wanted = sql`project_id = ${projectId} and state = 'open' and (${verifier}::text is null or verifier_slug = ${verifier})
    and (${queue}::text is null or ${queue} = any(${queuesToNotify(ctx)}))
    and (${assigned}::text is null or case ${assigned}::text when 'mine' then assigned_to = ${account} else assigned_to is null end) and not ${account}::text = any(ruled_by)`;
  // One query per group, so that each reads an index in its order and stops at its limit.
  const free = (group: Fragment, before: Fragment) => sql`
      select id from review_items where ${wanted} and ${group} and (reserved_until is null or reserved_until <= now())
      order by priority desc, id desc limit greatest(0, ${limit} - (${before})::int) for update skip locked`;
  // The last limit drops nothing, but bounds the planner's row estimate: without it PostgreSQL
  // would read the whole table for the update.
  const rows = await sql<{ id: string; place: number; priority: number }[]>`
    with held as (
      select id from review_items where ${wanted} and reserved_by = ${account} and reserved_until > now()
      order by priority desc, id desc limit ${limit} for update
    ), mine as (${free(sql`assigned_to = ${account}`, sql`select count(*) from held`)}
    ), unassigned as (${free(sql`assigned_to is null`, sql`select (select count(*) from held) + (select count(*) from mine)`)}
    ), others as (${free(
      sql`assigned_to <> ${account}`,
      sql`select (select count(*) from held) + (select count(*) from mine) + (select count(*) from unassigned)`,
    )}
    )
    update review_items i set reserved_by = ${account}, reserved_until = now() + ${reservedMinutes} * interval '1 minute'
    from (
      select id, 0 as place from held union all select id, 1 from mine union all select id, 2 from unassigned
      union all select id, 3 from others limit ${limit}
    ) as k
    where i.project_id = ${projectId} and i.id = k.id returning i.id, k.place, i.priority`;
  // Notifies other reviewers only if items were newly reserved.
  if (rows.some(({ place }) => place > 0)) notifyChanged(ctx, projectId, 'review');
  return rows
    .toSorted((a, b) => a.place - b.place || b.priority - a.priority || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

/** Withdraws items whose subject was deleted or has a new revision. Returns their number. */
async function withdrawGone(ctx: ProjectCtx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { projectId } = ctx;
  return ctx.db.transaction(async (tx) => {
    const rows = await tx.execute<{ subject_id: string }>(query`
    update review_items i set state = 'withdrawn', reserved_by = null, reserved_until = null
    where i.project_id = ${projectId} and i.state = 'open'
      and i.id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))
      and not exists (
        select from verdicts v where v.project_id = ${projectId} and v.id = i.verdict_id and (
          v.subject_kind = 'turn' and exists (
            select from turns t where t.project_id = ${projectId} and t.id = v.subject_id and t.revision = v.revision)
          or v.subject_kind <> 'turn' and exists (
            select from subjects s where s.project_id = ${projectId} and s.kind = v.subject_kind and s.id = v.subject_id
              and s.revision = v.revision)))
    returning i.subject_id`);
    // An item that was drawn for the audit sample no longer counts in it once withdrawn.
    await enqueueRefresh(tx, ctx, [...new Set(rows.map((row) => row.subject_id))]);
    return rows.length;
  });
}
