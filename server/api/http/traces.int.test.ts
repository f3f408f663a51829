import { deflateSync, gzipSync, brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createTestProject, drainWork } from '../../../testing/database';
import {
  contentTypes,
  exportJson,
  exportOf,
  exportProto,
  type OtlpFormat,
  otlpFormats,
  plainSpan,
  readAnswer,
  readStatus,
  sampleSpans,
  sampleTurnId,
  spanMessage,
  traceIdOf,
} from '../../../testing/otlp';
import { createRandom, type Random } from '../../../testing/seed';
import {
  type ApiServers,
  startApiServers,
  postSpans,
  type SpanReply,
  type SpanRequest,
} from '../../../testing/span-call';
import { createStack, long, type Stack } from '../../../testing/stack';
import { createKey, type ProjectCtx } from '../../access';
import { unavailable } from '../../platform';
import { processorMsSince } from '../../../testing/processor-time';

/**
 * The answers of POST /v1/traces: status, encoding and retry class, by both servers (api.md,
 * Intake; reliability.md 1.1).
 */

let stack: Stack;
let servers: ApiServers;
let project: ProjectCtx;
let key: string;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  servers = await startApiServers(stack.runtime);
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
  ({ key } = await createKey(project, { name: 'test', scopes: ['ingest'] }));
});

afterAll(async () => {
  await servers.close();
  await stack.close();
});

const both = ['edge', 'web'] as const;
const everyWay = both.flatMap((server) => otlpFormats.map((format) => ({ server, format })));

/** Status, a readable `Status` in the request's content type, and its gRPC code. */
function expectStatus(reply: SpanReply, format: OtlpFormat, status: number, code: number): string {
  expect([reply.status, reply.type]).toEqual([status, contentTypes[format]]);
  const parsed = readStatus(format, reply.bytes);
  expect(parsed.code).toBe(code);
  expect(parsed.message.length).toBeGreaterThan(5);
  expect(parsed.message).not.toMatch(/node_modules|\.ts:\d|select |insert /);
  expect(reply.retryAfter === null).toBe(status !== 429 && status !== 503);
  return parsed.message;
}

async function countRows(): Promise<{ spans: number; letters: number; rejected: number }> {
  const { projectId } = project;
  const [row] = await stack.sql<{ spans: number; letters: number; rejected: number }[]>`
    select (select coalesce(sum(spans), 0)::int from trace_segments where project_id = ${projectId}) as spans,
      (select count(*)::int from dead_letters where project_id = ${projectId}) as letters,
      (select coalesce(sum(rejected), 0)::int from intake_rollups where project_id = ${projectId}) as rejected`;
  return row ?? { spans: -1, letters: -1, rejected: -1 };
}

test.each(everyWay)(
  'R-83 S-1 OTLP errors are an encoded Status in the content type of the request: $format, $server',
  async ({ server, format }) => {
    const body = exportOf(format, sampleSpans('classes'));
    const { key: blunt } = await createKey(project, { name: 'reader', scopes: ['read'] });
    const post = (request: Partial<SpanRequest>, by = key): Promise<SpanReply> =>
      postSpans(servers[server], by, { format, body, ...request });
    expectStatus(await post({}, ''), format, 401, 16);
    expectStatus(await post({}, key.slice(0, -2)), format, 401, 16);
    expectStatus(await post({}, blunt), format, 403, 7);
    expectStatus(await post({ body: Buffer.alloc(20 * 1024 * 1024 + 1, 0x20) }), format, 413, 8);
    expectStatus(
      await post({ headers: { 'content-encoding': 'br' }, body: brotliCompressSync(body) }),
      format,
      415,
      3,
    );
    expect(await countRows()).toEqual({ spans: 0, letters: 0, rejected: 0 });
  },
);

test.each(both)(
  'S-1 an unknown route is 404, and another method of this one is refused (%s)',
  async (server) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': contentTypes.proto };
    for (const [method, path] of [
      ['POST', '/v1/trace'],
      ['POST', '/v1/traces/x/y'],
      ['PUT', '/v1/traces'],
    ] as const) {
      const response = await fetch(servers[server] + path, {
        method,
        headers,
        body: new Uint8Array(exportOf('proto', sampleSpans('a'))),
      });
      expect([path, response.status]).toEqual([path, 404]);
      await response.arrayBuffer();
    }
  },
);

