import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  answerJson,
  answerStream,
  type MockUpstream,
  startMockUpstream,
} from '../../../testing/mock-upstream';
import { type RawAnswer, sendRaw } from '../../../testing/raw-answer';
import { OutboundError } from '../../platform';
import type { BufferedAnswer, Settled } from '../exchange';
import { assayKey, type ProxyFixture, passed, startProxy } from './proxy-fixture';
import { HELD_TEXT_BYTES_MAX } from './buffered-body';
import { BufferSpace } from './buffer-space';

let upstream: MockUpstream;
let door: ProxyFixture;
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
  door = await startProxy(`${upstream.origin}/v1`);
});

afterAll(async () => {
  await door.close();
  await upstream.close();
});

beforeEach(() => {
  upstream.script(answerJson(reply('91.4%')));
  upstream.heard.length = 0;
  door.captured.length = 0;
  door.counted.length = 0;
  door.held.length = 0;
  door.unheld.length = 0;
  door.set.settings(watched);
  door.set.deps({});
  door.set.due(true);
  door.set.away(false);
  door.set.breaker(false);
  door.set.integrityOff(false);
  door.set.settle(async (_request, answer) => passed(answer));
});

const find = (all: readonly (readonly [string, string])[], name: string) =>
  all.find(([each]) => each.toLowerCase() === name)?.[1];
const toldOf = (all: readonly (readonly [string, string])[]) =>
  ['x-assay-verdict', 'x-assay-reason', 'x-assay-verification'].map(
    (name) => find(all, name) ?? null,
  );
/** What is told of an answer: in its headers, else in a comment of its stream. */
const toldAtAll = ({ headers: all, body }: RawAnswer) => {
  const comment = /^: (x-assay-verdict: .*)$/m.exec(body.toString())?.[1]?.split('; ') ?? [];
  return toldOf(
    all[0] !== undefined && find(all, 'x-assay-verdict') !== undefined
      ? all
      : comment.map((part) => part.split(': ') as [string, string]),
  );
};
const withoutComments = ({ body }: RawAnswer) => body.toString().replaceAll(/^: .*\n\n/gm, '');
const send = (body: string, more: readonly (readonly [string, string])[] = []) =>
  sendRaw(door.port, { path: chat, headers: [...headers, ...more], body });
const steered =
  (text: string) =>
  (_request: unknown, answer: BufferedAnswer): Promise<Settled> => {
    const body = answer.form === 'json' ? reply(text) : frames(text).join('');
    return Promise.resolve({
      ...passed({ ...answer, chunks: [Buffer.from(body)], read: { ...answer.read, text } }),
      verification: { verdict: 'steered', reason: null, verificationId: 'ver_2' },
    });
  };

test('QV-15 QV-16 a due answer is held until the verification ends, streamed or not, and delivered as it came', async () => {
  for (const [body, script, whole] of [
    [ask, answerJson(reply('91.4%')), reply('91.4%')],
    [
      askStream,
      answerStream(frames('It is at 91.4% now.')),
      frames('It is at 91.4% now.').join(''),
    ],
  ] as const) {
    upstream.script(script);
    let settled = false;
    let seenBefore = '';
    let release: () => void = () => undefined;
    const begun = new Promise<void>((report) => {
      door.set.settle(async (_request, answer) => {
        report();
        await new Promise<void>((go) => (release = go));
        settled = true;
        return passed(answer);
      });
    });
    const ended = door.nextEnd();
    const answering = sendRaw(door.port, {
      path: chat,
      headers,
      body,
      onBytes(bytes) {
        if (!settled) seenBefore = bytes.toString();
      },
    });
    await begun;
    expect(seenBefore).not.toContain('91.4');
    release();
    const answer = await answering;
    expect(seenBefore === '').toBe(body === ask);
    expect(withoutComments(answer)).toBe(whole);
    expect(toldAtAll(answer)).toEqual(['passed', null, 'ver_1']);
    expect(find(answer.headers, 'x-assay-verdict')).toBe(body === ask ? 'passed' : undefined);
    await ended;
    expect(door.captured.at(-1)).toMatchObject({
      units: 1000,
      counter: 3000,
      partial: false,
      verification: { verdict: 'passed' },
    });
    expect(door.captured.at(-1)?.bufferedMs).toBeGreaterThanOrEqual(0);
    expect(Buffer.concat(door.captured.at(-1)?.chunks ?? []).toString()).toBe(whole);
    expect(upstream.heard.at(-1)?.headers['accept-encoding']).toBe('identity');
  }
});

