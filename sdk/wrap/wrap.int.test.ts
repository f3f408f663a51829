import { AsyncLocalStorage } from 'node:async_hooks';
import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type LanguageModel, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startScriptedIntake } from '../../testing/scripted-intake';
import { type ScriptedLlm, startScriptedLlm } from '../../testing/scripted-llm';
import { createAssay, type Turn } from '../client';
import { wrap, type WrapOptions } from './index';

/** The vendors' own clients against scripted providers: their results, and the recorded turns. */

let llm: ScriptedLlm;
let turns: Turn[] = [];
const assay = {
  turn(turn: Turn): string {
    turns.push(structuredClone(turn));
    return '';
  },
};

beforeAll(async () => {
  llm = await startScriptedLlm();
});

beforeEach(() => {
  turns = [];
});

afterEach(() => llm.answerWith(null));

afterAll(() => llm.close());

const openai = () => new OpenAI({ apiKey: 'sk-own', baseURL: llm.baseUrl, maxRetries: 0 });
const anthropic = () => new Anthropic({ apiKey: 'sk-own', baseURL: llm.origin, maxRetries: 0 });

const system = 'Be brief.';
const question = 'How full is web-1?';
const answer = 'The disk of web-1 is 91.4% full.';
const usage = { input: 40, output: 12 };
const call = { id: 'call-1', name: 'disk', arguments: '{"host":"web-1"}' };
const result = { rows: [{ host: 'web-1', disk_pct: 91.4 }] };

/** The call and its result, as a turn has them. */
const toolOfTurn = { id: 'call-1', name: 'disk', arguments: { host: 'web-1' }, result };
const inputOfTurn = [
  { role: 'system', content: system },
  { role: 'user', content: question },
  { role: 'assistant', content: '[tool call disk call-1] {"host":"web-1"}' },
  { role: 'tool', content: `[tool result call-1] ${JSON.stringify(result)}` },
];

async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/**
 * The first turn, once it is recorded: a stream ends after its reader has received the last item.
 */
async function recorded(count = 1): Promise<Turn> {
  await vi.waitFor(() => expect(turns).toHaveLength(count), { timeout: 10_000 });
  return turns[0] ?? {};
}

/** Milliseconds between the start and the end of a turn. */
const latencyOf = ({ started_at: from, ended_at: to }: Turn): number =>
  Number(new Date(to ?? 0)) - Number(new Date(from ?? 0));

interface Vendor {
  /** The same question in the vendor's words, with the result of a tool. */
  readonly ask: (options: WrapOptions | null) => Promise<unknown>;
  readonly stream: (options: WrapOptions | null) => Promise<unknown[]>;
}

const withOptions = <Client extends object>(client: Client, options: WrapOptions | null): Client =>
  options === null ? client : wrap(client, options);

const chatBody = {
  model: 'gpt-4o',
  messages: [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: question },
    {
      role: 'assistant' as const,
      content: null,
      tool_calls: [
        {
          id: call.id,
          type: 'function' as const,
          function: { name: call.name, arguments: call.arguments },
        },
      ],
    },
    { role: 'tool' as const, tool_call_id: call.id, content: JSON.stringify(result) },
  ],
};
const responsesBody = {
  model: 'gpt-4o',
  instructions: system,
  input: [
    { role: 'user' as const, content: question },
    {
      type: 'function_call' as const,
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
    },
    {
      type: 'function_call_output' as const,
      call_id: call.id,
      output: JSON.stringify(result),
    },
  ],
};
const messagesBody = {
  model: 'gpt-4o',
  max_tokens: 100,
  system,
  messages: [
    { role: 'user' as const, content: question },
    {
      role: 'assistant' as const,
      content: [
        { type: 'tool_use' as const, id: call.id, name: call.name, input: { host: 'web-1' } },
      ],
    },
    {
      role: 'user' as const,
      content: [
        {
          type: 'tool_result' as const,
          tool_use_id: call.id,
          content: JSON.stringify(result),
        },
      ],
    },
  ],
};

