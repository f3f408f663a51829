// Datasets over HTTP (online.md 4): versions, items as sent, held-out items, masking.
import fc from 'fast-check';
import { beforeEach, describe, expect } from 'vitest';
import { createCaller, type Json, type Reply } from '../../../testing/call';
import { findSecretsIn } from '../../../testing/canary';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { plantedValues } from '../../../testing/planted';
import { caseCount } from '../../../testing/case-count';
import { createKey, type ProjectCtx } from '../../access';
import { datasetLimits } from '../../experiments/input';
import type { Runtime } from '../../runtime';

let runtime: Runtime;
let project: ProjectCtx;
let call: ReturnType<typeof createCaller>;
let withHeldOut: ReturnType<typeof createCaller>;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  const scopes = ['ingest', 'verify', 'read', 'write'] as const;
  call = createCaller(runtime, (await createKey(project, { name: 'k', scopes: [...scopes] })).key);
  const more = { name: 'h', scopes: [...scopes, 'held_out' as const] };
  withHeldOut = createCaller(runtime, (await createKey(project, more)).key);
  expect((await put()).status).toBe(201);
});

const put = (slug = 'refunds', body: Json = { name: 'Refunds' }) =>
  call(`/v1/datasets/${slug}`, body, {}, 'PUT');
const add = (items: readonly unknown[], mode?: string, slug = 'refunds', by = call) =>
  by(`/v1/datasets/${slug}/items`, { items, ...(mode !== undefined && { mode }) });
const send = (text: string | Buffer, type: string, mode = '') =>
  call(`/v1/datasets/refunds/items${mode}`, text, { 'content-type': type });
const itemsOf = async (version: number, query = '', by = call): Promise<Json[]> =>
  (await by(`/v1/datasets/refunds/versions/${version}/items${query}`)).body.data as Json[];
const textOf = async (version: number): Promise<string> =>
  (await call(`/v1/datasets/refunds/versions/${version}/items`)).text;
const actions = async () =>
  (
    await runtime.ctx.sql<{ action: string }[]>`
      select action from audit_events where project_id = ${project.projectId} and action like 'datasets.%' order by id`
  ).map(({ action }) => action);
const counts = ({ status, body }: Reply) => {
  const { version, items, added, changed, unchanged, removed } = body;
  return { status, version, items, added, changed, unchanged, removed };
};

describe('a dataset', () => {
  test('is created, changed, listed by pages and deleted, and each step is audited', async () => {
    const changed = await put('refunds', { name: 'Refunds', description: 'Of 2026.' });
    expect(changed).toMatchObject({ status: 200, body: { description: 'Of 2026.', version: 0 } });
    expect((await put('refunds', { name: 'Refunds', description: 'Of 2026.' })).status).toBe(200);
    await put('b');
    await put('c');
    await add([{ input: 'q', split: 'dev' }, { input: 'r' }], 'append', 'c');
    const first = (await call('/v1/datasets?limit=2')).body;
    expect(first.data).toMatchObject([
      { slug: 'c', version: 1, items: 2, splits: { dev: 1 } },
      { slug: 'b', version: 0, items: 0, splits: {} },
    ]);
    const rest = (await call(`/v1/datasets?limit=2&cursor=${String(first.next_cursor)}`)).body;
    expect(rest).toMatchObject({ data: [{ slug: 'refunds' }], next_cursor: null });
    expect(await call('/v1/datasets/c', undefined, {}, 'DELETE')).toMatchObject({ status: 200 });
    expect((await call('/v1/datasets/c')).status).toBe(404);
    const left = await runtime.ctx.sql`
      select from dataset_items where project_id = ${project.projectId}
      union all select from dataset_versions where project_id = ${project.projectId}`;
    expect(left).toHaveLength(0);
    expect(await actions()).toEqual([
      'datasets.create',
      'datasets.change',
      'datasets.create',
      'datasets.create',
      'datasets.change_items',
      'datasets.delete',
    ]);
  });

  test.each(['A', 'a_b', 'x'.repeat(101), 'a b'])('a slug "%s" is refused', async (slug) => {
    expect((await put(encodeURIComponent(slug))).status).toBe(400);
    expect((await call(`/v1/datasets/${encodeURIComponent(slug)}`)).status).toBe(404);
  });

  test.each([
    ['open', 409],
    ['running', 409],
    ['done', 200],
    ['failed', 200],
  ])('with an experiment that is %s, a deletion is %i', async (state, status) => {
    const { projectId } = project;
    await runtime.ctx.sql`
      insert into experiments (project_id, id, name, dataset_id, dataset_slug, dataset_version, repetitions, target,
        verifiers, concurrency, job_id, state, created_by)
      select ${projectId}, 'exp_1', 'Run', id, slug, 1, 1, '{}', '{}', 1, 'job', ${state}, 'test' from datasets
      where project_id = ${projectId}`;
    expect((await call('/v1/datasets/refunds', undefined, {}, 'DELETE')).status).toBe(status);
  });
});

