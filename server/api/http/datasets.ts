import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import {
  addItems,
  addItemsFromTurns,
  type ChangedItems,
  type Dataset,
  type DatasetVersion,
  deleteDataset,
  diffDataset,
  getDataset,
  type ItemContent,
  listDatasetItems,
  listDatasets,
  listDatasetVersions,
  putDataset,
  type StoredItem,
} from '../../experiments';
import {
  DatasetBody,
  datasetLimits,
  DatasetSlug,
  FromTurnsBody,
  ItemsMode,
  WireItem,
} from '../../experiments/input';
import { notFound } from '../../platform';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { listOf, Paging } from './trace-shapes';
import { webIncoming } from './web-incoming';

const PathSlug = z.object({ slug: z.string() });
const PathVersion = PathSlug.extend({ version: z.string() });
const PagingQuery = z.object(Paging);
const ItemsQuery = z.object({
  split: z.string().max(100).optional(),
  tag: z.string().max(200).optional(),
  ...Paging,
});
const Version = z.coerce.number().int().min(1).max(2_147_483_647);
const DiffQuery = z.object({
  from: z.coerce
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .openapi({ description: 'By default the version before `to`; 0: the empty dataset' }),
  to: Version.optional().openapi({ description: 'By default the latest version' }),
  ...Paging,
});
const ModeQuery = z.object({
  mode: ItemsMode.optional().openapi({ description: 'For a body that is CSV or JSON lines' }),
});