test.each(everyWay)(
  'R-32 a fault of the server is 503 with Retry-After, never 400 or 500: $format, $server',
  async ({ server, format }) => {
    const body = exportOf(format, sampleSpans('broken'));
    const faults: readonly Error[] = [
      unavailable('storage is away', 7),
      Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' }),
    ];
    for (const fault of faults) {
      const broken = await startApiServers({
        ...stack.runtime,
        segments: { ...stack.runtime.segments, write: () => Promise.reject(fault) },
      });
      expectStatus(await postSpans(broken[server], key, { format, body }), format, 503, 14);
      const blind = await startApiServers({
        ...stack.runtime,
        keys: { authorize: () => Promise.reject(fault) },
      });
      expectStatus(await postSpans(blind[server], key, { format, body }), format, 503, 14);
      await Promise.all([broken.close(), blind.close()]);
    }
    expect((await countRows()).spans).toBe(0);
  },
);

const coded: readonly {
  what: string;
  headers: Record<string, string>;
  pack: (body: Buffer) => Buffer;
  status: number;
}[] = [
  {
    what: 'br',
    headers: { 'content-encoding': 'br' },
    pack: (body) => brotliCompressSync(body),
    status: 415,
  },
  {
    what: 'deflate',
    headers: { 'content-encoding': 'deflate' },
    pack: (body) => deflateSync(body),
    status: 415,
  },
  {
    what: 'gzip twice, declared once',
    headers: { 'content-encoding': 'gzip' },
    pack: (body) => gzipSync(gzipSync(body)),
    status: 400,
  },
  {
    what: 'gzip twice, declared twice',
    headers: { 'content-encoding': 'gzip, gzip' },
    pack: (body) => gzipSync(gzipSync(body)),
    status: 415,
  },
  {
    what: 'garbage called gzip',
    headers: { 'content-encoding': 'gzip' },
    pack: () => Buffer.from('no gzip at all'),
    status: 400,
  },
  {
    what: 'gzip that was cut',
    headers: { 'content-encoding': 'gzip' },
    pack: (body) => gzipSync(body).subarray(0, -9),
    status: 400,
  },
  { what: 'gzip that is not declared', headers: {}, pack: (body) => gzipSync(body), status: 400 },
];
test.each(coded.flatMap((row) => everyWay.map((way) => ({ ...row, ...way }))))(
  'R-92 $what is $status: $format, $server',
  async ({ server, format, headers, pack, status }) => {
    const body = pack(exportOf(format, sampleSpans('coded')));
    expectStatus(
      await postSpans(servers[server], key, { format, body, headers }),
      format,
      status,
      3,
    );
    expect((await countRows()).spans).toBe(0);
  },
);

test.each(both)(
  'R-92 text/plain, no type and the type of the other encoding are 415 or 400 (%s)',
  async (server) => {
    const body = exportJson(sampleSpans('typed'));
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      '',
    ]) {
      const reply = await postSpans(servers[server], key, {
        format: 'json',
        body: Buffer.from(body),
        headers: { 'content-type': type },
      });
      expectStatus(reply, 'json', 415, 3);
    }
    expectStatus(await postSpans(servers[server], key, { format: 'proto', body }), 'proto', 400, 3);
    expectStatus(
      await postSpans(servers[server], key, {
        format: 'json',
        body: exportProto(sampleSpans('typed')),
      }),
      'json',
      400,
      3,
    );
    const spelled = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect(
      (await postSpans(servers[server], key, { format: 'json', body, headers: spelled })).status,
    ).toBe(200);
  },
);

const empties: readonly { what: string; bodies: Readonly<Record<OtlpFormat, Buffer>> }[] = [
  { what: 'no bytes', bodies: { json: Buffer.alloc(0), proto: Buffer.alloc(0) } },
  { what: 'no resources', bodies: { json: Buffer.from('{}'), proto: Buffer.alloc(0) } },
  {
    what: 'an empty list',
    bodies: { json: Buffer.from('{"resourceSpans":[]}'), proto: Buffer.from([0x0a, 0]) },
  },
  {
    what: 'a resource without spans',
    bodies: { json: Buffer.from(exportJson([])), proto: exportProto([]) },
  },
];
test.each(
  empties.flatMap(({ what, bodies }) =>
    everyWay.flatMap((way) => [false, true].map((gzip) => ({ what, bodies, gzip, ...way }))),
  ),
)(
  'R-100 an export of $what is a success without partial_success: $format, gzip $gzip, $server',
  async ({ server, format, bodies, gzip }) => {
    const reply = await postSpans(servers[server], key, { format, body: bodies[format], gzip });
    expect(reply).toMatchObject({ status: 200, type: contentTypes[format] });
    expect(readAnswer(format, reply.bytes)).toBeNull();
    expect(await countRows()).toEqual({ spans: 0, letters: 0, rejected: 0 });
  },
);

