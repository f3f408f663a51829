import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestProject, drainWork } from '../../testing/database';
import { createCaller, type Json, type Reply } from '../../testing/call';
import { clean, closeLedger } from '../../testing/ledger';
import { waitForMessage, startWorker } from '../../testing/processes';
import { createStack, sampleTurn, type Stack } from '../../testing/stack';
import { startTestCluster, type TestCluster } from '../../scripts/temporary-cluster.mjs';
import { createKey, type ProjectCtx } from '../access';
import { hasUnstorableText } from '../domain';
import { getVerdictPage } from '../verdicts';
import { getOriginal, getTurn } from './index';

let cluster: TestCluster;
let stack: Stack;
let project: ProjectCtx;
let call: ReturnType<typeof createCaller>;

beforeAll(async () => {
  cluster = await startTestCluster({ inMemory: true });
  stack = await createStack(cluster.url);
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
  const { key } = await createKey(project, {
    name: 'test',
    scopes: ['ingest', 'verify', 'read', 'write'],
  });
  call = createCaller(stack.runtime, key);
});

afterAll(async () => {
  await stack.close();
  await cluster.stop();
});

/** Errors of PostgreSQL itself: NUL in text 22021, in JSON 22P05, a broken JSON text 22P02. */
function complaints(): string[] {
  return readFileSync(join(cluster.dataDir, 'logs', 'postgres.log'), 'utf8')
    .split('\n')
    .filter((line) =>
      /ERROR|invalid byte sequence|unsupported Unicode|invalid input syntax/.test(line),
    );
}

const neighbours = (count = 50): Json[] =>
  Array.from({ length: count }, (_, i) => sampleTurn(`good-${i}`));

/** A batch of good turns mixed with raw JSON texts. */
function batchWith(...texts: readonly string[]): string {
  const good = neighbours().map((turn) => JSON.stringify(turn));
  good.splice(20, 0, ...texts);
  return `{"turns":[${good.join(',')}]}`;
}

/**
 * Sends, verifies and checks the totals: every good turn and `stored` others have their one
 * verdict.
 */
async function takeAll(body: string | Buffer, stored: number): Promise<Reply> {
  const reply = await call('/v1/turns', body);
  expect(reply.status).toBe(202);
  expect(reply.body.accepted).toBe(50 + stored);
  expect(await drainWork(stack.runtime)).toBe(50 + stored);
  const ids = new Set(
    (
      await stack.sql<
        { id: string }[]
      >`select id from turns where project_id = ${project.projectId}`
    ).map((row) => row.id),
  );
  expect([...ids].filter((id) => id.startsWith('good-'))).toHaveLength(50);
  expect(
    await closeLedger(stack.sql, project.projectId, { sent: ids, acked: ids, faults: [] }),
  ).toMatchObject({
    ...clean,
    verdicts: 50 + stored,
  });
  return reply;
}

const NUL = '\\u0000';
const LONE = '\\ud800';
const escapes = (bad: string): { where: string; text: string }[] => [
  {
    where: 'a value',
    text: `{"id":"odd","output":"5${bad} GB, 7 TB","tools":[{"id":"tc1","result":"5 GB"}]}`,
  },
  {
    where: 'a key',
    text: `{"id":"odd","output":"5 GB","metadata":{"k${bad}":1},"tools":[{"id":"tc1","result":{"a${bad}b":5}}]}`,
  },
  {
    where: 'the model',
    text: `{"id":"odd","context":[{"id":"c","content":"a"}],"output":"5 GB","model":"m${bad}"}`,
  },
  {
    where: 'the session id',
    text: `{"id":"odd","context":[{"id":"c","content":"a"}],"output":"5 GB","session_id":"s${bad}","trace_id":"t${bad}","source":"o${bad}"}`,
  },
  {
    where: 'the turn id',
    text: `{"id":"odd${bad}","context":[{"id":"c","content":"a"}],"output":"5 GB"}`,
  },
  {
    where: 'a tool id and name',
    text: `{"id":"odd","output":"5 GB","tools":[{"id":"tc${bad}","name":"n${bad}","result":{"gb":5,"x":"${bad}"}}]}`,
  },
  {
    where: 'the output alone',
    text: `{"id":"odd","context":[{"id":"c","content":"a"}],"output":"${bad}"}`,
  },
  {
    where: 'an envelope',
    text: `{"id":"odd","envelope":{"answer":"5${bad} GB","facts":[{"value":"5","source_id":"tc${bad}","path":"a${bad}"}]},"tools":[{"id":"tc${bad}","result":{"a${bad}":5}}]}`,
  },
  {
    where: 'a result that is JSON text',
    text: `{"id":"odd","output":"5 GB","tools":[{"id":"tc1","result":"{\\"a\\\\u0000\\":5,\\"b\\":\\"\\\\ud800\\"}"}]}`,
  },
];

