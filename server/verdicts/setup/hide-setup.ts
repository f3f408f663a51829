import { and, eq } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { forbidden } from '../../platform';

/**
 * Stores whether the current user has hidden the project's setup list. Repeating the same value
 * changes nothing.
 * @throws AssayError forbidden for a caller that is not a person
 */
export async function hideSetup(
  ctx: ProjectCtx,
  { hidden }: { readonly hidden: boolean },
): Promise<void> {
  const { projectId, actor } = ctx;
  if (actor.kind !== 'user') throw forbidden('only a signed-in person has a set-up list');
  const { setupHidden } = schema;
  await ctx.db.transaction(async (tx) => {
    const changed = hidden
      ? await tx
          .insert(setupHidden)
          .values({ projectId, userId: actor.id })
          .onConflictDoNothing()
          .returning({ of: setupHidden.userId })
      : await tx
          .delete(setupHidden)
          .where(and(eq(setupHidden.projectId, projectId), eq(setupHidden.userId, actor.id)))
          .returning({ of: setupHidden.userId });
    if (changed.length === 0) return;
    await recordAudit(ctx, tx, actor, {
      projectId,
      action: hidden ? 'setup.hide' : 'setup.show',
      target: null,
    });
  });
}
