import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { canary } from '../../../db/testing';
import { type ScriptedFault, type ScriptedLlm, startScriptedLlm } from '../../../scripts/harness/scripted-llm';
import type { AskRequest } from '../../domain';
import type { ProviderKind } from '../input';
import type { ProviderAccess } from '../providers/provider';
import { createDirectAsk, type DirectCall } from './direct-ask';
import { findTargetIn } from './find-target';

let llm: ScriptedLlm;
let raw: Server;
let rawOrigin: string;
/** What the bare server does with the next request. */
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
});

afterEach(() => llm.answerWith(null));

afterAll(async () => {
  raw.closeAllConnections();
  raw.close();
  await llm.close();
});

function access(kind: ProviderKind, origin = llm.origin, name: string = kind): ProviderAccess {
  const baseUrl = `${origin}${kind === 'google' ? '/v1beta' : '/v1'}`;
  return { name, kind, baseUrl, origin, models: [models[kind]], prices: new Map(), source: 'project', openKey: () => canary };
}

interface Asking {
  readonly providers?: readonly ProviderAccess[];
  readonly otherwise?: ProviderAccess | null;
  readonly request?: Partial<AskRequest>;
  readonly allow?: readonly string[];
}

async function ask(model: string, { providers = kinds.map((kind) => access(kind)), otherwise = null, request = {}, allow }: Asking = {}) {
  const calls: DirectCall[] = [];
  const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
  const outboundAllow = new Set(allow ?? [llm.origin, rawOrigin].map((origin) => origin.replace('http://', '')));
  const direct = createDirectAsk({ env: { outboundAllow } as never, clock }, { providers, otherwise, record: (call) => calls.push(call) });
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
  test.each(kinds)('QV-36 QV-37 %s is asked once, streamed, and its text, tokens and price come back', async (kind) => {
    llm.queue({ text: reply, usage: { input: 1000, output: 20 } });
    const { result, calls } = await ask(`${kind}:${models[kind]}?temperature=0.3`);
    expect(result).toMatchObject({
      state: 'answered',
      text: reply,
      usage: { provider: kind, model: models[kind], inputTokens: 1000, outputTokens: 20, calls: 1 },
    });
    const call = llm.calls.at(-1);
    expect(call?.body.stream === true || call?.path.includes('streamGenerate')).toBe(true);
    expect(JSON.stringify(call?.body)).toContain('"temperature":0.3');
    expect(calls).toMatchObject([{ provider: kind, purpose: 'turn verifier', promptVersion: 'turn-verifier@0', report: { status: 200 } }]);
    // Of a house's own model nobody told the price.
    expect(result.usage.costUsd === null).toBe(kind === 'openai_compatible');
  });

  test('the last message stays the assistant’s, and Anthropic gets it without white space at its end', async () => {
    const messages = [
      { role: 'user' as const, content: 'Do it.' },
      { role: 'assistant' as const, content: 'Done. \n' },
    ];
    llm.queue({ text: reply });
    await ask(`anthropic:${models.anthropic}`, { request: { messages } });
    const sent = (llm.calls.at(-1)?.body.messages ?? []) as { role: string; content: { text: string }[] }[];
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
      response.end(`data: ${JSON.stringify({ error: { message: `the backend died, key ${canary}`, type: 'server_error' } })}\n\n`);
    };
    const { result } = await ask('m:x', { providers: [access('openai_compatible', rawOrigin, 'm')] });
    expect(result).toMatchObject({ state: 'failed', errorClass: 'bad_reply' });
    expect(JSON.stringify(result)).toContain('the backend died');
    expect(JSON.stringify(result)).not.toContain(canary);
  });

  test('QV-36 a stream that is cut is a failure, whatever it held', async () => {
    respond = (response) => {
      response.writeHead(200, sse);
      response.write(chunk({ role: 'assistant', content: reply }), () => response.destroy());
    };
    const { result } = await ask('m:x', { providers: [access('openai_compatible', rawOrigin, 'm')] });
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
    expect(result).toMatchObject({ state: 'failed', errorClass: 'timeout', message: 'no first token within 150 ms' });
  });

  test('QV-36 after the first token only the deadline of the whole counts', async () => {
    respond = (response) => {
      response.writeHead(200, sse);
      response.write(chunk({ role: 'assistant', content: '<status>' }));
    };
    const request = { firstTokenMs: 200, deadlineMs: 600 };
    const { result } = await ask('m:x', { providers: [access('openai_compatible', rawOrigin, 'm')], request });
    expect(result).toMatchObject({ state: 'failed', errorClass: 'timeout', message: 'no whole reply before the deadline' });
  });

  test('who no longer wants the answer ends the call', async () => {
    const left = new AbortController();
    const asked = new Promise<void>((resolve) => {
      respond = (response) => {
        response.writeHead(200, sse);
        response.write(chunk({ role: 'assistant', content: 'x' }), () => resolve());
      };
    });
    const asking = ask('m:x', { providers: [access('openai_compatible', rawOrigin, 'm')], request: { signal: left.signal } });
    await asked;
    left.abort();
    expect((await asking).result).toMatchObject({ state: 'failed', errorClass: 'aborted' });
  });

  test('S-40 an address inside is not called unless the operator allows it', async () => {
    const before = llm.calls.length;
    const { result } = await ask(`openai:${models.openai}`, { allow: [] });
    expect(result).toMatchObject({ state: 'failed', errorClass: 'refused' });
    expect(llm.calls.length).toBe(before);
  });
});

describe('QV-37 who is asked', () => {
  const two = [access('openai', 'https://api.openai.com'), access('anthropic', 'https://api.anthropic.com', 'house')];
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
  ])('QV-37 "%s" behind %s', (spec, otherwise, provider, model) => {
    expect(findTargetIn(two, spec, otherwise)).toMatchObject({ provider: { name: provider }, model });
  });

  test.each([
    ['google:gemini-2.5-pro', null],
    ['openai:../x', null],
    ['openai:gpt-4o?temperature=hot', null],
    ['unknown-model', null],
  ])('QV-37 "%s" is nobody', async (spec, otherwise) => {
    const { result, calls } = await ask(spec, { providers: two, otherwise });
    expect(result).toMatchObject({ state: 'failed', usage: { calls: 0 } });
    expect(calls).toEqual([]);
  });
});