const vendors: Record<string, Vendor> = {
  'OpenAI chat completions': {
    ask: (options) => withOptions(openai(), options).chat.completions.create(chatBody),
    stream: async (options) =>
      collect(
        await withOptions(openai(), options).chat.completions.create({
          ...chatBody,
          stream: true,
          stream_options: { include_usage: true },
        }),
      ),
  },
  'OpenAI responses': {
    ask: (options) => withOptions(openai(), options).responses.create(responsesBody),
    stream: async (options) =>
      collect(
        await withOptions(openai(), options).responses.create({ ...responsesBody, stream: true }),
      ),
  },
  'Anthropic messages': {
    ask: (options) => withOptions(anthropic(), options).messages.create(messagesBody),
    stream: async (options) =>
      collect(withOptions(anthropic(), options).messages.stream(messagesBody)),
  },
};

/** Ids of the scripted replies count all requests. */
const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/(chatcmpl|msg)[-_\w]*-\d+/g, 'id'));

describe.each(Object.entries(vendors))('%s', (_name, { ask, stream }) => {
  test.each([
    ['an answer', ask],
    ['a stream', stream],
  ])('%s is unchanged, and recorded with its conversation', async (_form, send) => {
    const reply = { text: answer, usage, delayMs: 30 };
    llm.queue(reply, reply);
    const plain = await send(null);
    const wrapped = await send({ assay, turn: { session_id: 's-1', source: 'support' } });
    expect(comparable(wrapped)).toEqual(comparable(plain));
    const turn = await recorded();
    expect(turn).toMatchObject({
      session_id: 's-1',
      source: 'support',
      model: 'gpt-4o',
      input: inputOfTurn,
      tools: [toolOfTurn],
      output: answer,
      tokens: usage,
    });
    expect(turn.metadata).not.toHaveProperty('error');
    expect(latencyOf(turn)).toBeGreaterThanOrEqual(25);
    expect(latencyOf(turn)).toBeLessThan(10_000);
  });

  test.each([
    ['an answer', ask],
    ['a stream', stream],
  ])('%s that calls a tool is recorded with the call', async (_form, send) => {
    const reply = { toolCalls: [{ ...call, id: 'call-2' }], usage };
    llm.queue(reply, reply);
    const plain = await send(null);
    const wrapped = await send({ assay });
    expect(comparable(wrapped)).toEqual(comparable(plain));
    const { result: _none, ...called } = toolOfTurn;
    expect(await recorded()).toMatchObject({
      output: '',
      tools: [toolOfTurn, { ...called, id: 'call-2' }],
      tokens: usage,
    });
  });

  test('an error is unchanged, and recorded', async () => {
    const fault = {
      kind: 'status' as const,
      status: 400,
      body: JSON.stringify({ error: { message: 'too many tokens', code: 'context_length' } }),
    };
    llm.queue({ fault }, { fault });
    const plain: unknown = await ask(null).catch((error: unknown) => error);
    const wrapped: unknown = await ask({ assay }).catch((error: unknown) => error);
    expect(wrapped).toBeInstanceOf(Error);
    expect(String(wrapped)).toBe(String(plain));
    expect(await recorded()).toMatchObject({
      input: inputOfTurn,
      output: '',
      metadata: { error: expect.stringContaining('too many tokens') as string },
    });
  });

  test('a connection that breaks is the same error, and recorded', async () => {
    llm.queue({ fault: { kind: 'reset' } }, { fault: { kind: 'reset' } });
    const plain: unknown = await ask(null).catch((error: unknown) => error);
    const wrapped: unknown = await ask({ assay }).catch((error: unknown) => error);
    expect(wrapped).toBeInstanceOf(Error);
    expect(String(wrapped)).toBe(String(plain));
    expect((await recorded()).metadata?.error).toEqual(expect.any(String));
  });
});

