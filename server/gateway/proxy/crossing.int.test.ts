import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answerJson,
  answerStream,
  type MockUpstream,
  startMockUpstream,
} from '../../../testing/mock-upstream';
import { type RawAnswer, sendRaw } from '../../../testing/raw-answer';
import { sha256 } from '../../platform';
import { assayKey, type TestProxy, startProxy, upstreamKey } from './proxy-fixture';

// The headers that the gateway forwards and drops, recorded by the upstream.

let upstream: MockUpstream;
let proxy: TestProxy;
const chat = '/gateway/test/v1/chat/completions';
const key = ['authorization', `Bearer ${assayKey}`] as const;
const ask = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'How full is web-1?' }] };
const reply = JSON.stringify({
  id: 'c1',
  model: 'gpt-4o-mini',
  choices: [{ message: { role: 'assistant', content: '91.4%' } }],
});
const start = `asy_gr_0123456789abcdef0123_${'Ab-_1'.repeat(5)}Zz`;
const own = start + sha256(start).slice(0, 6);
const mask = '*'.repeat(upstreamKey.length);

beforeAll(async () => {
  upstream = await startMockUpstream(answerJson(reply));
  proxy = await startProxy(`${upstream.origin}/v1`);
});

afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

beforeEach(() => {
  upstream.script(answerJson(reply));
  upstream.requests.length = 0;
  proxy.set.settings({});
  proxy.set.shouldVerify(false);
});

const find = ({ headers }: RawAnswer, name: string) =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];
const codeOf = ({ body }: RawAnswer): unknown => JSON.parse(body.toString()).error.code;
const messageOf = ({ body }: RawAnswer): string => JSON.parse(body.toString()).error.message;
const post = (path: string, body: string, headers: readonly (readonly [string, string])[] = []) =>
  sendRaw(proxy.port, {
    path,
    headers: [key, ['content-type', 'application/json'], ...headers],
    body,
  });

