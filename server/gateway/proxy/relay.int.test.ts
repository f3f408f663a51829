import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  answerJson,
  answerStream,
  type MockUpstream,
  startMockUpstream,
} from '../../../testing/mock-upstream';
import { sendRaw } from '../../../testing/raw-answer';
import { unbound } from '../../thresholds';
import { CAPTURE_BYTES_MAX } from './captured';
import { assayKey, type TestProxy, routeTo, startProxy, upstreamKey } from './proxy-fixture';

let upstream: MockUpstream;
let proxy: TestProxy;
const chat = '/gateway/test/v1/chat/completions';
const key = ['authorization', `Bearer ${assayKey}`] as const;
const ask = JSON.stringify({
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'How full is web-1?' }],
});
const reply = JSON.stringify({
  id: 'c1',
  model: 'gpt-4o-mini',
  choices: [{ message: { role: 'assistant', content: '91.4%' } }],
});
const json = answerJson(reply);

beforeAll(async () => {
  upstream = await startMockUpstream(json);
  proxy = await startProxy(`${upstream.origin}/v1`);
});

afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

beforeEach(() => {
  upstream.script(json);
  upstream.requests.length = 0;
  proxy.captured.length = 0;
  proxy.counted.length = 0;
  proxy.set.settings({});
  proxy.set.deps({});
  proxy.set.unavailable(false);
});

const testProject = {
  id: 'prj_1',
  slug: 's',
  integrityOff: false,
  derivedCountsAsSourced: false,
  masks: null,
  turnAuthority: unbound,
  providers: [],
};
const headersOf = (raw: readonly string[]) =>
  raw.flatMap((name, n) => (n % 2 === 0 ? [[name.toLowerCase(), raw[n + 1] ?? ''] as const] : []));
const find = (headers: readonly (readonly [string, string])[], name: string) =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];
const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

test('a call is sent with the stored key, and its answer comes back with its outcome', async () => {
  const ended = proxy.nextEnd();
  const answer = await sendRaw(proxy.port, {
    path: `${chat}?a=1`,
    headers: [key, ['content-type', 'application/json']],
    body: ask,
  });
  expect(answer.status).toBe(200);
  expect(answer.body.toString()).toBe(reply);
  expect(find(answer.headers, 'x-assay-verdict')).toBe('not_verified');
  expect(find(answer.headers, 'x-assay-reason')).toBe('disabled');
  const received = upstream.requests[0];
  expect(received?.url).toBe('/v1/chat/completions?a=1');
  expect(received?.headers.authorization).toBe(`Bearer ${upstreamKey}`);
  expect(received?.headers.host).toBe(`127.0.0.1:${upstream.port}`);
  expect(received?.body.toString()).toBe(ask);
  await ended;
  const captured = proxy.captured[0];
  expect(captured?.chunks.map(String).join('')).toBe(reply);
  expect(captured).toMatchObject({
    status: 200,
    partial: false,
    truncated: false,
    deliveryDelayMs: null,
    form: 'json',
  });
  expect(captured?.request()).toMatchObject({
    model: 'gpt-4o-mini',
    stream: false,
    dialect: 'chat',
    path: '/v1/chat/completions?a=1',
  });
});

test('R-70 S-46 S-50 headers of the connection, of Assay and of clouds are dropped, and all others forwarded unchanged', async () => {
  const answer = await sendRaw(proxy.port, {
    path: chat,
    headers: [
      ['Authorization', 'Bearer sk-own'],
      ['x-assay-key', assayKey],
      ['X-Assay-Session', 's-1'],
      ['Connection', 'close, X-Hop'],
      ['X-Hop', 'secret'],
      ['Keep-Alive', 'timeout=5'],
      ['TE', 'trailers'],
      ['Proxy-Authorization', 'Basic x'],
      ['x-portkey-custom-host', 'http://169.254.169.254/'],
      ['Metadata-Flavor', 'Google'],
      ['X-aws-ec2-metadata-token', 't'],
      ['Host', 'evil.test'],
      ['Cookie', 'assay.session_token=abc; other=1'],
      ['Accept-Encoding', 'gzip, br'],
      ['Expect', '100-continue'],
      ['X-Custom', 'kept'],
      ['OpenAI-Organization', 'org-1'],
    ],
    body: ask,
  });
  expect(answer.status).toBe(200);
  const sent = headersOf(upstream.requests[0]?.rawHeaders ?? []);
  expect(Object.fromEntries(sent)).toEqual({
    authorization: 'Bearer sk-own',
    host: `127.0.0.1:${upstream.port}`,
    connection: 'keep-alive',
    cookie: 'other=1',
    'accept-encoding': 'gzip, br',
    'x-custom': 'kept',
    'openai-organization': 'org-1',
    'content-length': String(ask.length),
  });
  expect(JSON.stringify(sent)).not.toContain('asy_');
});