test('R-100 an empty body declared as gzip is empty all the same', async () => {
  for (const { server, format } of everyWay) {
    const reply = await postSpans(servers[server], key, {
      format,
      body: Buffer.alloc(0),
      headers: { 'content-encoding': 'gzip' },
    });
    expect([reply.status, readAnswer(format, reply.bytes)]).toEqual([200, null]);
  }
});

test.each(everyWay.flatMap((way) => [false, true].map((gzip) => ({ ...way, gzip }))))(
  'R-72 one bad span of 100: 200 with rejected_spans 1 and a message, 99 stored: $format, gzip $gzip, $server',
  async ({ server, format, gzip }) => {
    const good = Array.from({ length: 99 }, (_, i) => plainSpan(`r72-${i % 4}`, i));
    const bad = { ...plainSpan('r72-0', 99), spanId: '00'.repeat(8) };
    const body = exportOf(format, good.toSpliced(40, 0, bad));
    for (let time = 0; time < 2; time++) {
      const reply = await postSpans(servers[server], key, { format, body, gzip });
      expect(reply).toMatchObject({ status: 200, type: contentTypes[format] });
      expect(readAnswer(format, reply.bytes)).toEqual({
        rejected: 1,
        message: expect.stringContaining('spanId') as string,
      });
      expect(await countRows()).toEqual({ spans: 99, letters: 1, rejected: 1 });
    }
    const [letter] = await stack.sql<{ route: string; code: string; body: Buffer }[]>`
      select route, code, body from dead_letters where project_id = ${project.projectId}`;
    expect(letter).toMatchObject({ route: '/v1/traces', code: 'invalid_span' });
    expect(letter?.body).toEqual(
      format === 'json' ? Buffer.from(JSON.stringify(bad)) : spanMessage(bad),
    );
  },
);

const groups = Buffer.concat([Buffer.alloc(10_000, 0x0b), Buffer.alloc(10_000, 0x0c)]);
const damaged: readonly { what: string; body: Buffer }[] = [
  { what: 'a varint that was cut', body: Buffer.from([0x0a, 0xff, 0xff]) },
  { what: 'a length of 1 GB', body: Buffer.from([0x0a, 0x80, 0x80, 0x80, 0x80, 0x04, 0x00]) },
  { what: 'a varint without end', body: Buffer.alloc(64, 0xff) },
  { what: 'a wrong wire type', body: Buffer.from([0x08, 0x01]) },
  { what: '10,000 nested groups', body: groups },
  { what: 'field number 0', body: Buffer.from([0x02, 0x00]) },
  { what: 'a request that was cut', body: exportProto(sampleSpans('cut')).subarray(0, -7) },
  { what: 'JSON', body: Buffer.from(exportJson(sampleSpans('cut'))) },
];
test.each(damaged)(
  'R-83 protobuf with $what is 400 with a Status, costs nothing, and the next request is accepted',
  async ({ body }) => {
    for (const server of both) {
      await postSpans(servers[server], key, { format: 'proto', body: Buffer.alloc(0) });
      const costs: number[] = [];
      for (let n = 0; n < 3; n++) {
        const before = process.cpuUsage();
        const reply = await postSpans(servers[server], key, { format: 'proto', body });
        costs.push(processorMsSince(before));
        expectStatus(reply, 'proto', 400, 3);
      }
      // The minimum, since this process serves other requests too.
      expect(Math.min(...costs)).toBeLessThan(50);
      expect(
        (
          await postSpans(servers[server], key, {
            format: 'proto',
            body: exportProto(sampleSpans('next')),
          })
        ).status,
      ).toBe(200);
    }
    expect((await countRows()).spans).toBe(3);
  },
);

