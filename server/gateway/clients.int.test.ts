// The official clients, unmodified, through the gateway: those of OpenAI (also for Azure),
// Anthropic, Google, Ollama and Groq, and the Vercel AI SDK; streams and not, with tools.
import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { GoogleGenAI } from '@google/genai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import Groq from 'groq-sdk';
import { Ollama } from 'ollama';
import OpenAI, { AzureOpenAI } from 'openai';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { createTestProject } from '../../testing/database';
import { type Child, type Edge, startEdge, startWorker } from '../../testing/processes';
import { type ScriptedLlm, type ScriptedReply, startScriptedLlm } from '../../testing/scripted-llm';
import { createStack, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import { createKey, type ProjectCtx } from '../access';
import { putProvider } from '../llm';
import { getTurn } from '../ingest';
import { putRoute } from './index';
import { RouteSettings } from './input';

let stack: Stack;
let edge: Edge;
let worker: Child;
let upstream: ScriptedLlm;
let verifier: ScriptedLlm;
let project: ProjectCtx;
let key: string;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  [upstream, verifier] = await Promise.all([startScriptedLlm(), startScriptedLlm()]);
  const allow = [upstream, verifier].map(({ origin }) => new URL(origin).host).join(',');
  const variables = { ...stack.variables, ASSAY_OUTBOUND_ALLOW: allow };
  [edge, worker] = await Promise.all([startEdge(variables), startWorker(variables)]);
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
  const allowed = {
    ...project,
    env: {
      ...project.env,
      outboundAllow: new Set([upstream, verifier].map(({ origin }) => new URL(origin).host)),
    },
  };
  await putProvider(allowed, 'openai', {
    kind: 'openai',
    base_url: upstream.baseUrl,
    api_key: 'sk-upstream-stored-0001',
    models: ['gpt-4o'],
    enabled: true,
  });
  await putProvider(allowed, 'anthropic', {
    kind: 'anthropic',
    base_url: upstream.baseUrl,
    api_key: 'sk-ant-stored-000001',
    models: ['claude-sonnet-4-5'],
    enabled: true,
  });
  await putProvider(allowed, 'google', {
    kind: 'google',
    base_url: upstream.origin,
    api_key: 'goog-stored-00000001',
    models: ['gemini-2.5-flash'],
    enabled: true,
  });
  for (const [name, path] of Object.entries(compatiblePaths))
    await putProvider(allowed, name, {
      kind: 'openai_compatible',
      base_url: `${upstream.origin}${path}`,
      api_key: `${name}-stored-00000001`,
      models: ['m'],
      enabled: true,
    });
  await putProvider(allowed, 'judge', {
    kind: 'openai_compatible',
    base_url: verifier.baseUrl,
    api_key: 'sk-judge-stored-0001',
    models: ['judge'],
    enabled: true,
  });
  const settings = RouteSettings.parse({
    quality_verifier: { model: 'judge:judge', frequency: 1, control_share: 0 },
  });
  const routes = ['openai', 'anthropic', 'google', ...Object.keys(compatiblePaths)];
  for (const route of routes) await putRoute(allowed, route, settings);
  // This is last: an unknown key makes the gateway load everything, including routes.
  ({ key } = await createKey(project, { name: 'gateway', scopes: ['gateway'] }));
});

afterAll(async () => {
  await Promise.all([upstream.close(), verifier.close()]);
  await worker.kill();
  await stack.close();
});

/** The paths of the providers' base URLs. */
const compatiblePaths = { azure: '/openai/v1', groq: '/openai/v1', ollama: '/v1' };

const question = 'How full is web-1?';
const first = 'web-1 is nearly full.';
const better = 'The disk of web-1 is 91.4% full.';
const steer: ScriptedReply = {
  text: '<steering>State the reading of the tool.</steering>',
  usage: { input: 50, output: 9 },
};
const asksDisk: ScriptedReply = {
  toolCalls: [{ id: 'call_1', name: 'disk', arguments: '{"host":"web-1"}' }],
  usage: { input: 20, output: 8 },
};
const replyWith = (text: string): ScriptedReply => ({ text, usage: { input: 40, output: 12 } });
const reading = { rows: [{ host: 'web-1', disk_pct: 91.4 }] };

/** Sends one request and returns the text that the user sees. */
interface Client {
  readonly name: string;
  readonly stream: boolean;
  readonly ask: () => Promise<string>;
}

