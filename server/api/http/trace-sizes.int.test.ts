import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { reportFigure } from '../../../testing/figures';
import {
  contentTypes,
  exportJson,
  exportProto,
  type OtlpFormat,
  otlpFormats,
  plainSpan,
  readStatus,
  sampleSpans,
  text,
} from '../../../testing/otlp';
import { type Edge, startEdge } from '../../../testing/processes';
import { type ApiServers, memoryOf, startApiServers, postSpans } from '../../../testing/span-call';
import { createStack, long, type Stack } from '../../../testing/stack';
import { until } from '../../../testing/until';
import { createKey } from '../../access';

/**
 * The limits of a body, the memory it costs while it is read, and the bytes of all bodies that a
 * process reads at once.
 */

const MiB = 1024 * 1024;
const limit = 20 * MiB;

let stack: Stack;
let edge: Edge;
let servers: ApiServers;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  [edge, servers] = await Promise.all([startEdge(stack.variables), startApiServers(stack.runtime)]);
});

afterAll(async () => {
  await servers.close();
  await stack.close();
});

/** An export of exactly `bytes` bytes, padded with an attribute. Fresh spans for each label. */
function exportOfSize(format: OtlpFormat, label: string, bytes: number): Buffer {
  const build = (fill: number): Buffer => {
    const span = plainSpan(label, 0, [text('fill', 'x'.repeat(fill))]);
    return format === 'json' ? Buffer.from(exportJson([span])) : exportProto([span]);
  };
  // Length prefixes in protobuf grow by a byte at some sizes: two steps reach the exact size.
  const near = build(bytes - 1024);
  const body = build(bytes - 1024 + bytes - near.length);
  expect(body.length).toBe(bytes);
  return body;
}

const sizings = otlpFormats.flatMap((format, i) =>
  [false, true].flatMap((gzip, j) =>
    (['edge', 'web'] as const)
      // Each pair of values occurs in the short form, each triple in the long one.
      .filter((_, k) => long || (i + j + k) % 2 === 0)
      .map((server) => ({ format, gzip, server })),
  ),
);
test.each(sizings)(
  'R-6 a body of 20 MiB is accepted, one byte more is 413 with a Status: $format, gzip $gzip, $server',
  async ({ format, gzip, server }) => {
    const project = await createTestProject(stack.runtime);
    const { key } = await createKey(project, { name: 'test', scopes: ['ingest'] });
    const taken = await postSpans(servers[server], key, {
      format,
      gzip,
      body: exportOfSize(format, 'fits', limit),
    });
    expect([taken.status, taken.type, taken.bytes.length]).toEqual([
      200,
      contentTypes[format],
      format === 'json' ? 2 : 0,
    ]);
    const refused = await postSpans(servers[server], key, {
      format,
      gzip,
      body: exportOfSize(format, 'over', limit + 1),
    });
    expect([refused.status, refused.type]).toEqual([413, contentTypes[format]]);
    expect(readStatus(format, refused.bytes)).toEqual({
      code: 8,
      message: expect.stringContaining('20 MiB') as string,
    });
    const spans =
      await stack.sql`select sum(spans)::int as n from trace_segments where project_id = ${project.projectId}`;
    expect(spans[0]?.n).toBe(1);
  },
);

interface RawReply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** An answer of the server as received on the socket; null if the connection ended without one. */
function parseReply(raw: string): RawReply | null {
  const head = raw.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(raw)?.[1] ?? 'NaN');
  if (head === -1 || !(raw.length >= head + 4 + length)) return null;
  return {
    status: Number(raw.slice(9, 12)),
    type: /content-type: (.*)/i.exec(raw)?.[1]?.trim() ?? '',
    body: raw.slice(head + 4, head + 4 + length),
  };
}

function head(
  key: string,
  more: Readonly<Record<string, string | number>>,
  format: OtlpFormat = 'json',
): string {
  const lines = Object.entries({
    host: 'x',
    authorization: `Bearer ${key}`,
    'content-type': contentTypes[format],
    ...more,
  });
  return `POST /v1/traces HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`;
}

/**
 * Sends `bytes` of padding, chunked on request, and reads only then. Most clients do so, even if an
 * answer came before.
 */
