import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestProject, drainWork } from '../../../testing/database';
import {
  allTaken,
  bytes,
  jsonWith,
  nested,
  type Odd,
  oddRoot,
  protoWith,
  sendOdd,
} from '../../../testing/odd-spans';
import {
  exportJson,
  exportProto,
  otlpFormats,
  type OtlpPair,
  type OtlpSpan,
  sampleSpans,
  sampleTurnId,
  spanIdOf,
  spanMessage,
  text,
  traceIdOf,
} from '../../../testing/otlp';
import { waitForMessage, startWorker } from '../../../testing/processes';
import { type ApiServers, startApiServers, postSpans } from '../../../testing/span-call';
import { createStack, type Stack } from '../../../testing/stack';
import { startTestCluster, type TestCluster } from '../../../scripts/temporary-cluster.mjs';
import { createKey, type ProjectCtx } from '../../access';
import { getSpan, getTurn } from '../../ingest';

/**
 * Hostile spans among 50 good ones, in both encodings: refused, reported, counted and stored.
 * Nothing is dropped silently.
 */

let cluster: TestCluster;
let stack: Stack;
let servers: ApiServers;
let project: ProjectCtx;
let key: string;

beforeAll(async () => {
  cluster = await startTestCluster({ inMemory: true });
  stack = await createStack(cluster.url);
  servers = await startApiServers(stack.runtime);
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
  ({ key } = await createKey(project, { name: 'test', scopes: ['ingest'] }));
});

afterAll(async () => {
  await servers.close();
  await stack.close();
  await cluster.stop();
});

/** Errors that PostgreSQL itself logged (reliability.md 3.2). */
function complaints(): string[] {
  return readFileSync(join(cluster.dataDir, 'logs', 'postgres.log'), 'utf8')
    .split('\n')
    .filter((line) =>
      /ERROR|invalid byte sequence|unsupported Unicode|invalid input syntax/.test(line),
    );
}

/** Expects the good spans to be stored correctly, regardless of the hostile ones. */
async function takeAll(odds: readonly Odd[], rejected: number): Promise<string> {
  const before = complaints().length;
  const result = await sendOdd(stack, servers.edge, project, key, odds);
  expect(result).toMatchObject(allTaken(odds.length, rejected));
  expect(complaints().slice(before)).toEqual([]);
  return result.message;
}