const openai = (): OpenAI =>
  new OpenAI({ apiKey: key, baseURL: `${edge.url}/gateway/openai/v1`, maxRetries: 0 });
const anthropic = (): Anthropic =>
  new Anthropic({ apiKey: key, baseURL: `${edge.url}/gateway/anthropic`, maxRetries: 0 });
const azure = (): AzureOpenAI =>
  new AzureOpenAI({
    apiKey: key,
    endpoint: `${edge.url}/gateway/azure`,
    apiVersion: '2024-10-21',
    deployment: 'our-chat',
    maxRetries: 0,
  });
const groq = (): Groq =>
  new Groq({ apiKey: key, baseURL: `${edge.url}/gateway/groq`, maxRetries: 0 });
const google = (): GoogleGenAI =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: `${edge.url}/gateway/google` } });
const ollama = (): Ollama =>
  new Ollama({
    host: `${edge.url}/gateway/ollama`,
    headers: { authorization: `Bearer ${key}` },
  });
const viaOpenAi = () => createOpenAI({ apiKey: key, baseURL: `${edge.url}/gateway/openai/v1` });
const viaAnthropic = () =>
  createAnthropic({ apiKey: key, baseURL: `${edge.url}/gateway/anthropic/v1` });
const user = { role: 'user', content: question } as const;

async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

async function* deltasOf(stream: AsyncIterable<OpenAI.ChatCompletionChunk>): AsyncIterable<string> {
  for await (const chunk of stream) yield chunk.choices[0]?.delta.content ?? '';
}

async function* responseDeltas(
  stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>,
): AsyncIterable<string> {
  for await (const event of stream)
    if (event.type === 'response.output_text.delta') yield event.delta;
}

const clients: readonly Client[] = [
  {
    name: 'openai chat completions',
    stream: false,
    ask: async () =>
      (await openai().chat.completions.create({ model: 'gpt-4o', messages: [user] })).choices[0]
        ?.message.content ?? '',
  },
  {
    name: 'openai chat completions',
    stream: true,
    ask: async () =>
      joined(
        deltasOf(
          await openai().chat.completions.create({
            model: 'gpt-4o',
            messages: [user],
            stream: true,
          }),
        ),
      ),
  },
  {
    name: 'openai responses',
    stream: false,
    ask: async () =>
      (await openai().responses.create({ model: 'gpt-4o', input: question })).output_text,
  },
  {
    name: 'openai responses',
    stream: true,
    ask: async () =>
      joined(
        responseDeltas(
          await openai().responses.create({ model: 'gpt-4o', input: question, stream: true }),
        ),
      ),
  },
  {
    name: 'anthropic messages',
    stream: false,
    ask: async () => {
      const { content } = await anthropic().messages.create({
        model: 'claude-sonnet-4-5',
        max_tokens: 100,
        messages: [user],
      });
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    },
  },
  {
    name: 'anthropic messages',
    stream: true,
    ask: () =>
      anthropic()
        .messages.stream({ model: 'claude-sonnet-4-5', max_tokens: 100, messages: [user] })
        .finalText(),
  },
  {
    name: 'openai for Azure',
    stream: false,
    ask: async () =>
      (await azure().chat.completions.create({ model: 'gpt-4o', messages: [user] })).choices[0]
        ?.message.content ?? '',
  },
  {
    name: 'openai for Azure',
    stream: true,
    ask: async () =>
      joined(
        deltasOf(
          await azure().chat.completions.create({
            model: 'gpt-4o',
            messages: [user],
            stream: true,
          }),
        ),
      ),
  },
  {
    name: 'groq',
    stream: false,
    ask: async () =>
      (await groq().chat.completions.create({ model: 'gpt-4o', messages: [user] })).choices[0]
        ?.message.content ?? '',
  },
  {
    name: 'groq',
    stream: true,
    ask: async () => {
      let text = '';
      const chunks = await groq().chat.completions.create({
        model: 'gpt-4o',
        messages: [user],
        stream: true,
      });
      for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? '';
      return text;
    },
  },
  {
    name: 'google genai',
    stream: false,
    ask: async () =>
      (await google().models.generateContent({ model: 'gemini-2.5-flash', contents: question }))
        .text ?? '',
  },
  {
    name: 'google genai',
    stream: true,
    ask: async () => {
      let text = '';
      const chunks = await google().models.generateContentStream({
        model: 'gemini-2.5-flash',
        contents: question,
      });
      for await (const chunk of chunks) text += chunk.text ?? '';
      return text;
    },
  },
  {
    name: 'ollama',
    stream: false,
    ask: async () => (await ollama().chat({ model: 'llama3.2', messages: [user] })).message.content,
  },
  {
    name: 'ollama',
    stream: true,
    ask: async () => {
      let text = '';
      const chunks = await ollama().chat({ model: 'llama3.2', messages: [user], stream: true });
      for await (const chunk of chunks) text += chunk.message.content;
      return text;
    },
  },
  {
    name: 'AI SDK, OpenAI chat',
    stream: false,
    ask: async () =>
      (await generateText({ model: viaOpenAi().chat('gpt-4o'), prompt: question, maxRetries: 0 }))
        .text,
  },
  {
    name: 'AI SDK, OpenAI chat',
    stream: true,
    ask: () =>
      joined(
        streamText({ model: viaOpenAi().chat('gpt-4o'), prompt: question, maxRetries: 0 })
          .textStream,
      ),
  },
  {
    name: 'AI SDK, OpenAI responses',
    stream: true,
    ask: () =>
      joined(
        streamText({ model: viaOpenAi()('gpt-4o'), prompt: question, maxRetries: 0 }).textStream,
      ),
  },
  {
    name: 'AI SDK, Anthropic',
    stream: true,
    ask: () =>
      joined(
        streamText({ model: viaAnthropic()('claude-sonnet-4-5'), prompt: question, maxRetries: 0 })
          .textStream,
      ),
  },
];

