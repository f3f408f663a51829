import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { canary } from '../../../testing/database';
import {
  type ScriptedFault,
  type ScriptedLlm,
  startScriptedLlm,
} from '../../../testing/scripted-llm';
import type { AskRequest } from '../../domain';
import type { ProviderKind } from '../input';
import type { ProviderAccess } from '../providers/provider';
import { createModelConnections, type ModelConnections } from './connections';
import { createDirectAsk, type DirectCall } from './direct-ask';
import { findTargetIn } from './find-target';

let llm: ScriptedLlm;
let connections: ModelConnections;
let raw: Server;
let rawOrigin: string;
/** The bare server's reaction to the next request. */
let respond: (response: ServerResponse) => void = (response) => response.end();

const models = {
  openai: 'gpt-4o-mini',
  anthropic: 'claude-3-5-haiku-20241022',
  google: 'gemini-2.5-flash',
  openai_compatible: 'meta-llama/llama-3.1-8b',
} as const;
const kinds = Object.keys(models) as ProviderKind[];

beforeAll(async () => {
  llm = await startScriptedLlm();
  raw = createServer((request, response) => {
    request.resume();
    respond(response);
  });
  raw.listen(0, '127.0.0.1');
  await once(raw, 'listening');
  const address = raw.address();
  rawOrigin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  connections = createModelConnections({ allow: allowed() });
});

afterEach(() => llm.answerWith(null));

afterAll(async () => {
  await connections.close();
  raw.closeAllConnections();
  raw.close();
  await llm.close();
});

function access(kind: ProviderKind, origin = llm.origin, name: string = kind): ProviderAccess {
  const baseUrl = `${origin}${kind === 'google' ? '/v1beta' : '/v1'}`;
  return {
    name,
    kind,
    baseUrl,
    origin,
    models: [models[kind]],
    prices: new Map(),
    source: 'project',
    openKey: () => canary,
  };
}

interface Asking {
  readonly providers?: readonly ProviderAccess[];
  readonly otherwise?: ProviderAccess | null;
  readonly request?: Partial<AskRequest>;
  readonly over?: ModelConnections;
}

const allowed = (): ReadonlySet<string> =>
  new Set([llm.origin, rawOrigin].map((origin) => origin.replace('http://', '')));

async function ask(
  model: string,
  {
    providers = kinds.map((kind) => access(kind)),
    otherwise = null,
    request = {},
    over = connections,
  }: Asking = {},
) {
  const calls: DirectCall[] = [];
  const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
  const direct = createDirectAsk(
    { clock },
    { connections: over, providers, otherwise, record: (call) => calls.push(call) },
  );
  const result = await direct({
    model,
    system: 'You audit.',
    messages: [
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: 'Done.' },
    ],
    reply: null,
    maxOutputTokens: 500,
    deadlineMs: 20_000,
    firstTokenMs: 10_000,
    signal: new AbortController().signal,
    purpose: 'turn verifier',
    promptVersion: 'turn-verifier@0',
    ...request,
  });
  return { result, calls };
}

const reply = '<status>NO_STEERING_NEEDED</status>';
const sse = { 'content-type': 'text/event-stream' };
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