const refused: readonly { number: string; what: string; odd: Odd }[] = [
  { number: 'R-98', what: 'no object', odd: { json: '7' } },
  { number: 'R-98', what: 'null', odd: { json: 'null' } },
  { number: 'R-84', what: 'no ids', odd: { json: '{"name":"x"}' } },
  { number: 'R-84', what: 'a trace id of 31 digits', odd: jsonWith({ traceId: '1'.repeat(31) }) },
  { number: 'R-84', what: 'a trace id of 15 bytes', odd: protoWith({ traceId: '11'.repeat(15) }) },
  { number: 'R-84', what: 'a trace id of zeros', odd: jsonWith({ traceId: '0'.repeat(32) }) },
  {
    number: 'R-84',
    what: 'a trace id of zero bytes',
    odd: protoWith({ traceId: '00'.repeat(16) }),
  },
  {
    number: 'R-84',
    what: 'a trace id in base64',
    odd: jsonWith({ traceId: Buffer.from(traceIdOf('odd'), 'hex').toString('base64') }),
  },
  { number: 'R-84', what: 'a trace id that is no hex', odd: jsonWith({ traceId: 'g'.repeat(32) }) },
  {
    number: 'R-87',
    what: 'a NUL in its trace id',
    odd: jsonWith({ traceId: `\u0000${traceIdOf('odd').slice(1)}` }),
  },
  {
    number: 'R-96',
    what: 'a trace id of 3,000 characters',
    odd: jsonWith({ traceId: 'a'.repeat(3000) }),
  },
  {
    number: 'R-96',
    what: 'a trace id of 3,000 bytes',
    odd: protoWith({ traceId: 'ab'.repeat(3000) }),
  },
  {
    number: 'R-96',
    what: 'a span id of 100,000 characters',
    odd: jsonWith({ spanId: 'a'.repeat(100_000) }),
  },
  {
    number: 'R-96',
    what: 'a span id of 100,000 bytes',
    odd: protoWith({ spanId: 'ab'.repeat(100_000) }),
  },
  { number: 'R-84', what: 'a span id of zero bytes', odd: protoWith({ spanId: '00'.repeat(8) }) },
  { number: 'R-84', what: 'a parent id of 3 bytes', odd: protoWith({ parentSpanId: '010203' }) },
  { number: 'R-84', what: 'a parent id of 3 digits', odd: jsonWith({ parentSpanId: '123' }) },
  { number: 'R-84', what: 'a kind by its name', odd: jsonWith({ kind: 'SPAN_KIND_CLIENT' }) },
  {
    number: 'R-84',
    what: 'a status code by its name',
    odd: jsonWith({ status: { code: 'STATUS_CODE_ERROR' } }),
  },
  { number: 'R-84', what: 'a time before 1970', odd: jsonWith({ startTimeUnixNano: '-1' }) },
  {
    number: 'R-84',
    what: 'a time in words',
    odd: jsonWith({ endTimeUnixNano: '2026-01-01T00:00:00Z' }),
  },
  { number: 'R-84', what: 'a name that is no text', odd: jsonWith({ name: 7 }) },
  { number: 'R-84', what: 'attributes that are no list', odd: jsonWith({ attributes: { a: 1 } }) },
  { number: 'R-84', what: 'an attribute that is no pair', odd: jsonWith({ attributes: ['a'] }) },
  {
    number: 'R-84',
    what: 'a value that is no object',
    odd: jsonWith({ attributes: [{ key: 'a', value: 'b' }] }),
  },
  {
    number: 'R-84',
    what: 'an integer that is none',
    odd: jsonWith({ attributes: [{ key: 'a', value: { intValue: 'x' } }] }),
  },
  { number: 'R-84', what: 'events that are no list', odd: jsonWith({ events: {} }) },
  {
    number: 'R-90',
    what: 'a value of 65 levels in JSON',
    odd: jsonWith({ attributes: [nested(65)] }),
  },
  {
    number: 'R-90',
    what: 'a value of 65 levels in protobuf',
    odd: protoWith({ attributes: [nested(65)] }),
  },
  {
    number: 'R-90',
    what: 'a value of 1,000 levels in JSON',
    odd: jsonWith({ attributes: [nested(1000)] }),
  },
  {
    number: 'R-90',
    what: 'a value of 1,000 levels in protobuf',
    odd: protoWith({ attributes: [nested(1000)] }),
  },
  {
    number: 'R-83',
    what: 'a message that was cut',
    odd: { proto: spanMessage(oddRoot).subarray(0, -3) },
  },
  {
    number: 'R-83',
    what: 'a length that reaches beyond it',
    odd: { proto: bytes(spanMessage(oddRoot), 0x2a, 0x7f) },
  },
  {
    number: 'R-83',
    what: 'a name of another wire type',
    odd: { proto: bytes(spanMessage(oddRoot), 0x28, 1) },
  },
  { number: 'R-83', what: 'a group', odd: { proto: bytes(spanMessage(oddRoot), 0x2b, 0x2c) } },
];

test.each(refused)(
  '$number R-98 a span with $what is refused, reported, counted and kept; 50 good ones are stored',
  async ({ odd }) => {
    const message = await takeAll([odd], 1);
    expect(message.length).toBeGreaterThan(10);
    expect(message.length).toBeLessThan(300);
    const letters = await stack.sql<
      { route: string; code: string; message: string; body: Buffer }[]
    >`
    select route, code, message, body from dead_letters where project_id = ${project.projectId}`;
    expect(letters).toEqual([
      {
        route: '/v1/traces',
        code: 'invalid_span',
        message,
        body: 'json' in odd ? Buffer.from(odd.json) : odd.proto,
      },
    ]);
  },
);

test.each(otlpFormats)(
  'R-98 all of them in one batch: each is counted and kept, 50 are stored (%s)',
  async (format) => {
    const odds = refused
      .map(({ odd }) => odd)
      .filter((odd) => (format === 'json' ? 'json' in odd : 'proto' in odd));
    await takeAll(odds, odds.length);
    const letters = await stack.sql<
      { body: Buffer }[]
    >`select body from dead_letters where project_id = ${project.projectId}`;
    const sent = odds.map((odd) =>
      ('json' in odd ? Buffer.from(odd.json) : odd.proto).toString('base64'),
    );
    expect(letters.map((letter) => letter.body.toString('base64')).sort()).toEqual(sent.sort());
  },
);

