import type { ProjectCtx } from '../../access';
import { getDatasetRow } from './dataset';

/**
 * The number of items of the latest version whose input, context and tools equal those of another
 * one: how many could be removed without losing a question.
 * @throws AssayError not_found
 */
export async function countDuplicates(ctx: ProjectCtx, slug: string): Promise<number> {
  const { sql, projectId } = ctx;
  const { id } = await getDatasetRow(ctx, slug);
  const [row] = await sql<{ n: number }[]>`
    select (count(*) - count(distinct content_hash))::int as n from dataset_items
    where project_id = ${projectId} and dataset_id = ${id} and to_version is null`;
  return row?.n ?? 0;
}
