import { and, eq } from 'drizzle-orm';
import { schema } from '../../../db';
import type { ProjectCtx } from '../../access';
import { type Database, notFound } from '../../platform';

type DatasetRow = typeof schema.datasets.$inferSelect;

/** @throws AssayError not_found */
export async function getDatasetRow(ctx: ProjectCtx, slug: string): Promise<DatasetRow> {
  return readRow(ctx, ctx.db, slug, false);
}

/**
 * The dataset, locked until the transaction ends: versions are created one after another.
 * @throws AssayError not_found
 */
export async function lockDataset(
  ctx: ProjectCtx,
  tx: Database,
  slug: string,
): Promise<DatasetRow> {
  return readRow(ctx, tx, slug, true);
}

async function readRow(
  ctx: ProjectCtx,
  db: Database,
  slug: string,
  isLocked: boolean,
): Promise<DatasetRow> {
  const { datasets } = schema;
  const query = db
    .select()
    .from(datasets)
    .where(and(eq(datasets.projectId, ctx.projectId), eq(datasets.slug, slug)));
  const [row] = isLocked ? await query.for('update') : await query;
  if (row === undefined) throw notFound('dataset');
  return row;
}

/** A dataset and a version of it. @throws AssayError not_found */
export async function getDatasetVersion(
  ctx: ProjectCtx,
  slug: string,
  version: number,
): Promise<DatasetRow> {
  const row = await getDatasetRow(ctx, slug);
  if (version < 1 || version > row.version) throw notFound('version');
  return row;
}