const DatasetReply = z
  .object({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    /** The latest version; 0 if there is none yet. */
    version: z.number().int(),
    items: z.number().int(),
    /** The number of items of each named split. */
    splits: z.record(z.string(), z.number().int()),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Dataset');

const VersionReply = z
  .object({
    version: z.number().int(),
    /** Counts when the version was created. */
    items: z.number().int(),
    added: z.number().int(),
    changed: z.number().int(),
    removed: z.number().int(),
    created_by: z.string(),
    created_at: z.string(),
  })
  .openapi('DatasetVersion');

const Json = z.unknown();
const ItemReply = z
  .object({
    id: z.string(),
    input: Json,
    context: Json,
    tools: Json,
    reference: Json,
    metadata: Json,
    split: z.string().nullable(),
    tags: z.array(z.string()),
    /** The turn that the item was made from. */
    turn_id: z.string().nullable(),
    /** How that turn was selected for its label, and the probability; null if unknown. */
    selection: z.string().nullable(),
    probability: z.number().nullable(),
    /** The version that added or last changed it. */
    version: z.number().int(),
    created_by: z.string(),
    created_at: z.string(),
  })
  .openapi('DatasetItem');

const hidden = z.number().int();
const ItemsReply = listOf(ItemReply, 'DatasetItems').extend({ hidden }).openapi('DatasetItemsPage');
const DifferenceReply = z
  .object({
    id: z.string(),
    change: z.enum(['added', 'changed', 'removed']),
    before: ItemReply.nullable(),
    after: ItemReply.nullable(),
  })
  .openapi('DatasetDifference');
const DiffReply = listOf(DifferenceReply, 'DatasetDifferences')
  .extend({
    added: z.number().int(),
    changed: z.number().int(),
    removed: z.number().int(),
    hidden,
  })
  .openapi('DatasetDiff');

const ChangedReply = z
  .object({
    /** The latest version; unchanged if the request changed nothing. */
    version: z.number().int(),
    items: z.number().int(),
    added: z.number().int(),
    changed: z.number().int(),
    unchanged: z.number().int(),
    removed: z.number().int(),
    /** Items with the input, context and tools of another one. */
    duplicates: z.array(z.object({ index: z.number().int(), id: z.string(), same_as: z.string() })),
    rejected: z.array(
      z.object({
        index: z.number().int(),
        code: z.string(),
        message: z.string(),
        /** The item's own id, or the id of the turn; null if it has none. */
        id: z.string().nullable(),
      }),
    ),
  })
  .openapi('DatasetItemsChanged');

const ItemsBody = z
  .object({
    items: z.array(WireItem).max(datasetLimits.itemsPerRequest),
    mode: ItemsMode.optional(),
  })
  .openapi('DatasetItemsBody');

export const datasetRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/datasets',
    scope: 'read',
    summary: 'List datasets, newest first, with the counts of their latest versions',
    query: PagingQuery,
    answers: { 200: listOf(DatasetReply, 'Datasets') },
    handle: async (c, project) => {
      const page = await listDatasets(project, parse(PagingQuery, c.req.query(), 'query'));
      return c.json({ data: page.items.map(datasetReply), next_cursor: page.nextCursor });
    },
  },
  {
    method: 'get',
    path: '/v1/datasets/{slug}',
    scope: 'read',
    summary: 'A dataset with the counts of its latest version',
    params: PathSlug,
    answers: { 200: DatasetReply },
    handle: async (c, project) => c.json(datasetReply(await getDataset(project, slugOf(c)))),
  },
  {
    method: 'put',
    path: '/v1/datasets/{slug}',
    scope: 'write',
    masking: 'body',
    summary: 'Create a dataset, or change its name and description',
    params: PathSlug,
    body: DatasetBody,
    answers: { 200: DatasetReply, 201: DatasetReply },
    handle: async (c, project) => {
      const slug = parse(DatasetSlug, c.req.param('slug'), 'slug');
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const isNew = await putDataset(
        project,
        slug,
        parse(DatasetBody, readJsonBody(bytes), 'body'),
      );
      return c.json(datasetReply(await getDataset(project, slug)), isNew ? 201 : 200);
    },
  },
  {
    method: 'delete',
    path: '/v1/datasets/{slug}',
    scope: 'write',
    summary: 'Delete a dataset with all versions and items',
    params: PathSlug,
    answers: { 200: PathSlug },
    handle: async (c, project) => {
      const slug = slugOf(c);
      await deleteDataset(project, slug);
      return c.json({ slug });
    },
  },
  {
    method: 'post',
    path: '/v1/datasets/{slug}/items',
    scope: 'write',
    masking: 'body',
    summary:
      'Add or change items: the next version of the dataset (JSON, CSV as text/csv, or JSON lines as application/x-ndjson)',
    params: PathSlug,
    query: ModeQuery,
    body: ItemsBody,
    answers: { 200: ChangedReply, 201: ChangedReply },
    handle: postItems,
  },
  {
    method: 'post',
    path: '/v1/datasets/{slug}/items/from',
    scope: 'write',
    masking: 'body',
    summary: 'Add items made from stored turns, by id, filter or ruled review items',
    params: PathSlug,
    body: FromTurnsBody,
    answers: { 200: ChangedReply, 201: ChangedReply },
    handle: async (c, project) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const input = parse(FromTurnsBody, readJsonBody(bytes), 'body');
      return changedAnswer(c, await addItemsFromTurns(project, slugOf(c), input));
    },
  },
  {
    method: 'get',
    path: '/v1/datasets/{slug}/versions',
    scope: 'read',
    summary: 'List the versions of a dataset, newest first',
    params: PathSlug,
    query: PagingQuery,
    answers: { 200: listOf(VersionReply, 'DatasetVersions') },
    handle: async (c, project) => {
      const query = parse(PagingQuery, c.req.query(), 'query');
      const page = await listDatasetVersions(project, { ...query, slug: slugOf(c) });
      return c.json({ data: page.items.map(versionReply), next_cursor: page.nextCursor });
    },
  },
  {
    method: 'get',
    path: '/v1/datasets/{slug}/versions/{version}/items',
    scope: 'read',
    summary: 'List the items of a version, without held-out ones that the key may not read',
    params: PathVersion,
    query: ItemsQuery,
    answers: { 200: ItemsReply },
    handle: async (c, project) => {
      const query = parse(ItemsQuery, c.req.query(), 'query');
      // No version has the number 0.
      const version = Version.safeParse(c.req.param('version')).data ?? 0;
      const page = await listDatasetItems(project, { ...query, slug: slugOf(c), version });
      return answerPage(c, page.items.map(itemText), page.nextCursor, { hidden: page.hidden });
    },
  },
  {
    method: 'get',
    path: '/v1/datasets/{slug}/diff',
    scope: 'read',
    summary: 'How two versions of a dataset differ, with the contents before and after',
    params: PathSlug,
    query: DiffQuery,
    answers: { 200: DiffReply },
    handle: async (c, project) => {
      const query = parse(DiffQuery, c.req.query(), 'query');
      const slug = slugOf(c);
      const to = query.to ?? (await getDataset(project, slug)).version;
      const from = query.from ?? Math.max(0, to - 1);
      const { items, nextCursor, ...counts } = await diffDataset(project, {
        ...query,
        slug,
        from,
        to,
      });
      const texts = items.map(({ id, change, before, after }) => {
        const text = (item: StoredItem | null): string => (item === null ? 'null' : itemText(item));
        return `{"id":${JSON.stringify(id)},"change":"${change}","before":${text(before)},"after":${text(after)}}`;
      });
      return answerPage(c, texts, nextCursor, counts);
    },
  },
];

