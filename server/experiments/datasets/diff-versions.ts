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

export interface ItemDifference {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly before: StoredItem | null;
  readonly after: StoredItem | null;
}

export interface DatasetDiff {
  readonly items: readonly ItemDifference[];
  readonly nextCursor: string | null;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Differences that the caller may not read; not in the other counts. */
  readonly hidden: number;
}

interface DiffRow {
  id: string;
  before_version: number | null;
  after_version: number | null;
  ordinal: string;
  bytes: number;
}

/**
 * How two versions differ, in the order of the dataset. An item that was changed back is not a
 * difference. Version 0 is the empty dataset.
 * @throws AssayError not_found; invalid_request on a foreign cursor
 */
export async function diffDataset(
  ctx: ProjectCtx,
  input: {
    readonly slug: string;
    readonly from: number;
    readonly to: number;
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  },
): Promise<DatasetDiff> {
  const { sql } = ctx;
  const { slug, from, to, cursor, limit = 50 } = input;
  const after = cursor === undefined ? null : readPlace(cursor);
  if (from !== 0) await getDatasetVersion(ctx, slug, from);
  const { id: datasetId } = await getDatasetVersion(ctx, slug, to);
  const rowsOf = (version: number) => sql`
    select i.id, i.from_version, i.ordinal, i.content, i.split, i.tags, ${mayReadHeldOut(ctx) ? sql`false` : isHeldOut(ctx)} as hidden
    ${datasetRows(ctx, datasetId)} and ${isOfVersion(ctx, version)}`;
  const differences = sql`
    select coalesce(b.id, a.id) as id, b.from_version as before_version, a.from_version as after_version,
      coalesce(a.ordinal, b.ordinal) as ordinal, coalesce(a.hidden, false) or coalesce(b.hidden, false) as hidden,
      coalesce(pg_column_size(a.content), 0) + coalesce(pg_column_size(b.content), 0) as bytes
    from (${rowsOf(from)}) as b full join (${rowsOf(to)}) as a on a.id = b.id
    where a.from_version is distinct from b.from_version
      and (a.id is null or b.id is null or a.content <> b.content or a.split is distinct from b.split or a.tags <> b.tags)`;
  const rows = await sql<DiffRow[]>`
    select id, before_version, after_version, ordinal, bytes from (${differences}) as d
    where not hidden ${after === null ? sql`` : sql`and (ordinal, id) > (${after.ordinal}, ${after.id})`}
    order by ordinal, id limit ${limit + 1}`;
  const page = fittingRows(rows.slice(0, limit));
  const last = page.at(-1);
  const [counts] = await sql<{ added: number; changed: number; removed: number; hidden: number }[]>`
    select count(*) filter (where not hidden and before_version is null)::int as added,
      count(*) filter (where not hidden and after_version is null)::int as removed,
      count(*) filter (where not hidden and before_version is not null and after_version is not null)::int as changed,
      count(*) filter (where hidden)::int as hidden
    from (${differences}) as d`;
  return {
    items: await withContents(ctx, datasetId, page),
    nextCursor:
      rows.length > page.length && last !== undefined
        ? writePlace({ ordinal: Number(last.ordinal), id: last.id })
        : null,
    ...(counts ?? { added: 0, changed: 0, removed: 0, hidden: 0 }),
  };
}

async function withContents(
  ctx: ProjectCtx,
  datasetId: string,
  rows: readonly DiffRow[],
): Promise<readonly ItemDifference[]> {
  const items = await loadItems(
    ctx,
    datasetId,
    rows.flatMap(({ id, before_version: before, after_version: after }) =>
      [before, after].flatMap((version) =>
        version === null ? [] : [{ id, from_version: version }],
      ),
    ),
  );
  const stateOf = (id: string, version: number | null): StoredItem | null =>
    version === null ? null : (items.get(keyOf({ id, from_version: version })) ?? null);
  return rows.map(({ id, before_version, after_version }) => ({
    id,
    change: before_version === null ? 'added' : after_version === null ? 'removed' : 'changed',
    before: stateOf(id, before_version),
    after: stateOf(id, after_version),
  }));
}