function pour(
  port: number,
  opening: string,
  bytes: number,
  chunked: boolean,
): Promise<RawReply | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const piece = Buffer.alloc(256 * 1024, 0x20);
    const framed = chunked
      ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
      : piece;
    let received = '';
    let sent = 0;
    const done = (): void => {
      resolve(parseReply(received));
      socket.destroy();
    };
    const listen = (): void => {
      if (parseReply(received) !== null) return done();
      socket.on('data', (data) => {
        received += data.toString('latin1');
        if (parseReply(received) !== null) done();
      });
    };
    socket.on('error', done).on('close', done);
    const more = (): void => {
      while (sent < bytes && !socket.destroyed) {
        sent += piece.length;
        if (!socket.write(framed)) return void socket.once('drain', more);
      }
      if (sent >= bytes) listen();
    };
    socket.write(opening);
    more();
  });
}

const sentBytes = 50_000_000;
/**
 * 20 MiB of a body without a length are stored before it is known to be too large, and V8 frees the
 * bytes read since then at any time.
 */
const pourings: readonly {
  what: string;
  framing: Readonly<Record<string, string | number>>;
  atMostMiB: number;
}[] = [
  { what: '50 MB, chunked', framing: { 'transfer-encoding': 'chunked' }, atMostMiB: 48 },
  { what: '50 MB with its length', framing: { 'content-length': sentBytes }, atMostMiB: 32 },
  {
    what: '200 MB declared, 50 MB sent',
    framing: { 'content-length': 200_000_000 },
    atMostMiB: 32,
  },
  {
    what: '10 GB declared, 50 MB sent',
    framing: { 'content-length': 10_000_000_000 },
    atMostMiB: 32,
  },
];
/** Each row with every format; in the short form with one, alternately. */
const withFormats = <Row extends object>(rows: readonly Row[]) =>
  rows.flatMap((row, i) =>
    otlpFormats.filter((_, j) => long || i % 2 === j).map((format) => ({ ...row, format })),
  );
test.each(withFormats(pourings))(
  'R-91 a body of $what is 413 with a Status that its sender receives, for $atMostMiB MiB at most: $format',
  async ({ what, framing, atMostMiB, format }) => {
    const port = Number(new URL(edge.url).port);
    // Looks the key up and pays the first request's costs.
    await postSpans(edge.url, stack.key, { format, body: '' });
    const before = memoryOf(edge.pid) ?? 0;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, memoryOf(edge.pid) ?? 0)), 20);
    const reply = await pour(
      port,
      head(stack.key, framing, format),
      sentBytes,
      'transfer-encoding' in framing,
    );
    clearInterval(watch);
    expect(reply).toMatchObject({ status: 413, type: contentTypes[format] });
    expect(readStatus(format, Buffer.from(reply?.body ?? '', 'latin1')).code).toBe(8);
    reportFigure(`R-91 ${what}, ${format}`, {
      'memory over baseline MiB': Math.round(peak - before),
    });
    expect(peak - before).toBeLessThan(atMostMiB);
    expect((await postSpans(edge.url, stack.key, { format, body: '' })).status).toBe(200);
  },
);

test('R-91 a body shorter than its declared length is no request: its sender receives 400 or nothing, and nothing is stored', async () => {
  const port = Number(new URL(edge.url).port);
  const body = exportJson(sampleSpans('short'));
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (data) => (received += data.toString('latin1')));
  const ended = new Promise<void>((resolve) =>
    socket.once('close', () => resolve()).once('error', () => resolve()),
  );
  socket.end(head(stack.key, { 'content-length': body.length + 10 }) + body);
  await ended;
  expect(received === '' || received.startsWith('HTTP/1.1 400')).toBe(true);
  expect(
    await stack.sql`select 1 from trace_segments where project_id = ${stack.project.projectId}`,
  ).toHaveLength(0);
});

const zeros = gzipSync(Buffer.alloc(100 * MiB));
const bombs: readonly { what: string; body: Buffer; status: number; times: number }[] = [
  { what: 'one bomb, 100 KB to 100 MiB', body: zeros, status: 413, times: 1 },
  { what: 'twenty of them at once', body: zeros, status: 413, times: 20 },
  { what: 'one zipped twice, 336 bytes', body: gzipSync(zeros), status: 400, times: 20 },
];
test.each(withFormats(bombs))(
  'R-93 $what: $status each, for 64 MiB at most: $format',
  async ({ body, status, times, format }) => {
    const headers = { 'content-encoding': 'gzip' };
    // Memory for starting pool threads is not a cost of the body: as many as one project may have
    // are started first.
    await Promise.all(
      Array.from({ length: 4 }, () =>
        postSpans(edge.url, stack.key, { format, body: gzipSync(Buffer.alloc(MiB)), headers }),
      ),
    );
    const before = memoryOf(edge.pid) ?? 0;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, memoryOf(edge.pid) ?? 0)), 10);
    const replies = await Promise.all(
      Array.from({ length: times }, () =>
        postSpans(edge.url, stack.key, { format, body, headers }),
      ),
    );
    clearInterval(watch);
    expect(replies.map((reply) => [reply.status, reply.type])).toEqual(
      replies.map(() => [status, contentTypes[format]]),
    );
    for (const reply of replies)
      expect(readStatus(format, reply.bytes).code).toBe(status === 413 ? 8 : 3);
    reportFigure(`R-93 ${times} × ${format}`, {
      'memory over baseline MiB': Math.round(peak - before),
    });
    expect(peak - before).toBeLessThan(64);
  },
);