describe('streams that end early', () => {
  const rest = { index: 0, finish_reason: null };
  const chunk = (content: string): string =>
    `data: ${JSON.stringify({ id: 'c', model: 'gpt-4o', choices: [{ ...rest, delta: { content } }] })}\n\n`;

  test('one that its reader stops is recorded as far as it was read', async () => {
    llm.queue({
      fault: { kind: 'garbage', type: 'text/event-stream', body: chunk('a').repeat(4) },
    });
    const stream = await wrap(openai(), { assay }).chat.completions.create({
      ...chatBody,
      stream: true,
    });
    for await (const part of stream) {
      expect(part.choices[0]?.delta.content).toBe('a');
      break;
    }
    const turn = await recorded();
    expect(turn.output).toMatch(/^a+$/);
    expect(turn.metadata?.error).toEqual(expect.any(String));
  });

  test('one that breaks is an error for both', async () => {
    const body = `${chunk('The disk')}data: {"error":{"message":"overloaded"}}\n\n`;
    llm.queue({ fault: { kind: 'garbage', type: 'text/event-stream', body } });
    const stream = await wrap(openai(), { assay }).chat.completions.create({
      ...chatBody,
      stream: true,
    });
    await expect(collect(stream)).rejects.toThrow('overloaded');
    expect(await recorded()).toMatchObject({
      output: 'The disk',
      metadata: { error: expect.any(String) as string },
    });
  });

  test('the signal of the caller stops the request', async () => {
    llm.queue({ fault: { kind: 'hang' } });
    const stop = new AbortController();
    const asked = wrap(openai(), { assay }).chat.completions.create(chatBody, {
      signal: stop.signal,
    });
    const { closed } = await llm.nextCall();
    stop.abort();
    await expect(asked).rejects.toThrow(OpenAI.APIUserAbortError);
    await closed;
    expect(await recorded()).toMatchObject({
      output: '',
      metadata: { error: expect.any(String) as string },
    });
  });
});

describe('the client keeps all of its abilities', () => {
  test('raw responses, helpers and requests that are no calls of a model', async () => {
    const client = wrap(openai(), { assay });
    expect(client).toBeInstanceOf(OpenAI);
    llm.queue({ text: answer, usage }, { text: answer, usage }, { text: '{"full":91.4}', usage });
    const { data, response } = await client.chat.completions.create(chatBody).withResponse();
    expect(data.choices[0]?.message.content).toBe(answer);
    expect(response.url).toBe(`${llm.baseUrl}/chat/completions`);
    expect(response.headers.get('x-simulated')).toBe('true');
    const streamed = client.chat.completions.stream(chatBody);
    expect(await streamed.finalContent()).toBe(answer);
    const parsed = await client.chat.completions.parse(chatBody);
    expect(parsed.choices[0]?.message.content).toBe('{"full":91.4}');
    await recorded(3);
    expect(turns.map(({ output }) => output)).toEqual([answer, answer, '{"full":91.4}']);
    llm.queue({});
    await client.embeddings.create({ model: 'e', input: 'x' });
    expect(turns).toHaveLength(3);
  });

  test('attempts that the client repeats are one call', async () => {
    llm.queue({ fault: { kind: 'status', status: 500 } }, { text: answer, usage });
    const client = new OpenAI({ apiKey: 'sk-own', baseURL: llm.baseUrl, maxRetries: 1 });
    const reply = await wrap(client, { assay }).chat.completions.create(chatBody);
    expect(reply.choices[0]?.message.content).toBe(answer);
    await recorded(1);
    expect(turns[0]?.output).toBe(answer);
  });

  test('the given client is not recorded', async () => {
    const client = openai();
    wrap(client, { assay });
    llm.queue({ text: answer });
    await client.chat.completions.create(chatBody);
    expect(turns).toEqual([]);
  });
});