describe('items', () => {
  test('sent again change nothing; other content under a known id changes the item in its place', async () => {
    const items = [{ id: 'a', input: 'q' }, { input: { n: 1 } }, { id: 'c', input: 'r' }];
    const one = { version: 1, items: 3 };
    expect(counts(await add(items))).toEqual({
      status: 201,
      ...one,
      added: 3,
      changed: 0,
      unchanged: 0,
      removed: 0,
    });
    const same = { added: 0, changed: 0, unchanged: 3, removed: 0 };
    expect(counts(await add(items))).toEqual({ status: 200, ...one, ...same });
    expect(counts(await add([{ id: 'a', input: 'q', reference: 1 }]))).toMatchObject({
      status: 201,
      version: 2,
      items: 3,
      changed: 1,
    });
    expect((await itemsOf(2)).map(({ input, reference }) => [input, reference])).toEqual([
      ['q', 1],
      [{ n: 1 }, null],
      ['r', null],
    ]);
    expect((await itemsOf(1))[0]).toMatchObject({ reference: null, version: 1 });
  });

  test('replace removes the items that are not sent, except those that were rejected', async () => {
    await add(['a', 'b', 'c'].map((id) => ({ id, input: id })));
    const reply = await add(
      [
        { id: 'a', input: 'a' },
        { id: 'b', inptu: 'b' },
      ],
      'replace',
    );
    expect(counts(reply)).toMatchObject({ version: 2, items: 2, unchanged: 1, removed: 1 });
    expect((await itemsOf(2)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await itemsOf(1)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(counts(await add([{ id: 'c', input: 'c' }]))).toMatchObject({ version: 3, added: 1 });
  });

  test.each([
    ['without items', { items: [] }, '`items` is empty'],
    [
      'with an item without an id',
      { items: [{ id: 'a', input: 'a' }, { inptu: 'b' }] },
      'items[1]',
    ],
    ['with an item whose id is no text', { items: [{ id: 7, input: 'b' }] }, 'items[0]'],
  ])('replace %s that cannot be read changes nothing', async (_, body, expected) => {
    await add(['a', 'b', 'c'].map((id) => ({ id, input: id })));
    const reply = await call('/v1/datasets/refunds/items', { ...body, mode: 'replace' });
    expect(reply).toMatchObject({ status: 400, text: expect.stringContaining(expected) });
    expect((await itemsOf(1)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect((await call('/v1/datasets/refunds')).body.version).toBe(1);
  });

  test.each([
    ['application/x-ndjson', '{"id":"z","input":"z"}\n{"id":"a","inp', 'items[1]'],
    ['text/csv', 'id,input\na,"one\nz,zed', 'quotation mark'],
  ])('replace by a damaged file (%s) changes nothing', async (type, text, expected) => {
    await add(['a', 'b'].map((id) => ({ id, input: id })));
    const reply = await send(text, type, '?mode=replace');
    expect(reply).toMatchObject({ status: 400, text: expect.stringContaining(expected) });
    expect((await call('/v1/datasets/refunds')).body.version).toBe(1);
  });

  test.each([
    ['text/csv', Buffer.from('input\ncaf\xe9', 'latin1'), 'UTF-8'],
    ['application/x-ndjson', Buffer.from('{"input":"caf\xe9"}', 'latin1'), 'UTF-8'],
    ['text/csv', Buffer.from('\ufeffinput', 'utf16le'), 'UTF-8'],
    [
      'text/csv',
      Buffer.from('input;id\na;b'),
      'separate the cells with commas, not with semicolons',
    ],
    ['text/csv', Buffer.from('input\tid\na\tb'), 'commas, not with tabs'],
    ['text/csv', Buffer.from('Input,id\na,b'), 'write \\"Input\\" as \\"input\\"'],
    ['text/csv', Buffer.from('input,\na,b'), 'no name for column 2'],
    ['text/csv', Buffer.from('input,id\n'), 'no items after its header'],
    ['application/x-ndjson', Buffer.from('\n\n'), 'no items'],
  ])(
    'a file of the type %s that is no list of items is refused (%#)',
    async (type, body, expected) => {
      const { status, text } = await send(body, type);
      expect([status, text]).toEqual([400, expect.stringContaining(expected)]);
    },
  );

  test('the tools of a CSV file are a JSON list', async () => {
    const text = 'input,tools\na,"[{""name"":""t"",""result"":1}]"\nb,none';
    const { body } = await send(text, 'text/csv');
    expect(body).toMatchObject({ added: 1, rejected: [{ index: 1 }] });
    expect((await itemsOf(1))[0]).toMatchObject({ tools: [{ name: 't', result: 1 }] });
  });

  test('numbers, and any JSON, are kept as sent', async () => {
    const content =
      '{"input":1.0,"context":[{"id":"c","content":[1.10]}],"tools":[{"name":"t","arguments":{"n":1e400},"result":12345678901234567890}],"reference":{"b":1.50,"a":-0},"metadata":{"z":0.10}}';
    await call('/v1/datasets/refunds/items', `{"items":[${content}]}`);
    expect(await textOf(1)).toContain(content.slice(1, -1));
    const other = await call('/v1/datasets/refunds/items', '{"items":[{"input":1}]}');
    expect(other.body).toMatchObject({ added: 1, duplicates: [] });
  });

  test('any JSON as input and reference is kept, and is unchanged when sent again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (input, reference) => {
        const id = `p${Math.abs(JSON.stringify([input, reference]).length)}`;
        const item = { id, input, reference };
        await add([item], 'replace');
        const again = await add([item]);
        expect(again).toMatchObject({ status: 200, body: { unchanged: 1 } });
        const [stored] = await itemsOf(Number(again.body.version));
        expect(JSON.stringify(stored?.input)).toBe(JSON.stringify(input));
        expect(JSON.stringify(stored?.reference)).toBe(JSON.stringify(reference));
      }),
      { numRuns: caseCount(25) },
    );
  });

  test('a bad item is rejected by index, and its neighbours are stored', async () => {
    const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) as unknown;
    const { status, body } = await add([
      { input: 'a' },
      { reference: 'b' },
      { input: 'c', tags: 'x' },
      { input: deep },
      'text',
      { input: 'd', referense: 1 },
      { id: 'e', input: 1 },
      { id: 'e', input: 2 },
      { input: 'f' },
    ]);
    expect(status).toBe(201);
    expect(body).toMatchObject({ version: 1, items: 3, added: 3 });
    expect((body.rejected as Json[]).map(({ index, code }) => [index, code])).toEqual([
      [1, 'invalid'],
      [2, 'invalid'],
      [3, 'too_deep'],
      [4, 'invalid'],
      [5, 'invalid'],
      [7, 'duplicate_id'],
    ]);
    expect((body.rejected as Json[])[4]?.message).toContain('did you mean `reference`');
  });

  test('an item with the input, context and tools of another one is kept and reported', async () => {
    await add([{ id: 'a', input: { x: 1, y: 2 } }]);
    const { body } = await add([
      { id: 'b', input: { y: 2, x: 1 }, context: [], reference: 1 },
      { id: 'c', input: 'new' },
      { id: 'd', input: 'new', reference: 2 },
    ]);
    expect(body).toMatchObject({
      added: 3,
      items: 4,
      duplicates: [
        { index: 0, id: 'b', same_as: 'a' },
        { index: 2, id: 'd', same_as: 'c' },
      ],
    });
  });

  test('the limits are named', async () => {
    const many = Array.from({ length: datasetLimits.itemsPerRequest + 1 }, (_, n) => n);
    const { status, text } = await add(many.map((input) => ({ input })));
    expect(status).toBe(400);
    expect(text).toMatch(/`items`.*10[ ,]?000/);
    await add([{ id: 'x', input: 0 }]);
    await runtime.ctx.sql`
      insert into dataset_items (project_id, dataset_id, id, from_version, ordinal, content, content_hash, tags, created_by)
      select project_id, dataset_id, 'n' || n, 1, n, '{"input":1}', '', '{}', 't'
      from dataset_items, generate_series(1, ${datasetLimits.itemsPerDataset - 1}) as n
      where project_id = ${project.projectId}`;
    const full = await add([{ id: 'y', input: 1 }]);
    expect(full.status).toBe(422);
    expect(full.text).toContain('100000');
    expect(counts(await add([{ id: 'x', input: 1 }]))).toMatchObject({ version: 2, changed: 1 });
    await call('/v1/datasets/refunds', undefined, {}, 'DELETE');
  });

  test('concurrent requests each make a version of their own', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) => add([{ id: `i${n}`, input: n }])),
    );
    const versions = replies.map(({ body }) => Number(body.version)).sort((a, b) => a - b);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6]);
    const last = await itemsOf(6);
    expect(new Set(last.map(({ id }) => id))).toEqual(
      new Set(['i0', 'i1', 'i2', 'i3', 'i4', 'i5']),
    );
    for (const [at, version] of versions.entries())
      expect(await itemsOf(version)).toEqual(last.slice(0, at + 1));
  });
});