describe('one streamed call', () => {
  test.each(kinds)(
    'QV-36 QV-37 %s is called once, streamed; text, tokens and price are returned',
    async (kind) => {
      llm.queue({ text: reply, usage: { input: 1000, output: 20 } });
      const { result, calls } = await ask(`${kind}:${models[kind]}?temperature=0.3&max_tokens=77`);
      expect(result).toMatchObject({
        state: 'answered',
        text: reply,
        usage: {
          provider: kind,
          model: models[kind],
          inputTokens: 1000,
          outputTokens: 20,
          calls: 1,
        },
      });
      const call = llm.calls.at(-1);
      expect(call?.body.stream === true || call?.path.includes('streamGenerate')).toBe(true);
      expect(JSON.stringify(call?.body)).toContain('"temperature":0.3');
      expect(JSON.stringify(call?.body)).toMatch(/"max\w*":77\b/i);
      expect(calls).toMatchObject([
        {
          provider: kind,
          purpose: 'turn verifier',
          promptVersion: 'turn-verifier@0',
          report: { status: 200 },
        },
      ]);
      // The price of a private model is unknown.
      expect(result.usage.costUsd === null).toBe(kind === 'openai_compatible');
    },
  );

  test('the last message stays the assistant’s, and Anthropic gets it without trailing white space', async () => {
    const messages = [
      { role: 'user' as const, content: 'Do it.' },
      { role: 'assistant' as const, content: 'Done. \n' },
    ];
    llm.queue({ text: reply });
    await ask(`anthropic:${models.anthropic}`, { request: { messages } });
    const sent = (llm.calls.at(-1)?.body.messages ?? []) as {
      role: string;
      content: { text: string }[];
    }[];
    expect(sent.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Done.' }] });
  });

  test.each<[string, ScriptedFault, string]>([
    ['429', { kind: 'status', status: 429, headers: { 'retry-after': '7' } }, 'rate_limited'],
    ['500', { kind: 'status', status: 500 }, 'overloaded'],
    ['401', { kind: 'status', status: 401 }, 'unauthorized'],
    ['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:1/' }, 'refused'],
    ['a reset', { kind: 'reset' }, 'unreachable'],
    ['an early end', { kind: 'early_close' }, 'unreachable'],
    ['an endless reply', { kind: 'endless' }, 'too_large'],
    ['a compressed reply', { kind: 'bomb', coding: 'br' }, 'refused'],
    ['no event stream', { kind: 'garbage', body: 'hello' }, 'bad_reply'],
  ])('X-4 %s fails after one call and is not retried', async (_what, fault, errorClass) => {
    const before = llm.calls.length;
    llm.answerWith(() => ({ fault }));
    const { result, calls } = await ask(`openai_compatible:${models.openai_compatible}`);
    expect(result).toMatchObject({ state: 'failed', errorClass });
    expect(llm.calls.length - before).toBe(1);
    expect(calls).toMatchObject([{ report: { state: 'failed', errorClass } }]);
    expect(JSON.stringify([result, calls])).not.toContain(canary);
  });

  test('QV-36 an error chunk inside the stream is a failure', async () => {
    respond = (response) => {
      response.writeHead(200, sse);
      response.write(chunk({ role: 'assistant', content: reply }));
      response.end(
        `data: ${JSON.stringify({ error: { message: `the backend died, key ${canary}`, type: 'server_error' } })}\n\n`,
      );
    };
    const { result } = await ask('m:x', {
      providers: [access('openai_compatible', rawOrigin, 'm')],
    });
    expect(result).toMatchObject({ state: 'failed', errorClass: 'bad_reply' });
    expect(JSON.stringify(result)).toContain('the backend died');
    expect(JSON.stringify(result)).not.toContain(canary);
  });

  test('QV-36 a truncated stream is a failure, whatever it contained', async () => {
    respond = (response) => {
      response.writeHead(200, sse);
      response.write(chunk({ role: 'assistant', content: reply }), () => response.destroy());
    };
    const { result } = await ask('m:x', {
      providers: [access('openai_compatible', rawOrigin, 'm')],
    });
    expect(result).toMatchObject({ state: 'failed', errorClass: 'unreachable' });
  });

  test('QV-36 keep-alives do not stop the clock to the first token', async () => {
    let beat: NodeJS.Timeout | undefined;
    respond = (response) => {
      response.writeHead(200, sse);
      response.write(chunk({ role: 'assistant', content: '' }));
      beat = setInterval(() => response.write(': keep-alive\n\n'), 20);
    };
    const { result } = await ask('m:x', {
      providers: [access('openai_compatible', rawOrigin, 'm')],
      request: { firstTokenMs: 150 },
    });
    clearInterval(beat);
    expect(result).toMatchObject({
      state: 'failed',
      errorClass: 'timeout',
      message: 'no first token within 150 ms',
    });
  });

  test('QV-36 after the first token only the total deadline counts', async () => {
    respond = (response) => {
      response.writeHead(200, sse);
      response.write(chunk({ role: 'assistant', content: '<status>' }));
    };
    const request = { firstTokenMs: 200, deadlineMs: 600 };
    const { result } = await ask('m:x', {
      providers: [access('openai_compatible', rawOrigin, 'm')],
      request,
    });
    expect(result).toMatchObject({
      state: 'failed',
      errorClass: 'timeout',
      message: 'no complete reply before the deadline',
    });
  });

  test('the caller can abort the call', async () => {
    const left = new AbortController();
    const asked = new Promise<void>((resolve) => {
      respond = (response) => {
        response.writeHead(200, sse);
        response.write(chunk({ role: 'assistant', content: 'x' }), () => resolve());
      };
    });
    const asking = ask('m:x', {
      providers: [access('openai_compatible', rawOrigin, 'm')],
      request: { signal: left.signal },
    });
    await asked;
    left.abort();
    expect((await asking).result).toMatchObject({ state: 'failed', errorClass: 'aborted' });
  });

  test('S-40 a private address is called only if the operator allows it', async () => {
    const before = llm.calls.length;
    const { result } = await ask(`openai:${models.openai}`, {
      over: createModelConnections({ allow: new Set() }),
    });
    expect(result).toMatchObject({ state: 'failed', errorClass: 'refused' });
    expect(llm.calls.length).toBe(before);
  });
});