test.each([
  [
    'in both places',
    [
      ['authorization', 'Bearer sk-own'],
      ['x-api-key', assayKey],
      ['x-assay-key', assayKey],
    ],
    'Bearer sk-own',
  ],
  [
    'as bearer and as key',
    [
      ['authorization', `Bearer ${assayKey}`],
      ['x-api-key', assayKey],
    ],
    `Bearer ${upstreamKey}`,
  ],
  ['as key alone', [['x-api-key', assayKey]], `Bearer ${upstreamKey}`],
] as const)('R-70 the Assay key is never forwarded: %s', async (_where, headers, authorization) => {
  await sendRaw(proxy.port, { path: chat, headers, body: ask });
  const sent = upstream.requests[0]?.rawHeaders ?? [];
  expect(sent.join('\n')).not.toContain('asy_');
  expect(upstream.requests[0]?.headers.authorization).toBe(authorization);
});

test('R-70 answers: hop-by-hop and Assay headers are dropped, encoded bytes and trailers pass', async () => {
  const body = gzipSync(reply);
  upstream.script(({ response }) => {
    response.writeHead(200, 'Fine', [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
      ['Trailer', 'x-checksum'],
      ['Connection', 'x-internal'],
      ['X-Internal', 'secret'],
      ['x-assay-verdict', 'passed'],
      ['Set-Cookie', 'assay.session_token=evil'],
      ['Set-Cookie', 'cf=1'],
      ['X-Request-Id', 'req-1'],
    ]);
    response.write(body);
    response.addTrailers({ 'x-checksum': 'abc' });
    response.end();
  });
  const ended = proxy.nextEnd();
  const answer = await sendRaw(proxy.port, {
    path: chat,
    headers: [key, ['accept-encoding', 'gzip']],
    body: ask,
  });
  expect(answer.statusText).toBe('Fine');
  expect(answer.body.equals(body)).toBe(true);
  expect(answer.complete).toBe(true);
  expect(answer.trailers).toEqual([['x-checksum', 'abc']]);
  const names = answer.headers.map(([name]) => name.toLowerCase());
  expect(names).not.toContain('x-internal');
  expect(answer.headers.filter(([name]) => name === 'x-assay-verdict')).toEqual([
    ['x-assay-verdict', 'not_verified'],
  ]);
  expect(answer.headers.filter(([name]) => name.toLowerCase() === 'set-cookie')).toEqual([
    ['Set-Cookie', 'cf=1'],
  ]);
  expect(find(answer.headers, 'x-request-id')).toBe('req-1');
  await ended;
  expect(proxy.captured[0]).toMatchObject({ contentEncoding: 'gzip' });
});

test.each([
  ['GET', '/models', 200],
  ['HEAD', '/models', 200],
  ['DELETE', '/files/f-1', 204],
  ['GET', '/files/f-1/content', 304],
  ['POST', '/completions', 200],
] as const)(
  'what is no call to a model is passed through and counted: %s %s %i',
  async (method, path, status) => {
    upstream.script(({ response }) => {
      response.writeHead(status, { 'content-type': 'text/plain', 'x-from': 'upstream' });
      response.end(method === 'HEAD' ? undefined : 'hello');
    });
    proxy.set.settings({ allow_paths: ['/files/*'] });
    const ended = proxy.nextEnd();
    const body = method === 'POST' ? 'a body' : '';
    const answer = await sendRaw(proxy.port, {
      method,
      path: `/gateway/test/v1${path}`,
      headers: [key],
      body,
    });
    expect([answer.status, find(answer.headers, 'x-from')]).toEqual([status, 'upstream']);
    expect(answer.body.toString()).toBe(method === 'HEAD' || status !== 200 ? '' : 'hello');
    expect(upstream.requests[0]).toMatchObject({ method, url: `/v1${path}` });
    expect(upstream.requests[0]?.body.toString()).toBe(body);
    await ended;
    expect(proxy.captured).toEqual([]);
    expect(proxy.counted).toEqual([
      { verdict: 'not_verified', reason: 'disabled', verificationId: null },
    ]);
  },
);