const odd94: readonly OtlpPair[] = [
  ...[
    '__proto__',
    'constructor.prototype.isPublic',
    'a.__proto__.isPublic',
    'hasOwnProperty',
    'toString',
    'then',
    '__proto__.isPublic',
  ].map((name) => text(name, 'true')),
  {
    key: 'map',
    value: {
      kvlistValue: {
        values: [
          { key: '__proto__', value: { kvlistValue: { values: [text('isPublic', 'true')] } } },
        ],
      },
    },
  },
  text('gen_ai.prompt.0.__proto__.isPublic', 'true'),
  text('llm.input_messages.__proto__.message.role', 'true'),
  text('ai.telemetry.metadata.__proto__', '{"isPublic":true}'),
  text('langfuse.trace.metadata.__proto__', '{"isPublic":true}'),
  text('metadata', '{"__proto__":{"isPublic":true},"constructor":{"prototype":{"isPublic":true}}}'),
];

test.each(otlpFormats)(
  'R-94 prototype keys in spans and resources stay text in server and worker, and the next tenant is unaffected (%s)',
  async (format) => {
    const clean = await createTestProject(stack.runtime);
    const { key: cleanKey } = await createKey(clean, { name: 'test', scopes: ['ingest'] });
    const plain = sampleSpans('plain');
    const body = (spans: readonly OtlpSpan[], resource?: readonly OtlpPair[]) =>
      format === 'json' ? exportJson(spans, resource) : exportProto(spans, resource);
    const [root, ...rest] = sampleSpans('odd').map((span) => ({
      ...span,
      attributes: [...span.attributes, ...odd94],
    }));
    if (root === undefined) throw new Error('no root');
    expect(
      (await postSpans(servers.edge, key, { format, body: body([root, ...rest], odd94) })).status,
    ).toBe(200);
    await drainWork(stack.runtime);
    expect(Reflect.get({}, 'isPublic')).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    const shown = await getSpan(project, traceIdOf('odd'), spanIdOf(0));
    for (const { key: name } of odd94)
      expect(shown.attributes.map((each) => each.name)).toContain(name);
    for (const { key: name } of odd94)
      expect(shown.resource.map((each) => each.name)).toContain(name);
    expect((await getTurn(project, sampleTurnId('odd'))).content.output).toContain('91.4%');

    const worker = await startWorker(stack.variables, 'fixture-worker');
    expect(
      (
        await postSpans(servers.edge, key, {
          format,
          body: body(
            sampleSpans('odd-2').map((span) => ({
              ...span,
              attributes: [...span.attributes, ...odd94],
            })),
            odd94,
          ),
        })
      ).status,
    ).toBe(200);
    await stack.drained();
    expect((await postSpans(servers.edge, cleanKey, { format, body: body(plain) })).status).toBe(
      200,
    );
    await stack.drained();
    worker.send({ probe: true });
    expect(await waitForMessage(worker, 'isPublic')).toEqual({ keys: [], isPublic: 'undefined' });
    await worker.kill();
    const other = await createTestProject(stack.runtime);
    const { key: otherKey } = await createKey(other, { name: 'test', scopes: ['ingest'] });
    expect((await postSpans(servers.edge, otherKey, { format, body: body(plain) })).status).toBe(
      200,
    );
    await drainWork(stack.runtime);
    const rowsOf = async (owner: ProjectCtx) => stack.sql`
      select t.payload, t.content_hash, v.outcome, v.detail, c.name, c.tags from turns t join verdicts v on v.project_id = t.project_id and v.turn_id = t.id
      join traces c on c.project_id = t.project_id and c.id = t.trace_id where t.project_id = ${owner.projectId}`;
    const there = await rowsOf(clean);
    expect(there).toHaveLength(1);
    expect(there).toEqual(await rowsOf(other));
    expect(there[0]?.payload).not.toContain('isPublic');
  },
);
