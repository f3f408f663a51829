import { mayReadHeldOut, type ProjectCtx } from '../../access';
import { getDatasetVersion } from './dataset';
import { readPlace, writePlace } from './place-cursor';
import {
  fittingRows,
  isHeldOut,
  isOfVersion,
  datasetRows,
  keyOf,
  loadItems,
  type StoredItem,
} from './stored-item';

export interface ItemsFilter {
  readonly slug: string;
  readonly version: number;
  readonly split?: string | undefined;
  readonly tag?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ItemsPage {
  readonly items: readonly StoredItem[];
  readonly nextCursor: string | null;
  /** Items that the filters select, and that the caller may not read. */
  readonly hidden: number;
}

interface PlacedRow {
  id: string;
  from_version: number;
  ordinal: string;
  bytes: number;
}

/**
 * The items of a version in the order of the dataset, without held-out ones that the caller may not
 * read. A page ends early when its items are large.
 * @throws AssayError not_found; invalid_request on a foreign cursor
 */
export async function listDatasetItems(ctx: ProjectCtx, input: ItemsFilter): Promise<ItemsPage> {
  const { sql } = ctx;
  const { slug, version, split, tag, cursor, limit = 50 } = input;
  const after = cursor === undefined ? null : readPlace(cursor);
  const { id: datasetId } = await getDatasetVersion(ctx, slug, version);
  const selected = sql`
    ${datasetRows(ctx, datasetId)} and ${isOfVersion(ctx, version)}
      ${split === undefined ? sql`` : sql`and i.split = ${split}`}
      ${tag === undefined ? sql`` : sql`and ${tag} = any(i.tags)`}`;
  const mayReadAll = mayReadHeldOut(ctx);
  const rows = await sql<PlacedRow[]>`
    select i.id, i.from_version, i.ordinal, pg_column_size(i.content) as bytes ${selected}
      ${mayReadAll ? sql`` : sql`and not ${isHeldOut(ctx)}`}
      ${after === null ? sql`` : sql`and (i.ordinal, i.id) > (${after.ordinal}, ${after.id})`}
    order by i.ordinal, i.id limit ${limit + 1}`;
  const page = fittingRows(rows.slice(0, limit));
  const last = page.at(-1);
  const [items, hidden] = await Promise.all([
    loadItems(ctx, datasetId, page),
    mayReadAll ? 0 : countHidden(),
  ]);
  return {
    items: page.flatMap((row) => items.get(keyOf(row)) ?? []),
    nextCursor:
      rows.length > page.length && last !== undefined
        ? writePlace({ ordinal: Number(last.ordinal), id: last.id })
        : null,
    hidden,
  };

  async function countHidden(): Promise<number> {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n ${selected} and ${isHeldOut(ctx)}`;
    return row?.n ?? 0;
  }
}