describe('files', () => {
  test('CSV: columns become members, others metadata; JSON in a cell is JSON', async () => {
    const rows = [
      'id,input,reference,context,tags,split,price',
      '1,"How, ""much""?",yes,Some text,"a;b",dev,1.0',
      '2,"[{""role"":""user"",""content"":""q""}]","{""n"":1.10}","[{""id"":""s"",""content"":1.0}]",,,',
      '3,too,few',
      ',,no input,,,,',
    ];
    const { status, body } = await send(`\ufeff${rows.join('\r\n')}\r\n`, 'text/csv');
    expect(status).toBe(201);
    expect(body).toMatchObject({ added: 2, rejected: [{ index: 2 }, { index: 3 }] });
    expect(await itemsOf(1)).toMatchObject([
      {
        id: '1',
        input: 'How, "much"?',
        reference: 'yes',
        context: [{ content: 'Some text' }],
        tags: ['a', 'b'],
        split: 'dev',
        metadata: { price: '1.0' },
      },
      { id: '2', input: [{ role: 'user', content: 'q' }], reference: { n: 1.1 }, split: null },
    ]);
    expect(await textOf(1)).toContain('"context":[{"id":"s","content":1.0}]');
    const again = await send(rows.slice(0, 2).join('\n'), 'text/csv', '?mode=replace');
    expect(counts(again)).toMatchObject({ version: 2, items: 1, unchanged: 1, removed: 1 });
  });

  test('CSV without a column `input` is refused, and names its columns', async () => {
    const { status, text } = await send('question,id\nq,1\n', 'text/csv');
    expect(status).toBe(400);
    expect(text).toContain('question');
  });

  test('JSON lines: one item a line, and a bad line is rejected', async () => {
    const lines = ['{"input":1.0}', '', 'not JSON', '{"input":"b","split":"dev"}'];
    const { body } = await send(lines.join('\n'), 'application/x-ndjson');
    expect(body).toMatchObject({ added: 2, rejected: [{ index: 1, code: 'invalid' }] });
    expect(await textOf(1)).toContain('"input":1.0');
  });

  test('another type is 415', async () => {
    expect((await send('x', 'text/plain')).status).toBe(415);
  });
});

