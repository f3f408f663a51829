import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { type ItemContent, readItemContent } from './item';

/** An item of a dataset as stored. */
export interface StoredItem {
  readonly id: string;
  readonly ordinal: number;
  readonly content: ItemContent;
  readonly split: string | null;
  readonly tags: readonly string[];
  readonly turnId: string | null;
  readonly selection: string | null;
  readonly probability: number | null;
  /** The version that added or changed it, and the one that replaced or removed it. */
  readonly fromVersion: number;
  readonly toVersion: number | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

type Sql = Pick<ProjectCtx, 'sql'>;

/**
 * Whether a row of `i` is hidden from people who edit prompts: it is held out, or its item was
 * later, since an earlier version would show what a later one hides.
 */
export const isHeldOut = ({ sql }: Sql): Fragment => sql`exists (
  select from dataset_items h where h.project_id = i.project_id and h.dataset_id = i.dataset_id and h.id = i.id
    and h.from_version >= i.from_version and h.split = 'held_out')`;

/** Rows of `i` that belong to a version. */
export const isOfVersion = ({ sql }: Sql, version: number): Fragment =>
  sql`i.from_version <= ${version} and (i.to_version is null or i.to_version > ${version})`;

/** The rows of a dataset, as `i`. */
export const datasetRows = ({ sql, projectId }: ProjectCtx, datasetId: string): Fragment =>
  sql`from dataset_items i where i.project_id = ${projectId} and i.dataset_id = ${datasetId}`;

export interface ItemKey {
  readonly id: string;
  readonly from_version: number;
}

interface ItemRow extends ItemKey {
  to_version: number | null;
  ordinal: string;
  content: string;
  split: string | null;
  tags: string[];
  turn_id: string | null;
  selection: string | null;
  probability: number | null;
  created_by: string;
  created_at: string;
}

export const keyOf = ({ id, from_version: version }: ItemKey): string => `${version} ${id}`;

/** Rows by `keyOf`. */
export async function loadItems(
  { sql, projectId }: ProjectCtx,
  datasetId: string,
  keys: readonly ItemKey[],
): Promise<ReadonlyMap<string, StoredItem>> {
  if (keys.length === 0) return new Map();
  const wanted = keys.map(({ id, from_version }) => ({ id, from_version }));
  const rows = await sql<ItemRow[]>`
    select i.id, i.from_version, i.to_version, i.ordinal, i.content, i.split, to_jsonb(i.tags) as tags, i.turn_id,
      i.selection, i.probability, i.created_by, i.created_at
    from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as k(id text, from_version int)
    join dataset_items i on i.project_id = ${projectId} and i.dataset_id = ${datasetId} and i.id = k.id
      and i.from_version = k.from_version`;
  return new Map(rows.map((row) => [keyOf(row), asItem(row)]));
}

const asItem = (row: ItemRow): StoredItem => ({
  id: row.id,
  ordinal: Number(row.ordinal),
  content: readItemContent(row.content),
  split: row.split,
  tags: row.tags,
  turnId: row.turn_id,
  selection: row.selection,
  probability: row.probability,
  fromVersion: row.from_version,
  toVersion: row.to_version,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
});

/** Stored bytes of a page; a page has at least one row and ends before it exceeds the limit. */
const pageBytes = 8 * 1024 * 1024;

export function fittingRows<Row extends { readonly bytes: number }>(
  rows: readonly Row[],
): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, at) => (bytes += row.bytes) > pageBytes && at > 0);
  return end === -1 ? rows : rows.slice(0, end);
}