describe('models of the AI SDK', () => {
  const models = {
    OpenAI: () => createOpenAI({ apiKey: 'sk-own', baseURL: llm.baseUrl }).chat('gpt-4o'),
    Anthropic: () => createAnthropic({ apiKey: 'sk-own', baseURL: llm.baseUrl })('gpt-4o'),
  };
  const disk = tool({
    description: 'Reads how full the disk of a host is',
    inputSchema: z.object({ host: z.string() }),
    execute: () => result,
  });
  const request = {
    system,
    prompt: question,
    tools: { disk },
    stopWhen: stepCountIs(3),
    maxRetries: 0,
  };
  const script = () => llm.queue({ toolCalls: [call], usage }, { text: answer, usage });

  test.each(Object.entries(models))(
    'of %s, with a tool, in one piece and streamed',
    async (_name, model) => {
      script();
      const plain = await generateText({ model: model(), ...request });
      script();
      const whole = await generateText({ model: wrap(model(), { assay }), ...request });
      expect([whole.text, whole.toolResults, whole.usage]).toEqual([
        plain.text,
        plain.toolResults,
        plain.usage,
      ]);
      script();
      const streamed = streamText({ model: wrap(model(), { assay }), ...request });
      expect((await collect(streamed.textStream)).join('')).toBe(answer);
      await recorded(4);
      for (const [asked, answered] of [turns.slice(0, 2), turns.slice(2)]) {
        const { result: _none, ...called } = toolOfTurn;
        expect(asked).toMatchObject({ output: '', tools: [called], tokens: usage });
        expect(answered).toMatchObject({
          model: 'gpt-4o',
          input: inputOfTurn,
          tools: [toolOfTurn],
          output: answer,
          tokens: usage,
          metadata: { finish_reason: 'stop' },
        });
      }
    },
  );

  test('of the older specification v2', async () => {
    const finish = {
      finishReason: 'stop' as const,
      usage: { inputTokens: 40, outputTokens: 12, totalTokens: 52, cachedInputTokens: 30 },
    };
    const model: Exclude<LanguageModel, string> = {
      specificationVersion: 'v2',
      provider: 'own',
      modelId: 'own-1',
      supportedUrls: {},
      doGenerate: async () => ({
        content: [{ type: 'text', text: answer }],
        warnings: [],
        ...finish,
      }),
      doStream: async () => ({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'text-start', id: '1' });
            controller.enqueue({ type: 'text-delta', id: '1', delta: answer });
            controller.enqueue({ type: 'text-end', id: '1' });
            controller.enqueue({ type: 'finish', ...finish });
            controller.close();
          },
        }),
      }),
    };
    const asked = { model: wrap(model, { assay }), prompt: question };
    expect((await generateText(asked)).text).toBe(answer);
    expect((await collect(streamText(asked).textStream)).join('')).toBe(answer);
    await recorded(2);
    for (const turn of turns)
      expect(turn).toMatchObject({
        model: 'own-1',
        input: [{ role: 'user', content: question }],
        output: answer,
        tokens: { input: 40, output: 12, cache_read: 30 },
        metadata: { finish_reason: 'stop' },
      });
  });

  test('an error is unchanged, and recorded', async () => {
    llm.queue({ fault: { kind: 'status', status: 400 } });
    const model = wrap(models.OpenAI(), { assay });
    await expect(generateText({ model, ...request })).rejects.toThrow('scripted 400');
    expect(await recorded()).toMatchObject({
      output: '',
      metadata: { error: expect.stringContaining('scripted 400') as string },
    });
  });

  test('a stream that its reader stops is recorded as far as it was read', async () => {
    llm.queue({ text: 'a'.repeat(700), usage });
    const stop = new AbortController();
    const { textStream } = streamText({
      model: wrap(models.OpenAI(), { assay }),
      ...request,
      abortSignal: stop.signal,
    });
    for await (const part of textStream) {
      expect(part).toMatch(/^a+$/);
      stop.abort();
      break;
    }
    const turn = await recorded();
    expect(turn.output).toMatch(/^a+$/);
    expect(turn.output?.length).toBeLessThan(700);
    expect(turn.metadata?.error).toEqual(expect.any(String));
  });
});