describe('S-122 keys in a request', () => {
  const names = [
    'authorization',
    'x-api-key',
    'api-key',
    'x-goog-api-key',
    'proxy-authorization',
    'x-auth-token',
    'x-amz-security-token',
  ];
  const more = [
    'referer',
    'user-agent',
    'x-anything',
    'openai-organization',
    'anthropic-beta',
    'x-assay-key',
    'traceparent',
    'cookie',
  ];
  const spellings: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => `Bearer ${text}`,
    (text) => `Basic ${Buffer.from(`:${text}`).toString('base64')}`,
    (text) => `one, ${text}, two`,
    (text) => encodeURIComponent(text).replaceAll('_', '%5f'),
    (text) => text.toUpperCase(),
  ];
  it.each([...names, ...more])('S-122 in the header %s: it is not forwarded', async (name) => {
    for (const spell of spellings) {
      upstream.requests.length = 0;
      // The client's own key is used upstream, so that credentials pass; the last header of a name
      // is the tested one.
      await sendRaw(proxy.port, {
        path: chat,
        headers: [
          ['x-assay-key', assayKey],
          ['x-api-key', 'sk-own'],
          [name, spell(own)],
        ],
        body: JSON.stringify(ask),
      });
      const sent = upstream.requests
        .map(({ rawHeaders, url }) => [...rawHeaders, url].join('\n'))
        .join('\n');
      for (const each of spellings) expect(sent).not.toContain(each(own));
      expect(sent.toLowerCase()).not.toContain('asy');
    }
  });

  it.each([
    ['small', 0, {}],
    ['in many chunks', 300_000, {}],
    ['collected for a route that holds', 300_000, { integrity: { mode: 'hold' } }],
  ])(
    'S-122 in the metadata of a body, %s: refused, naming the member, and not forwarded',
    async (_how, bytes, settings) => {
      proxy.set.settings(settings);
      const body = JSON.stringify({
        ...ask,
        filler: 'x'.repeat(bytes),
        metadata: { session_key: own },
        after: 1,
      });
      const ended = proxy.nextEnd();
      const answer = await post(chat, body);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'assay_key_in_body']);
      expect(messageOf(answer)).toContain('"session_key"');
      expect(answer.body.toString()).not.toContain(own);
      await ended;
      for (const { body } of upstream.requests) expect(body.toString()).not.toContain('asy_');
      expect(
        proxy.captured.filter(({ chunks }) => Buffer.concat([...chunks]).includes(own)),
      ).toEqual([]);
    },
  );

  it('S-122 in the body of a call that is no model call: the same', async () => {
    const answer = await post(
      '/gateway/test/v1/embeddings',
      JSON.stringify({ model: 'e', input: 'x', user: own }),
    );
    expect([answer.status, codeOf(answer), upstream.requests.length]).toEqual([
      400,
      'assay_key_in_body',
      0,
    ]);
    expect(messageOf(answer)).toContain('"user"');
  });

  it.each([0, 300_000])(
    'S-122 text that looks like a key goes up byte for byte (%i more bytes)',
    async (bytes) => {
      const content = `asy_ is how keys begin: asy_gr_… and ${own.slice(0, -1)}x, asy_`;
      const body = JSON.stringify({
        messages: [{ role: 'user', content }],
        filler: 'asy_gr_'.repeat(bytes / 7),
      });
      expect((await post(chat, body)).status).toBe(200);
      expect(upstream.requests[0]?.body.toString()).toBe(body);
    },
  );

  it.each([
    [
      'x-assay-key in two lines, one empty',
      [
        ['x-assay-key', ''],
        ['x-assay-key', assayKey],
      ],
      upstreamKey,
    ],
    [
      'x-assay-key in two lines that say the same',
      [
        ['x-assay-key', assayKey],
        ['x-assay-key', assayKey],
      ],
      upstreamKey,
    ],
    [
      'an empty Authorization next to x-assay-key',
      [
        ['authorization', 'Bearer '],
        ['x-assay-key', assayKey],
      ],
      upstreamKey,
    ],
    [
      'an empty x-api-key next to x-assay-key',
      [
        ['x-api-key', ''],
        ['x-assay-key', assayKey],
      ],
      upstreamKey,
    ],
    [
      'an empty Authorization next to x-api-key',
      [
        ['authorization', ''],
        ['x-api-key', assayKey],
      ],
      upstreamKey,
    ],
  ] as const)('S-122 empty headers are ignored: %s', async (_what, headers, sent) => {
    const answer = await sendRaw(proxy.port, { path: chat, headers, body: JSON.stringify(ask) });
    expect(answer.status).toBe(200);
    expect(upstream.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${sent}` });
    expect(upstream.requests[0]?.headers['x-api-key']).toBeUndefined();
  });

  it('S-122 two different x-assay-key headers are refused', async () => {
    const headers = [
      ['x-assay-key', assayKey],
      ['x-assay-key', 'asy_other'],
    ] as const;
    expect(
      (await sendRaw(proxy.port, { path: chat, headers, body: JSON.stringify(ask) })).status,
    ).toBe(401);
    expect(upstream.requests).toEqual([]);
  });
});

describe('S-122 paths', () => {
  it.each([
    ['GET', '/files', '/gateway/test/v1'],
    ['DELETE', '/models/ft:mine', '/gateway/test/v1'],
    ['POST', '/organization/admin_api_keys', '/gateway/test/v1'],
  ])('S-122 %s %s is closed until the route opens it', async (method, path, base) => {
    const request = { method, path: `${base}${path}?limit=1`, headers: [key] };
    const closed = await sendRaw(proxy.port, request);
    expect([closed.status, codeOf(closed)]).toEqual([403, 'path_not_allowed']);
    expect(messageOf(closed)).toContain(`${method} ${path} is not open`);
    expect(messageOf(closed)).toContain('"allow_paths"');
    expect(upstream.requests).toEqual([]);
    proxy.set.settings({ allow_paths: [`${path}*`] });
    expect((await sendRaw(proxy.port, request)).status).toBe(200);
    expect(upstream.requests[0]).toMatchObject({ method, url: `/v1${path}?limit=1` });
  });

  it('S-122 a call with the client’s own key goes no further', async () => {
    const headers = [
      ['authorization', 'Bearer sk-own'],
      ['x-assay-key', assayKey],
    ] as const;
    expect(
      (await sendRaw(proxy.port, { method: 'GET', path: '/gateway/test/v1/files', headers }))
        .status,
    ).toBe(403);
    expect(upstream.requests).toEqual([]);
  });

  const climbs = [
    '/..;/admin',
    '/%252e%252e/admin',
    '/%2e%2e;x/admin',
    '/.%2e/admin',
    '/%5c..%5cadmin',
    '//evil.test/x',
    '/a%2f..%2fb',
  ];
  it.each(climbs)(
    'S-122 %s is refused with every route setting, and nothing goes up',
    async (path) => {
      proxy.set.settings({ allow_paths: ['*'] });
      for (const before of ['', '/chat', '/models/x']) {
        const answer = await sendRaw(proxy.port, {
          path: `/gateway/test/v1${before}${path}`,
          headers: [key],
          body: '{}',
        });
        expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
        expect(messageOf(answer)).toContain('nothing was sent upstream');
      }
      expect(upstream.requests).toEqual([]);
    },
  );

  it('S-122 a target that names a host is refused', async () => {
    const answer = await sendRaw(proxy.port, {
      path: `http://evil.test${chat}`,
      headers: [key],
      body: JSON.stringify(ask),
    });
    expect([answer.status, upstream.requests.length]).toEqual([400, 0]);
  });

  it('S-46 headers that name another host, path or method are not forwarded, also if Connection names the key’s', async () => {
    const routing = [
      'Forwarded',
      'X-Forwarded-Host',
      'X-Forwarded-Prefix',
      'X-Original-URL',
      'X-Rewrite-URL',
      'X-HTTP-Method-Override',
    ];
    const headers = routing.map((name) => [name, 'evil.test'] as const);
    await post(chat, JSON.stringify(ask), [
      ...headers,
      ['connection', 'close, authorization, x-hop, host'],
      ['x-hop', '1'],
      ['x-kept', '1'],
    ]);
    const received = upstream.requests[0];
    expect(received?.rawHeaders.join('\n')).not.toContain('evil.test');
    expect(received?.headers).toMatchObject({
      authorization: `Bearer ${upstreamKey}`,
      host: `127.0.0.1:${upstream.port}`,
      'x-kept': '1',
    });
    expect(received?.headers['x-hop']).toBeUndefined();
  });
});