test.each([
  ...escapes(NUL).map((each) => ({ ...each, number: 'R-87', what: 'NUL' })),
  ...escapes(LONE).map((each) => ({ ...each, number: 'R-88', what: 'a lone surrogate' })),
])(
  '$number $what in $where: neighbours survive, the text is kept as sent, the verdict settles and is shown',
  async ({ text, where }) => {
    const before = complaints().length;
    await takeAll(batchWith(text), 1);
    const [row] = await stack.sql<{ id: string; payload: string; flags: string[] }[]>`
    select id, payload, to_jsonb(flags) as flags from turns where project_id = ${project.projectId} and id like 'odd%'`;
    expect(row?.payload).toBe(text);
    // Inside a result that is JSON text the bad character is already escaped, so nothing had to be
    // cleaned.
    expect(row?.flags).toEqual(where === 'a result that is JSON text' ? [] : ['cleaned']);
    expect((await getOriginal(project, row?.id ?? '')).toString()).toBe(text);
    const list = await call('/v1/verifications?limit=200');
    const verdict = (list.body.data as { id: string; turn_id: string }[]).find(
      (each) => each.turn_id === row?.id,
    );
    const full = await call(`/v1/verifications/${verdict?.id}`);
    expect(full).toMatchObject({ status: 200, body: { state: 'settled' } });
    // Escapes inside JSON text and paths are visible letters; a raw NUL or lone surrogate appears
    // nowhere.
    expect(hasUnstorableText(full.body)).toBe(false);
    const page = await getVerdictPage(project, verdict?.id ?? '');
    expect(hasUnstorableText(page)).toBe(false);
    const again = await call('/v1/turns', batchWith(text));
    expect(again.body).toMatchObject({ accepted: 0, duplicates: 51, conflicts: 0 });
    expect(complaints().slice(before)).toEqual([]);
  },
);

test('R-87 R-88 the same through the verify route: verified at once, figures found', async () => {
  for (const bad of [NUL, LONE]) {
    const body = `{"output":"5${bad} GB and 91.4%","tools":[{"id":"t${bad}","result":{"k${bad}":91.4}}],"model":"m${bad}"}`;
    const reply = await call('/v1/verify/integrity', body);
    expect(reply).toMatchObject({
      status: 200,
      body: { state: 'settled', outcome: 'failed', integrity: { unsourced: 1 } },
    });
    const cited = `{"envelope":{"answer":"5${bad} GB","facts":[{"value":"5 GB","source_id":"t${bad}","path":"gb"}]},"tools":[{"id":"t${bad}","result":{"gb":"5 GB"}}]}`;
    expect(await call('/v1/verify/integrity', cited)).toMatchObject({
      status: 200,
      body: { outcome: 'passed', integrity: { figures: [{ citation_ok: true }] } },
    });
    expect(await call(`/v1/verifications/${reply.body.id as string}`)).toMatchObject({
      status: 200,
      body: { id: reply.body.id },
    });
  }
  expect(complaints()).toEqual([]);
});

test('R-86 raw invalid UTF-8 in one turn: flagged, its bytes kept, neighbours untouched', async () => {
  const text =
    '{"id":"odd","output":"caf\u00ff 5 GB","tools":[{"id":"tc1","result":"5 GB \u00fe"}]}';
  const body = Buffer.from(batchWith('"HERE"')).toString('latin1').replace('"HERE"', text);
  await takeAll(Buffer.from(body, 'latin1'), 1);
  const turn = await getTurn(project, 'odd');
  expect(turn.flags).toEqual(['invalid_utf8']);
  expect(turn.content.output).toBe('caf\ufffd 5 GB');
  expect(await getOriginal(project, 'odd')).toEqual(Buffer.from(text, 'latin1'));
  const others =
    await stack.sql`select 1 from turns where project_id = ${project.projectId} and flags <> '{}'`;
  expect(others).toHaveLength(1);
  expect(complaints()).toEqual([]);
});

