import type { ProjectCtx } from '../../access';
import { cursorAt, notFound, readCursor } from '../../platform';

/** A dataset with the counts of its latest version. */
export interface Dataset {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** The latest version; 0 if there is none yet. */
  readonly version: number;
  readonly items: number;
  /** The number of items of each named split. */
  readonly splits: Readonly<Record<string, number>>;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface DatasetRow {
  id: string;
  slug: string;
  name: string;
  description: string;
  version: number;
  items: number;
  splits: Record<string, number>;
  created_by: string;
  created_at: string;
  updated_at: string;
  placed_at: string;
}

interface Wanted {
  readonly slug?: string;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** @throws AssayError not_found */
export async function getDataset(ctx: ProjectCtx, slug: string): Promise<Dataset> {
  const [row] = await readRows(ctx, { slug, limit: 1 });
  if (row === undefined) throw notFound('dataset');
  return asDataset(row);
}

/** Newest first. @throws AssayError invalid_request on a foreign cursor */
export async function listDatasets(
  ctx: ProjectCtx,
  { cursor, limit = 50 }: Omit<Wanted, 'slug'>,
): Promise<{ readonly items: readonly Dataset[]; readonly nextCursor: string | null }> {
  const rows = await readRows(ctx, { cursor, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asDataset),
    nextCursor:
      rows.length > limit && last !== undefined
        ? cursorAt({ at: last.placed_at, id: last.id })
        : null,
  };
}

function readRows(
  { sql, projectId }: ProjectCtx,
  { slug, cursor, limit = 50 }: Wanted,
): Promise<DatasetRow[]> {
  const after = cursor === undefined ? null : readCursor(cursor);
  return sql<DatasetRow[]>`
    select d.id, d.slug, d.name, d.description, d.version, d.created_by, d.created_at, d.updated_at, c.items, c.splits,
      to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as placed_at
    from (
      select * from datasets where project_id = ${projectId}
        ${slug === undefined ? sql`` : sql`and slug = ${slug}`}
        ${after === null ? sql`` : sql`and (created_at, id) < (${after.at}::timestamptz, ${after.id})`}
      order by created_at desc, id desc limit ${limit}
    ) as d cross join lateral (
      select coalesce(sum(n), 0)::int as items, coalesce(jsonb_object_agg(split, n) filter (where split is not null), '{}') as splits
      from (
        select split, count(*)::int as n from dataset_items i
        where i.project_id = ${projectId} and i.dataset_id = d.id and i.to_version is null group by split
      ) as of_split
    ) as c
    order by d.created_at desc, d.id desc`;
}

const asDataset = (row: DatasetRow): Dataset => ({
  slug: row.slug,
  name: row.name,
  description: row.description,
  version: row.version,
  items: row.items,
  splits: row.splits,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
});
