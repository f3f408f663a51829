import { mayReadHeldOut, type ProjectCtx } from '../../access';
import { notFound } from '../../platform';
import { type ChangedItems, changeItems } from './change-items';
import { getDatasetRow } from './dataset';
import { isHeldOut, datasetRows } from './stored-item';

/**
 * Removes items, in the next version of the dataset. Ids that it does not have are omitted.
 * @throws AssayError not_found (no such dataset; an item that the caller may not read)
 */
export async function removeItems(
  ctx: ProjectCtx,
  { slug, ids }: { readonly slug: string; readonly ids: readonly string[] },
): Promise<ChangedItems> {
  if (!mayReadHeldOut(ctx)) await refuseHidden(ctx, slug, ids);
  return changeItems(ctx, slug, { items: [], rejected: [], mode: 'append', remove: ids });
}

async function refuseHidden(ctx: ProjectCtx, slug: string, ids: readonly string[]): Promise<void> {
  const { sql } = ctx;
  const { id: datasetId } = await getDatasetRow(ctx, slug);
  const hidden = await sql`
    select 1 ${datasetRows(ctx, datasetId)} and i.to_version is null and ${isHeldOut(ctx)}
      and i.id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)) limit 1`;
  if (hidden.length > 0) throw notFound('item');
}