const prototypeKeys = [
  '"__proto__":{"isPublic":true}',
  '"constructor":{"prototype":{"isPublic":true}}',
  '"a.__proto__.isPublic":true',
  '"hasOwnProperty":1',
  '"toString":1',
  '"then":"x"',
  '"valueOf":{"__proto__":null}',
];

test('R-94 prototype keys anywhere in a turn stay text: no object changes, in this process and in a worker', async () => {
  const keys = prototypeKeys.join(',');
  const odd = [
    `{"id":"odd-1","context":[{"id":"c","content":"a"}],"output":"5 GB","metadata":{${keys}}}`,
    `{"id":"odd-2","output":"5 GB","tools":[{"id":"__proto__","name":"constructor","arguments":{${keys}},"result":{${keys},"gb":5}}],"context":[{"id":"hasOwnProperty","content":{${keys}}}]}`,
    `{"id":"__proto__","context":[{"id":"c","content":"a"}],"output":"5 GB","session_id":"constructor","model":"toString","tags":["__proto__"]}`,
    `{"id":"odd-4","envelope":{${keys},"answer":"5 GB","facts":[{"value":"5","source_id":"__proto__","path":"__proto__.gb",${keys}}]},"tools":[{"id":"__proto__","result":{"__proto__":{"gb":5}}}]}`,
    `{"id":"odd-5","context":[{"id":"c","content":"a"}],"output":"5 GB","relayed_from":{${keys}}}`,
    `{"id":"odd-6","output":"5 GB","tools":[{"id":"tc1","result":"{\\"__proto__\\":{\\"gb\\":5},\\"constructor\\":{\\"prototype\\":{\\"isPublic\\":true}}}"}]}`,
  ];
  await takeAll(batchWith(...odd), odd.length);
  expect(({} as Json).isPublic).toBeUndefined();
  const shown = await getTurn(project, 'odd-1');
  for (const key of [
    '__proto__',
    'constructor',
    'a.__proto__.isPublic',
    'hasOwnProperty',
    'toString',
    'then',
  ])
    expect(shown.content.metadata).toContain(`"${key}"`);
  const cited = await call('/v1/verify/integrity', odd[3]?.replace('odd-4', 'odd-4b') ?? '');
  expect(cited.body).toMatchObject({
    outcome: 'passed',
    integrity: {
      figures: [{ source: { id: '__proto__', path: '__proto__.gb' }, citation_ok: true }],
    },
  });
  for (const body of [
    `{${keys}}`,
    '{"__proto__":{"integrity_enabled":false}}',
    '{"integrity_enabled":true,"__proto__":{}}',
  ]) {
    const reply = await call('/v1/settings', body, {}, 'PUT');
    expect([200, 400]).toContain(reply.status);
  }
  expect((await call('/v1/settings')).body).toMatchObject({ integrity_enabled: true });
  expect(({} as Json).isPublic).toBeUndefined();

  // A worker process takes the same turns, then another tenant's: they are read as in a process
  // that never saw the first ones.
  const tenant = await createTestProject(stack.runtime);
  const { key } = await createKey(tenant, { name: 'test', scopes: ['ingest', 'read'] });
  const other = createCaller(stack.runtime, key);
  await call(
    '/v1/turns',
    batchWith(...odd.map((text) => text.replace('"id":"odd', '"id":"w-odd'))).replaceAll(
      'good-',
      'w-good-',
    ),
  );
  await other('/v1/turns', { turns: [sampleTurn('plain')] });
  const worker = await startWorker(stack.variables, 'fixture-worker');
  await stack.drained();
  worker.send({ probe: true });
  expect(await waitForMessage(worker, 'isPublic')).toEqual({ keys: [], isPublic: 'undefined' });
  await worker.kill();
  const [{ id } = { id: '' }] = (await other('/v1/verifications')).body.data as { id: string }[];
  const there = await other(`/v1/verifications/${id}`);
  const here = (await call('/v1/verifications?turn_id=good-0')).body.data as { id: string }[];
  const twin = await call(`/v1/verifications/${here[0]?.id}`);
  expect(there.body.integrity).toEqual(twin.body.integrity);
  expect(Object.keys(there.body).sort()).toEqual(Object.keys(twin.body).sort());
});

