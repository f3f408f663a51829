import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { mayReadHeldOut, type ProjectCtx, recordAudit } from '../../access';
import {
  type Database,
  deletedMessage,
  findDeletedSubjects,
  invalid,
  refused,
} from '../../platform';
import { lockDataset } from './dataset';
import { datasetLimits, heldOutSplit, type ItemsMode } from './dataset-input';
import { isSameItem } from './item';
import { findKnown, findEqualItems } from './known-items';
import { type DuplicateItem, type PlacedItem, planChanges } from './plan-changes';
import type { RejectedItem, SentItem } from './read-items';
import { closeItems, type DatasetKey, insertItems } from './write-items';

export interface ItemsChange {
  readonly items: readonly SentItem[];
  /**
   * `replace` removes the items that are not sent, except those that the caller may not read. A
   * rejected item counts as sent.
   */
  readonly mode: ItemsMode;
  readonly rejected: readonly RejectedItem[];
  /** Ids to remove. */
  readonly remove?: readonly string[];
  /** Whether items with a known id remain unchanged. */
  readonly keepKnown?: boolean;
}

export interface ChangedItems {
  /** The latest version; 0 if there is none yet. */
  readonly version: number;
  /** Whether the request created this version. */
  readonly isNew: boolean;
  /** The number of items of this version. */
  readonly items: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly duplicates: readonly DuplicateItem[];
  readonly rejected: readonly RejectedItem[];
}

/**
 * Creates the next version of a dataset, unless nothing changes. Concurrent changes run one after
 * another, and each creates its own version.
 * @throws AssayError not_found; refused (more items than a dataset may have); invalid_request (a
 * replacement without items, or with an item that has no readable id)
 */
export async function changeItems(
  ctx: ProjectCtx,
  slug: string,
  change: ItemsChange,
): Promise<ChangedItems> {
  if (change.mode === 'replace') refuseIncompleteReplacement(change);
  const { items: available, deleted } = await separateDeleted(ctx, change.items);
  return ctx.db.transaction(async (tx) => {
    const { id: datasetId, version: previous } = await lockDataset(ctx, tx, slug);
    const key: DatasetKey = { projectId: ctx.projectId, datasetId };
    const hidden = mayReadHeldOut(ctx) ? new Set<string>() : await findHiddenIds(tx, key);
    const items = available.filter(({ item }) => !hidden.has(item.id));
    const refusedItems = available.filter(({ item }) => hidden.has(item.id)).map(refuseHidden);
    const sent = items.map(({ item }) => item);
    const plan = planChanges({
      items,
      known: await findKnown(tx, key, sent),
      others:
        change.mode === 'replace'
          ? new Map()
          : await findEqualItems(tx, key, { items: sent, hidden }),
      isSame: isSameItem,
      keepKnown: change.keepKnown ?? false,
    });
    const rejected = [...change.rejected, ...deleted, ...refusedItems, ...plan.rejected].sort(
      (a, b) => a.index - b.index,
    );
    const next = previous + 1;
    const keptIds = [
      ...sent.map(({ id }) => id),
      ...rejected.flatMap(({ id }) => id ?? []),
      ...hidden,
    ];
    const removed =
      change.mode === 'replace'
        ? await closeItems(tx, key, next, { except: keptIds })
        : await closeItems(tx, key, next, { ids: change.remove ?? [] });
    await closeItems(tx, key, next, { ids: plan.changed.map(({ item }) => item.id) });
    await insertItems(ctx, tx, key, next, [
      ...plan.changed,
      ...(await placeAtEnd(tx, key, plan.added)),
    ]);
    const count = await countItems(tx, key);
    refuseTooMany(count);
    const counts = { added: plan.added.length, changed: plan.changed.length, removed };
    const isNew = counts.added + counts.changed + counts.removed > 0;
    if (isNew) await storeVersion(ctx, tx, key, { slug, version: next, items: count, ...counts });
    return {
      version: isNew ? next : previous,
      isNew,
      items: count,
      ...counts,
      unchanged: plan.unchanged,
      duplicates: plan.duplicates,
      rejected,
    };
  });
}

/**
 * A replacement must not remove an item just because it could not be read.
 * @throws AssayError invalid_request
 */