const first = JSON.stringify(sampleSpans('odd')[0]);
const odd: readonly { what: string; body: Buffer | string; status: number }[] = [
  { what: 'a byte order mark', body: `\ufeff${exportJson([first])}`, status: 400 },
  { what: 'bytes after the end', body: `${exportJson([first])}x`, status: 400 },
  { what: 'a comment', body: `/* spans */${exportJson([first])}`, status: 400 },
  { what: 'UTF-16', body: Buffer.from(exportJson([first]), 'utf16le'), status: 400 },
  { what: 'an array', body: `[${exportJson([first])}]`, status: 400 },
  { what: 'a list that is an object', body: '{"resourceSpans":{}}', status: 400 },
  {
    what: 'spans that are a text',
    body: '{"resourceSpans":[{"scopeSpans":[{"spans":"x"}]}]}',
    status: 400,
  },
  { what: 'space around', body: `\n\t ${exportJson([first])} \r\n`, status: 200 },
  {
    what: 'a key that comes twice: the last counts',
    body: `{"resourceSpans":7,${exportJson([first]).slice(1)}`,
    status: 200,
  },
  { what: '200,000 arrays', body: '['.repeat(200_000) + ']'.repeat(200_000), status: 400 },
];
test.each(odd.filter(({ status }) => status === 400))(
  'R-99 R-90 JSON with $what is 400 with a Status',
  async ({ body }) => {
    for (const server of both)
      expectStatus(await postSpans(servers[server], key, { format: 'json', body }), 'json', 400, 3);
    expect((await countRows()).spans).toBe(0);
  },
);

test.each(odd.filter(({ status }) => status === 200))(
  'R-99 JSON with $what is accepted',
  async ({ body }) => {
    for (const server of both) {
      const reply = await postSpans(servers[server], key, { format: 'json', body });
      expect([reply.status, readAnswer('json', reply.bytes)]).toEqual([200, null]);
    }
    expect((await countRows()).spans).toBe(1);
  },
);

test('R-99 the same spans as protobuf and as JSON, compressed or not, by either server, give the same turn and verdict', async () => {
  const seen = new Set<string>();
  await drainWork(stack.runtime);
  for (const { server, format } of everyWay) {
    for (const gzip of [false, true]) {
      const own = await createTestProject(stack.runtime);
      const made = await createKey(own, { name: 'test', scopes: ['ingest'] });
      const reply = await postSpans(servers[server], made.key, {
        format,
        body: exportOf(format, sampleSpans('same', 6)),
        gzip,
      });
      expect([reply.status, readAnswer(format, reply.bytes)]).toEqual([200, null]);
      expect(await drainWork(stack.runtime)).toBe(1);
      const rows = await stack.sql<{ state: string }[]>`
        select jsonb_build_array(t.id, t.content_hash, t.payload, t.flags, c.name, c.service, c.session_id, c.spans, c.models, c.input_tokens,
          v.outcome, v.detail)::text as state
        from turns t join traces c on c.project_id = t.project_id and c.id = t.trace_id
        join verdicts v on v.project_id = t.project_id and v.turn_id = t.id where t.project_id = ${own.projectId}`;
      expect(rows).toHaveLength(1);
      expect(rows[0]?.state).toContain(sampleTurnId('same', 6));
      seen.add(rows[0]?.state ?? '');
    }
  }
  expect(seen.size).toBe(1);
});

test('R-85 randomly damaged requests are answered 200, 400 or 413, and never break the process', async () => {
  const random = createRandom('R-85');
  const seeds = otlpFormats.map((format) => ({
    format,
    body: exportOf(format, sampleSpans('fuzz', 5)),
  }));
  const statuses = new Map<number, number>();
  const until = performance.now() + (long ? 60_000 : 3_000);
  while (performance.now() < until) {
    await Promise.all(
      seeds.map(async ({ format, body }) => {
        const reply = await postSpans(servers.edge, key, { format, body: mutate(body, random) });
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        if (reply.status === 200) readAnswer(format, reply.bytes);
        else readStatus(format, reply.bytes);
      }),
    );
  }
  expect([...statuses.keys()].filter((status) => ![200, 400, 413].includes(status))).toEqual([]);
  await drainWork(stack.runtime);
  const left =
    await stack.sql`select reason from work where project_id = ${project.projectId} and reason is not null`;
  expect(left).toEqual([]);
  expect(
    await stack.sql`select id from traces where project_id = ${project.projectId} and id = ${traceIdOf('fuzz')}`,
  ).toHaveLength(1);
});

/** One to four mutations: bytes changed, runs removed, runs doubled. */
function mutate(body: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(body);
  for (let left = random.between(1, 4); left > 0; left--) {
    const at = random.between(0, Math.max(0, bytes.length - 1));
    const run = random.between(1, 40);
    const kind = random.next();
    if (kind < 0.6) bytes[at] = random.between(0, 255);
    else if (kind < 0.8) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + run)]);
    else bytes = Buffer.concat([bytes.subarray(0, at + run), bytes.subarray(at)]);
  }
  return bytes;
}