describe('kept connections', () => {
  const passes = (response: ServerResponse): void => {
    response.writeHead(200, sse);
    response.end(chunk({ role: 'assistant', content: reply }) + chunk({}, 'stop'));
  };
  /**
   * The server's ends of the connections with requests, and the keys of the requests, in their
   * order of arrival.
   */
  const sockets = new Set<Socket>();
  const keys: (string | undefined)[] = [];
  const asked = ({ headers, socket }: IncomingMessage): void => {
    sockets.add(socket);
    keys.push(headers.authorization);
  };
  const closing = (socket: Socket): Promise<void> =>
    new Promise((resolve) => void socket.once('close', () => resolve()));
  const house = (origin = rawOrigin): readonly ProviderAccess[] => [
    access('openai_compatible', origin, 'house'),
  ];
  const portOfRaw = (): string => new URL(rawOrigin).port;
  let over: ModelConnections;

  beforeEach(() => {
    over = createModelConnections({ allow: allowed() });
    sockets.clear();
    keys.length = 0;
    respond = passes;
    raw.on('request', asked);
  });

  afterEach(async () => {
    raw.off('request', asked);
    await over.close();
  });

  test('QV-20 a second question reuses the connection and the model', async () => {
    for (let nth = 0; nth < 3; nth++) {
      const { result } = await ask('house:x', { providers: house(), over });
      expect(result).toMatchObject({ state: 'answered', text: reply });
    }
    expect(keys).toHaveLength(3);
    expect(sockets.size).toBe(1);
  });

  test('S-45 two keys for one address are two models: each question carries its own key', async () => {
    for (const key of ['first-key-of-two', 'second-key-of-two', 'first-key-of-two']) {
      const providers = house().map((each) => ({ ...each, openKey: () => key }));
      await ask('house:x', { providers, over });
    }
    expect(keys).toEqual([
      'Bearer first-key-of-two',
      'Bearer second-key-of-two',
      'Bearer first-key-of-two',
    ]);
    expect(sockets.size).toBe(1);
  });

  test('QV-20 a connection that its server closed while idle is replaced, and the question is sent once', async () => {
    await ask('house:x', { providers: house(), over });
    // The loop polls between two immediates, so the end is read before the question is written.
    const { result } = await new Promise<Awaited<ReturnType<typeof ask>>>((resolve) => {
      setImmediate(() => {
        for (const socket of sockets) socket.destroy();
        resolve(ask('house:x', { providers: house(), over }));
      });
    });
    expect(result).toMatchObject({ state: 'answered', text: reply, usage: { calls: 1 } });
    expect(keys).toHaveLength(2);
    expect(sockets.size).toBe(2);
  });

  test('QV-20 a question that was read but not answered is not sent again', async () => {
    await ask('house:x', { providers: house(), over });
    respond = (response) => response.destroy();
    const { result } = await ask('house:x', { providers: house(), over });
    expect(result).toMatchObject({
      state: 'failed',
      errorClass: 'unreachable',
      usage: { calls: 1 },
    });
    expect(keys).toHaveLength(2);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    [
      'a reply that was given up',
      (response) =>
        void response.writeHead(200, sse).write(chunk({ role: 'assistant', content: 'x' })),
    ],
    [
      'a compressed reply',
      (response) => void response.writeHead(200, { ...sse, 'content-encoding': 'gzip' }).write('x'),
    ],
    [
      'an error within the stream',
      (response) => void response.writeHead(200, sse).write('data: {"error":{"message":"no"}}\n\n'),
    ],
  ])(
    'after %s its connection is closed, and the next question opens a new one',
    async (_what, broken) => {
      respond = broken;
      const ended = once(raw, 'request').then(([request]) =>
        closing((request as IncomingMessage).socket),
      );
      const { result } = await ask('house:x', {
        providers: house(),
        over,
        request: { deadlineMs: 400 },
      });
      expect(result.state).toBe('failed');
      await ended;
      respond = passes;
      expect((await ask('house:x', { providers: house(), over })).result).toMatchObject({
        state: 'answered',
      });
      expect(sockets.size).toBe(2);
    },
  );

  test('S-41 each new connection resolves and checks the name again; a kept one stays on its checked address', async () => {
    const answers: (readonly string[])[] = [
      ['127.0.0.1'],
      ['127.0.0.2'],
      ['203.0.113.1'],
      ['127.0.0.1'],
      ['::1', '127.0.0.1'],
    ];
    let asks = 0;
    const resolve = async () => answers[asks++] ?? [];
    const names = createModelConnections(
      { allow: new Set([`listed.test:${portOfRaw()}`]) },
      resolve,
    );
    const listed = { providers: house(`http://listed.test:${portOfRaw()}`), over: names };
    expect((await ask('house:x', listed)).result).toMatchObject({ state: 'answered' });
    expect((await ask('house:x', listed)).result).toMatchObject({ state: 'answered' });
    expect([asks, sockets.size]).toEqual([1, 1]);
    // The name now resolves to an address that refuses connections.
    const closed = Promise.all([...sockets].map(closing));
    for (const socket of sockets) socket.destroy();
    await closed;
    await new Promise(setImmediate);
    expect((await ask('house:x', listed)).result).toMatchObject({
      state: 'failed',
      errorClass: 'unreachable',
    });
    expect(asks).toBe(2);
    // The operator did not list it, so one pool refuses each address that it leads to next.
    const rebinding = { providers: house(`http://rebind.test:${portOfRaw()}`), over: names };
    for (const left of [2, 1, 0]) {
      expect((await ask('house:x', rebinding)).result, `${left}`).toMatchObject({
        state: 'failed',
        errorClass: 'refused',
      });
      expect(asks).toBe(answers.length - left);
    }
    expect(sockets.size).toBe(1);
    await names.close();
  });

  test('shutdown aborts calls in progress and closes all connections', async () => {
    await ask('house:x', { providers: house(), over });
    const under = new Promise<void>((resolve) => {
      respond = (response) =>
        response
          .writeHead(200, sse)
          .write(chunk({ role: 'assistant', content: 'x' }), () => resolve());
    });
    const asking = ask('house:x', { providers: house(), over });
    await under;
    const ended = [...sockets].map(closing);
    await over.close();
    expect((await asking).result).toMatchObject({ state: 'failed', errorClass: 'unreachable' });
    await Promise.all(ended);
  });
});

