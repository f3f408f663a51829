import { sql } from 'drizzle-orm';
import { listMembers, permissionsOf, type ProjectCtx, recordAudit } from '../../access';
import { conflict, refused } from '../../platform';
import { asReviewItem, getItem } from './find-items';
import type { ReviewItem } from './item';

/**
 * Assigns an open item to a member, or to no one. The assigned person gets it first, and others get
 * it last; anyone may still rule on it, so that it never waits for an absent person. Assigning it
 * to another person ends the actor's own reservation.
 * @throws AssayError not_found, refused if `to` is not a member who may rule, conflict if the item
 *   is not open
 */
export async function assignItem(
  ctx: ProjectCtx,
  { item, to }: { readonly item: string; readonly to: string | null },
): Promise<ReviewItem> {
  const before = await getItem(ctx, item);
  if (before.state !== 'open') throw conflict('this item is no longer open');
  if (to !== null) await requireReviewer(ctx, to);
  const { projectId, actor } = ctx;
  await ctx.db.transaction(async (tx) => {
    const changed = await tx.execute(sql`
      update review_items set assigned_to = ${to},
        reserved_until = case when reserved_by = ${actor.label} and ${to}::text <> ${actor.label} then null else reserved_until end
      where project_id = ${projectId} and id = ${item} and state = 'open' and assigned_to is distinct from ${to}
      returning id`);
    if (changed.length === 0) return;
    await recordAudit(ctx, tx, actor, {
      projectId,
      action: 'review.assign',
      target: before.verdict_id,
      detail: { item, from: before.assigned_to, to },
    });
  });
  return asReviewItem(await getItem(ctx, item));
}

async function requireReviewer(ctx: ProjectCtx, email: string): Promise<void> {
  const { members } = await listMembers(ctx);
  const member = members.find((each) => each.email === email);
  if (member !== undefined && permissionsOf[member.role].includes('labels.write')) return;
  const message = 'must be the email of a member who may rule';
  throw refused(`to: ${message}`, [{ path: 'to', message }]);
}