const keyOf = (headers: Readonly<Record<string, string>>): string | undefined =>
  headers['x-goog-api-key'] ?? headers['api-key'] ?? headers.authorization ?? headers['x-api-key'];

/** The project's calls, once this many are recorded. */
async function callsRecorded(
  count: number,
): Promise<
  { verdict: string; decision: string | null; turn_id: string | null; stream: boolean }[]
> {
  return until(`${count} calls recorded`, async () => {
    const rows = await stack.sql<
      { verdict: string; decision: string | null; turn_id: string | null; stream: boolean }[]
    >`
      select verdict, decision, turn_id, stream from gateway_calls where project_id = ${project.projectId} order by created_at, id`;
    return rows.length < count ? null : rows;
  });
}

test.each(clients)(
  'QV-16, QV-26 $name, stream $stream: the client gets only the complete regenerated answer',
  async ({ ask, stream }) => {
    upstream.queue(replyWith(first), replyWith(better));
    // The recheck, after the client has received its answer.
    verifier.queue(steer, replyWith('<status>NO_STEERING_NEEDED</status>'));
    const before = upstream.calls.length;
    expect(await ask()).toBe(better);
    const calls = upstream.calls.slice(before);
    expect(JSON.stringify(calls.map(({ path, headers }) => [path, headers]))).not.toContain('asy_');
    expect(calls.map(({ headers }) => keyOf(headers))).toEqual([
      expect.stringContaining('stored'),
      expect.stringContaining('stored'),
    ]);
    expect(JSON.stringify(calls[1]?.body)).toContain('State the reading of the tool.');
    expect(JSON.stringify(calls[0]?.body)).not.toContain('State the reading');
    expect(await callsRecorded(1)).toMatchObject([
      { verdict: 'steered', decision: 'steer', stream },
    ]);
  },
);

test.each(clients)(
  'QV-25, QV-29 $name, stream $stream: a passing answer is the upstream’s own',
  async ({ ask }) => {
    upstream.queue(replyWith(better));
    verifier.queue(replyWith('<status>NO_STEERING_NEEDED</status>'));
    expect(await ask()).toBe(better);
    const [call] = await callsRecorded(1);
    expect(call).toMatchObject({ verdict: 'passed', decision: 'pass' });
    const verdict = await until('the verdict', async () => {
      const [row] = await stack.sql<{ verdict: string; outcome: string; judge_model: string }[]>`
      select verdict, outcome, judge_model from verdicts where project_id = ${project.projectId} and kind = 'turn'`;
      return row ?? null;
    });
    expect(verdict).toMatchObject({
      verdict: 'pass',
      outcome: 'passed',
      judge_model: expect.stringContaining('judge'),
    });
    expect((await getTurn(project, call?.turn_id ?? '')).content.output).toBe(better);
  },
);