test('R-61 S-43 errors and redirects of the upstream are passed on unchanged, nothing followed, nothing counted', async () => {
  for (const status of [301, 307, 400, 401, 404, 429, 500, 503]) {
    upstream.script(({ response }) => {
      response.writeHead(status, {
        'retry-after': '7',
        location: 'http://127.0.0.1:1/',
        'content-type': 'application/json',
      });
      response.end(`{"error":${status}}`);
    });
    proxy.set.settings({ quality_verifier: { model: 'openai:gpt-4o', frequency: 1 } });
    let counted = 0;
    proxy.set.deps({
      turns: {
        advance: () => ({ units: ++counted, counter: 0, shouldVerify: true }),
        endVerification: () => undefined,
      },
    });
    const answer = await sendRaw(proxy.port, { path: chat, headers: [key], body: ask });
    expect(answer.status).toBe(status);
    expect(answer.body.toString()).toBe(`{"error":${status}}`);
    expect(find(answer.headers, 'retry-after')).toBe('7');
    expect([
      find(answer.headers, 'x-assay-verdict'),
      find(answer.headers, 'x-assay-reason'),
    ]).toEqual(['not_verified', 'error']);
    expect(counted).toBe(0);
  }
  expect(upstream.requests.length).toBe(8);
});

test('R-61 an unreachable or silent upstream is a 502 or a 504 in the format of the API', async () => {
  const dead = await startMockUpstream(json);
  const unreachable = await startProxy(`${dead.origin}/v1`);
  await dead.close();
  const slow = await startProxy(`${upstream.origin}/v1`, 'anthropic', { headersMs: 1000 });
  try {
    const refused = await sendRaw(unreachable.port, { path: chat, headers: [key], body: ask });
    expect(refused.status).toBe(502);
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      error: { code: 'upstream_unreachable' },
    });
    expect(find(refused.headers, 'x-request-id')).toMatch(/^req_/);
    upstream.script(() => undefined);
    const late = await sendRaw(slow.port, {
      path: '/gateway/test/v1/messages',
      headers: [key],
      body: ask,
    });
    expect(late.status).toBe(504);
    expect(JSON.parse(late.body.toString())).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining('in time') },
    });
  } finally {
    await unreachable.close();
    await slow.close();
  }
});

test('an upstream that breaks off before it answers is a 502, and never a call sent twice', async () => {
  upstream.script(({ socket }) => void socket.destroy());
  expect((await sendRaw(proxy.port, { path: chat, headers: [key], body: ask })).status).toBe(502);
  expect(upstream.requests.length).toBe(1);
});

test('R-64 G6 a client that disconnects mid-stream closes the upstream within 50 ms and leaks nothing', async () => {
  const runs = process.env.ASSAY_LONG === '1' ? 1000 : 60;
  const delays: number[] = [];
  upstream.script(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n');
  });
  const streamed = JSON.stringify({ ...JSON.parse(ask), stream: true });
  for (let n = 0; n < runs; n++) {
    let leftAt = 0;
    const ended = proxy.nextEnd();
    await sendRaw(proxy.port, {
      path: chat,
      headers: [key],
      body: streamed,
      onBytes(bytes, socket) {
        if (!bytes.includes('Hello')) return;
        leftAt = performance.now();
        socket.destroy();
      },
    });
    await upstream.requests.at(-1)?.left;
    delays.push(performance.now() - leftAt);
    await ended;
    expect(proxy.captured.at(-1)).toMatchObject({ partial: true, outcome: { reason: 'disabled' } });
  }
  delays.sort((a, b) => a - b);
  expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(50);
  expect(await upstream.connections()).toBeLessThan(3);
  await proxy.gateway.drain();
});