test('the items of a version: pages, filters, and all as lines', async () => {
  const items = Array.from({ length: 7 }, (_, n) => ({
    id: `i${n}`,
    input: n,
    split: n % 2 === 0 ? 'dev' : 'test',
    tags: n > 4 ? ['late'] : [],
  }));
  await add(items);
  const seen: unknown[] = [];
  for (let cursor: string | null = null; ; ) {
    const { body }: { readonly body: Json } = await call(
      `/v1/datasets/refunds/versions/1/items?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    seen.push(...(body.data as Json[]).map(({ id }) => id));
    cursor = body.next_cursor as string | null;
    if (cursor === null) break;
  }
  expect(seen).toEqual(items.map(({ id }) => id));
  expect((await itemsOf(1, '?split=test')).map(({ id }) => id)).toEqual(['i1', 'i3', 'i5']);
  expect((await itemsOf(1, '?split=dev&tag=late')).map(({ id }) => id)).toEqual(['i6']);
  for (const version of ['0', '2', 'x', '99999999999'])
    expect((await call(`/v1/datasets/refunds/versions/${version}/items`)).status).toBe(404);
  expect((await call('/v1/datasets/refunds/versions/1/items?cursor=odd')).status).toBe(400);
});

test('versions and their differences', async () => {
  await add(['a', 'b', 'c'].map((id) => ({ id, input: id })));
  await add([
    { id: 'b', input: 'b', reference: 1 },
    { id: 'd', input: 'd' },
  ]);
  await add(
    [
      { id: 'b', input: 'b' },
      { id: 'd', input: 'd' },
    ],
    'replace',
  );
  const { data } = (await call('/v1/datasets/refunds/versions')).body;
  expect(data).toMatchObject([
    { version: 3, items: 2, added: 0, changed: 1, removed: 2, created_by: 'key "k"' },
    { version: 2, items: 4, added: 1, changed: 1, removed: 0 },
    { version: 1, items: 3, added: 3, changed: 0, removed: 0 },
  ]);
  const diff = async (from: number, to: number) =>
    (await call(`/v1/datasets/refunds/diff?from=${from}&to=${to}`)).body;
  expect(await diff(1, 2)).toMatchObject({
    data: [
      { id: 'b', change: 'changed', before: { reference: null }, after: { reference: 1 } },
      { id: 'd', change: 'added', before: null, after: { input: 'd' } },
    ],
    added: 1,
    changed: 1,
    removed: 0,
    hidden: 0,
  });
  // `b` was changed back.
  expect(await diff(1, 3)).toMatchObject({
    data: [
      { id: 'a', change: 'removed', before: { input: 'a' }, after: null },
      { id: 'c', change: 'removed' },
      { id: 'd', change: 'added' },
    ],
  });
  expect((await diff(2, 2)).data).toEqual([]);
  expect((await call('/v1/datasets/refunds/diff?from=1&to=4')).status).toBe(404);
  const last = (await call('/v1/datasets/refunds/diff')).body;
  expect(last.data).toEqual((await diff(2, 3)).data);
  expect((await diff(0, 1)).added).toBe(3);
  expect((await call('/v1/datasets/refunds/diff?from=x')).status).toBe(400);
});

describe('held-out items', () => {
  const hiddenOf = async (path: string, by = call) => {
    const { body, text } = await by(`/v1/datasets/refunds/${path}`);
    return { ids: (body.data as Json[]).map(({ id }) => id), hidden: body.hidden, text };
  };

  test('are left out of lists and differences for keys without the scope, and counted', async () => {
    await add([
      { id: 'a', input: 'open', split: 'dev' },
      { id: 'b', input: 'secret', split: 'held_out' },
    ]);
    await add(
      [{ id: 'b', input: 'secret 2', split: 'held_out' }],
      'append',
      'refunds',
      withHeldOut,
    );
    expect((await call('/v1/datasets/refunds')).body.splits).toEqual({ dev: 1, held_out: 1 });
    for (const path of ['versions/1/items', 'versions/2/items']) {
      const seen = await hiddenOf(path);
      expect(seen).toMatchObject({ ids: ['a'], hidden: 1 });
      expect(seen.text).not.toContain('secret');
      expect(await hiddenOf(path, withHeldOut)).toMatchObject({ ids: ['a', 'b'], hidden: 0 });
    }
    expect(await hiddenOf('versions/1/items?split=held_out')).toMatchObject({ ids: [], hidden: 1 });
    expect(await hiddenOf('diff?from=1&to=2')).toMatchObject({ ids: [], hidden: 1 });
    expect(await hiddenOf('diff?from=1&to=2', withHeldOut)).toMatchObject({
      ids: ['b'],
      hidden: 0,
    });
  });

  test('are neither changed, removed nor found by a key without the scope', async () => {
    await add([
      { id: 'a', input: 'open', split: 'dev' },
      { id: 'b', input: 'secret', split: 'held_out' },
      { id: 'c', input: 'moved', split: 'dev' },
    ]);
    await add([{ id: 'c', input: 'moved', split: 'held_out' }]);
    const sent = ['b', 'c'].map((id) => ({ id, input: 'mine', split: 'dev' }));
    for (const mode of ['append', 'replace']) {
      const { body } = await add([{ id: 'a', input: 'open', split: 'dev' }, ...sent], mode);
      expect(body).toMatchObject({ changed: 0, removed: 0, version: 2 });
      expect(body.rejected).toMatchObject(
        sent.map(({ id }, at) => ({ index: at + 1, id, code: 'not_allowed' })),
      );
    }
    const twin = await add([{ id: 'd', input: 'secret' }], 'replace');
    expect(twin.body).toMatchObject({ added: 1, removed: 1, duplicates: [] });
    const left = await itemsOf(3, '', withHeldOut);
    expect(left.map(({ id, input }) => [id, input])).toEqual([
      ['b', 'secret'],
      ['c', 'moved'],
      ['d', 'secret'],
    ]);
  });

  test('are hidden in earlier versions too, and stay hidden there when they are moved', async () => {
    await add([{ id: 'a', input: 'secret', split: 'dev' }]);
    await add([{ id: 'a', input: 'secret', split: 'held_out' }]);
    expect(await hiddenOf('versions/1/items')).toMatchObject({ ids: [], hidden: 1 });
    await add([{ id: 'a', input: 'open', split: 'dev' }], 'append', 'refunds', withHeldOut);
    expect(await hiddenOf('versions/2/items')).toMatchObject({ ids: [], hidden: 1 });
    expect(await hiddenOf('versions/3/items')).toMatchObject({ ids: ['a'], hidden: 0 });
    const diff = await hiddenOf('diff?from=2&to=3');
    expect(diff).toMatchObject({ ids: [], hidden: 1 });
    expect(diff.text).not.toContain('secret');
  });
});

describe('masking', () => {
  const values = plantedValues.filter((value) => !/[",\n]/.test(value));
  const item = (value: string) => ({ input: `It is ${value}.`, metadata: { customer: 'Ada' } });

  test.each([
    ['application/json', (value: string) => JSON.stringify({ items: [item(value)] })],
    ['application/x-ndjson', (value: string) => JSON.stringify(item(value))],
    ['text/csv', (value: string) => `input,note\nIt is ${value}.,${value}\n`],
  ])('%s is masked before it is stored', async (type, body) => {
    // Masking rules are cached: they are set before the first request that reads them.
    project = await createTestProject(runtime);
    const scopes = ['read', 'write'] as const;
    const made = await createKey(project, { name: 'm', scopes: [...scopes] });
    call = createCaller(runtime, made.key);
    const types = ['key', 'email', 'iban', 'card', 'phone'];
    const masking = { types, regions: ['DE'], paths: ['$.metadata.customer'] };
    expect((await call('/v1/settings', { masking }, {}, 'PUT')).status).toBe(200);
    await put();
    for (const value of values) expect((await send(body(value), type)).status).toBe(201);
    expect(await findSecretsIn(runtime.ctx.sql, plantedValues)).toEqual([]);
    const stored = await runtime.ctx.sql<{ content: string }[]>`
      select content from dataset_items where project_id = ${project.projectId}`;
    expect(stored.some(({ content }) => content.includes('Ada'))).toBe(false);
  });
});
