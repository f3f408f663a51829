import { and, eq } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { notifyFollowers } from '../../llm';
import { notFound } from '../../platform';

/**
 * Deletes a route's settings. A provider's route, `openai` and `anthropic` return to the defaults;
 * any other route is removed.
 * @throws AssayError not_found
 */
export async function deleteRoute(ctx: ProjectCtx, name: string): Promise<void> {
  const { gatewayRoutes } = schema;
  await ctx.db.transaction(async (tx) => {
    const [deleted] = await tx
      .delete(gatewayRoutes)
      .where(and(eq(gatewayRoutes.projectId, ctx.projectId), eq(gatewayRoutes.name, name)))
      .returning({ name: gatewayRoutes.name });
    if (deleted === undefined) throw notFound('route');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'gateway.delete_route',
      target: name,
    });
  });
  await notifyFollowers(ctx);
}