test.each([
  { what: '64 levels', depth: 64, accepted: 1 },
  { what: '65 levels', depth: 65, accepted: 0 },
  { what: '10,000 levels', depth: 10_000, accepted: 0 },
  { what: '200,000 levels', depth: 200_000, accepted: 0 },
])('R-90 a turn of $what', async ({ depth, accepted }) => {
  const inner = depth - 2;
  const text = `{"id":"odd","context":[{"id":"c","content":"a"}],"output":"5 GB","metadata":{"a":${'['.repeat(inner)}${']'.repeat(inner)}}}`;
  const reply = await takeAll(batchWith(text), accepted);
  const rejected =
    accepted === 1
      ? []
      : [
          {
            index: 20,
            code: 'too_deep',
            message: `The turn nests ${depth} levels deep; at most 64 are allowed.`,
          },
        ];
  expect(reply.body.rejected).toEqual(rejected);
  const letters =
    await stack.sql`select code, body from dead_letters where project_id = ${project.projectId}`;
  expect(letters.map((row) => [row.code, (row.body as Buffer).toString() === text])).toEqual(
    rejected.map(() => ['too_deep', true]),
  );
  const direct = await call('/v1/verify/integrity', text.replace('odd', 'odd-2'));
  expect(direct.status).toBe(accepted === 1 ? 200 : 413);
});

test('R-90 arrays 200,000 deep as the body itself, as the list of turns, as a key of the body: refused, the process survives', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  for (const path of ['/v1/turns', '/v1/verify/integrity']) {
    for (const body of [deep, `{"turns":${deep}}`, `{"x":${deep},"turns":1}`]) {
      const reply = await call(path, body);
      const answer =
        reply.status === 202
          ? [reply.body.accepted, (reply.body.rejected as { code: string }[])[0]?.code]
          : reply.status;
      expect([400, 413, [0, 'too_deep']]).toContainEqual(answer);
    }
  }
  expect((await call('/v1/settings', deep, {}, 'PUT')).status).toBe(413);
});

const digits40 = '1234567890.123456789012345678901234567890';
test.each([
  { what: '1e400', sent: '1e400', shown: '1e400' },
  { what: '2^53+1', sent: '9007199254740993', shown: '9007199254740993' },
  { what: 'a decimal of 40 digits', sent: digits40, shown: digits40 },
  { what: 'minus zero', sent: '-0', shown: '0' },
])('R-89 $what keeps its digits from the tool result to the verdict', async ({ sent, shown }) => {
  const turn = (id: string, result: string): string =>
    `{"id":"${id}","output":"The value is ${shown}.","tools":[{"id":"tc1","result":${result}}]}`;
  await takeAll(batchWith(turn('odd', `{"v":${sent}}`)), 1);
  const list = (await call('/v1/verifications?turn_id=odd')).body.data as { id: string }[];
  const verdict = await call(`/v1/verifications/${list[0]?.id}`);
  const figures = (
    verdict.body.integrity as {
      figures: { text: string; sourced: boolean; source_text: string | null }[];
    }
  ).figures;
  expect(figures).toMatchObject([
    { sourced: true, source_text: sent, source: { id: 'tc1', path: 'v' } },
  ]);
  const [row] = await stack.sql<
    { payload: string }[]
  >`select payload from turns where project_id = ${project.projectId} and id = 'odd'`;
  expect(row?.payload).toContain(`{"v":${sent}}`);
});

test('R-89 a neighbour of 2^53+1 is another number: rounding does not make it sourced', async () => {
  const reply = await call(
    '/v1/verify/integrity',
    '{"output":"It is 9007199254740992.","tools":[{"id":"tc1","result":{"v":9007199254740993}}]}',
  );
  expect(reply.body).toMatchObject({ outcome: 'failed', integrity: { unsourced: 1 } });
});