test('R-64 a client that disconnects before its answer, or while sending, closes the upstream too', async () => {
  upstream.script(() => undefined);
  const socket = connect({ port: proxy.port, host: '127.0.0.1' });
  socket.write(
    `POST ${chat} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${assayKey}\r\ncontent-length: ${ask.length}\r\n\r\n${ask}`,
  );
  await expect.poll(() => upstream.requests.length).toBe(1);
  socket.destroy();
  await upstream.requests[0]?.left;
  const sender = connect({ port: proxy.port, host: '127.0.0.1' });
  sender.write(
    `POST ${chat} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${assayKey}\r\ncontent-length: 500000\r\n\r\n${'x'.repeat(200_000)}`,
  );
  await once(sender, 'ready');
  const ended = proxy.nextEnd();
  sender.destroy();
  await ended;
  await proxy.gateway.drain();
});

test.each([
  ['chunked', {}],
  ['with a length', { 'content-length': '100000' }],
])(
  'R-65 an upstream that breaks off after 10 chunks cuts the client off, and the capture is partial: %s',
  async (_how, headers) => {
    upstream.script(async ({ response, socket }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
      for (let n = 0; n < 10; n++) {
        response.write(`data: ${n}\n\n`);
        await new Promise((go) => setImmediate(go));
      }
      socket.destroy();
    });
    const ended = proxy.nextEnd();
    const answer = await sendRaw(proxy.port, { path: chat, headers: [key], body: ask });
    expect(answer.complete).toBe(false);
    expect(answer.body.toString()).toBe(
      Array.from({ length: 10 }, (_, n) => `data: ${n}\n\n`).join(''),
    );
    await ended;
    expect(proxy.captured[0]).toMatchObject({ partial: true, status: 200 });
  },
);

test('R-61 an invalid status text is omitted, and the answer passes', async () => {
  const odd = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.end(
        `HTTP/1.1 200 Tr\u00e8s \u20ac\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`,
      );
    });
  });
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  const proxy = await startProxy(`http://127.0.0.1:${(odd.address() as AddressInfo).port}/v1`);
  try {
    for (const settings of [{}, { integrity: { mode: 'hold' } }]) {
      proxy.set.settings(settings);
      const answer = await sendRaw(proxy.port, { path: chat, headers: [key], body: ask });
      expect([answer.status, answer.statusText, answer.body.toString()]).toEqual([200, '', reply]);
    }
  } finally {
    await proxy.close();
    odd.close();
  }
});

test('R-64 pipelined requests end with their connection', async () => {
  upstream.script(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  });
  const socket = connect({ port: proxy.port, host: '127.0.0.1' });
  const request = `POST ${chat} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${assayKey}\r\ncontent-length: ${ask.length}\r\n\r\n${ask}`;
  socket.write(request.repeat(15));
  await expect.poll(() => upstream.requests.length).toBe(15);
  expect(proxy.gateway.open).toBe(15);
  socket.destroy();
  await proxy.gateway.drain();
  await Promise.all(upstream.requests.map(({ left }) => left));
  expect(proxy.captured.length + proxy.counted.length).toBe(15);
});

test('R-65 a request that exceeds 20 MiB during its answer cuts the answer off', async () => {
  const early = await startMockUpstream(
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {}\n\n');
    },
    { early: true },
  );
  const proxy = await startProxy(`${early.origin}/v1`);
  try {
    for (const settings of [{}, { quality_verifier: { model: 'openai:gpt-4o' } }]) {
      proxy.set.settings(settings);
      proxy.set.shouldVerify(true);
      const socket = connect({ port: proxy.port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.write(
        `POST ${chat} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${assayKey}\r\ntransfer-encoding: chunked\r\n\r\n`,
      );
      socket.write(`10\r\n${'a'.repeat(16)}\r\n`);
      await once(socket, 'data');
      const piece = Buffer.alloc(1024 * 1024, 'a');
      for (let n = 0; n < 21; n++)
        socket.write(Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]));
      socket.resume();
      await closed;
      await proxy.gateway.drain();
    }
    expect(proxy.captured).toMatchObject([{ partial: true, outcome: { reason: 'disabled' } }]);
    expect(proxy.counted).toMatchObject([{ verdict: 'not_verified', reason: 'error' }]);
  } finally {
    await proxy.close();
    await early.close();
  }
});

test('S-46 a method whose answer would show the stored key is refused', async () => {
  const answer = await sendRaw(proxy.port, {
    method: 'TRACE',
    path: '/gateway/test/v1/anything',
    headers: [key],
  });
  expect([answer.status, upstream.requests.length]).toEqual([405, 0]);
});

