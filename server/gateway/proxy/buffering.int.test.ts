import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  answerJson,
  answerStream,
  type MockUpstream,
  startMockUpstream,
} from '../../../testing/mock-upstream';
import { type RawAnswer, sendRaw } from '../../../testing/raw-answer';
import { OutboundError } from '../../platform';
import type { BufferedAnswer, FinishedAnswer } from '../exchange';
import { assayKey, type TestProxy, passed, startProxy } from './proxy-fixture';
import { BUFFERED_TEXT_BYTES_MAX } from './buffered-body';
import { BufferBudget } from './buffer-budget';

let upstream: MockUpstream;
let proxy: TestProxy;
const chat = '/gateway/test/v1/chat/completions';
const headers = [['authorization', `Bearer ${assayKey}`]] as const;
const asked = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'How full is web-1?' }] };
const ask = JSON.stringify(asked);
const askStream = JSON.stringify({ ...asked, stream: true });
const reply = (content: string, model = 'gpt-4o-mini') =>
  JSON.stringify({
    id: 'c1',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });
const frame = (content: string) =>
  `data: ${JSON.stringify({ id: 'c1', model: 'gpt-4o-mini', choices: [{ index: 0, delta: { content } }] })}\n\n`;
const frames = (content: string) => [...content.split(/(?<= )/).map(frame), 'data: [DONE]\n\n'];
const watched = { quality_verifier: { model: 'openai:gpt-4o', frequency: 3 } };
const keepAlive = ': keep-alive\n\n';

beforeAll(async () => {
  upstream = await startMockUpstream(answerJson(reply('x')));
  proxy = await startProxy(`${upstream.origin}/v1`);
});

afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

beforeEach(() => {
  upstream.script(answerJson(reply('91.4%')));
  upstream.requests.length = 0;
  proxy.captured.length = 0;
  proxy.counted.length = 0;
  proxy.buffered.length = 0;
  proxy.endedSessions.length = 0;
  proxy.set.settings(watched);
  proxy.set.deps({});
  proxy.set.shouldVerify(true);
  proxy.set.unavailable(false);
  proxy.set.breaker(false);
  proxy.set.integrityOff(false);
  proxy.set.finish(async (_request, answer) => passed(answer));
});

const find = (all: readonly (readonly [string, string])[], name: string) =>
  all.find(([each]) => each.toLowerCase() === name)?.[1];
const outcomeOf = (all: readonly (readonly [string, string])[]) =>
  ['x-assay-verdict', 'x-assay-reason', 'x-assay-verification'].map(
    (name) => find(all, name) ?? null,
  );
/** The outcome of an answer, from its headers or else a comment of its stream. */
const outcomeAnywhere = ({ headers: all, body }: RawAnswer) => {
  const comment = /^: (x-assay-verdict: .*)$/m.exec(body.toString())?.[1]?.split('; ') ?? [];
  return outcomeOf(
    all[0] !== undefined && find(all, 'x-assay-verdict') !== undefined
      ? all
      : comment.map((part) => part.split(': ') as [string, string]),
  );
};
const withoutComments = ({ body }: RawAnswer) => body.toString().replaceAll(/^: .*\n\n/gm, '');
const send = (body: string, more: readonly (readonly [string, string])[] = []) =>
  sendRaw(proxy.port, { path: chat, headers: [...headers, ...more], body });
const steered =
  (text: string) =>
  (_request: unknown, answer: BufferedAnswer): Promise<FinishedAnswer> => {
    const body = answer.form === 'json' ? reply(text) : frames(text).join('');
    return Promise.resolve({
      ...passed({ ...answer, chunks: [Buffer.from(body)], read: { ...answer.read, text } }),
      outcome: { verdict: 'steered', reason: null, verificationId: 'ver_2' },
    });
  };

