import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardedFetch, type OutboundRequest } from './guarded-fetch';
import { readOutboundAllow } from './outbound-policy';
import { timeFactor } from '../../testing/time-factor';

/** A loopback server that represents a forbidden target or, when listed, an allowed one. */
let server: Server;
let port: number;
const hits: string[] = [];
const handlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();

beforeAll(async () => {
  server = createServer((request, response) => {
    hits.push(request.url ?? '');
    const handle = handlers.get(request.url ?? '');
    if (handle === undefined) response.end('canary');
    else handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const allowNone = { allow: new Set<string>() };
const listed = () => ({ allow: readOutboundAllow(`127.0.0.1:${port},listed.test:${port}`) });

function request(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: 'POST',
    url,
    headers: new Map(),
    body: '{}',
    deadlineMs: 2000,
    replyBytesMax: 1000,
    ...more,
  };
}

test('S-48 an address that the operator lists is called, with method, headers and body as given', async () => {
  handlers.set('/echo?a=1', (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      response.writeHead(201, { 'x-seen': incoming.headers['x-sent'] });
      response.end(
        `${incoming.method} ${incoming.headers.host} ${incoming.headers['accept-encoding']} ${Buffer.concat(chunks).toString()}`,
      );
    });
  });
  const reply = await guardedFetch(
    listed(),
    request(`http://127.0.0.1:${port}/echo?a=1`, {
      headers: new Map([['x-sent', 'me']]),
      body: 'body',
    }),
  );
  expect(reply.status).toBe(201);
  expect(reply.headers.get('x-seen')).toBe('me');
  expect(reply.body.toString()).toBe(`POST 127.0.0.1:${port} identity body`);
});

test('S-39 S-40 each spelling of loopback is refused, and the canary receives nothing', async () => {
  const before = hits.length;
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '１２７.1',
    'localhost',
  ];
  for (const host of hosts) {
    const failure = guardedFetch(allowNone, request(`http://${host}:${port}/`));
    await expect(failure, host).rejects.toSatisfy(
      (error: { code?: string; kind?: string }) =>
        error.code === 'refused' || error.kind === 'refused',
    );
  }
  expect(hits.length).toBe(before);
});

test('S-41 a name that resolves to a private address is refused, also together with a public one, and also if it did not before', async () => {
  const before = hits.length;
  const url = `http://rebind.test:${port}/`;
  for (const answer of [
    ['127.0.0.1'],
    ['1.1.1.1', '127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['::1', '1.1.1.1'],
    ['fe80::1%lo'],
  ]) {
    await expect(
      guardedFetch(allowNone, request(url), { resolve: () => Promise.resolve(answer) }),
    ).rejects.toMatchObject({ kind: 'refused' });
  }
  await expect(
    guardedFetch(allowNone, request(url), { resolve: () => Promise.resolve([]) }),
  ).rejects.toMatchObject({ kind: 'unreachable' });
  let asked = 0;
  const rebinding = async () => (++asked === 1 ? ['203.0.113.1'] : ['127.0.0.1']);
  // 203.0.113.0/24 is reserved for documentation, and refused as well. The test checks that the
  // name is resolved once.
  await expect(guardedFetch(allowNone, request(url), { resolve: rebinding })).rejects.toMatchObject(
    {
      kind: 'refused',
    },
  );
  expect(asked).toBe(1);
  expect(hits.length).toBe(before);
  const reply = await guardedFetch(listed(), request(`http://listed.test:${port}/`), {
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
  expect(reply.body.toString()).toBe('canary');
  await expect(
    guardedFetch(listed(), request(`http://other.test:${port}/`), {
      resolve: () => Promise.resolve(['127.0.0.1']),
    }),
  ).rejects.toMatchObject({
    kind: 'refused',
  });
});

test('S-43 redirects are not followed', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    handlers.set(`/${status}`, (_, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${port}/followed` }).end(),
    );
    const reply = await guardedFetch(listed(), request(`http://127.0.0.1:${port}/${status}`));
    expect(reply.status).toBe(status);
  }
  expect(hits).not.toContain('/followed');
});

test('S-51 proxy variables have no effect', async () => {
  const before = hits.length;
  const kept = { ...process.env };
  Object.assign(process.env, {
    HTTP_PROXY: `http://127.0.0.1:${port}`,
    http_proxy: `http://127.0.0.1:${port}`,
    NO_PROXY: '',
  });
  await expect(
    guardedFetch(allowNone, request('http://proxied.test/'), {
      resolve: () => Promise.resolve(['10.0.0.1']),
    }),
  ).rejects.toMatchObject({
    kind: 'refused',
  });
  process.env = kept;
  expect(hits.length).toBe(before);
});

test('R-82 a reply that hangs, drips or never ends is cut off by the deadline or by its size', async () => {
  handlers.set('/hang', () => undefined);
  handlers.set('/headers', (_, response) => response.writeHead(200).flushHeaders());
  handlers.set('/drip', (_, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  });
  handlers.set('/endless', (_, response) => {
    const more = (): void => {
      while (response.write(Buffer.alloc(64 * 1024))) if (response.destroyed) return;
    };
    response.on('drain', more);
    more();
  });
  handlers.set('/reset', (incoming) => incoming.socket.destroy());
  const call = (path: string) =>
    guardedFetch(listed(), request(`http://127.0.0.1:${port}${path}`, { deadlineMs: 300 }));
  for (const path of ['/hang', '/headers', '/drip']) {
    const began = performance.now();
    await expect(call(path), path).rejects.toMatchObject({ kind: 'timeout' });
    expect(performance.now() - began).toBeLessThan(timeFactor * 1500);
  }
  await expect(call('/endless')).rejects.toMatchObject({ kind: 'too_large' });
  await expect(call('/reset')).rejects.toMatchObject({ kind: 'unreachable' });
});

test('R-82 the deadline includes name lookups, and the caller may abort earlier', async () => {
  const never = () => new Promise<string[]>(() => undefined);
  await expect(
    guardedFetch(allowNone, request('http://slow.test/', { deadlineMs: 100 }), { resolve: never }),
  ).rejects.toMatchObject({ kind: 'timeout' });
  const stop = new AbortController();
  const stopped = guardedFetch(allowNone, request('http://slow.test/', { signal: stop.signal }), {
    resolve: never,
  });
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ kind: 'unreachable' });
});
