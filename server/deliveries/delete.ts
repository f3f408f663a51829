import { and, eq } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { notFound } from '../platform';
import { ownRow } from './create';

/** Deletes a destination and its waiting deliveries. @throws AssayError not_found */
export async function deleteDestination(ctx: ProjectCtx, id: string): Promise<void> {
  const { deliveries, destinations } = schema;
  await ctx.db.transaction(async (tx) => {
    const [deleted] = await tx.delete(destinations).where(ownRow(ctx, id)).returning();
    if (deleted === undefined) throw notFound('destination');
    await tx
      .delete(deliveries)
      .where(and(eq(deliveries.projectId, ctx.projectId), eq(deliveries.destinationId, id)));
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'destinations.delete',
      target: id,
      detail: { kind: deleted.kind, name: deleted.name },
    });
  });
}