test('QV-15 QV-16 an answer to verify is buffered until the verification ends, streamed or not, and delivered unchanged', async () => {
  for (const [body, script, whole] of [
    [ask, answerJson(reply('91.4%')), reply('91.4%')],
    [
      askStream,
      answerStream(frames('It is at 91.4% now.')),
      frames('It is at 91.4% now.').join(''),
    ],
  ] as const) {
    upstream.script(script);
    let finished = false;
    let seenBefore = '';
    let release: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      proxy.set.finish(async (_request, answer) => {
        resolve();
        await new Promise<void>((go) => (release = go));
        finished = true;
        return passed(answer);
      });
    });
    const ended = proxy.nextEnd();
    const answering = sendRaw(proxy.port, {
      path: chat,
      headers,
      body,
      onBytes(bytes) {
        if (!finished) seenBefore = bytes.toString();
      },
    });
    await begun;
    expect(seenBefore).not.toContain('91.4');
    release();
    const answer = await answering;
    expect(seenBefore === '').toBe(body === ask);
    expect(withoutComments(answer)).toBe(whole);
    expect(outcomeAnywhere(answer)).toEqual(['passed', null, 'ver_1']);
    expect(find(answer.headers, 'x-assay-verdict')).toBe(body === ask ? 'passed' : undefined);
    await ended;
    expect(proxy.captured.at(-1)).toMatchObject({
      units: 1000,
      counter: 3000,
      partial: false,
      outcome: { verdict: 'passed' },
    });
    expect(proxy.captured.at(-1)?.deliveryDelayMs).toBeGreaterThanOrEqual(0);
    expect(Buffer.concat(proxy.captured.at(-1)?.chunks ?? []).toString()).toBe(whole);
    expect(upstream.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
  }
});

test('QV-14 an answer that is not verified is relayed as it arrives', async () => {
  proxy.set.shouldVerify(false);
  const seen: string[] = [];
  let goOn: () => void = () => undefined;
  upstream.script(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame('first'));
    await new Promise<void>((go) => (goOn = go));
    response.end(frame('second'));
  });
  const answer = await sendRaw(proxy.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes(bytes) {
      seen.push(bytes.toString());
      if (bytes.includes('first')) goOn();
    },
  });
  expect(seen[0]).toContain('first');
  expect(outcomeOf(answer.headers)).toEqual(['not_verified', 'not_due', null]);
  expect(answer.body.toString()).toBe(frame('first') + frame('second'));
  expect(proxy.buffered.length).toBe(0);
});

