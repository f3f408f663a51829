import type { Sql, TransactionSql } from 'postgres';
import type { ProjectCtx } from '../../access';
import { notifyChanged } from '../../platform';
import { getItem } from './find-items';

/**
 * Releases an item that this person has reserved; other items are unchanged. @throws AssayError
 * not_found
 */
export async function releaseItem(
  ctx: ProjectCtx,
  { item }: { readonly item: string },
): Promise<void> {
  const { id } = await getItem(ctx, item);
  await ctx.sql`
    update review_items set reserved_by = null, reserved_until = null
    where project_id = ${ctx.projectId} and id = ${id} and reserved_by = ${ctx.actor.label}`;
  notifyChanged(ctx, ctx.projectId, 'review');
}

/** Called after a restore, when no reservation is valid. */
export async function releaseAllItems(sql: Sql | TransactionSql): Promise<void> {
  await sql`
    update review_items set reserved_by = null, reserved_until = null
    where reserved_by is not null`;
}
