import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerJson, answerStream, type MockUpstream, startMockUpstream } from '../../../scripts/harness/mock-upstream';
import { type RawAnswer, sendRaw } from '../../../scripts/harness/raw-answer';
import type { HeldAnswer, Settled } from '../exchange';
import { assayKey, type DoorStand, passed, startDoor } from './door-fixture';
import { HELD_TEXT_BYTES_MAX } from './held-body';

let upstream: MockUpstream;
let door: DoorStand;
const chat = '/gateway/test/v1/chat/completions';
const headers = [['authorization', `Bearer ${assayKey}`]] as const;
const asked = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'How full is web-1?' }] };
const ask = JSON.stringify(asked);
const askStream = JSON.stringify({ ...asked, stream: true });
const reply = (content: string, model = 'gpt-4o-mini') =>
  JSON.stringify({ id: 'c1', model, choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] });
const frame = (content: string) =>
  `data: ${JSON.stringify({ id: 'c1', model: 'gpt-4o-mini', choices: [{ index: 0, delta: { content } }] })}\n\n`;
const frames = (content: string) => [...content.split(/(?<= )/).map(frame), 'data: [DONE]\n\n'];
const watched = { quality_verifier: { model: 'openai:gpt-4o', frequency: 3 } };
const keepAlive = ': keep-alive\n\n';

beforeAll(async () => {
  upstream = await startMockUpstream(answerJson(reply('x')));
  door = await startDoor(`${upstream.origin}/v1`);
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
  door.set.settings(watched);
  door.set.deps({});
  door.set.due(true);
  door.set.away(false);
  door.set.breaker(false);
  door.set.integrityOff(false);
  door.set.settle(async (_request, answer) => passed(answer));
});

const find = (all: readonly (readonly [string, string])[], name: string) => all.find(([each]) => each.toLowerCase() === name)?.[1];
const toldOf = (all: readonly (readonly [string, string])[]) =>
  ['x-assay-verdict', 'x-assay-reason', 'x-assay-verification'].map((name) => find(all, name) ?? null);
/** What is told of an answer: in its headers, else in a comment of its stream. */
const toldAtAll = ({ headers: all, body }: RawAnswer) => {
  const comment = /^: (x-assay-verdict: .*)$/m.exec(body.toString())?.[1]?.split('; ') ?? [];
  return toldOf(
    all[0] !== undefined && find(all, 'x-assay-verdict') !== undefined ? all : comment.map((part) => part.split(': ') as [string, string]),
  );
};
const withoutComments = ({ body }: RawAnswer) => body.toString().replaceAll(/^: .*\n\n/gm, '');
const send = (body: string, more: readonly (readonly [string, string])[] = []) =>
  sendRaw(door.port, { path: chat, headers: [...headers, ...more], body });
const steered =
  (text: string) =>
  (_request: unknown, answer: HeldAnswer): Promise<Settled> => {
    const body = answer.form === 'json' ? reply(text) : frames(text).join('');
    return Promise.resolve({
      ...passed({ ...answer, chunks: [Buffer.from(body)], read: { ...answer.read, text } }),
      told: { verdict: 'steered', reason: null, verificationId: 'ver_2' },
    });
  };

