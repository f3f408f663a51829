import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { notFound } from '../platform';

/**
 * Sends a delivery again under the same id, and keeps its earlier attempts.
 * @throws AssayError not_found
 */
export async function replayDelivery(ctx: ProjectCtx, id: string): Promise<void> {
  const { deliveries } = schema;
  await ctx.db.transaction(async (tx) => {
    const [replayed] = await tx
      .update(deliveries)
      // The fence makes a concurrent send harmless.
      .set({
        state: 'waiting',
        attempts: 0,
        nextAttemptAt: sql`now()`,
        owner: null,
        fence: sql`fence + 1`,
        lastError: null,
        deliveredAt: null,
      })
      .where(and(eq(deliveries.projectId, ctx.projectId), eq(deliveries.id, id)))
      .returning({ destinationId: deliveries.destinationId });
    if (replayed === undefined) throw notFound('delivery');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'deliveries.replay',
      target: id,
      detail: { destination: replayed.destinationId },
    });
    await tx.execute(sql`select pg_notify('assay_deliveries', '')`);
  });
}