describe('options', () => {
  const ask = (options: WrapOptions, more: { user?: string } = {}) => {
    llm.queue({ text: answer });
    return wrap(openai(), { assay, ...options }).chat.completions.create({ ...chatBody, ...more });
  };

  test('the members of a turn are those of the caller’s async context', async () => {
    const user = new AsyncLocalStorage<string>();
    const turn = () => ({ session_id: user.getStore() ?? null, metadata: { tier: 'paid' } });
    await Promise.all(['ann', 'bob'].map((name) => user.run(name, () => ask({ turn }))));
    await recorded(2);
    expect(new Set(turns.map(({ session_id: name }) => name))).toEqual(new Set(['ann', 'bob']));
    expect(turns[0]?.metadata).toEqual({ tier: 'paid', finish_reason: 'stop' });
  });

  test('without a session of the host, the request may name one', async () => {
    await ask({}, { user: 'u'.repeat(300) });
    expect((await recorded()).session_id).toBe('u'.repeat(200));
  });

  test('redaction changes or withholds a turn; nothing is sent if it fails', async () => {
    await ask({ redact: (turn) => ({ ...turn, input: null, output: '[hidden]' }) });
    await ask({ redact: () => null });
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const failing = (): never => {
      throw new Error('no rule');
    };
    expect((await ask({ redact: failing })).choices[0]?.message.content).toBe(answer);
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
    warn.mockRestore();
    expect(turns).toMatchObject([{ input: null, output: '[hidden]' }]);
  });

  test('sampling keeps sessions together', async () => {
    const session = (id: string): WrapOptions => ({ sampling: 0.5, turn: { session_id: id } });
    for (let n = 0; n < 60; n++) await ask(session(`s-${n % 30}`));
    const counts = new Map<unknown, number>();
    for (const { session_id: id } of turns) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect([...counts.values()].every((count) => count === 2)).toBe(true);
    expect(counts.size).toBeGreaterThan(5);
    expect(counts.size).toBeLessThan(25);
    await ask({ sampling: 0 });
    expect(turns).toHaveLength(2 * counts.size);
  });

  test('invalid options are refused when the client is wrapped', () => {
    expect(() => wrap(openai(), { assay, sampling: 7 })).toThrow(/sampling: .* 0 to 1/);
    expect(() => wrap({}, { assay })).toThrow(/OpenAI or Anthropic/);
  });
});

describe('Assay itself', () => {
  test('gets the turns in batches, from a client of its own', async () => {
    const intake = await startScriptedIntake();
    const sending = createAssay({ url: intake.url, key: 'asy_test', flushOnExit: false });
    llm.queue({ text: answer, usage }, { text: answer, usage });
    const client = wrap(openai(), { assay: sending });
    await client.chat.completions.create(chatBody);
    await collect(await client.chat.completions.create({ ...chatBody, stream: true }));
    expect(await sending.close()).toBe(true);
    expect([...intake.stored.values()]).toMatchObject([{ output: answer }, { output: answer }]);
    expect(intake.seen).toHaveLength(1);
    await intake.close();
  });

  test('may be unreachable: the answers are the same, and there is one warning', async () => {
    vi.stubEnv('ASSAY_URL', 'http://127.0.0.1:1');
    vi.stubEnv('ASSAY_API_KEY', 'asy_test');
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    llm.queue(...Array.from({ length: 5 }, () => ({ text: answer })));
    const client = wrap(openai());
    for (let n = 0; n < 5; n++) {
      const reply = await client.chat.completions.create(chatBody);
      expect(reply.choices[0]?.message.content).toBe(answer);
    }
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1), { timeout: 10_000 });
    expect(warn.mock.calls[0]?.[0]).toMatch(/^Assay: turns are sent again later/);
    warn.mockRestore();
    vi.unstubAllEnvs();
  });
});