/** Opens a request that declares its length, and sends no body yet. */
async function promise(port: number, key: string, bytes: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) =>
    socket.once('connect', () =>
      socket.write(`${head(key, { 'content-length': bytes })} `, () => resolve()),
    ),
  );
  return socket;
}

test('R-2 a project with more bytes in memory than its share is 429 while others are active, a full process 503, and both recover', async () => {
  let known = 0;
  const keys = {
    authorize: (...asked: Parameters<typeof stack.runtime.keys.authorize>) =>
      stack.runtime.keys.authorize(...asked).finally(() => {
        known++;
      }),
  };
  const own = await startApiServers({ ...stack.runtime, keys });
  const other = await createTestProject(stack.runtime);
  const { key } = await createKey(other, { name: 'test', scopes: ['ingest'] });
  const send = async (by: string, format: OtlpFormat) => {
    const body = exportJson(sampleSpans('small'));
    const reply = await postSpans(own.edge, by, {
      format,
      body: format === 'json' ? body : exportProto(sampleSpans('small')),
    });
    return { ...reply, code: reply.status === 200 ? 0 : readStatus(format, reply.bytes).code };
  };
  /** A request in progress: its key has been checked, and it was admitted. */
  const hold = async (by: string, bytes: number): Promise<Socket> => {
    const before = known;
    const socket = await promise(own.port, by, bytes);
    await until('its key is known', () => (known > before ? true : null));
    return socket;
  };
  /** Waits until released bytes are available again. */
  const answers = (by: string, status: number) =>
    until(`answered ${status}`, async () =>
      (await send(by, 'json')).status === status ? true : null,
    );
  const loud: Socket[] = [];
  const quiet = await hold(key, 1000);
  for (let i = 0; i < 4; i++) loud.push(await hold(stack.key, 16 * MiB));
  for (const format of otlpFormats) {
    expect(await send(stack.key, format)).toMatchObject({
      status: 429,
      retryAfter: '1',
      type: contentTypes[format],
      code: 8,
    });
    expect(await send(key, format)).toMatchObject({ status: 200 });
  }
  quiet.destroy();
  await answers(stack.key, 200);
  for (let i = 0; i < 4; i++) loud.push(await hold(stack.key, 16 * MiB));
  for (const format of otlpFormats)
    expect(await send(key, format)).toMatchObject({
      status: 503,
      retryAfter: '1',
      type: contentTypes[format],
      code: 14,
    });
  for (const socket of loud) socket.destroy();
  await answers(key, 200);
  await own.close();
});

test('R-7 a sender that hangs up during its key check leaves nothing in memory', async () => {
  const waiting = new Set<() => void>();
  const slow = {
    ...stack.runtime,
    keys: {
      async authorize(...asked: Parameters<typeof stack.runtime.keys.authorize>) {
        await new Promise<void>((go) => waiting.add(go));
        return stack.runtime.keys.authorize(...asked);
      },
    },
  };
  const own = await startApiServers(slow);
  let closedCount = 0;
  for (let i = 0; i < 10; i++) {
    const socket = await promise(own.port, stack.key, 19 * MiB);
    await until('its key is looked up', () => (waiting.size === i + 1 ? true : null));
    socket.once('close', () => closedCount++).destroy();
  }
  await until('all have hung up', () => (closedCount === 10 ? true : null));
  const reply = postSpans(own.edge, stack.key, {
    format: 'json',
    body: exportJson(sampleSpans('after')),
    timeoutMs: 5_000,
  });
  await until('the next is looked up', () => (waiting.size === 11 ? true : null));
  for (const go of waiting) go();
  expect((await reply).status).toBe(200);
  const again = postSpans(own.edge, stack.key, {
    format: 'json',
    body: exportJson(sampleSpans('after')),
    timeoutMs: 5_000,
  });
  await until('the next is looked up', () => (waiting.size === 12 ? true : null));
  for (const go of waiting) go();
  expect((await again).status).toBe(200);
  await own.close();
});