test('R-70 all of several Connection headers apply, both ways; Assay trailers are dropped', async () => {
  upstream.script(({ response }) => {
    response.writeHead(200, 'OK', [
      ['Trailer', 'x-assay-verdict, x-sum'],
      ['Connection', 'x-one'],
      ['X-One', '1'],
      ['Connection', 'x-two'],
      ['X-Two', '2'],
    ]);
    response.write('hello');
    response.addTrailers({
      'x-assay-verdict': 'passed',
      'x-assay-verification': 'ver_forged',
      'x-sum': 'abc',
    });
    response.end();
  });
  const answer = await sendRaw(proxy.port, {
    path: chat,
    headers: [
      key,
      ['Connection', 'close, X-Three'],
      ['X-Three', '3'],
      ['Connection', 'X-Four'],
      ['X-Four', '4'],
    ],
    body: ask,
  });
  const names = answer.headers.map(([name]) => name.toLowerCase());
  for (const name of ['x-one', 'x-two', 'trailer']) expect(names).not.toContain(name);
  expect(answer.trailers).toEqual([['x-sum', 'abc']]);
  const sent = upstream.requests[0]?.headers ?? {};
  expect([sent['x-three'], sent['x-four']]).toEqual([undefined, undefined]);
});

test('R-69 calls cut off at shutdown are recorded before the proxy has drained', async () => {
  upstream.script(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  });
  const proxy = await startProxy(`${upstream.origin}/v1`);
  const calls = Array.from({ length: 20 }, () =>
    sendRaw(proxy.port, { path: chat, headers: [key], body: ask }),
  );
  await expect.poll(() => upstream.requests.length).toBe(20);
  const closing = proxy.close();
  await proxy.gateway.drain();
  expect(proxy.captured.length + proxy.counted.length).toBe(20);
  await Promise.allSettled([closing, ...calls]);
});

test('R-63 a capture has the first MiB, and a flag if there was more; the body passes completely', async () => {
  for (const [bytes, truncated] of [
    [CAPTURE_BYTES_MAX - 1, false],
    [CAPTURE_BYTES_MAX, false],
    [CAPTURE_BYTES_MAX + 1, true],
  ] as const) {
    const body = Buffer.alloc(bytes, 'x');
    upstream.script(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes });
      response.end(body);
    });
    const ended = proxy.nextEnd();
    const answer = await sendRaw(proxy.port, { path: chat, headers: [key], body: ask });
    expect(hashOf(answer.body)).toBe(hashOf(body));
    await ended;
    const captured = proxy.captured.at(-1);
    expect(captured?.truncated).toBe(truncated);
    expect(Buffer.concat(captured?.chunks ?? []).length).toBe(Math.min(bytes, CAPTURE_BYTES_MAX));
  }
});

test('R-63 200 MB pass through a slow client without being kept', async () => {
  const piece = Buffer.alloc(1_000_000, 'y');
  upstream.script(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (let n = 0; n < 200; n++) if (!response.write(piece)) await once(response, 'drain');
    response.end();
  });
  const ended = proxy.nextEnd();
  const before = process.memoryUsage().rss;
  let peak = 0;
  let bytes = 0;
  const socket = connect({ port: proxy.port, host: '127.0.0.1' });
  socket.write(
    `POST ${chat} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${assayKey}\r\ncontent-length: ${ask.length}\r\n\r\n${ask}`,
  );
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length;
    peak = Math.max(peak, process.memoryUsage().rss - before);
  }
  await ended;
  expect(bytes).toBeGreaterThan(200_000_000);
  expect(Buffer.concat(proxy.captured[0]?.chunks ?? []).length).toBe(CAPTURE_BYTES_MAX);
  // Upstream, gateway and client share this process, and garbage is collected at any time. The
  // total must only stay well below 200 MB.
  expect(peak).toBeLessThan(120_000_000);
});