test('QV-15 QV-16 a due answer is held until the verification ends, streamed or not, and delivered as it came', async () => {
  for (const [body, script, whole] of [
    [ask, answerJson(reply('91.4%')), reply('91.4%')],
    [askStream, answerStream(frames('It is at 91.4% now.')), frames('It is at 91.4% now.').join('')],
  ] as const) {
    upstream.script(script);
    let settled = false;
    let seenBefore = '';
    let release: () => void = () => undefined;
    const begun = new Promise<void>((tell) => {
      door.set.settle(async (_request, answer) => {
        tell();
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
    expect(door.captured.at(-1)).toMatchObject({ units: 1000, counter: 3000, partial: false, told: { verdict: 'passed' } });
    expect(door.captured.at(-1)?.heldMs).toBeGreaterThanOrEqual(0);
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
    { role: 'assistant', tool_calls: [{ id: 't', type: 'function', function: { name: 'disk', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 't', content: '91.4' },
  ];
  expect(toldOf((await send(JSON.stringify({ model: 'm', messages }))).headers)).toEqual(['not_verified', 'tool_followup', null]);
});

test('QV-4 a turn that another model served is neither counted nor verified', async () => {
  let counted = 0;
  door.set.deps({
    turns: {
      advance() {
        counted++;
        return { units: 1000, counter: 1000, due: true };
      },
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
  const told = ': x-assay-verdict: steered; x-assay-verification: ver_2\n\n';
  expect(stream.body.toString()).toBe(keepAlive + frames('Check df first.').join('').replace('data: [DONE]', `${told}data: [DONE]`));
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
    expect(body.includes(': x-assay-verdict: not_verified; x-assay-reason: overflow\n\n')).toBe(extra > 0);
    await ended;
    expect(door.captured.at(-1)).toMatchObject({ truncated: true, told: { reason: extra > 0 ? 'overflow' : null } });
  }
});

test('INT-14 on a hold route a stream that calls a tool goes on live from the call on', async () => {
  door.set.settings({ integrity: { mode: 'hold' } });
  door.set.due(false);
  const call = { index: 0, id: 'call_1', function: { name: 'disk', arguments: '{"host":"web-1"}' } };
  const begin = `data: ${JSON.stringify({ id: 'c1', model: 'gpt-4o-mini', choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`;
  let go: () => void = () => undefined;
  const seen = new Promise<void>((tell) => (go = tell));
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
    expect(toldOf(answer.headers)).toEqual(extra > 0 ? ['not_verified', 'overflow', null] : ['passed', null, 'ver_1']);
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
    expect(answer.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(frame('first') + frame('second'));
    expect(toldAtAll(answer)).toEqual(['unavailable', 'error', null]);
    expect(door.held.length).toBe(0);
  }
});

test('who waited for the first token beyond its deadline does not wait for the last', async () => {
  door.set.settings({ ...watched, first_token_seconds: 0.05 });
  upstream.script(async (heard) => {
    await new Promise((go) => setTimeout(go, 80));
    await answerJson(reply('late'))(heard);
  });
  const answer = await send(ask);
  expect(toldOf(answer.headers)).toEqual(['unavailable', 'error', null]);
  expect(answer.body.toString()).toBe(reply('late'));
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
  expect([json.body.toString(), json.complete, ...toldOf(json.headers)]).toEqual([reply('91.4%'), true, 'unavailable', 'error', null]);
  upstream.script(answerStream(frames('a b')));
  const stream = await send(askStream);
  expect(stream.complete).toBe(true);
  expect(stream.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(frames('a b').join(''));
  expect(stream.body.toString()).toContain(': x-assay-verdict: unavailable;');
});

test.each([
  ['the circuit is open', (stand: DoorStand) => stand.set.breaker(true), 'circuit_open'],
  [
    'the verifier fails',
    (stand: DoorStand) =>
      stand.set.settle((_r, a) =>
        Promise.resolve({ ...passed(a), told: { verdict: 'unavailable', reason: 'error', verificationId: null } }),
      ),
    'error',
  ],
  ['settling breaks', (stand: DoorStand) => stand.set.settle(() => Promise.reject(new Error('x'))), 'error'],
  [
    'the answer cannot be read',
    () =>
      upstream.script(
        ({ response }) => void response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end('x'),
      ),
    'error',
  ],
] as const)('R-68 a route that fails closed answers 503 with the reason where %s', async (_what, arrange, reason) => {
  door.set.settings({ ...watched, fail_closed: true });
  arrange(door);
  const answer = await send(ask);
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.body.toString())).toMatchObject({ error: { code: 'not_verified', message: expect.stringContaining(reason) } });
  expect(find(answer.headers, 'x-assay-reason')).toBe(reason);
  // The same faults on a route that fails open: no restart between.
  door.set.settings(watched);
  expect((await send(ask)).status).toBe(200);
});

test('R-68 a held stream of a route that fails closed ends in an error that names the reason', async () => {
  door.set.settings({ ...watched, fail_closed: true });
  door.set.settle((_request, answer) =>
    Promise.resolve({ ...passed(answer), told: { verdict: 'unavailable', reason: 'error', verificationId: null } }),
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
    expect(door.captured.at(-1)).toMatchObject({ partial: true, told: { verdict: 'not_verified', reason: 'error' } });
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
  const settled = new Promise<void>((tell) => {
    door.set.settle(async (_request, answer, _state, signal) => {
      await new Promise<void>((go) => signal.addEventListener('abort', () => go(), { once: true }));
      heardOf = true;
      tell();
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
  expect([down.status, down.body.toString(), find(down.headers, 'x-last'), upstream.heard.length]).toEqual([503, 'down', 'yes', 5]);
  upstream.heard.length = 0;
  upstream.script(({ response }) => void response.writeHead(400).end('bad'));
  expect([(await send(ask)).status, upstream.heard.length]).toEqual([400, 1]);
});

test('INT-11 with the switch off nothing is held, changed or tried again', async () => {
  door.set.settings({ integrity: { mode: 'hold' } });
  door.set.integrityOff(true);
  expect(toldOf((await send(ask)).headers)).toEqual(['not_verified', 'disabled', null]);
  expect(upstream.heard.at(-1)?.headers['accept-encoding']).toBe(undefined);
});

test('the prepared body goes up; the record has the client’s own', async () => {
  door.set.settings({ integrity: { mode: 'hold' } });
  const changed = JSON.stringify({ ...asked, system: 'Rule' });
  door.set.deps({ prepare: () => Buffer.from(changed) });
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