test('QV-5 a tool follow-up is reported as such', async () => {
  proxy.set.shouldVerify(false);
  const messages = [
    { role: 'user', content: 'How full?' },
    {
      role: 'assistant',
      tool_calls: [{ id: 't', type: 'function', function: { name: 'disk', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 't', content: '91.4' },
  ];
  expect(outcomeOf((await send(JSON.stringify({ model: 'm', messages }))).headers)).toEqual([
    'not_verified',
    'tool_followup',
    null,
  ]);
});

test('QV-4 a turn that another model served is neither counted nor verified', async () => {
  let counted = 0;
  proxy.set.deps({
    turns: {
      advance() {
        counted++;
        return { units: 1000, counter: 1000, shouldVerify: true };
      },
      endVerification: () => undefined,
    },
  });
  upstream.script(answerJson(reply('x', 'claude-haiku-4-5')));
  expect(outcomeOf((await send(ask)).headers)).toEqual(['not_verified', 'not_due', null]);
  expect([counted, proxy.buffered.length]).toEqual([0, 0]);
  upstream.script(answerJson(reply('x', 'gpt-4o-mini-2024-07-18')));
  expect(outcomeOf((await send(ask)).headers)[0]).toBe('passed');
  expect(counted).toBe(1);
});

test('QV-26 a steered answer replaces the original, in the requested mode, once', async () => {
  proxy.set.finish(steered('Check df first.'));
  const json = await send(ask);
  expect(json.body.toString()).toBe(reply('Check df first.'));
  expect(find(json.headers, 'content-length')).toBe(String(json.body.length));
  expect(outcomeOf(json.headers)).toEqual(['steered', null, 'ver_2']);
  upstream.script(answerStream(frames('It is 91.4%.')));
  const ended = proxy.nextEnd();
  const stream = await send(askStream);
  const outcome = ': x-assay-verdict: steered; x-assay-verification: ver_2\n\n';
  expect(stream.body.toString()).toBe(
    keepAlive +
      frames('Check df first.').join('').replace('data: [DONE]', `${outcome}data: [DONE]`),
  );
  await ended;
  expect(Buffer.concat(proxy.captured.at(-1)?.chunks ?? []).toString()).not.toContain('91.4');
});

test('QV-13 with the circuit open an answer to verify is not buffered', async () => {
  proxy.set.breaker(true);
  expect(outcomeOf((await send(ask)).headers)).toEqual(['not_verified', 'circuit_open', null]);
  expect(proxy.buffered.length).toBe(0);
});

test('QV-10 QV-17 QV-18 a stream of exactly 1 MiB of text is buffered; a byte more is passed on in order and not verified', async () => {
  for (const extra of [0, 1]) {
    const pieces = [
      ...Array.from({ length: 16 }, () => frame('x'.repeat(BUFFERED_TEXT_BYTES_MAX / 16))),
      ...(extra > 0 ? [frame('é'.slice(0, 1))] : []),
    ];
    const all = [...pieces, frame('!').replace('!', ''), 'data: [DONE]\n\n'];
    upstream.script(answerStream(all));
    proxy.buffered.length = 0;
    const ended = proxy.nextEnd();
    const answer = await send(askStream);
    const body = answer.body.toString();
    expect(body.replaceAll(/^: .*\n\n/gm, '')).toBe(all.join(''));
    expect(proxy.buffered.length).toBe(extra > 0 ? 0 : 1);
    expect(body.includes(': x-assay-verdict: not_verified; x-assay-reason: overflow\n\n')).toBe(
      extra > 0,
    );
    await ended;
    expect(proxy.captured.at(-1)).toMatchObject({
      truncated: true,
      outcome: { reason: extra > 0 ? 'overflow' : null },
    });
  }
});

test('INT-14 on a hold route a stream is passed on once it calls a tool', async () => {
  proxy.set.settings({ integrity: { mode: 'hold' } });
  proxy.set.shouldVerify(false);
  const call = {
    index: 0,
    id: 'call_1',
    function: { name: 'disk', arguments: '{"host":"web-1"}' },
  };
  const begin = `data: ${JSON.stringify({ id: 'c1', model: 'gpt-4o-mini', choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`;
  let go: () => void = () => undefined;
  const seen = new Promise<void>((resolve) => (go = resolve));
  upstream.script(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(begin);
    // The rest is sent only after the client has received the call.
    await seen;
    response.end('data: [DONE]\n\n');
  });
  const answer = await sendRaw(proxy.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes(bytes) {
      if (bytes.toString().includes('call_1')) go();
    },
  });
  expect(withoutComments(answer)).toBe(`${begin}data: [DONE]\n\n`);
  expect(outcomeAnywhere(answer)).toEqual(['not_verified', 'not_due', null]);
  expect(proxy.buffered.length).toBe(0);
});

test('QV-17 QV-18 a body of exactly 1 MiB of text is buffered; a byte more is reported as overflow', async () => {
  for (const extra of [0, 1]) {
    const body = reply('x'.repeat(BUFFERED_TEXT_BYTES_MAX + extra));
    upstream.script(answerJson(body));
    const answer = await send(ask);
    expect(answer.body.toString() === body).toBe(true);
    expect(outcomeOf(answer.headers)).toEqual(
      extra > 0 ? ['not_verified', 'overflow', null] : ['passed', null, 'ver_1'],
    );
  }
});

test('a buffered stream has its head and a keep-alive comment at once, and more comments while it waits', async () => {
  proxy.set.deps({ keepAliveMs: 20 });
  upstream.script(answerStream(frames('one two')));
  let comments = 0;
  let release: () => void = () => undefined;
  proxy.set.finish(async (_request, answer) => {
    await new Promise<void>((go) => (release = go));
    return passed(answer);
  });
  const answer = await sendRaw(proxy.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes(bytes) {
      comments = bytes.toString().split(keepAlive).length - 1;
      if (comments >= 3) release();
    },
  });
  expect(answer.status).toBe(200);
  expect(comments).toBeGreaterThanOrEqual(3);
  expect(answer.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(frames('one two').join(''));
});

test('at the total deadline the buffered part goes out, and the rest as it arrives', async () => {
  for (const [body, type] of [
    [askStream, 'text/event-stream'],
    [ask, 'application/json'],
  ] as const) {
    proxy.set.settings({ ...watched, total_seconds: 0.1 });
    let goOn: () => void = () => undefined;
    upstream.script(async ({ response }) => {
      response.writeHead(200, { 'content-type': type });
      response.write(frame('first'));
      await new Promise<void>((go) => (goOn = go));
      response.end(frame('second'));
    });
    const answer = await sendRaw(proxy.port, {
      path: chat,
      headers,
      body,
      onBytes(bytes) {
        if (bytes.includes('first')) goOn();
      },
    });
    expect(answer.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(
      frame('first') + frame('second'),
    );
    expect(outcomeAnywhere(answer)).toEqual(['unavailable', 'error', null]);
    expect(proxy.buffered.length).toBe(0);
  }
});

test('a client that waited for the first token beyond its deadline does not wait for the last; a JSON body comes when it is complete', async () => {
  proxy.set.settings({ ...watched, first_token_seconds: 0.05 });
  for (const [body, script, outcome] of [
    [askStream, answerStream(frames('late')), ['unavailable', 'error', null]],
    [ask, answerJson(reply('late')), ['passed', null, 'ver_1']],
  ] as const) {
    upstream.script(async (request) => {
      await new Promise((go) => setTimeout(go, 80));
      await script(request);
    });
    const answer = await send(body);
    expect(outcomeOf(answer.headers)).toEqual(outcome);
    expect(answer.body.toString()).toBe(body === ask ? reply('late') : frames('late').join(''));
  }
});

test('QV-32 a verification that throws delivers the original', async () => {
  proxy.set.finish(() => Promise.reject(new Error('broken')));
  const json = await send(ask);
  expect(json.body.toString()).toBe(reply('91.4%'));
  expect(outcomeOf(json.headers)).toEqual(['unavailable', 'error', null]);
  upstream.script(answerStream(frames('a b')));
  const stream = await send(askStream);
  expect(stream.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(frames('a b').join(''));
});

test('R-62 a verification that never ends does not block the answer: the complete original goes out', async () => {
  proxy.set.settings({ ...watched, total_seconds: 0.05 });
  proxy.set.finish(() => new Promise(() => undefined));
  const json = await send(ask);
  expect([json.body.toString(), json.complete, ...outcomeOf(json.headers)]).toEqual([
    reply('91.4%'),
    true,
    'unavailable',
    'error',
    null,
  ]);
  upstream.script(answerStream(frames('a b')));
  const stream = await send(askStream);
  expect(stream.complete).toBe(true);
  expect(stream.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(frames('a b').join(''));
  expect(stream.body.toString()).toContain(': x-assay-verdict: unavailable;');
});

test.each([
  ['the circuit is open', (proxy: TestProxy) => proxy.set.breaker(true), 'circuit_open'],
  [
    'the verifier fails',
    (proxy: TestProxy) =>
      proxy.set.finish((_r, a) =>
        Promise.resolve({
          ...passed(a),
          outcome: { verdict: 'unavailable', reason: 'error', verificationId: null },
        }),
      ),
    'error',
  ],
  [
    'settling breaks',
    (proxy: TestProxy) => proxy.set.finish(() => Promise.reject(new Error('x'))),
    'error',
  ],
  [
    'the answer cannot be read',
    () =>
      upstream.script(
        ({ response }) =>
          void response
            .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
            .end('x'),
      ),
    'error',
  ],
] as const)(
  'R-68 a route that fails closed answers 503 with the reason if %s',
  async (_what, arrange, reason) => {
    proxy.set.settings({ ...watched, fail_closed: true });
    arrange(proxy);
    const answer = await send(ask);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      error: { code: 'not_verified', message: expect.stringContaining(reason) },
    });
    expect(find(answer.headers, 'x-assay-reason')).toBe(reason);
    // The same faults on a route that fails open: no restart between.
    proxy.set.settings(watched);
    expect((await send(ask)).status).toBe(200);
  },
);

test('R-68 a buffered stream of a route that fails closed ends in an error that names the reason', async () => {
  proxy.set.settings({ ...watched, fail_closed: true });
  proxy.set.finish((_request, answer) =>
    Promise.resolve({
      ...passed(answer),
      outcome: { verdict: 'unavailable', reason: 'error', verificationId: null },
    }),
  );
  upstream.script(answerStream(frames('It is at 91.4%.')));
  const stream = await send(askStream);
  expect([stream.status, stream.complete]).toEqual([200, true]);
  expect(stream.body.toString()).not.toContain('91.4');
  expect(stream.body.toString()).toContain('data: {"error"');
  expect(outcomeAnywhere(stream)).toEqual(['unavailable', 'error', null]);
});

test('R-68 R-60 without storage an observing route reports it, and refuses if it fails closed', async () => {
  proxy.set.unavailable(true);
  proxy.set.settings({});
  expect(outcomeOf((await send(ask)).headers)).toEqual(['unavailable', 'error', null]);
  proxy.set.settings({ integrity: { mode: 'off' } });
  expect(outcomeOf((await send(ask)).headers)).toEqual(['not_verified', 'disabled', null]);
  proxy.set.settings({ fail_closed: true });
  expect((await send(ask)).status).toBe(503);
  proxy.set.integrityOff(true);
  expect((await send(ask)).status).toBe(200);
});

test.each([
  [askStream, 'text/event-stream', 200],
  [ask, 'application/json', 503],
] as const)(
  'R-68 a partial answer is not delivered by a route that fails closed: %#',
  async (body, type, status) => {
    proxy.set.settings({ ...watched, fail_closed: true });
    upstream.script(async ({ response, socket }) => {
      response.writeHead(200, { 'content-type': type, 'content-length': 10_000 });
      response.write(frame('unseen'));
      await new Promise((go) => setImmediate(go));
      socket.destroy();
    });
    const answer = await send(body);
    expect([answer.status, answer.complete]).toEqual([status, true]);
    expect(answer.body.toString()).not.toContain('unseen');
    expect(answer.body.toString()).toContain('not_verified');
    expect(outcomeAnywhere(answer)).toEqual(['not_verified', 'error', null]);
  },
);

test('R-62 an error at delivery ends one call, and the next is served', async () => {
  const broken = { verdict: 'passed', reason: null, verificationId: 'ver_\u20ac' } as const;
  for (const [body, script] of [
    [ask, answerJson(reply('91.4%'))],
    [askStream, answerStream(frames('a b'))],
  ] as const) {
    upstream.script(script);
    // It cannot be written as a header, and no chunk is a number.
    proxy.set.finish((_request, answer) =>
      Promise.resolve({
        ...passed({ ...answer, chunks: body === ask ? answer.chunks : ([7] as never) }),
        outcome: broken,
      }),
    );
    const answer = await send(body);
    expect(body === ask ? answer.status : answer.complete).toBe(body === ask ? 502 : false);
  }
  await proxy.gateway.drain();
  upstream.script(answerJson(reply('91.4%')));
  proxy.set.finish(async (_request, answer) => passed(answer));
  expect((await send(ask)).status).toBe(200);
});

test('QV-18 beyond the budget of the process an answer is passed on, and its bytes are returned', async () => {
  const room = new BufferBudget(4000);
  const small = await startProxy(`${upstream.origin}/v1`, 'openai', {}, room);
  small.set.settings(watched);
  small.set.shouldVerify(true);
  const sending = (body: string) => sendRaw(small.port, { path: chat, headers, body });
  try {
    for (const [words, outcome] of [
      [2, ['passed', null, 'ver_1']],
      [60, ['not_verified', 'overflow', null]],
      [2, ['passed', null, 'ver_1']],
    ] as const) {
      const all = frames('word '.repeat(words));
      upstream.script(answerStream(all));
      const answer = await sending(askStream);
      expect(withoutComments(answer)).toBe(all.join(''));
      expect(outcomeAnywhere(answer)).toEqual(outcome);
      await small.gateway.drain();
      expect(room.taken).toBe(0);
    }
    // One call uses the whole budget, and another gets none.
    let goOn: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      small.set.finish(async (_request, answer) => {
        resolve();
        await new Promise<void>((go) => (goOn = go));
        return passed(answer);
      });
    });
    upstream.script(answerStream(frames('word '.repeat(30))));
    const first = sending(askStream);
    await begun;
    expect(outcomeAnywhere(await sending(askStream))).toEqual(['not_verified', 'overflow', null]);
    goOn();
    expect(outcomeAnywhere(await first)[0]).toBe('passed');
  } finally {
    await small.close();
  }
});