test('R-8 bodies are equal, streamed or not, 100 at a time', async () => {
  const each = process.env.ASSAY_LONG === '1' ? 1000 : 200;
  const frames = Array.from(
    { length: 20 },
    (_, n) => `data: {"n":${n},"choices":[{"delta":{"content":"wörd ${n}"}}]}\n\n`,
  );
  const direct: number[] = [];
  const through: number[] = [];
  for (const [script, expected] of [
    [json, reply],
    [answerStream(frames), frames.join('')],
  ] as const) {
    upstream.script(script);
    for (const [port, path, times] of [
      [upstream.port, '/v1/chat/completions', direct],
      [proxy.port, chat, through],
    ] as const) {
      let left = each;
      const one = async (): Promise<void> => {
        while (left-- > 0) {
          const from = performance.now();
          const answer = await sendRaw(port, { path, headers: [key], body: ask });
          times.push(performance.now() - from);
          expect(answer.complete && hashOf(answer.body)).toBe(hashOf(expected));
        }
      };
      await Promise.all(Array.from({ length: 100 }, one));
    }
  }
  const at = (times: number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
  const added = {
    p50: at(through, 0.5) - at(direct, 0.5),
    p99: at(through, 0.99) - at(direct, 0.99),
  };
  process.stdout.write(
    `R-8 added, all in one process: p50 ${added.p50.toFixed(2)} ms, p99 ${added.p99.toFixed(2)} ms\n`,
  );
  expect(added.p50).toBeLessThan(500);
  await proxy.gateway.drain();
});

test('bodies above 64 KiB are streamed; above 20 MiB to a model they are refused in the format of the API', async () => {
  const large = JSON.stringify({
    model: 'm',
    messages: [{ role: 'user', content: 'x'.repeat(1_000_000) }],
  });
  const ended = proxy.nextEnd();
  expect(
    (await sendRaw(proxy.port, { path: chat, headers: [key], body: large })).body.toString(),
  ).toBe(reply);
  expect(upstream.requests[0]?.headers['content-length']).toBe(String(large.length));
  expect(hashOf(upstream.requests[0]?.body ?? '')).toBe(hashOf(large));
  await ended;
  expect(hashOf(proxy.captured[0]?.request().body ?? '')).toBe(hashOf(large));
  const chunked = `3\r\n{"a\r\n${(2).toString(16)}\r\n":\r\n0\r\n\r\n`;
  await sendRaw(proxy.port, {
    path: chat,
    headers: [key, ['transfer-encoding', 'chunked']],
    body: chunked,
  });
  expect(upstream.requests[1]?.body.toString()).toBe('{"a":');
  const huge = await sendRaw(proxy.port, {
    path: chat,
    headers: [key],
    body: Buffer.alloc(21 * 1024 * 1024, 'x'),
  });
  expect(huge.status).toBe(413);
  expect(JSON.parse(huge.body.toString())).toMatchObject({
    error: { message: expect.stringContaining('20 MiB') },
  });
  expect(upstream.requests.length).toBe(2);
  // A body of unknown length that turns out too long: the client gets an error, and the upstream
  // request is aborted.
  const size = 21 * 1024 * 1024;
  const endless = Buffer.concat([
    Buffer.from(`${size.toString(16)}\r\n`),
    Buffer.alloc(size, 'x'),
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
  const late = await sendRaw(proxy.port, {
    path: chat,
    headers: [key, ['transfer-encoding', 'chunked']],
    body: endless,
  });
  expect(late.status).toBe(413);
  await proxy.gateway.drain();
});

test('S-46 S-49 addresses and headers in a body go only to the upstream, byte for byte', async () => {
  const body = JSON.stringify({
    ...JSON.parse(ask),
    model: 'm\r\nx-evil: 1',
    api_base: 'http://169.254.169.254/',
    base_url: 'http://10.0.0.1',
  });
  const answer = await sendRaw(proxy.port, {
    path: chat,
    headers: [key, ['x-assay-session', 's\tx-evil']],
    body,
  });
  expect(answer.status).toBe(200);
  expect(upstream.requests[0]?.body.toString()).toBe(body);
  expect(upstream.requests[0]?.rawHeaders.join('\n')).not.toContain('evil');
  expect(answer.headers.flat().join('\n')).not.toContain('evil');
});

test('an answer before the end of the request reaches the client', async () => {
  const early = await startMockUpstream(({ response }) => void response.writeHead(401).end('no'), {
    early: true,
  });
  const proxy = await startProxy(`${early.origin}/v1`);
  try {
    const socket = connect({ port: proxy.port, host: '127.0.0.1' });
    socket.write(
      `POST ${chat} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${assayKey}\r\ncontent-length: 300000\r\n\r\n`,
    );
    socket.write(Buffer.alloc(300_000, 'x'));
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString()).toContain('401 Unauthorized');
    socket.destroy();
  } finally {
    await proxy.close();
    await early.close();
  }
});

test('paths with dot segments, unknown routes and wrong keys are refused before any call', async () => {
  for (const [path, headers, status] of [
    ['/gateway/test/v1/../admin', [key], 400],
    ['/gateway/test/v1/%2e%2e/admin', [key], 400],
    ['/gateway/test/v1/a%2f..%2fadmin', [key], 400],
    ['/gateway/other/v1/chat/completions', [key], 404],
    ['/gateway/test/chat/completions', [key], 404],
    [chat, [], 401],
    [chat, [['authorization', 'Bearer asy_wrong']], 401],
  ] as const) {
    const answer = await sendRaw(proxy.port, { path, headers, body: ask });
    expect(answer.status, path).toBe(status);
    expect(find(answer.headers, 'x-request-id')).toMatch(/^req_/);
    expect(JSON.parse(answer.body.toString()).error.message).toEqual(expect.any(String));
  }
  expect(upstream.requests.length).toBe(0);
  // A key that is not in the snapshot is looked up.
  expect(
    (
      await sendRaw(proxy.port, {
        path: chat,
        headers: [['authorization', 'Bearer asy_unknown']],
        body: ask,
      })
    ).status,
  ).toBe(200);
});

test('S-45 a stored key goes to the origin that it was entered for, and to no other', async () => {
  const { project, provider } = routeTo({
    project: testProject,
    baseUrl: 'http://other.test/v1',
    api: 'openai',
    settings: {},
  });
  const moved = {
    ...routeTo({ project, baseUrl: `${upstream.origin}/v1`, api: 'openai', settings: {} }),
    provider,
  };
  proxy.set.deps({
    snapshot: {
      authorize: () => ({ state: 'ok', project, virtual: true, keyId: 'k' }),
      authorizeUnknown: async () => ({
        state: 'refused',
        status: 401,
        code: 'unauthorized',
        message: '',
      }),
      routeOf: () => moved,
    },
  });
  expect((await sendRaw(proxy.port, { path: chat, headers: [key], body: ask })).status).toBe(200);
  expect(JSON.stringify(upstream.requests[0]?.rawHeaders)).not.toContain(upstreamKey);
});

test.each([
  [
    'no_provider',
    '/chat/completions',
    404,
    { error: { code: 'not_found', message: expect.stringContaining('provider has the key') } },
  ],
  ['no_provider', '/embeddings', 404, { error: { code: 'not_found' } }],
  ['no_provider', '/messages', 404, { type: 'error', error: { type: 'not_found_error' } }],
  [
    'several_providers',
    '/chat/completions',
    502,
    {
      error: {
        code: 'upstream_refused',
        message: expect.stringContaining('provider has the key'),
      },
    },
  ],
] as const)(
  'S-45 with only the Assay key nothing is called if no upstream key is known: %s %s',
  async (kind, path, status, body) => {
    const defaultRoute = routeTo({
      project: testProject,
      baseUrl: `${upstream.origin}/v1`,
      api: 'openai',
      settings: {},
    });
    const route = {
      ...defaultRoute,
      provider: null,
      keyGap: { kind, message: 'no provider has the key' },
    };
    let virtual = true;
    proxy.set.deps({
      snapshot: {
        authorize: () => ({ state: 'ok', project: testProject, virtual, keyId: 'k' }),
        authorizeUnknown: async () => ({
          state: 'refused',
          status: 401,
          code: 'unauthorized',
          message: '',
        }),
        routeOf: () => route,
      },
    });
    const call = () =>
      sendRaw(proxy.port, {
        path: `/gateway/test/v1${path}`,
        headers: [['authorization', 'Bearer sk-own']],
        body: ask,
      });
    const refused = await call();
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body.toString())).toMatchObject(body);
    expect(find(refused.headers, 'x-assay-reason')).toBe('error');
    expect(upstream.requests).toHaveLength(0);
    virtual = false;
    expect((await call()).status).toBe(200);
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer sk-own');
  },
);

