import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../../access';
import type { Database } from '../../platform';
import type { PlacedItem } from './plan-changes';

export interface DatasetKey {
  readonly projectId: string;
  readonly datasetId: string;
}

/** Characters of JSON text that one statement inserts, except for a single larger item. */
const insertedChars = 4 * 1024 * 1024;

/** Stores rows that belong to the versions from `version` on. */
export async function insertItems(
  ctx: ProjectCtx,
  tx: Database,
  key: DatasetKey,
  version: number,
  items: readonly PlacedItem[],
): Promise<void> {
  let part: PlacedItem[] = [];
  let chars = 0;
  for (const each of items) {
    if (part.length > 0 && chars + each.item.content.length > insertedChars) {
      await insertPart(ctx, tx, key, version, part);
      part = [];
      chars = 0;
    }
    part.push(each);
    chars += each.item.content.length;
  }
  if (part.length > 0) await insertPart(ctx, tx, key, version, part);
}

async function insertPart(
  ctx: ProjectCtx,
  tx: Database,
  { projectId, datasetId }: DatasetKey,
  version: number,
  items: readonly PlacedItem[],
): Promise<void> {
  const rows = items.map(({ item, ordinal }) => ({
    id: item.id,
    ordinal,
    content: item.content.toWellFormed(),
    content_hash: item.contentHash,
    split: item.split,
    tags: item.tags,
    turn_id: item.turnId,
    selection: item.selection,
    probability: item.probability,
  }));
  await tx.execute(sql`
    insert into dataset_items (project_id, dataset_id, id, from_version, ordinal, content, content_hash, split, tags,
      turn_id, selection, probability, created_by)
    select ${projectId}, ${datasetId}, id, ${version}::int, ordinal, content, content_hash, split,
      array(select jsonb_array_elements_text(tags)), turn_id, selection, probability, ${ctx.actor.label}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id text, ordinal bigint, content text,
      content_hash text, split text, tags jsonb, turn_id text, selection text, probability double precision)`);
}

/** Ends rows of the latest version before `version`; returns their number. */
export async function closeItems(
  tx: Database,
  { projectId, datasetId }: DatasetKey,
  version: number,
  which: { readonly ids: readonly string[] } | { readonly except: readonly string[] },
): Promise<number> {
  if ('ids' in which && which.ids.length === 0) return 0;
  const ids = 'ids' in which ? which.ids : which.except;
  const named = sql`exists (select from named where named.id = i.id)`;
  const rows = await tx.execute<{ n: number }>(sql`
    with named as materialized (
      select distinct id from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) as k(id)
    ), closed as (
      update dataset_items i set to_version = ${version}::int
      where project_id = ${projectId} and dataset_id = ${datasetId} and to_version is null
        and ${'ids' in which ? named : sql`not ${named}`} returning 1
    )
    select count(*)::int as n from closed`);
  return rows[0]?.n ?? 0;
}