test('QV-6 every call to verify ends its verification once, whatever the result; no other call does', async () => {
  const session = [['x-assay-session', 's-1']] as const;
  const run = async (arrange: () => void, body = ask): Promise<number> => {
    proxy.set.settings(watched);
    proxy.set.breaker(false);
    proxy.set.finish(async (_request, answer) => passed(answer));
    upstream.script(body === ask ? answerJson(reply('x')) : answerStream(frames('a b')));
    proxy.endedSessions.length = 0;
    arrange();
    await send(body, session).catch(() => undefined);
    await proxy.gateway.drain();
    expect(proxy.endedSessions.every((name) => name === 's-1')).toBe(true);
    return proxy.endedSessions.length;
  };
  const nothing = (): void => undefined;
  expect(await run(nothing)).toBe(1);
  expect(await run(nothing, askStream)).toBe(1);
  expect(await run(() => proxy.set.finish(steered('new')))).toBe(1);
  expect(await run(() => proxy.set.finish(() => Promise.reject(new Error('x'))), askStream)).toBe(
    1,
  );
  expect(await run(() => proxy.set.breaker(true))).toBe(1);
  expect(
    await run(() => proxy.set.settings({ ...watched, fail_closed: true, total_seconds: 0.01 })),
  ).toBe(1);
  expect(
    await run(() => upstream.script(answerJson(reply('x'.repeat(BUFFERED_TEXT_BYTES_MAX + 1))))),
  ).toBe(1);
  expect(
    await run(() =>
      upstream.script(({ response, socket }) => void response.write('x', () => socket.destroy())),
    ),
  ).toBe(1);
  expect(
    await run(() => upstream.script(({ response }) => void response.writeHead(500).end())),
  ).toBe(0);
  proxy.set.shouldVerify(false);
  expect(await run(nothing)).toBe(0);
});