test('S-40 S-48 S-51 a route to an address that is not listed is never called, whatever proxy the environment names', async () => {
  const canary = await startMockUpstream(json);
  const proxy = await startProxy(`${upstream.origin}/v1`);
  process.env.HTTP_PROXY = canary.origin;
  process.env.http_proxy = canary.origin;
  try {
    for (const baseUrl of [
      `${canary.origin}/v1`,
      'http://169.254.169.254/v1',
      'http://[::1]:80/v1',
      'http://0x7f.1/v1',
      'http://localhost/v1',
    ]) {
      const routed = proxy.set;
      routed.deps({
        snapshot: {
          authorize: () => ({ state: 'ok', project: testProject, virtual: true, keyId: 'k' }),
          authorizeUnknown: async () => ({
            state: 'refused',
            status: 401,
            code: 'unauthorized',
            message: '',
          }),
          routeOf: () => routeTo({ project: testProject, baseUrl, api: 'openai', settings: {} }),
        },
      });
      const answer = await sendRaw(proxy.port, { path: chat, headers: [key], body: ask });
      expect(answer.status, baseUrl).toBe(502);
      expect(answer.body.toString()).not.toContain('127.0.0.1');
    }
    proxy.set.deps({});
    expect((await sendRaw(proxy.port, { path: chat, headers: [key], body: ask })).status).toBe(200);
    expect(canary.requests.length).toBe(0);
  } finally {
    delete process.env.HTTP_PROXY;
    delete process.env.http_proxy;
    await proxy.close();
    await canary.close();
  }
});

