import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnableLambda, RunnablePassthrough } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { FakeRetriever } from '@langchain/core/utils/testing';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type ScriptedLlm, startScriptedLlm } from '../../testing/scripted-llm';
import type { Turn } from '../client';
import { assayCallbacks, type WrapOptions } from './index';

/** LangChain's own chains and agents, with a scripted provider, and the turns of the callbacks. */

let llm: ScriptedLlm;
let turns: Turn[] = [];

beforeAll(async () => {
  llm = await startScriptedLlm();
});

beforeEach(() => {
  turns = [];
});

afterAll(() => llm.close());

const chat = (streaming = false) =>
  new ChatOpenAI({
    model: 'gpt-4o',
    apiKey: 'sk-own',
    configuration: { baseURL: llm.baseUrl },
    maxRetries: 0,
    streaming,
  });

const callbacks = (options: Omit<WrapOptions, 'assay'> = {}) => [
  assayCallbacks({
    assay: {
      turn(turn) {
        turns.push(structuredClone(turn));
        return '';
      },
    },
    ...options,
  }),
];

async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

/** LangChain reports runs in the background. */
async function recorded(): Promise<Turn> {
  await vi.waitFor(() => expect(turns).toHaveLength(1), { timeout: 10_000 });
  return turns[0] ?? {};
}

const question = 'How full is web-1?';
const answer = 'The disk of web-1 is 91.4% full.';
const usage = { input: 40, output: 12 };

test('an agent with a tool is one turn with the tool', async () => {
  const disk = tool(() => JSON.stringify({ disk_pct: 91.4 }), {
    name: 'disk',
    description: 'Reads how full the disk of a host is',
    schema: z.object({ host: z.string() }),
  });
  const script = () =>
    llm.queue(
      { toolCalls: [{ id: 'call-1', name: 'disk', arguments: '{"host":"web-1"}' }], usage },
      { text: answer, usage, delayMs: 30 },
    );
  const agent = createReactAgent({ llm: chat(), tools: [disk] });
  const input = { messages: [{ role: 'user', content: question }] };
  script();
  const plain = await agent.invoke(input);
  script();
  const runId = '0f3f8f3a-6e0a-4b58-9d0a-3f2f7d1f6c11';
  const wrapped = await agent.invoke(input, {
    callbacks: callbacks({ turn: { source: 'agent', tags: ['docs'] } }),
    metadata: { thread_id: 'thread-1' },
    runId,
  });
  expect(wrapped.messages.map(({ content }) => content)).toEqual(
    plain.messages.map(({ content }) => content),
  );
  const turn = await recorded();
  expect(turn).toMatchObject({
    id: runId,
    session_id: 'thread-1',
    source: 'agent',
    tags: ['docs'],
    model: 'gpt-4o',
    input: [{ role: 'user', content: question }],
    tools: [
      { id: 'call-1', name: 'disk', arguments: { host: 'web-1' }, result: { disk_pct: 91.4 } },
    ],
    output: answer,
    tokens: { input: 80, output: 24 },
    metadata: { finish_reason: 'stop' },
  });
  expect(turn.metadata).not.toHaveProperty('error');
  const took = Number(new Date(turn.ended_at ?? 0)) - Number(new Date(turn.started_at ?? 0));
  expect(took).toBeGreaterThanOrEqual(25);
});

test.each([
  ['whole', false],
  ['streamed', true],
])('a chain with a retriever is one turn with its documents, %s', async (_form, streaming) => {
  const retriever = new FakeRetriever({
    output: [{ id: 'doc-1', pageContent: 'web-1: 91.4%', metadata: { source: 'hosts.md' } }],
  });
  const prompt = ChatPromptTemplate.fromMessages([
    ['system', 'Use only: {context}'],
    ['human', '{question}'],
  ]);
  const chain = RunnablePassthrough.assign({
    context: RunnableLambda.from(({ question: asked }: { question: string }) => asked)
      .pipe(retriever)
      .pipe((documents) => documents.map(({ pageContent }) => pageContent).join('\n')),
  })
    .pipe(prompt)
    .pipe(chat(streaming))
    .pipe(new StringOutputParser());
  llm.queue({ text: answer, usage });
  const config = { callbacks: callbacks(), metadata: { session_id: 's-1' } };
  const pieces = streaming
    ? await collect(await chain.stream({ question }, config))
    : [await chain.invoke({ question }, config)];
  expect(pieces.join('')).toBe(answer);
  expect(await recorded()).toMatchObject({
    session_id: 's-1',
    input: [
      { role: 'system', content: 'Use only: web-1: 91.4%' },
      { role: 'user', content: question },
    ],
    context: [{ id: 'doc-1', content: 'web-1: 91.4%' }],
    output: answer,
    tokens: usage,
  });
});

test('a model without a chain is a turn, also one that only calls a tool', async () => {
  const call = { id: 'call-1', name: 'disk', arguments: '{"host":"web-1"}' };
  llm.queue({ toolCalls: [call], usage });
  const reply = await chat().invoke(question, { callbacks: callbacks() });
  expect(reply.tool_calls).toHaveLength(1);
  expect(await recorded()).toMatchObject({
    input: [{ role: 'user', content: question }],
    tools: [{ id: 'call-1', name: 'disk', arguments: { host: 'web-1' } }],
    output: '',
  });
});

test('an error is thrown as before, and recorded', async () => {
  llm.queue({ fault: { kind: 'status', status: 400 } });
  const chain = ChatPromptTemplate.fromTemplate('{q}').pipe(chat());
  await expect(chain.invoke({ q: question }, { callbacks: callbacks() })).rejects.toThrow(
    'scripted 400',
  );
  expect(await recorded()).toMatchObject({
    input: [{ role: 'user', content: question }],
    output: '',
    metadata: { error: expect.stringContaining('scripted 400') as string },
  });
});

test('a tool that fails is recorded with its error', async () => {
  const broken = tool(
    () => {
      throw new Error('no such host');
    },
    { name: 'disk', description: 'Reads a disk', schema: z.object({ host: z.string() }) },
  );
  llm.queue(
    { toolCalls: [{ id: 'call-1', name: 'disk', arguments: '{"host":"web-9"}' }], usage },
    { text: 'There is no web-9.', usage },
  );
  const agent = createReactAgent({ llm: chat(), tools: [broken] });
  await agent.invoke(
    { messages: [{ role: 'user', content: question }] },
    { callbacks: callbacks() },
  );
  expect(await recorded()).toMatchObject({
    tools: [{ name: 'disk', result: { error: 'Error: no such host' } }],
    output: 'There is no web-9.',
  });
});

test('invocations at the same time do not mix, and one without a model is not recorded', async () => {
  llm.answerWith(({ body }) => ({ text: `You said ${JSON.stringify(body.messages)}` }));
  const handlers = callbacks();
  const chain = ChatPromptTemplate.fromTemplate('{q}').pipe(chat());
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => chain.invoke({ q: `q-${n}.` }, { callbacks: handlers })),
  );
  await RunnableLambda.from(() => 'no model').invoke('x', { callbacks: handlers });
  llm.answerWith(null);
  await vi.waitFor(() => expect(turns).toHaveLength(8), { timeout: 10_000 });
  for (const { input, output } of turns) {
    const [message] = Array.isArray(input) ? input : [];
    expect(output).toContain(String(message?.content));
  }
  expect(new Set(turns.map(({ id }) => id)).size).toBe(8);
});