test('QV-6 a verification ends before its client has the answer', async () => {
  const seen: number[] = [];
  upstream.script(answerStream(frames('a b')));
  await sendRaw(proxy.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes: (bytes) => void (bytes.includes('[DONE]') && seen.push(proxy.endedSessions.length)),
  });
  expect(seen[0]).toBe(1);
});

test('R-70 trailers come only with the upstream’s own answer, buffered or not', async () => {
  upstream.script(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', trailer: 'x-sum' });
    for (const each of frames('a b')) response.write(each);
    response.addTrailers({ 'x-sum': 'abc', 'x-assay-verdict': 'flagged' });
    response.end();
  });
  expect((await send(askStream)).trailers).toEqual([['x-sum', 'abc']]);
  proxy.set.finish(steered('new'));
  expect((await send(askStream)).trailers).toEqual([]);
  proxy.set.finish(async (_request, answer) => passed(answer));
  upstream.script(({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-sum' });
    response.write(reply('x'));
    response.addTrailers({ 'x-sum': 'abc' });
    response.end();
  });
  expect((await send(ask)).trailers).toEqual([['x-sum', 'abc']]);
  proxy.set.finish(steered('new'));
  const rewritten = await send(ask);
  expect([rewritten.body.toString(), rewritten.trailers]).toEqual([reply('new'), []]);
});

