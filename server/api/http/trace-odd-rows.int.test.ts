import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestProject, drainWork } from '../../../testing/database';
import {
  allTaken,
  bytes,
  field,
  jsonWith,
  neighbours,
  nested,
  type Odd,
  oddRoot,
  protoWith,
  sendOdd,
} from '../../../testing/odd-spans';
import {
  exportJson,
  type OtlpPair,
  readAnswer,
  spanIdOf,
  spanMessage,
  text,
  traceIdOf,
} from '../../../testing/otlp';
import { type ApiServers, startApiServers, postSpans } from '../../../testing/span-call';
import { createStack, type Stack } from '../../../testing/stack';
import { startTestCluster, type TestCluster } from '../../../scripts/temporary-cluster.mjs';
import { createKey, type ProjectCtx } from '../../access';
import { getSpan, listSpans, type SpanContent } from '../../ingest';

/** Unusual but valid spans among 50 ordinary ones, in both encodings: stored and shown. */

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

/** Expects the ordinary spans to be stored correctly, regardless of the unusual ones. */
async function takeAll(odds: readonly Odd[], rejected: number): Promise<string> {
  const before = complaints().length;
  const result = await sendOdd(stack, servers.edge, project, key, odds);
  expect(result).toMatchObject(allTaken(odds.length, rejected));
  expect(complaints().slice(before)).toEqual([]);
  return result.message;
}

type Shown = Partial<Record<keyof SpanContent, unknown>>;
const attribute = (name: string, shown: string): Shown => ({
  attributes: expect.arrayContaining([{ name, text: shown }]) as unknown,
});
const raw = (members: string): Odd => ({
  json: `${JSON.stringify({ ...oddRoot, name: undefined, attributes: undefined }).slice(0, -1)},${members}}`,
});
const rawAttribute = (keyText: string, value: string): Odd =>
  raw(`"name":"n","attributes":[{"key":"${keyText}","value":${value}}]`);
/** A protobuf span whose attribute's key and text are any bytes. */
const bytesAttribute = (name: Buffer | string, value: Buffer | string): Odd => ({
  proto: bytes(
    spanMessage(oddRoot),
    field(0x4a, bytes(field(0x0a, name), field(0x12, field(0x0a, value)))),
  ),
});
const many = (count: number): OtlpPair[] =>
  Array.from({ length: count }, (_, i) => text(`k${i}`, 'v'));
const digits40 = '1234567890.123456789012345678901234567890';
const cleanedFlag: Shown = { flags: ['cleaned'] };
const latin = Buffer.from('caf\u00e9 \u00ff', 'latin1');