test.each([
  { field: 'id', text: (long: string) => `{"id":"${long}","output":"5 GB"}` },
  { field: 'session_id', text: (long: string) => `{"session_id":"${long}","output":"5 GB"}` },
  { field: 'trace_id', text: (long: string) => `{"trace_id":"${long}","output":"5 GB"}` },
  { field: 'tools[0].id', text: (long: string) => `{"output":"5 GB","tools":[{"id":"${long}"}]}` },
  {
    field: 'context[0].id',
    text: (long: string) => `{"output":"5 GB","context":[{"id":"${long}"}]}`,
  },
])(
  'R-96 an id of 3,000 characters in $field is rejected with the limit, neighbours survive',
  async ({ field, text }) => {
    for (const length of [3000, 100_000]) {
      const reply = await call('/v1/turns', batchWith(text('x'.repeat(length))));
      expect(reply.body).toMatchObject({ rejected: [{ index: 20, code: 'invalid' }] });
      const [rejected] = reply.body.rejected as { message: string }[];
      expect(rejected?.message).toContain(field);
      expect(rejected?.message).toContain('200');
    }
    const longest = await call('/v1/turns', { turns: [JSON.parse(text('\u00e9'.repeat(200)))] });
    expect(longest.body).toMatchObject({ accepted: 1, rejected: [] });
    await drainWork(stack.runtime);
    expect((await call(`/v1/verify/integrity`, text('y'.repeat(3000)))).status).toBe(400);
    const letters =
      await stack.sql`select 1 from dead_letters where project_id = ${project.projectId} and code = 'invalid'`;
    expect(letters).toHaveLength(2);
    expect(complaints()).toEqual([]);
  },
);

const badRows: readonly { readonly what: string; readonly text: string; readonly code: string }[] =
  [
    { what: 'no object', text: '7', code: 'invalid' },
    { what: 'null', text: 'null', code: 'invalid' },
    { what: 'nothing to verify', text: '{}', code: 'invalid' },
    { what: 'an output that is no text', text: '{"output":7}', code: 'invalid' },
    { what: 'an empty id', text: '{"id":"","output":"5"}', code: 'invalid' },
    { what: 'a long id', text: `{"id":"${'x'.repeat(3000)}","output":"5"}`, code: 'invalid' },
    {
      what: 'a day that is none',
      text: '{"output":"5","started_at":"2026-02-31T00:00:00Z"}',
      code: 'invalid',
    },
    {
      what: 'the year 300000',
      text: '{"output":"5","started_at":"+300000-01-01T00:00:00Z"}',
      code: 'invalid',
    },
    {
      what: 'nesting',
      text: `{"output":"5","metadata":{"a":${'['.repeat(2000)}${']'.repeat(2000)}}}`,
      code: 'too_deep',
    },
    {
      what: 'too many tags',
      text: `{"output":"5","tags":${JSON.stringify(Array.from({ length: 101 }, () => 'x'))}}`,
      code: 'invalid',
    },
    { what: 'a negative cost', text: '{"output":"5","cost_usd":-1}', code: 'invalid' },
    { what: 'tools that are no list', text: '{"output":"5","tools":{}}', code: 'invalid' },
  ];

test('R-98 no silent drop: each bad turn in a batch of 50 good ones is counted, reported and kept; 50 are stored', async () => {
  const reply = await takeAll(batchWith(...badRows.map((row) => row.text)), 0);
  const rejected = reply.body.rejected as { index: number; code: string; message: string }[];
  expect(rejected.map((each) => [each.index, each.code])).toEqual(
    badRows.map((row, i) => [20 + i, row.code]),
  );
  expect(rejected.every((each) => each.message.length > 3 && each.message.length < 300)).toBe(true);
  const letters = await stack.sql<
    { code: string; body: Buffer }[]
  >`select code, body from dead_letters where project_id = ${project.projectId}`;
  expect(letters.map((row) => row.body.toString()).sort()).toEqual(
    badRows.map((row) => row.text).sort(),
  );
});

test('R-98 X-10 sending a batch with rejected turns again leaves no second dead letter', async () => {
  const body = batchWith('{}', '{}', '{"output":7}');
  for (let i = 0; i < 3; i++) expect((await call('/v1/turns', body)).body.rejected).toHaveLength(3);
  expect(
    await stack.sql`select 1 from dead_letters where project_id = ${project.projectId}`,
  ).toHaveLength(3);
  await drainWork(stack.runtime);
});