test('R-65 if the upstream breaks off during buffering, so does the answer to the client', async () => {
  for (const [body, type] of [
    [askStream, 'text/event-stream'],
    [ask, 'application/json'],
  ] as const) {
    upstream.script(async ({ response, socket }) => {
      response.writeHead(200, { 'content-type': type });
      response.write(frame('first'));
      await new Promise((go) => setImmediate(go));
      socket.destroy();
    });
    const ended = proxy.nextEnd();
    const answer = await send(body);
    expect(answer.complete).toBe(false);
    expect(answer.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(frame('first'));
    await ended;
    expect(proxy.captured.at(-1)).toMatchObject({
      partial: true,
      outcome: { verdict: 'not_verified', reason: 'error' },
    });
    expect(proxy.buffered.length).toBe(0);
  }
});

test('R-64 a client that disconnects during buffering stops the upstream and the verification', async () => {
  upstream.script(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame('first'));
  });
  const ended = proxy.nextEnd();
  await sendRaw(proxy.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes: (bytes, socket) => bytes.includes('keep-alive') && socket.destroy(),
  });
  await upstream.requests.at(-1)?.left;
  await ended;
  upstream.script(answerStream(frames('a b')));
  let heardOf = false;
  const finished = new Promise<void>((resolve) => {
    proxy.set.finish(async (_request, answer, _state, signal) => {
      await new Promise<void>((go) => signal.addEventListener('abort', () => go(), { once: true }));
      heardOf = true;
      resolve();
      return passed(answer);
    });
  });
  const left = proxy.nextEnd();
  await sendRaw(proxy.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes: (bytes, socket) => bytes.includes('keep-alive') && socket.destroy(),
  });
  await finished;
  await left;
  expect(heardOf).toBe(true);
  await proxy.gateway.drain();
});