const disk = tool({ inputSchema: z.object({ host: z.string() }), execute: async () => reading });
const diskOf = 'disk';
const loops = [
  {
    name: 'google genai',
    run: async () => {
      const tools = [
        { functionDeclarations: [{ name: diskOf, parametersJsonSchema: { type: 'object' } }] },
      ];
      const model = 'gemini-2.5-flash';
      const first = await google().models.generateContent({
        model,
        contents: question,
        config: { tools },
      });
      const [call] = first.functionCalls ?? [];
      const { text } = await google().models.generateContent({
        model,
        contents: [
          { role: 'user', parts: [{ text: question }] },
          { role: 'model', parts: [{ functionCall: { name: diskOf, args: call?.args ?? {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: diskOf, response: reading } }] },
        ],
        config: { tools },
      });
      return { text };
    },
  },
  {
    name: 'ollama',
    run: async () => {
      const tools = [
        { type: 'function', function: { name: diskOf, description: 'Reads a disk.' } },
      ];
      const first = await ollama().chat({ model: 'llama3.2', messages: [user], tools });
      const { message } = await ollama().chat({
        model: 'llama3.2',
        messages: [
          user,
          first.message,
          { role: 'tool', tool_name: diskOf, content: JSON.stringify(reading) },
        ],
        tools,
      });
      return { text: message.content };
    },
  },
  {
    name: 'AI SDK, OpenAI chat',
    run: () =>
      generateText({
        model: viaOpenAi().chat('gpt-4o'),
        prompt: question,
        tools: { disk },
        stopWhen: stepCountIs(3),
        maxRetries: 0,
      }),
  },
  {
    name: 'AI SDK, Anthropic',
    run: () =>
      generateText({
        model: viaAnthropic()('claude-sonnet-4-5'),
        prompt: question,
        tools: { disk },
        stopWhen: stepCountIs(3),
        maxRetries: 0,
      }),
  },
];

test.each(loops)(
  'QV-5, INT-2 $name with a tool: the follow-up is not verified, and its turn has the tool’s result',
  async ({ run }) => {
    upstream.queue(asksDisk, replyWith(better));
    const result = await run();
    expect(result.text).toBe(better);
    const calls = await callsRecorded(2);
    expect(calls.map(({ verdict, decision }) => ({ verdict, decision }))).toEqual([
      { verdict: 'not_verified', decision: null },
      { verdict: 'not_verified', decision: null },
    ]);
    const { content } = await getTurn(project, calls[1]?.turn_id ?? '');
    expect(content.tools).toMatchObject([{ name: 'disk', result: JSON.stringify(reading) }]);
    const figures = await until('the integrity verdict', async () => {
      const [row] = await stack.sql<
        { detail: { figures: { text: string; sourced: boolean }[] } }[]
      >`
      select detail from verdicts where project_id = ${project.projectId} and kind = 'integrity' and turn_id = ${calls[1]?.turn_id ?? ''}`;
      return row?.detail.figures ?? null;
    });
    expect(figures).toMatchObject([{ text: '91.4%', sourced: true }]);
  },
);

test('embeddings are recorded with model and tokens, and not verified', async () => {
  upstream.queue(
    ...['text-embedding-3-small', 'gemini-embedding-001', 'nomic-embed-text'].map(() =>
      replyWith(''),
    ),
  );
  await openai().embeddings.create({ model: 'text-embedding-3-small', input: 'x' });
  await google().models.embedContent({ model: 'gemini-embedding-001', contents: 'x' });
  await ollama().embed({ model: 'nomic-embed-text', input: 'x' });
  await callsRecorded(3);
  const rows = await stack.sql`
    select dialect, model, input_tokens::int as input, output_tokens as output, verdict, reason, turn_id, units
    from gateway_calls where project_id = ${project.projectId} order by created_at, id`;
  const row = { dialect: 'embeddings', output: null, turn_id: null, units: 0 };
  const outcome = { verdict: 'not_verified', reason: 'disabled' };
  expect([...rows]).toEqual([
    { ...row, ...outcome, model: 'text-embedding-3-small', input: 40 },
    { ...row, ...outcome, model: 'gemini-embedding-001', input: null },
    { ...row, ...outcome, model: 'nomic-embed-text', input: 40 },
  ]);
});
