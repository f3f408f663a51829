import { mayReadHeldOut, type ProjectCtx } from '../../access';
import { notFound } from '../../platform';
import { getDatasetRow } from './dataset';
import {
  isHeldOut,
  type ItemKey,
  datasetRows,
  keyOf,
  loadItems,
  type StoredItem,
} from './stored-item';

export interface ItemHistory {
  /** The latest state; its `toVersion` is the version that removed it, else null. */
  readonly item: StoredItem;
  /** Earlier states, newest first; at most 50. */
  readonly earlier: readonly StoredItem[];
}

const shownStates = 51;

/** @throws AssayError not_found, also for an item that the caller may not read */
export async function getDatasetItem(
  ctx: ProjectCtx,
  { slug, id }: { readonly slug: string; readonly id: string },
): Promise<ItemHistory> {
  const { sql } = ctx;
  const { id: datasetId } = await getDatasetRow(ctx, slug);
  const keys = await sql<ItemKey[]>`
    select i.id, i.from_version ${datasetRows(ctx, datasetId)} and i.id = ${id}
      ${mayReadHeldOut(ctx) ? sql`` : sql`and not ${isHeldOut(ctx)}`}
    order by i.from_version desc limit ${shownStates}`;
  const items = await loadItems(ctx, datasetId, keys);
  const [item, ...earlier] = keys.flatMap((key) => items.get(keyOf(key)) ?? []);
  if (item === undefined) throw notFound('item');
  return { item, earlier };
}