test('INT-9 on a hold route the main call is retried for transient errors: at most four times, and for no other 4xx', async () => {
  proxy.set.settings({ integrity: { mode: 'hold' } });
  proxy.set.deps({ retryDelaysMs: [1, 2, 4, 8] });
  const statuses = [500, 429, 0, 200];
  upstream.script((request) => {
    const status = statuses.shift() ?? 200;
    if (status === 0) return void request.socket.destroy();
    if (status !== 200) return void request.response.writeHead(status).end('no');
    return answerJson(reply('91.4%'))(request);
  });
  expect(outcomeOf((await send(ask)).headers)[0]).toBe('passed');
  expect(proxy.buffered[0]?.state).toMatchObject({ shouldVerify: false, retries: 3 });
  upstream.requests.length = 0;
  upstream.script(({ response }) => void response.writeHead(503, { 'x-last': 'yes' }).end('down'));
  const down = await send(ask);
  expect([
    down.status,
    down.body.toString(),
    find(down.headers, 'x-last'),
    upstream.requests.length,
  ]).toEqual([503, 'down', 'yes', 5]);
  upstream.requests.length = 0;
  upstream.script(({ response }) => void response.writeHead(400).end('bad'));
  expect([(await send(ask)).status, upstream.requests.length]).toEqual([400, 1]);
});