test('QV-14 a turn that is not due is relayed as it comes', async () => {
  door.set.due(false);
  const seen: string[] = [];
  let goOn: () => void = () => undefined;
  upstream.script(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame('first'));
    await new Promise<void>((go) => (goOn = go));
    response.end(frame('second'));
  });
  const answer = await sendRaw(door.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes(bytes) {
      seen.push(bytes.toString());
      if (bytes.includes('first')) goOn();
    },
  });
  expect(seen[0]).toContain('first');
  expect(toldOf(answer.headers)).toEqual(['not_verified', 'not_due', null]);
  expect(answer.body.toString()).toBe(frame('first') + frame('second'));
  expect(door.held.length).toBe(0);
});

test('QV-5 a tool follow-up is told as one', async () => {
  door.set.due(false);
  const messages = [
    { role: 'user', content: 'How full?' },
    {
      role: 'assistant',
      tool_calls: [{ id: 't', type: 'function', function: { name: 'disk', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 't', content: '91.4' },
  ];
  expect(toldOf((await send(JSON.stringify({ model: 'm', messages }))).headers)).toEqual([
    'not_verified',
    'tool_followup',
    null,
  ]);
});

test('QV-4 a turn that another model served is neither counted nor verified', async () => {
  let counted = 0;
  door.set.deps({
    turns: {
      advance() {
        counted++;
        return { units: 1000, counter: 1000, due: true };
      },
      endHold: () => undefined,
    },
  });
  upstream.script(answerJson(reply('x', 'claude-haiku-4-5')));
  expect(toldOf((await send(ask)).headers)).toEqual(['not_verified', 'not_due', null]);
  expect([counted, door.held.length]).toEqual([0, 0]);
  upstream.script(answerJson(reply('x', 'gpt-4o-mini-2024-07-18')));
  expect(toldOf((await send(ask)).headers)[0]).toBe('passed');
  expect(counted).toBe(1);
});

test('QV-26 what is steered is delivered in place of the original, in the mode that was asked for, and only once', async () => {
  door.set.settle(steered('Check df first.'));
  const json = await send(ask);
  expect(json.body.toString()).toBe(reply('Check df first.'));
  expect(find(json.headers, 'content-length')).toBe(String(json.body.length));
  expect(toldOf(json.headers)).toEqual(['steered', null, 'ver_2']);
  upstream.script(answerStream(frames('It is 91.4%.')));
  const ended = door.nextEnd();
  const stream = await send(askStream);
  const verification = ': x-assay-verdict: steered; x-assay-verification: ver_2\n\n';
  expect(stream.body.toString()).toBe(
    keepAlive +
      frames('Check df first.').join('').replace('data: [DONE]', `${verification}data: [DONE]`),
  );
  await ended;
  expect(Buffer.concat(door.captured.at(-1)?.chunks ?? []).toString()).not.toContain('91.4');
});

test('QV-13 with the circuit open a due turn is passed on unheld', async () => {
  door.set.breaker(true);
  expect(toldOf((await send(ask)).headers)).toEqual(['not_verified', 'circuit_open', null]);
  expect(door.held.length).toBe(0);
});

test('QV-10 QV-17 QV-18 a stream of exactly 1 MiB of text is held; a byte more goes on live, flushed in order, and no episode takes place', async () => {
  for (const extra of [0, 1]) {
    const pieces = [
      ...Array.from({ length: 16 }, () => frame('x'.repeat(HELD_TEXT_BYTES_MAX / 16))),
      ...(extra > 0 ? [frame('é'.slice(0, 1))] : []),
    ];
    const all = [...pieces, frame('!').replace('!', ''), 'data: [DONE]\n\n'];
    upstream.script(answerStream(all));
    door.held.length = 0;
    const ended = door.nextEnd();
    const answer = await send(askStream);
    const body = answer.body.toString();
    expect(body.replaceAll(/^: .*\n\n/gm, '')).toBe(all.join(''));
    expect(door.held.length).toBe(extra > 0 ? 0 : 1);
    expect(body.includes(': x-assay-verdict: not_verified; x-assay-reason: overflow\n\n')).toBe(
      extra > 0,
    );
    await ended;
    expect(door.captured.at(-1)).toMatchObject({
      truncated: true,
      verification: { reason: extra > 0 ? 'overflow' : null },
    });
  }
});

test('INT-14 on a hold route a stream that calls a tool goes on live from the call on', async () => {
  door.set.settings({ integrity: { mode: 'hold' } });
  door.set.due(false);
  const call = {
    index: 0,
    id: 'call_1',
    function: { name: 'disk', arguments: '{"host":"web-1"}' },
  };
  const begin = `data: ${JSON.stringify({ id: 'c1', model: 'gpt-4o-mini', choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`;
  let go: () => void = () => undefined;
  const seen = new Promise<void>((report) => (go = report));
  upstream.script(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(begin);
    // The rest comes only once the client has the call.
    await seen;
    response.end('data: [DONE]\n\n');
  });
  const answer = await sendRaw(door.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes(bytes) {
      if (bytes.toString().includes('call_1')) go();
    },
  });
  expect(withoutComments(answer)).toBe(`${begin}data: [DONE]\n\n`);
  expect(toldAtAll(answer)).toEqual(['not_verified', 'not_due', null]);
  expect(door.held.length).toBe(0);
});

test('QV-17 QV-18 a body of exactly 1 MiB of text is held; a byte more is told as overflow', async () => {
  for (const extra of [0, 1]) {
    const body = reply('x'.repeat(HELD_TEXT_BYTES_MAX + extra));
    upstream.script(answerJson(body));
    const answer = await send(ask);
    expect(answer.body.toString() === body).toBe(true);
    expect(toldOf(answer.headers)).toEqual(
      extra > 0 ? ['not_verified', 'overflow', null] : ['passed', null, 'ver_1'],
    );
  }
});

test('a held stream has its head and keep-alive comments at once, and more of them while it waits', async () => {
  door.set.deps({ keepAliveMs: 20 });
  upstream.script(answerStream(frames('one two')));
  let comments = 0;
  let release: () => void = () => undefined;
  door.set.settle(async (_request, answer) => {
    await new Promise<void>((go) => (release = go));
    return passed(answer);
  });
  const answer = await sendRaw(door.port, {
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

test('at the total deadline what is there goes out, and the rest as it comes', async () => {
  for (const [body, type] of [
    [askStream, 'text/event-stream'],
    [ask, 'application/json'],
  ] as const) {
    door.set.settings({ ...watched, total_seconds: 0.1 });
    let goOn: () => void = () => undefined;
    upstream.script(async ({ response }) => {
      response.writeHead(200, { 'content-type': type });
      response.write(frame('first'));
      await new Promise<void>((go) => (goOn = go));
      response.end(frame('second'));
    });
    const answer = await sendRaw(door.port, {
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
    expect(toldAtAll(answer)).toEqual(['unavailable', 'error', null]);
    expect(door.held.length).toBe(0);
  }
});

test('who waited for a stream’s first token beyond its deadline does not wait for the last; one body comes when it is done', async () => {
  door.set.settings({ ...watched, first_token_seconds: 0.05 });
  for (const [body, script, verification] of [
    [askStream, answerStream(frames('late')), ['unavailable', 'error', null]],
    [ask, answerJson(reply('late')), ['passed', null, 'ver_1']],
  ] as const) {
    upstream.script(async (heard) => {
      await new Promise((go) => setTimeout(go, 80));
      await script(heard);
    });
    const answer = await send(body);
    expect(toldOf(answer.headers)).toEqual(verification);
    expect(answer.body.toString()).toBe(body === ask ? reply('late') : frames('late').join(''));
  }
});

test('QV-32 a settling that throws delivers the original', async () => {
  door.set.settle(() => Promise.reject(new Error('broken')));
  const json = await send(ask);
  expect(json.body.toString()).toBe(reply('91.4%'));
  expect(toldOf(json.headers)).toEqual(['unavailable', 'error', null]);
  upstream.script(answerStream(frames('a b')));
  const stream = await send(askStream);
  expect(stream.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(frames('a b').join(''));
});

test('R-62 a settling that never ends holds nobody: the original goes out, whole and ended', async () => {
  door.set.settings({ ...watched, total_seconds: 0.05 });
  door.set.settle(() => new Promise(() => undefined));
  const json = await send(ask);
  expect([json.body.toString(), json.complete, ...toldOf(json.headers)]).toEqual([
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
  ['the circuit is open', (stand: ProxyFixture) => stand.set.breaker(true), 'circuit_open'],
  [
    'the verifier fails',
    (stand: ProxyFixture) =>
      stand.set.settle((_r, a) =>
        Promise.resolve({
          ...passed(a),
          verification: { verdict: 'unavailable', reason: 'error', verificationId: null },
        }),
      ),
    'error',
  ],
  [
    'settling breaks',
    (stand: ProxyFixture) => stand.set.settle(() => Promise.reject(new Error('x'))),
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
  'R-68 a route that fails closed answers 503 with the reason where %s',
  async (_what, arrange, reason) => {
    door.set.settings({ ...watched, fail_closed: true });
    arrange(door);
    const answer = await send(ask);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      error: { code: 'not_verified', message: expect.stringContaining(reason) },
    });
    expect(find(answer.headers, 'x-assay-reason')).toBe(reason);
    // The same faults on a route that fails open: no restart between.
    door.set.settings(watched);
    expect((await send(ask)).status).toBe(200);
  },
);

test('R-68 a held stream of a route that fails closed ends in an error that names the reason', async () => {
  door.set.settings({ ...watched, fail_closed: true });
  door.set.settle((_request, answer) =>
    Promise.resolve({
      ...passed(answer),
      verification: { verdict: 'unavailable', reason: 'error', verificationId: null },
    }),
  );
  upstream.script(answerStream(frames('It is at 91.4%.')));
  const stream = await send(askStream);
  expect([stream.status, stream.complete]).toEqual([200, true]);
  expect(stream.body.toString()).not.toContain('91.4');
  expect(stream.body.toString()).toContain('data: {"error"');
  expect(toldAtAll(stream)).toEqual(['unavailable', 'error', null]);
});

test('R-68 R-60 without a store an observing route tells so, and refuses where it fails closed', async () => {
  door.set.away(true);
  door.set.settings({});
  expect(toldOf((await send(ask)).headers)).toEqual(['unavailable', 'error', null]);
  door.set.settings({ integrity: { mode: 'off' } });
  expect(toldOf((await send(ask)).headers)).toEqual(['not_verified', 'disabled', null]);
  door.set.settings({ fail_closed: true });
  expect((await send(ask)).status).toBe(503);
  door.set.integrityOff(true);
  expect((await send(ask)).status).toBe(200);
});

test.each([
  [askStream, 'text/event-stream', 200],
  [ask, 'application/json', 503],
] as const)(
  'R-68 what an upstream leaves behind that breaks off is not delivered by a route that fails closed: %#',
  async (body, type, status) => {
    door.set.settings({ ...watched, fail_closed: true });
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
    expect(toldAtAll(answer)).toEqual(['not_verified', 'error', null]);
  },
);

test('R-62 a fault at delivery is one call’s: it ends, and the next is served', async () => {
  const broken = { verdict: 'passed', reason: null, verificationId: 'ver_\u20ac' } as const;
  for (const [body, script] of [
    [ask, answerJson(reply('91.4%'))],
    [askStream, answerStream(frames('a b'))],
  ] as const) {
    upstream.script(script);
    // No header can be written of it, and no chunk is a number.
    door.set.settle((_request, answer) =>
      Promise.resolve({
        ...passed({ ...answer, chunks: body === ask ? answer.chunks : ([7] as never) }),
        verification: broken,
      }),
    );
    const answer = await send(body);
    expect(body === ask ? answer.status : answer.complete).toBe(body === ask ? 502 : false);
  }
  await door.gateway.drain();
  upstream.script(answerJson(reply('91.4%')));
  door.set.settle(async (_request, answer) => passed(answer));
  expect((await send(ask)).status).toBe(200);
});

test('QV-18 past what one process holds back in all an answer goes on live, and the room is given back', async () => {
  const room = new BufferSpace(4000);
  const small = await startProxy(`${upstream.origin}/v1`, 'openai', {}, room);
  small.set.settings(watched);
  small.set.due(true);
  const sending = (body: string) => sendRaw(small.port, { path: chat, headers, body });
  try {
    for (const [words, verification] of [
      [2, ['passed', null, 'ver_1']],
      [60, ['not_verified', 'overflow', null]],
      [2, ['passed', null, 'ver_1']],
    ] as const) {
      const all = frames('word '.repeat(words));
      upstream.script(answerStream(all));
      const answer = await sending(askStream);
      expect(withoutComments(answer)).toBe(all.join(''));
      expect(toldAtAll(answer)).toEqual(verification);
      await small.gateway.drain();
      expect(room.taken).toBe(0);
    }
    // One call has all of the room, and another none.
    let goOn: () => void = () => undefined;
    const begun = new Promise<void>((report) => {
      small.set.settle(async (_request, answer) => {
        report();
        await new Promise<void>((go) => (goOn = go));
        return passed(answer);
      });
    });
    upstream.script(answerStream(frames('word '.repeat(30))));
    const first = sending(askStream);
    await begun;
    expect(toldAtAll(await sending(askStream))).toEqual(['not_verified', 'overflow', null]);
    goOn();
    expect(toldAtAll(await first)[0]).toBe('passed');
  } finally {
    await small.close();
  }
});

test('QV-6 every due call says once that its hold is over, whatever became of it; no other does', async () => {
  const session = [['x-assay-session', 's-1']] as const;
  const run = async (arrange: () => void, body = ask): Promise<number> => {
    door.set.settings(watched);
    door.set.breaker(false);
    door.set.settle(async (_request, answer) => passed(answer));
    upstream.script(body === ask ? answerJson(reply('x')) : answerStream(frames('a b')));
    door.unheld.length = 0;
    arrange();
    await send(body, session).catch(() => undefined);
    await door.gateway.drain();
    expect(door.unheld.every((name) => name === 's-1')).toBe(true);
    return door.unheld.length;
  };
  const nothing = (): void => undefined;
  expect(await run(nothing)).toBe(1);
  expect(await run(nothing, askStream)).toBe(1);
  expect(await run(() => door.set.settle(steered('new')))).toBe(1);
  expect(await run(() => door.set.settle(() => Promise.reject(new Error('x'))), askStream)).toBe(1);
  expect(await run(() => door.set.breaker(true))).toBe(1);
  expect(
    await run(() => door.set.settings({ ...watched, fail_closed: true, total_seconds: 0.01 })),
  ).toBe(1);
  expect(
    await run(() => upstream.script(answerJson(reply('x'.repeat(HELD_TEXT_BYTES_MAX + 1))))),
  ).toBe(1);
  expect(
    await run(() =>
      upstream.script(({ response, socket }) => void response.write('x', () => socket.destroy())),
    ),
  ).toBe(1);
  expect(
    await run(() => upstream.script(({ response }) => void response.writeHead(500).end())),
  ).toBe(0);
  door.set.due(false);
  expect(await run(nothing)).toBe(0);
});

test('QV-6 a hold is over before its client has the answer', async () => {
  const seen: number[] = [];
  upstream.script(answerStream(frames('a b')));
  await sendRaw(door.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes: (bytes) => void (bytes.includes('[DONE]') && seen.push(door.unheld.length)),
  });
  expect(seen[0]).toBe(1);
});

test('R-70 trailers come with the upstream’s own answer, held or not, and with no other', async () => {
  upstream.script(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', trailer: 'x-sum' });
    for (const each of frames('a b')) response.write(each);
    response.addTrailers({ 'x-sum': 'abc', 'x-assay-verdict': 'flagged' });
    response.end();
  });
  expect((await send(askStream)).trailers).toEqual([['x-sum', 'abc']]);
  door.set.settle(steered('new'));
  expect((await send(askStream)).trailers).toEqual([]);
  door.set.settle(async (_request, answer) => passed(answer));
  upstream.script(({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-sum' });
    response.write(reply('x'));
    response.addTrailers({ 'x-sum': 'abc' });
    response.end();
  });
  expect((await send(ask)).trailers).toEqual([['x-sum', 'abc']]);
  door.set.settle(steered('new'));
  const rewritten = await send(ask);
  expect([rewritten.body.toString(), rewritten.trailers]).toEqual([reply('new'), []]);
});

test('R-65 an upstream that is cut while its answer is held is a cut to the client', async () => {
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
    const ended = door.nextEnd();
    const answer = await send(body);
    expect(answer.complete).toBe(false);
    expect(answer.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(frame('first'));
    await ended;
    expect(door.captured.at(-1)).toMatchObject({
      partial: true,
      verification: { verdict: 'not_verified', reason: 'error' },
    });
    expect(door.held.length).toBe(0);
  }
});

test('R-64 a client that leaves while its answer is held stops the upstream, and the verification', async () => {
  upstream.script(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame('first'));
  });
  const ended = door.nextEnd();
  await sendRaw(door.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes: (bytes, socket) => bytes.includes('keep-alive') && socket.destroy(),
  });
  await upstream.heard.at(-1)?.left;
  await ended;
  upstream.script(answerStream(frames('a b')));
  let heardOf = false;
  const settled = new Promise<void>((report) => {
    door.set.settle(async (_request, answer, _state, signal) => {
      await new Promise<void>((go) => signal.addEventListener('abort', () => go(), { once: true }));
      heardOf = true;
      report();
      return passed(answer);
    });
  });
  const left = door.nextEnd();
  await sendRaw(door.port, {
    path: chat,
    headers,
    body: askStream,
    onBytes: (bytes, socket) => bytes.includes('keep-alive') && socket.destroy(),
  });
  await settled;
  await left;
  expect(heardOf).toBe(true);
  await door.gateway.drain();
});

test('INT-9 on a hold route the main call is tried again for what passes: four times at most, and no other 4xx', async () => {
  door.set.settings({ integrity: { mode: 'hold' } });
  door.set.deps({ retryDelaysMs: [1, 2, 4, 8] });
  const statuses = [500, 429, 0, 200];
  upstream.script((heard) => {
    const status = statuses.shift() ?? 200;
    if (status === 0) return void heard.socket.destroy();
    if (status !== 200) return void heard.response.writeHead(status).end('no');
    return answerJson(reply('91.4%'))(heard);
  });
  expect(toldOf((await send(ask)).headers)[0]).toBe('passed');
  expect(door.held[0]?.state).toMatchObject({ due: false, retries: 3 });
  upstream.heard.length = 0;
  upstream.script(({ response }) => void response.writeHead(503, { 'x-last': 'yes' }).end('down'));
  const down = await send(ask);
  expect([
    down.status,
    down.body.toString(),
    find(down.headers, 'x-last'),
    upstream.heard.length,
  ]).toEqual([503, 'down', 'yes', 5]);
  upstream.heard.length = 0;
  upstream.script(({ response }) => void response.writeHead(400).end('bad'));
  expect([(await send(ask)).status, upstream.heard.length]).toEqual([400, 1]);
});

test('INT-9 S-40 what cannot go well is not tried again: an address that is refused, a request that cannot be written', async () => {
  door.set.settings({ integrity: { mode: 'hold' } });
  const tries: number[] = [];
  for (const [error, status] of [
    [new OutboundError('refused', 'private'), 502],
    [Object.assign(new Error('invalid'), { code: 'UND_ERR_INVALID_ARG' }), 400],
  ] as const) {
    let tried = 0;
    door.set.deps({
      retryDelaysMs: [1, 2],
      forward: {
        upstreamOf: () => ({ pool: null as never, prefix: '', credential: null, secret: null }),
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

test('INT-11 with the switch off nothing is held, changed or tried again', async () => {
  door.set.settings({ integrity: { mode: 'hold' } });
  door.set.integrityOff(true);
  expect(toldOf((await send(ask)).headers)).toEqual(['not_verified', 'disabled', null]);
  // As for every call by the stored key: an answer in gzip could not be searched for it.
  expect(upstream.heard.at(-1)?.headers['accept-encoding']).toBe('identity');
});

test('the prepared body goes up; the record has the client’s own', async () => {
  door.set.settings({ integrity: { mode: 'hold' } });
  const changed = JSON.stringify({ ...asked, system: 'Rule' });
  door.set.deps({
    prepare: () => Promise.resolve({ body: Buffer.from(changed), withoutShape: null }),
  });
  const ended = door.nextEnd();
  await send(ask, [['x-assay-session', 's-7']]);
  await ended;
  expect(upstream.heard.at(-1)?.body.toString()).toBe(changed);
  expect(door.held.at(-1)?.request.body.toString()).toBe(changed);
  expect(door.captured.at(-1)?.request().body.toString()).toBe(ask);
  expect(door.captured.at(-1)?.request().sessionId).toBe('s-7');
});

test('sessions: by header, by what the request says, else by key and the beginning of the body', async () => {
  const sessionOf = async (body: object, more: readonly (readonly [string, string])[] = []) => {
    const ended = door.nextEnd();
    await send(JSON.stringify(body), more);
    await ended;
    return door.captured.at(-1)?.request().sessionId;
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
  door.set.due(false);
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
  const drain = door.gateway.drain().then(() => (drained = true));
  expect(drained).toBe(false);
  for (const go of goOn) go();
  for (const answer of await Promise.all(calls)) expect(answer.complete).toBe(true);
  await drain;
});
