import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createTestProject, drainWork } from '../../../testing/database';
import {
  contentTypes,
  exportOf,
  logsOf,
  nsAfter,
  type OtlpFormat,
  otlpFormats,
  type OtlpLog,
  type OtlpPair,
  type OtlpSpan,
  readAnswer,
  readStatus,
  spanIdOf,
  text,
  traceIdOf,
} from '../../../testing/otlp';
import { permutations } from '../../../testing/permutations';
import { createRandom } from '../../../testing/seed';
import {
  type ApiServers,
  postSpans,
  type SpanReply,
  type SpanRequest,
  startApiServers,
} from '../../../testing/span-call';
import { createStack, type Stack } from '../../../testing/stack';
import { createKey, type ProjectCtx } from '../../access';
import { intakeLimits } from '../../domain';
import { unavailable } from '../../platform';
import { getSpan } from '../../ingest';

/** POST /v1/logs and /v1/metrics, by both servers, and the traces that log records complete. */

let stack: Stack;
let servers: ApiServers;
let project: ProjectCtx;
let key: string;

beforeAll(async () => {
  // So that the tests never wait, a trace without a root is assembled at once.
  stack = await createStack(inject('databaseUrl'), { ASSAY_TRACE_IDLE_MS: '0' });
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

type Sent = Omit<SpanRequest, 'path'>;
const postLogs = (server: (typeof both)[number], request: Sent, by = key): Promise<SpanReply> =>
  postSpans(servers[server], by, { ...request, path: '/v1/logs' });

async function expectTaken(format: OtlpFormat, reply: SpanReply): Promise<void> {
  expect([reply.status, reply.type]).toEqual([200, contentTypes[format]]);
  expect(readAnswer(format, reply.bytes)).toBeNull();
}

const ids = (label: string) => ({ traceId: traceIdOf(label), spanId: spanIdOf(1) });
const map = (...values: readonly OtlpPair[]) => ({ kvlistValue: { values } });

/** A call whose span has no text. */
const chat = (label: string): OtlpSpan => ({
  ...ids(label),
  name: 'chat gpt-4o',
  startTimeUnixNano: nsAfter(0),
  endTimeUnixNano: nsAfter(100),
  attributes: [
    text('gen_ai.operation.name', 'chat'),
    text('gen_ai.provider.name', 'openai'),
    text('gen_ai.response.model', 'gpt-4o'),
    text('gen_ai.conversation.id', `s-${label}`),
  ],
});

function event(label: string, ms: number, name: string, body: OtlpLog['body']): OtlpLog {
  return {
    ...ids(label),
    timeUnixNano: nsAfter(ms),
    ...(body === undefined ? {} : { body }),
    attributes: [text('event.name', name), text('gen_ai.system', 'openai')],
  };
}

const question = (label: string, content = 'How full is web-1?'): OtlpLog =>
  event(label, 1, 'gen_ai.user.message', map(text('content', content)));
const toolResult = (label: string): OtlpLog =>
  event(
    label,
    2,
    'gen_ai.tool.message',
    map(text('id', 'call_1'), text('content', '{"disk":91.4}')),
  );
const answer = (label: string, content = 'It is at 91.4%, and 77 GB are free.'): OtlpLog =>
  event(
    label,
    99,
    'gen_ai.choice',
    map(text('finish_reason', 'stop'), { key: 'message', value: map(text('content', content)) }),
  );

/** The stored data of a trace, except its project's id, revisions and times of arrival. */
async function stateOf({ projectId }: ProjectCtx, label: string): Promise<string> {
  const [row] = await stack.sql<{ state: string }[]>`
    select jsonb_build_object(
      'trace', (select jsonb_build_array(c.name, c.spans, c.turns, c.models, c.session_id, c.flags, c.notes) from traces c
        where c.project_id = ${projectId} and c.id = ${traceIdOf(label)}),
      'turns', (select jsonb_agg(jsonb_build_array(t.id, t.payload, t.model) order by t.id) from turns t
        where t.project_id = ${projectId} and not t.superseded),
      'verdicts', (select jsonb_agg(distinct jsonb_build_array(v.outcome, v.detail)) from turns t
        join verdicts v on v.project_id = t.project_id and v.turn_id = t.id and v.revision = t.revision
        where t.project_id = ${projectId}))::text as state`;
  return row?.state ?? '';
}

interface Part {
  readonly path: '/v1/logs' | '/v1/traces';
  readonly bodyOf: (format: OtlpFormat) => Buffer;
}

const partsOf = (label: string): readonly Part[] => [
  { path: '/v1/traces', bodyOf: (format) => exportOf(format, [chat(label)]) },
  { path: '/v1/logs', bodyOf: (format) => logsOf(format, [question(label)]) },
  { path: '/v1/logs', bodyOf: (format) => logsOf(format, [toolResult(label), answer(label)]) },
];

test('the span and its log records in any order, encoding and server, assembled after each request or at the end, sent once or twice, give one state', async () => {
  const states = new Set<string>();
  const label = 'orders';
  const orders = permutations(partsOf(label));
  for (const [n, order] of orders.entries()) {
    const { server, format } = everyWay[n % everyWay.length] ?? { server: 'edge', format: 'json' };
    const own = await createTestProject(stack.runtime);
    const made = await createKey(own, { name: 'test', scopes: ['ingest'] });
    for (const { path, bodyOf } of n % 2 === 0 ? order : [...order, ...order]) {
      const body = bodyOf(format);
      const gzip = n % 3 === 0;
      await expectTaken(
        format,
        await postSpans(servers[server], made.key, { format, body, gzip, path }),
      );
      if (n % 3 !== 1) await drainWork(stack.runtime);
    }
    await drainWork(stack.runtime);
    states.add(await stateOf(own, label));
  }
  expect(states.size).toBe(1);
  const [state = ''] = states;
  expect(state).toContain('It is at 91.4%');
  expect(JSON.parse(state)).toMatchObject({
    trace: ['chat gpt-4o', 1, 1, ['openai/gpt-4o'], 's-orders', [], []],
    turns: [[`${traceIdOf(label)}-${spanIdOf(1)}`, expect.any(String), 'openai/gpt-4o']],
  });
});

test('a late log record makes the next revision of its turn; the same again changes nothing', async () => {
  const label = 'late';
  const sql = stack.sql;
  const revision = async (): Promise<unknown> =>
    (
      await sql`select revision, payload like '%Really?%' as asked from turns where project_id = ${project.projectId}`
    )[0];
  for (const { path, bodyOf } of partsOf(label))
    await postSpans(servers.edge, key, { format: 'json', body: bodyOf('json'), path });
  await drainWork(stack.runtime);
  expect(await revision()).toEqual({ revision: 1, asked: false });
  const late = logsOf('proto', [{ ...question(label, 'Really?'), timeUnixNano: nsAfter(3) }]);
  for (let time = 0; time < 2; time++) {
    await expectTaken('proto', await postLogs('edge', { format: 'proto', body: late }));
    await drainWork(stack.runtime);
    expect(await revision()).toEqual({ revision: 2, asked: true });
  }
  const span = await getSpan(project, traceIdOf(label), spanIdOf(1));
  expect(span.versions).toBe(1);
  expect(span.events.map(({ name }) => name)).toEqual([
    'gen_ai.user.message',
    'gen_ai.tool.message',
    'gen_ai.user.message',
    'gen_ai.choice',
  ]);
});

test('log records reach only the trace of their own project', async () => {
  const label = 'tenants';
  const other = await createTestProject(stack.runtime);
  const { key: otherKey } = await createKey(other, { name: 'test', scopes: ['ingest'] });
  const [span, asked, answered] = partsOf(label);
  for (const [by, part] of [
    [key, span],
    [otherKey, asked],
    [otherKey, answered],
  ] as const)
    await postSpans(servers.edge, by, {
      format: 'json',
      body: part?.bodyOf('json') ?? '',
      path: part?.path ?? '',
    });
  await drainWork(stack.runtime);
  const counts = await stack.sql<{ id: string; turns: number; events: number }[]>`
    select c.project_id as id, c.turns, (select count(*)::int from trace_segments s
      where s.project_id = c.project_id and s.trace_id = c.id) as events
    from traces c where c.id = ${traceIdOf(label)} order by c.turns`;
  expect(counts).toEqual([
    { id: project.projectId, turns: 0, events: 1 },
    { id: other.projectId, turns: 1, events: 2 },
  ]);
});

test.each(everyWay)(
  'broken records and content without a span are rejected and kept; their neighbours are stored: $format, $server',
  async ({ server, format }) => {
    const label = 'broken';
    const { spanId: _none, ...free } = answer(label);
    const records = [question(label), { ...answer(label), traceId: 'ab' }, free, answer(label)];
    const body = logsOf(format, [...records, { body: { stringValue: 'listening' } }]);
    for (let time = 0; time < 2; time++) {
      const reply = await postLogs(server, { format, body });
      expect([reply.status, reply.type]).toEqual([200, contentTypes[format]]);
      expect(readAnswer(format, reply.bytes)).toEqual({
        rejected: 2,
        message: 'traceId: 32 hex digits (16 bytes) or nothing',
      });
    }
    const letters = await stack.sql<{ route: string; code: string }[]>`
      select route, code from dead_letters where project_id = ${project.projectId} order by code`;
    expect(letters).toEqual([
      { route: '/v1/logs', code: 'invalid_log_record' },
      { route: '/v1/logs', code: 'no_span' },
    ]);
    const [counted] = await stack.sql`
      select sum(spans)::int as spans, sum(duplicates)::int as duplicates, sum(rejected)::int as rejected
      from intake_rollups where project_id = ${project.projectId}`;
    expect(counted).toEqual({ spans: 2, duplicates: 2, rejected: 2 });
    await drainWork(stack.runtime);
    expect(await stateOf(project, label)).toContain('It is at 91.4%');
  },
);

test.each(everyWay)(
  'other log records are accepted without storage, and unread events are named: $format, $server',
  async ({ server, format }) => {
    const lines = [
      { ...ids('x'), body: { stringValue: 'listening' } },
      { eventName: 'http.request' },
    ];
    await expectTaken(format, await postLogs(server, { format, body: logsOf(format, lines) }));
    const unread = { ...ids('x'), eventName: 'gen_ai.agent.thought' };
    const reply = await postLogs(server, { format, body: logsOf(format, [...lines, unread]) });
    expect(reply.status).toBe(200);
    expect(readAnswer(format, reply.bytes)).toEqual({
      rejected: 0,
      message:
        '1 log records with events that Assay does not read were not stored: gen_ai.agent.thought',
    });
    const stored = await stack.sql`select 1 from traces where project_id = ${project.projectId}`;
    expect(stored).toHaveLength(0);
  },
);

const signals = [
  { path: '/v1/logs', list: 'resourceLogs' },
  { path: '/v1/metrics', list: 'resourceMetrics' },
] as const;

test.each(signals.flatMap((signal) => everyWay.map((way) => ({ ...signal, ...way }))))(
  'errors of $path are an encoded Status, with the limits of /v1/traces: $format, $server',
  async ({ path, server, format }) => {
    const body = Buffer.alloc(0);
    const { key: reader } = await createKey(project, { name: 'reader', scopes: ['read'] });
    const post = async (request: Partial<SpanRequest>, by = key): Promise<unknown[]> => {
      const reply = await postSpans(servers[server], by, { format, body, ...request, path });
      expect(reply.type).toBe(contentTypes[format]);
      if (reply.status === 200) return [200];
      const { code, message } = readStatus(format, reply.bytes);
      expect(message).not.toMatch(/node_modules|\.ts:\d|select |insert /);
      return [reply.status, code];
    };
    const tooBig = Buffer.alloc(intakeLimits.bodyBytes + 1, 0x20);
    expect(await post({})).toEqual([200]);
    expect(await post({}, '')).toEqual([401, 16]);
    expect(await post({}, reader)).toEqual([403, 7]);
    expect(await post({ body: tooBig })).toEqual([413, 8]);
    expect(await post({ body: tooBig, gzip: true })).toEqual([413, 8]);
    expect(await post({ headers: { 'content-encoding': 'br' } })).toEqual([415, 3]);
    const notGzip = { body: Buffer.from('x'), headers: { 'content-encoding': 'gzip' } };
    expect(await post(notGzip)).toEqual([400, 3]);
  },
);

test.each(everyWay)(
  'a body that is no request of logs is 400, and a fault of the storage is 503: $format, $server',
  async ({ server, format }) => {
    for (const body of [Buffer.from([0x0a, 0xff, 0xff]), Buffer.from('[]'), Buffer.from('{"x"')]) {
      const reply = await postLogs(server, { format, body });
      expect([reply.status, readStatus(format, reply.bytes).code]).toEqual([400, 3]);
    }
    const broken = await startApiServers({
      ...stack.runtime,
      segments: { write: () => Promise.reject(unavailable('storage is away', 7)) },
    });
    const body = logsOf(format, [question('away')]);
    const reply = await postSpans(broken[server], key, { format, body, path: '/v1/logs' });
    expect([reply.status, reply.retryAfter]).toEqual([503, '7']);
    await broken.close();
  },
);

test.each(everyWay)(
  'metrics are accepted with the note that they are not used: $format, $server',
  async ({ server, format }) => {
    const body = format === 'json' ? Buffer.from('{"resourceMetrics":[]}') : Buffer.from([0x0a, 0]);
    for (const gzip of [false, true]) {
      const reply = await postSpans(servers[server], key, {
        format,
        body,
        gzip,
        path: '/v1/metrics',
      });
      expect([reply.status, reply.type]).toEqual([200, contentTypes[format]]);
      expect(readAnswer(format, reply.bytes)).toEqual({
        rejected: 0,
        message: expect.stringMatching(/does not use metrics/) as string,
      });
    }
  },
);

const hostile: readonly (readonly [what: string, content: string])[] = [
  ['NUL', '5\\u0000 GB'],
  ['a lone surrogate', '5\\ud800 GB'],
  ['SQL', "'); drop table turns; --"],
  ['a prototype', '{\\"__proto__\\":{\\"isPublic\\":true}}'],
  ['100,000 brackets', '['.repeat(100_000)],
];
test.each(hostile)('%s in the text of a log record harms no neighbour', async (_what, content) => {
  const odd = JSON.stringify(answer('odd', 'HERE')).replace('HERE', () => content);
  const body = logsOf('json', [
    question('odd'),
    Buffer.from(odd),
    question('next'),
    answer('next'),
  ]);
  await expectTaken('json', await postLogs('edge', { format: 'json', body }));
  await drainWork(stack.runtime);
  const turns = await stack.sql<{ id: string }[]>`
    select id from turns where project_id = ${project.projectId} order by id`;
  expect(turns.map(({ id }) => id)).toEqual(
    ['odd', 'next'].map((label) => `${traceIdOf(label)}-${spanIdOf(1)}`).sort(),
  );
  const failed = await stack.sql`
    select reason from work where project_id = ${project.projectId} and reason is not null`;
  expect(failed).toEqual([]);
});

test('a large body is taken, compressed or not', async () => {
  const label = 'large';
  const records = [question(label, 'x'.repeat(400_000)), answer(label)];
  for (const format of otlpFormats) {
    const body = logsOf(format, records);
    await expectTaken(format, await postLogs('edge', { format, body }));
    const packed = { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } };
    await expectTaken(format, await postLogs('web', { format, ...packed }));
  }
  await drainWork(stack.runtime);
  expect(await stateOf(project, label)).toContain('x'.repeat(1000));
  const [row] = await stack.sql`
    select sum(duplicates)::int as n from intake_rollups where project_id = ${project.projectId}`;
  expect(row?.n).toBe(3 * records.length);
});

test('damaged requests are answered 200, 400 or 413, and leave no work that fails', async () => {
  const random = createRandom('logs');
  for (let n = 0; n < 300; n++) {
    const format = otlpFormats[n % 2] ?? 'json';
    const body = Buffer.from(
      logsOf(format, [question('fuzz'), toolResult('fuzz'), answer('fuzz')]),
    );
    for (let left = random.between(1, 4); left > 0; left--)
      body[random.between(0, body.length - 1)] = random.between(0, 255);
    const reply = await postLogs('edge', { format, body });
    expect([200, 400, 413]).toContain(reply.status);
  }
  await drainWork(stack.runtime);
  const failed = await stack.sql`
    select reason from work where project_id = ${project.projectId} and reason is not null`;
  expect(failed).toEqual([]);
});
