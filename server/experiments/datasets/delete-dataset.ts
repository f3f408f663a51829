import { and, eq, inArray } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { conflict } from '../../platform';
import { lockDataset } from './dataset';

/**
 * Deletes a dataset with its versions and items. Experiments that ended keep their results.
 * @throws AssayError not_found; conflict while an experiment uses it
 */
export async function deleteDataset(ctx: ProjectCtx, slug: string): Promise<void> {
  const { datasets, datasetItems, datasetVersions, experiments } = schema;
  const { projectId } = ctx;
  await ctx.db.transaction(async (tx) => {
    const { id, version } = await lockDataset(ctx, tx, slug);
    const [using] = await tx
      .select({ name: experiments.name })
      .from(experiments)
      .where(
        and(
          eq(experiments.projectId, projectId),
          eq(experiments.datasetId, id),
          inArray(experiments.state, ['open', 'running']),
        ),
      )
      .limit(1);
    if (using !== undefined)
      throw conflict(
        `the experiment "${using.name}" uses the dataset; wait for its end or cancel it first`,
      );
    const ofItems = and(eq(datasetItems.projectId, projectId), eq(datasetItems.datasetId, id));
    await tx.delete(datasetItems).where(ofItems);
    await tx
      .delete(datasetVersions)
      .where(and(eq(datasetVersions.projectId, projectId), eq(datasetVersions.datasetId, id)));
    await tx.delete(datasets).where(and(eq(datasets.projectId, projectId), eq(datasets.id, id)));
    await recordAudit(ctx, tx, ctx.actor, {
      projectId,
      action: 'datasets.delete',
      target: slug,
      detail: { version },
    });
  });
}