const taken: readonly { number: string; what: string; odd: Odd; shown: Shown }[] = [
  {
    number: 'R-84',
    what: 'ids in capitals',
    odd: jsonWith({ traceId: traceIdOf('odd').toUpperCase(), spanId: spanIdOf(0).toUpperCase() }),
    shown: { flags: [] },
  },
  {
    number: 'R-84',
    what: 'unknown members',
    odd: jsonWith({ later: { a: [1] }, start_time_unix_nano: 'x', trace_id: 'y' }),
    shown: { flags: [] },
  },
  {
    number: 'R-84',
    what: 'unknown fields',
    odd: { proto: bytes(spanMessage(oddRoot), 0xfa, 0x07, 2, 1, 1) },
    shown: { flags: [] },
  },
  {
    number: 'R-84',
    what: 'times as numbers',
    odd: jsonWith({ startTimeUnixNano: 1767225600000000000 }),
    shown: { startedAt: '2026-01-01T00:00:00.000Z' },
  },
  {
    number: 'R-84',
    what: 'a kind of later',
    odd: jsonWith({ kind: 99 }),
    shown: { kind: 'unspecified' },
  },
  {
    number: 'R-84',
    what: 'null members',
    odd: jsonWith({ attributes: null, events: null, status: null, name: null }),
    shown: { name: '' },
  },
  {
    number: 'R-84',
    what: 'an attribute without a value',
    odd: jsonWith({ attributes: [{ key: 'a' }] }),
    shown: attribute('a', 'null'),
  },
  {
    number: 'R-84',
    what: 'int64 as text',
    odd: rawAttribute('n', '{"intValue":"9223372036854775807"}'),
    shown: attribute('n', '9223372036854775807'),
  },
  {
    number: 'R-86',
    what: 'bytes that are no UTF-8, in protobuf',
    odd: bytesAttribute('latin', latin),
    shown: { flags: ['invalid_utf8'], ...attribute('latin', 'caf\ufffd \ufffd') },
  },
  {
    number: 'R-86',
    what: 'a key that is no UTF-8, in protobuf',
    odd: bytesAttribute(latin, 'v'),
    shown: { flags: ['invalid_utf8'], ...attribute('caf\ufffd \ufffd', 'v') },
  },
  {
    number: 'R-87',
    what: 'NUL in a value',
    odd: rawAttribute('nul', '{"stringValue":"a\\u0000b"}'),
    shown: { ...cleanedFlag, ...attribute('nul', 'a\u2400b') },
  },
  {
    number: 'R-87',
    what: 'NUL in a key',
    odd: rawAttribute('k\\u0000', '{"stringValue":"v"}'),
    shown: { ...cleanedFlag, ...attribute('k\u2400', 'v') },
  },
  {
    number: 'R-87',
    what: 'NUL in a name',
    odd: raw('"name":"a\\u0000b"'),
    shown: { ...cleanedFlag, name: 'a\u2400b' },
  },
  {
    number: 'R-87',
    what: 'NUL in protobuf',
    odd: bytesAttribute('k\u0000', 'v\u0000'),
    shown: { ...cleanedFlag, ...attribute('k\u2400', 'v\u2400') },
  },
  {
    number: 'R-88',
    what: 'a lone surrogate in a value',
    odd: rawAttribute('s', '{"stringValue":"a\\ud800b"}'),
    shown: { ...cleanedFlag, ...attribute('s', 'a\ufffdb') },
  },
  {
    number: 'R-88',
    what: 'a lone surrogate in a key',
    odd: rawAttribute('k\\udc00', '{"stringValue":"v"}'),
    shown: { ...cleanedFlag, ...attribute('k\ufffd', 'v') },
  },
  {
    number: 'R-88',
    what: 'a lone surrogate in a name',
    odd: raw('"name":"\\ud800"'),
    shown: { ...cleanedFlag, name: '\ufffd' },
  },
  {
    number: 'R-88',
    what: 'a surrogate in the bytes of protobuf',
    odd: bytesAttribute('s', bytes(0xed, 0xa0, 0x80)),
    shown: { flags: ['invalid_utf8'] },
  },
  {
    number: 'R-89',
    what: 'NaN',
    odd: rawAttribute('n', '{"doubleValue":"NaN"}'),
    shown: attribute('n', '"NaN"'),
  },
  {
    number: 'R-89',
    what: 'infinity',
    odd: protoWith({ attributes: [{ key: 'n', value: { doubleValue: -Infinity } }] }),
    shown: attribute('n', '"-Infinity"'),
  },
  {
    number: 'R-89',
    what: 'minus zero',
    odd: protoWith({ attributes: [{ key: 'n', value: { doubleValue: -0 } }] }),
    shown: attribute('n', '-0'),
  },
  {
    number: 'R-89',
    what: '1e400',
    odd: rawAttribute('n', '{"doubleValue":1e400}'),
    shown: attribute('n', '1e400'),
  },
  {
    number: 'R-89',
    what: '2^53+1',
    odd: rawAttribute('n', '{"intValue":9007199254740993}'),
    shown: attribute('n', '9007199254740993'),
  },
  {
    number: 'R-89',
    what: 'a decimal of 40 digits',
    odd: rawAttribute('n', `{"doubleValue":${digits40}}`),
    shown: attribute('n', digits40),
  },
  {
    number: 'R-90',
    what: 'a value of 64 levels',
    odd: jsonWith({ attributes: [nested(64)] }),
    shown: attribute('deep', `${'['.repeat(64)}1${']'.repeat(64)}`),
  },
  {
    number: 'R-90',
    what: 'a value of 64 levels in protobuf',
    odd: protoWith({ attributes: [nested(64)] }),
    shown: attribute('deep', `${'['.repeat(64)}1${']'.repeat(64)}`),
  },
  {
    number: 'R-95',
    what: '100,000 attributes',
    odd: jsonWith({ attributes: many(100_000) }),
    shown: { flags: ['dropped'], dropped: { attributes: 99_000, events: 0, links: 0 } },
  },
  {
    number: 'R-95',
    what: '100,000 attributes in protobuf',
    odd: protoWith({ attributes: many(100_000) }),
    shown: { flags: ['dropped'], dropped: { attributes: 99_000, events: 0, links: 0 } },
  },
  {
    number: 'R-95',
    what: 'a key of 1 MB',
    odd: jsonWith({ attributes: [text('k'.repeat(1_000_000), 'v')] }),
    shown: { flags: ['cut'], ...attribute('k'.repeat(256), 'v') },
  },
  {
    number: 'R-95',
    what: 'a key of 1 MB in protobuf',
    odd: protoWith({ attributes: [text('k'.repeat(1_000_000), 'v')] }),
    shown: { flags: ['cut'] },
  },
  {
    number: 'R-95',
    what: '100,000 events and links',
    odd: protoWith({
      events: Array.from({ length: 100_000 }, () => ({ timeUnixNano: '1', name: 'e' })),
      links: Array.from({ length: 100_000 }, () => ({
        traceId: traceIdOf('odd'),
        spanId: spanIdOf(1),
      })),
    }),
    shown: {
      flags: ['dropped'],
      links: 1000,
      dropped: { attributes: 0, events: 99_000, links: 99_000 },
    },
  },
];

test.each(taken)(
  '$number a span with $what is stored and shown among 50 good ones',
  async ({ odd, shown }) => {
    await takeAll([odd], 0);
    expect(await getSpan(project, traceIdOf('odd'), spanIdOf(0))).toMatchObject(shown);
    expect((await listSpans(project, traceIdOf('odd'))).rows).toHaveLength(26);
  },
);

test('R-86 JSON bytes that are not UTF-8 affect only their own span: flagged, replaced when shown, stored as they came', async () => {
  const body = Buffer.from(
    exportJson([...neighbours, JSON.stringify({ ...oddRoot, name: 'caf@' })]),
  );
  body[body.indexOf('caf@') + 3] = 0xff;
  const reply = await postSpans(servers.edge, key, { format: 'json', body });
  expect([reply.status, readAnswer('json', reply.bytes)]).toEqual([200, null]);
  expect(await getSpan(project, traceIdOf('odd'), spanIdOf(0))).toMatchObject({
    name: 'caf\ufffd',
    flags: ['invalid_utf8'],
  });
  expect(await getSpan(project, traceIdOf('odd'), spanIdOf(1))).toMatchObject({ flags: [] });
  await drainWork(stack.runtime);
});