describe('QV-37 the provider of a spec', () => {
  const two = [
    access('openai', 'https://api.openai.com'),
    access('anthropic', 'https://api.anthropic.com', 'house'),
  ];
  const main = access('openai_compatible', 'https://main.example', 'main');

  test.each<[string, ProviderAccess | null, string, string]>([
    ['house:claude-3', null, 'house', 'claude-3'],
    ['anthropic:claude-3?temperature=0.3', null, 'house', 'claude-3'],
    ['openai:org/model:free', null, 'openai', 'org/model:free'],
    ['org/some-model', main, 'main', 'org/some-model'],
    ['llama3:8b', main, 'main', 'llama3:8b'],
    ['main:llama3:8b', main, 'main', 'llama3:8b'],
    ['gpt-4o-mini', main, 'main', 'gpt-4o-mini'],
    ['gpt-4o-mini', null, 'openai', 'gpt-4o-mini'],
  ])('QV-37 "%s" selects %s', (spec, otherwise, provider, model) => {
    expect(findTargetIn(two, spec, otherwise)).toMatchObject({
      provider: { name: provider },
      model,
    });
  });

  test.each([
    ['google:gemini-2.5-pro', null],
    ['openai:../x', null],
    ['openai:gpt-4o?temperature=hot', null],
    ['unknown-model', null],
  ])('QV-37 "%s" selects no provider', async (spec, otherwise) => {
    const { result, calls } = await ask(spec, { providers: two, otherwise });
    expect(result).toMatchObject({ state: 'failed', usage: { calls: 0 } });
    expect(calls).toEqual([]);
  });
});
