import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../../access';
import { conflict } from '../../platform';
import { refreshLabelled } from '../enqueue-labelled';
import { lockItem } from '../resolve-review-item';
import { takeBack } from '../take-back';
import { asReviewItem, getItem } from './find-items';
import type { ReviewItem } from './item';
import { reservedMinutes } from './reserve-items';
import { findOwn } from './rule-item';

/**
 * Undoes this person's answer for an item, and reserves the item for them again unless someone else
 * has reserved it in the meantime. Without an answer, only reserves the item.
 * @throws AssayError not_found, conflict if the item was withdrawn
 */
export async function undoItem(
  ctx: ProjectCtx,
  { item }: { readonly item: string },
): Promise<ReviewItem> {
  const row = await getItem(ctx, item);
  if (row.state === 'withdrawn') throw conflict('this item left the review queue');
  const changed = await ctx.db.transaction(async (tx) => {
    await lockItem(tx, ctx, row.verdict_id);
    const own = await findOwn(tx, ctx, row.verdict_id);
    const subjects = own === null ? [] : await takeBack(tx, ctx, own.id);
    await tx.execute(sql`
      update review_items set reserved_by = ${ctx.actor.label}, reserved_until = now() + ${reservedMinutes} * interval '1 minute'
      where project_id = ${ctx.projectId} and id = ${item} and state = 'open' and not ${ctx.actor.label}::text = any(ruled_by)
        and (reserved_until is null or reserved_until <= now() or reserved_by = ${ctx.actor.label})`);
    return subjects;
  });
  await refreshLabelled(ctx, changed);
  return asReviewItem(await getItem(ctx, item));
}
