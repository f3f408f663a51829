import { and, eq, isNull, sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { findAnchorSet } from './find-anchor-set';

/**
 * Stops judging a set, by schedule or by hand; its runs are kept. A retired set stays retired.
 * @throws AssayError not_found
 */
export async function retireAnchors(
  ctx: ProjectCtx,
  input: { readonly id: string },
): Promise<void> {
  const { anchorSets } = schema;
  const { id, verifier, name } = await findAnchorSet(ctx, input.id);
  await ctx.db.transaction(async (tx) => {
    const retired = await tx
      .update(anchorSets)
      .set({ retiredAt: sql`now()` })
      .where(
        and(
          eq(anchorSets.projectId, ctx.projectId),
          eq(anchorSets.id, id),
          isNull(anchorSets.retiredAt),
        ),
      )
      .returning({ id: anchorSets.id });
    if (retired.length === 0) return;
    const detail = { verifier, name };
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'anchors.retire',
      target: id,
      detail,
    });
  });
}
