import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { conflict, newId } from '../../platform';

export interface PutDataset {
  readonly name: string;
  readonly description: string;
  /** Refuses a slug that a dataset has. */
  readonly onlyNew?: boolean;
}

/**
 * Creates a dataset, or changes its name and description; true if it was created.
 * @throws AssayError conflict: a slug that is in use, with `onlyNew`
 */
export async function putDataset(
  ctx: ProjectCtx,
  slug: string,
  { name, description, onlyNew = false }: PutDataset,
): Promise<boolean> {
  const { datasets } = schema;
  const { projectId } = ctx;
  const ofSlug = and(eq(datasets.projectId, projectId), eq(datasets.slug, slug));
  return ctx.db.transaction(async (tx) => {
    const created = await tx
      .insert(datasets)
      .values({
        projectId,
        id: newId('dat', ctx.clock.now()),
        slug,
        name,
        description,
        createdBy: ctx.actor.label,
      })
      .onConflictDoNothing()
      .returning({ id: datasets.id });
    if (created.length === 0) {
      if (onlyNew)
        throw conflict(`slug: "${slug}" is the slug of another dataset; choose a different one`);
      const [stored] = await tx.select().from(datasets).where(ofSlug).for('update');
      if (stored?.name === name && stored.description === description) return false;
      await tx.update(datasets).set({ name, description, updatedAt: sql`now()` }).where(ofSlug);
    }
    await recordAudit(ctx, tx, ctx.actor, {
      projectId,
      action: created.length === 0 ? 'datasets.change' : 'datasets.create',
      target: slug,
      detail: { name },
    });
    return created.length > 0;
  });
}