function refuseIncompleteReplacement({ items, rejected }: ItemsChange): void {
  const invalidItems = (path: string, message: string) =>
    invalid(`\`${path}\` ${message}`, [{ path, message }]);
  const unread = rejected.find(({ id }) => id === null);
  if (unread !== undefined)
    throw invalidItems(
      `items[${unread.index}]`,
      `has no readable id, so nothing is replaced: ${unread.message} Correct it, or send the items with \`mode\`: "append".`,
    );
  if (items.length === 0 && rejected.length === 0)
    throw invalidItems('items', 'is empty, so nothing is replaced; send at least one item');
}

/** The ids of items of the latest version that only people with `held_out.read` may read. */
async function findHiddenIds(
  tx: Database,
  { projectId, datasetId }: DatasetKey,
): Promise<ReadonlySet<string>> {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct h.id from dataset_items h
    join dataset_items i on i.project_id = h.project_id and i.dataset_id = h.dataset_id
      and i.id = h.id and i.from_version <= h.from_version and i.to_version is null
    where h.project_id = ${projectId} and h.dataset_id = ${datasetId}
      and h.split = ${heldOutSplit}`);
  return new Set(rows.map((row) => row.id));
}

const refuseHidden = ({ index, item }: SentItem): RejectedItem => ({
  index,
  id: item.id,
  code: 'not_allowed',
  message: `\`id\` "${item.id}" belongs to a held-out item, which you may not read or change; use another id.`,
});

/** Separates the items of deleted turns, whose content must not be stored again. */
async function separateDeleted(
  ctx: ProjectCtx,
  items: readonly SentItem[],
): Promise<{ readonly items: readonly SentItem[]; readonly deleted: readonly RejectedItem[] }> {
  const deletedTurns = await findDeletedSubjects(
    ctx,
    items.flatMap(({ item }) => item.turnId ?? []),
  );
  const isDeleted = ({ item }: SentItem): boolean =>
    item.turnId !== null && deletedTurns.has(item.turnId);
  return {
    items: items.filter((each) => !isDeleted(each)),
    deleted: items.filter(isDeleted).map(({ index, item }) => ({
      index,
      id: item.id,
      code: 'deleted',
      message: `The turn cannot be used: ${deletedMessage}.`,
    })),
  };
}

async function placeAtEnd(
  tx: Database,
  { projectId, datasetId }: DatasetKey,
  added: readonly PlacedItem[],
): Promise<readonly PlacedItem[]> {
  if (added.length === 0) return [];
  const [row] = await tx.execute<{ last: string }>(sql`
    select coalesce(max(ordinal), -1) as last from dataset_items
    where project_id = ${projectId} and dataset_id = ${datasetId}`);
  const start = Number(row?.last ?? -1) + 1;
  return added.map(({ item }, at) => ({ item, ordinal: start + at }));
}

async function countItems(tx: Database, { projectId, datasetId }: DatasetKey): Promise<number> {
  const [row] = await tx.execute<{ items: number }>(sql`
    select count(*)::int as items from dataset_items
    where project_id = ${projectId} and dataset_id = ${datasetId} and to_version is null`);
  return row?.items ?? 0;
}

function refuseTooMany(items: number): void {
  const max = datasetLimits.itemsPerDataset;
  if (items <= max) return;
  const message = `would make ${items} items in the dataset; at most ${max} are allowed, so remove some or use another dataset`;
  throw refused(`items: ${message}`, [{ path: 'items', message }]);
}

async function storeVersion(
  ctx: ProjectCtx,
  tx: Database,
  key: DatasetKey,
  created: {
    readonly slug: string;
    readonly version: number;
    readonly items: number;
    readonly added: number;
    readonly changed: number;
    readonly removed: number;
  },
): Promise<void> {
  const { datasets, datasetVersions } = schema;
  const { slug, ...counts } = created;
  await tx.insert(datasetVersions).values({ ...key, ...counts, createdBy: ctx.actor.label });
  await tx
    .update(datasets)
    .set({ version: created.version, updatedAt: sql`now()` })
    .where(and(eq(datasets.projectId, key.projectId), eq(datasets.id, key.datasetId)));
  await recordAudit(ctx, tx, ctx.actor, {
    projectId: key.projectId,
    action: 'datasets.change_items',
    target: slug,
    detail: counts,
  });
}