describe('S-122 the stored key in answers', () => {
  const echo = (status: number): void =>
    upstream.script(({ headers, response }) => {
      const body = JSON.stringify({
        error: { message: `Incorrect API key: ${headers.authorization}` },
        headers,
      });
      response.writeHead(status, `Bad ${upstreamKey}`, {
        'content-type': 'application/json',
        'x-echo': `k=${headers.authorization}`,
      });
      response.end(body);
    });

  it.each([
    [200, chat, {}],
    [401, chat, {}],
    [500, chat, {}],
    [200, '/gateway/test/v1/embeddings', {}],
    [403, '/gateway/test/v1/embeddings', {}],
    [200, chat, { integrity: { mode: 'hold' } }],
    [401, chat, { quality_verifier: { model: 'openai:gpt-4o', frequency: 1 } }],
  ])('S-122 is masked: status %i of %s with %j', async (status, path, settings) => {
    proxy.set.settings(settings);
    echo(status);
    const answer = await post(path, JSON.stringify(ask), [['accept-encoding', 'gzip']]);
    expect([answer.status, answer.complete, answer.statusText]).toEqual([
      status,
      true,
      `Bad ${mask}`,
    ]);
    expect(find(answer, 'x-echo')).toBe(`k=Bearer ${mask}`);
    expect(JSON.parse(answer.body.toString()).error.message).toBe(
      `Incorrect API key: Bearer ${mask}`,
    );
    expect(JSON.stringify(answer.headers) + answer.body.toString()).not.toContain(upstreamKey);
    // An answer in gzip could not be masked, so none is requested.
    expect(upstream.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it.each(['content-length', 'chunked'])(
    'S-122 is masked across chunks, with the same framing: %s',
    async (framing) => {
      const body = `{"a":"${upstreamKey}","b":"${upstreamKey.slice(0, -1)}","c":"${upstreamKey}"}`;
      upstream.script(async ({ response }) => {
        const length = framing === 'chunked' ? {} : { 'content-length': String(body.length) };
        response.writeHead(200, { 'content-type': 'application/json', ...length });
        for (const byte of body) {
          response.write(byte);
          await new Promise((go) => setImmediate(go));
        }
        response.end();
      });
      const answer = await post(chat, JSON.stringify(ask));
      expect([answer.complete, answer.body.toString()]).toEqual([
        true,
        body.replaceAll(upstreamKey, mask),
      ]);
    },
  );

  it('S-122 a stream is masked as well, and its record', async () => {
    upstream.script(
      answerStream([
        `data: {"k":"${upstreamKey.slice(0, 9)}`,
        `${upstreamKey.slice(9)}"}\n\n`,
        'data: [DONE]\n\n',
      ]),
    );
    const ended = proxy.nextEnd();
    const answer = await post(chat, JSON.stringify({ ...ask, stream: true }));
    expect(answer.body.toString()).toBe(`data: {"k":"${mask}"}\n\ndata: [DONE]\n\n`);
    await ended;
    expect(Buffer.concat([...(proxy.captured.at(-1)?.chunks ?? [])]).toString()).not.toContain(
      upstreamKey,
    );
  });

  it('S-122 the client’s own key is not masked, and content encodings pass', async () => {
    const body = gzipSync(reply);
    upstream.script(({ headers, response }) => {
      response.writeHead(200, {
        'content-encoding': 'gzip',
        'x-echo': headers.authorization ?? '',
      });
      response.end(body);
    });
    const headers = [
      ['authorization', 'Bearer sk-own-0123456789'],
      ['x-assay-key', assayKey],
      ['accept-encoding', 'gzip'],
    ] as const;
    const answer = await sendRaw(proxy.port, { path: chat, headers, body: JSON.stringify(ask) });
    expect([find(answer, 'x-echo'), answer.body.equals(body)]).toEqual([
      'Bearer sk-own-0123456789',
      true,
    ]);
    expect(upstream.requests[0]?.headers['accept-encoding']).toBe('gzip');
  });
});
