import { sql } from 'drizzle-orm';
import type { Database } from '../../platform';
import { isSameItem, isSameJson, type NewItem, readItemContent } from './item';
import type { KnownItem } from './plan-changes';
import type { DatasetKey } from './write-items';

/** Contents that are compared at once, and so in memory together. */
const comparedAtOnce = 100;

interface KnownRow extends Record<string, unknown> {
  id: string;
  ordinal: string;
  content: string;
  split: string | null;
  tags: string[];
  turn_id: string | null;
  selection: string | null;
  probability: number | null;
}

/** The items of the latest version under the ids of these, compared with them. */
export async function findKnown(
  tx: Database,
  { projectId, datasetId }: DatasetKey,
  items: readonly NewItem[],
): Promise<ReadonlyMap<string, KnownItem>> {
  const known = new Map<string, KnownItem>();
  for (let at = 0; at < items.length; at += comparedAtOnce) {
    const sent = new Map<string, NewItem>();
    for (const item of items.slice(at, at + comparedAtOnce))
      if (!known.has(item.id) && !sent.has(item.id)) sent.set(item.id, item);
    const rows = await tx.execute<KnownRow>(sql`
      select i.id, i.ordinal, i.content, i.split, to_jsonb(i.tags) as tags, i.turn_id, i.selection, i.probability
      from jsonb_array_elements_text(${JSON.stringify([...sent.keys()])}::text::jsonb) as k(id)
      join dataset_items i on i.project_id = ${projectId} and i.dataset_id = ${datasetId} and i.id = k.id
      where i.to_version is null`);
    for (const row of rows) {
      const item = sent.get(row.id);
      if (item !== undefined) known.set(row.id, compared(row, item));
    }
  }
  return known;
}

function compared(row: KnownRow, item: NewItem): KnownItem {
  const references = [row.content, item.content].map(
    (content) => readItemContent(content).reference ?? 'null',
  );
  const hasSameReference = isSameJson(references[0] ?? '', references[1] ?? '');
  return {
    ordinal: Number(row.ordinal),
    isSame: isSameItem(row, item),
    turnId: row.turn_id,
    label: hasSameReference ? { selection: row.selection, probability: row.probability } : null,
  };
}

interface EqualItemsOf {
  readonly items: readonly NewItem[];
  /** Ids that are omitted. */
  readonly hidden: ReadonlySet<string>;
}

/** Ids of items of the latest version by the hash of their content; not those of changed items. */
export async function findEqualItems(
  tx: Database,
  { projectId, datasetId }: DatasetKey,
  { items, hidden }: EqualItemsOf,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const hashOf = new Map(items.map(({ id, contentHash }) => [id, contentHash]));
  const wanted = JSON.stringify([...new Set(hashOf.values())]);
  const rows = await tx.execute<{ hash: string; id: string }>(sql`
    select i.content_hash as hash, i.id
    from jsonb_array_elements_text(${wanted}::text::jsonb) as k(hash)
    join dataset_items i on i.project_id = ${projectId} and i.dataset_id = ${datasetId} and i.content_hash = k.hash
    where i.to_version is null order by i.ordinal`);
  const equalItems = new Map<string, string[]>();
  for (const { hash, id } of rows) {
    if (hidden.has(id) || (hashOf.get(id) ?? hash) !== hash) continue;
    equalItems.set(hash, [...(equalItems.get(hash) ?? []), id].slice(0, 2));
  }
  return equalItems;
}