test('INT-9 S-40 a refused address or an invalid request is not retried', async () => {
  proxy.set.settings({ integrity: { mode: 'hold' } });
  const tries: number[] = [];
  for (const [error, status] of [
    [new OutboundError('refused', 'private'), 502],
    [Object.assign(new Error('invalid'), { code: 'UND_ERR_INVALID_ARG' }), 400],
  ] as const) {
    let tried = 0;
    proxy.set.deps({
      retryDelaysMs: [1, 2],
      forward: {
        upstreamOf: () => ({
          pool: null as never,
          prefix: '',
          root: '',
          key: null,
          credential: null,
          secret: null,
        }),
        dispatch(_upstream, _request, handler) {
          tried++;
          if (status === 400) throw error;
          handler.onError(error);
        },
        callUpstream: () => () => Promise.reject(error),
        close: () => Promise.resolve(),
      },
    });
    expect((await send(ask)).status).toBe(status);
    tries.push(tried);
  }
  expect(tries).toEqual([1, 1]);
});

test('INT-11 with the switch off nothing is buffered, changed or retried', async () => {
  proxy.set.settings({ integrity: { mode: 'hold' } });
  proxy.set.integrityOff(true);
  expect(outcomeOf((await send(ask)).headers)).toEqual(['not_verified', 'disabled', null]);
  // As for every call with the stored key, since an answer in gzip could not be searched for the
  // key.
  expect(upstream.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
});

test('the prepared body is sent; the record has the client’s own', async () => {
  proxy.set.settings({ integrity: { mode: 'hold' } });
  const changed = JSON.stringify({ ...asked, system: 'Rule' });
  proxy.set.deps({
    prepare: () => Promise.resolve({ body: Buffer.from(changed), withoutShape: null }),
  });
  const ended = proxy.nextEnd();
  await send(ask, [['x-assay-session', 's-7']]);
  await ended;
  expect(upstream.requests.at(-1)?.body.toString()).toBe(changed);
  expect(proxy.buffered.at(-1)?.request.body.toString()).toBe(changed);
  expect(proxy.captured.at(-1)?.request().body.toString()).toBe(ask);
  expect(proxy.captured.at(-1)?.request().sessionId).toBe('s-7');
});

test('sessions: by header, by the request, else by key and the beginning of the body', async () => {
  const sessionOf = async (body: object, more: readonly (readonly [string, string])[] = []) => {
    const ended = proxy.nextEnd();
    await send(JSON.stringify(body), more);
    await ended;
    return proxy.captured.at(-1)?.request().sessionId;
  };
  expect(await sessionOf({ ...asked, user: 'u-1' }, [['x-assay-session', 's-1']])).toBe('s-1');
  expect(await sessionOf({ ...asked, user: 'u-1' })).toBe('u-1');
  const one = await sessionOf(asked);
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(await sessionOf(asked)).toBe(one);
  expect(await sessionOf({ ...asked, temperature: 1 })).not.toBe(one);
  expect(await sessionOf(asked, [['x-assay-session', 'x'.repeat(500)]])).toMatch(/^[0-9a-f]{32}$/);
});

test('R-69 open calls are waited for', async () => {
  proxy.set.shouldVerify(false);
  const goOn: (() => void)[] = [];
  upstream.script(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame('first'));
    await new Promise<void>((go) => goOn.push(go));
    response.end('data: [DONE]\n\n');
  });
  const calls = Array.from({ length: 20 }, () => send(askStream));
  await expect.poll(() => goOn.length).toBe(20);
  let drained = false;
  const drain = proxy.gateway.drain().then(() => (drained = true));
  expect(drained).toBe(false);
  for (const go of goOn) go();
  for (const answer of await Promise.all(calls)) expect(answer.complete).toBe(true);
  await drain;
});