const slugOf = (c: Context): string => {
  const slug = DatasetSlug.safeParse(c.req.param('slug')).data;
  if (slug === undefined) throw notFound('dataset');
  return slug;
};

const formats = new Map([
  ['application/json', 'json'],
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'jsonl'],
] as const);
type MediaType = Parameters<(typeof formats)['get']>[0];

async function postItems(c: Context, project: ProjectCtx): Promise<Response> {
  const { mode } = parse(ModeQuery, c.req.query(), 'query');
  const { bytes, type } = await readBody(webIncoming(c.req.raw), [...formats.keys()]);
  const format = formats.get(type as MediaType) ?? 'json';
  const changed = await addItems(project, slugOf(c), { bytes, format, mode: mode ?? 'append' });
  return changedAnswer(c, changed);
}

function changedAnswer(c: Context, changed: ChangedItems): Response {
  const { isNew, duplicates, ...counts } = changed;
  const reply = {
    ...counts,
    duplicates: duplicates.map(({ sameAs, ...each }) => ({ ...each, same_as: sameAs })),
  };
  return c.json(reply, isNew ? 201 : 200);
}

/** Text, since parsing would change digits of the items. */
function answerPage(
  c: Context,
  texts: readonly string[],
  nextCursor: string | null,
  more: Readonly<Record<string, number>>,
): Response {
  const members = JSON.stringify({ next_cursor: nextCursor, ...more }).slice(1);
  return c.body(`{"data":[${texts.join(',')}],${members}`, 200, {
    'content-type': 'application/json',
  });
}

function itemText(item: StoredItem): string {
  const facts = JSON.stringify({
    split: item.split,
    tags: item.tags,
    turn_id: item.turnId,
    selection: item.selection,
    probability: item.probability,
    version: item.fromVersion,
    created_by: item.createdBy,
    created_at: item.createdAt.toISOString(),
  });
  const content = (['input', 'context', 'tools', 'reference', 'metadata'] as const).map(
    (name: keyof ItemContent) => `"${name}":${item.content[name] ?? 'null'}`,
  );
  return `{"id":${JSON.stringify(item.id)},${content.join(',')},${facts.slice(1)}`;
}

const datasetReply = (dataset: Dataset): z.infer<typeof DatasetReply> => ({
  slug: dataset.slug,
  name: dataset.name,
  description: dataset.description,
  version: dataset.version,
  items: dataset.items,
  splits: { ...dataset.splits },
  created_by: dataset.createdBy,
  created_at: dataset.createdAt.toISOString(),
  updated_at: dataset.updatedAt.toISOString(),
});

const versionReply = ({
  createdBy,
  createdAt,
  ...counts
}: DatasetVersion): z.infer<typeof VersionReply> => ({
  ...counts,
  created_by: createdBy,
  created_at: createdAt.toISOString(),
});