test.each(['', ' ', '\t', ',', ' , ,', 'Bearer', 'bearer '])(
  'S-122 an x-assay-key that is empty (%j) next to a valid Authorization is ignored',
  async (blank) => {
    const answer = await sendRaw(proxy.port, {
      path: chat,
      headers: [key, ['x-assay-key', blank], ['content-type', 'application/json']],
      body: ask,
    });
    expect(answer.status).toBe(200);
    expect(upstream.requests[0]?.headers.authorization).toBe(`Bearer ${upstreamKey}`);
  },
);

test('S-122 a key of Assay in any header, the query or a cookie reaches no upstream', async () => {
  const own = `asy_gr_${'0123456789abcdef0123'}_${'A'.repeat(27)}abcdef`;
  const basic = `Basic ${Buffer.from(`u:${own}`).toString('base64')}`;
  const answer = await sendRaw(proxy.port, {
    path: `${chat}?a=1&api_key=${own}&b=${encodeURIComponent(own).replaceAll('_', '%5F')}`,
    headers: [
      key,
      ['content-type', 'application/json'],
      ['x-goog-api-key', own],
      ['api-key', own],
      ['x-forwarded-authorization', basic],
      ['cookie', `theme=dark; token=${own}`],
      ['x-anything', `one, ${own}`],
    ],
    body: ask,
  });
  expect(answer.status).toBe(200);
  const received = upstream.requests[0];
  expect(received?.url).toBe('/v1/chat/completions?a=1');
  expect(JSON.stringify(received?.headers)).not.toMatch(/asy_|YXN5/i);
  expect(received?.headers.cookie).toBe('theme=dark');
});

test('S-8 a request for an upgrade, or to another host in its first line, connects to nothing', async () => {
  const hits: string[] = [];
  const canary = createServer((socket) => {
    hits.push('connected');
    socket.destroy();
  });
  canary.listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const host = `127.0.0.1:${(canary.address() as AddressInfo).port}`;
  const upgrade = [
    ['upgrade', 'websocket'],
    ['sec-websocket-version', '13'],
    ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ] as const;
  const targets = [
    `http://${host}/`,
    `ws://${host}/`,
    `http://${host}${chat}`,
    `//${host}${chat}`,
    `/gateway/http://${host}/v1/chat/completions`,
    `/gateway/test/http://${host}/v1`,
    `/gateway/test/..//${host}/`,
    host,
  ];
  for (const method of ['GET', 'POST', 'CONNECT']) {
    for (const path of targets) {
      const answer = await sendRaw(proxy.port, {
        method,
        path,
        headers: [key, ['host', host], ['connection', 'Upgrade'], ...upgrade],
        onBytes: (bytes, socket) => {
          if (bytes.includes('\r\n\r\n')) socket.destroy();
        },
      });
      expect(answer.status, `${method} ${path}`).not.toBe(101);
    }
  }
  expect(hits).toEqual([]);
  expect(
    upstream.requests.map(({ rawHeaders }) => headersOf(rawHeaders)).flat(),
  ).not.toContainEqual(['upgrade', 'websocket']);
  canary.close();
});
