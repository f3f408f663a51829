// Real clients call a scripted model and send their spans as OTLP JSON through our decoder: each
// call becomes one turn.
import { createOpenAI } from '@ai-sdk/openai';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type ScriptedLlm, type ScriptedReply, startScriptedLlm } from '../../testing/scripted-llm';
import { assembleTrace } from './assembly/assemble';
import type { AssembledTrace } from './assembly/assembled';
import { mergeSpans } from './assembly/merge-spans';
import { decodeSegment } from './otlp/decode-segment';
import { prepareTurn } from './intake/prepare';
import { readTurn } from './read/read';

const collected = new InMemorySpanExporter();
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'ops-assistant' }),
  spanProcessors: [new SimpleSpanProcessor(collected)],
});
const question = 'How full is web-1?';
const answer = 'The disk of web-1 is 91.4% full.';
const reading = '{"rows":[{"host":"web-1","disk_pct":91.4}]}';
const asksDisk: ScriptedReply = {
  toolCalls: [{ id: 'call_1', name: 'disk', arguments: '{"host":"web-1"}' }],
  usage: { input: 20, output: 8 },
};
const answers: ScriptedReply = { text: answer, usage: { input: 40, output: 12 } };
const diskTool = {
  type: 'function',
  function: {
    name: 'disk',
    parameters: { type: 'object', properties: { host: { type: 'string' } } },
  },
} as const;

let llm: ScriptedLlm;

beforeAll(async () => {
  llm = await startScriptedLlm();
  provider.register();
  new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);
});

afterEach(() => collected.reset());

afterAll(async () => {
  await provider.shutdown();
  await llm.close();
});

/** All spans that the clients have sent since the last call, as one trace. */
async function assembled(): Promise<AssembledTrace> {
  await provider.forceFlush();
  const body = JsonTraceSerializer.serializeRequest(collected.getFinishedSpans());
  const spans = decodeSegment('json', Buffer.from(body ?? []).toString('utf8'));
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  return assembleTrace(mergeSpans(spans).spans);
}

function onlyTurn(trace: AssembledTrace) {
  expect(trace.turns).toHaveLength(1);
  const payload = trace.turns[0]?.payload ?? '';
  const prepared = prepareTurn(Buffer.from(payload), true, { now: new Date(0), idSeed: null });
  return {
    ...readTurn(prepared.payload),
    prepared,
    wire: JSON.parse(payload) as Record<string, unknown>,
  };
}

const disk = {
  id: 'call_1',
  name: 'disk',
  arguments: '{"host":"web-1"}',
  result: reading,
  format: 'json',
};

test.each([{ stream: false }, { stream: true }])(
  'INT-2 an OpenAI call with a tool, traced by OpenInference, is one turn with the result as its source (stream: $stream)',
  async ({ stream }) => {
    llm.queue(asksDisk, answers);
    const client = new OpenAI({ baseURL: llm.baseUrl, apiKey: 'none', maxRetries: 0 });
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: question },
    ];
    await provider.getTracer('test').startActiveSpan('request', async (span) => {
      const first = await ask(client, messages, stream);
      messages.push(
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: first,
              type: 'function',
              function: { name: 'disk', arguments: '{"host":"web-1"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: first, content: reading },
      );
      await ask(client, messages, stream);
      span.end();
    });
    const trace = await assembled();
    const turn = onlyTurn(trace);
    expect(turn.output).toBe(answer);
    expect(turn.tools).toEqual([disk]);
    expect(turn.input.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(turn.prepared).toMatchObject({
      model: 'openai/gpt-4o',
      source: 'ops-assistant',
      flags: [],
    });
    expect(trace).toMatchObject({
      service: 'ops-assistant',
      errors: 0,
      hasRoot: true,
      notes: [],
      models: ['openai/gpt-4o'],
    });
    expect(trace.usage.inputTokens).toBe(stream ? null : 60);
  },
);

async function ask(
  client: OpenAI,
  messages: OpenAI.Chat.ChatCompletionMessageParam[],
  stream: boolean,
): Promise<string> {
  const body = { model: 'gpt-4o', messages, tools: [diskTool] };
  if (!stream)
    return (
      (await client.chat.completions.create(body)).choices[0]?.message.tool_calls?.[0]?.id ?? ''
    );
  let id = '';
  for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) {
    id ||= chunk.choices[0]?.delta.tool_calls?.[0]?.id ?? '';
  }
  return id;
}

const telemetry = {
  isEnabled: true,
  functionId: 'ops',
  metadata: { sessionId: 's-1', userId: 'u-1', tags: ['disk'], team: 'infra' },
};

function call(recordOutputs = true) {
  return {
    model: createOpenAI({ baseURL: llm.baseUrl, apiKey: 'none' }).chat('gpt-4o'),
    maxRetries: 0,
    system: 'Be brief.',
    prompt: question,
    tools: {
      disk: tool({
        inputSchema: z.object({ host: z.string() }),
        execute: ({ host }) => ({ rows: [{ host, disk_pct: 91.4 }] }),
      }),
    },
    stopWhen: stepCountIs(4),
    experimental_telemetry: { ...telemetry, recordOutputs, recordInputs: recordOutputs },
  };
}

test.each([{ kind: 'generateText' }, { kind: 'streamText' }])(
  'INT-2 an AI SDK call ($kind) with a tool is one turn with the result as its source, tokens counted once',
  async ({ kind }) => {
    llm.queue(asksDisk, answers);
    const text =
      kind === 'generateText' ? (await generateText(call())).text : await streamText(call()).text;
    expect(text).toBe(answer);
    const trace = await assembled();
    const turn = onlyTurn(trace);
    expect(turn.output).toBe(answer);
    expect(turn.tools).toEqual([disk]);
    expect(turn.input.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(turn.prepared).toMatchObject({
      sessionId: 's-1',
      model: 'openai/gpt-4o',
      source: 'ops-assistant',
    });
    expect(turn.wire).toMatchObject({
      tokens: { input: 60, output: 20 },
      tags: ['disk'],
      metadata: {
        team: 'infra',
        span: {
          name: `ai.${kind}.${kind === 'generateText' ? 'doGenerate' : 'doStream'}`,
          agent: 'ops',
          user_id: 'u-1',
        },
      },
    });
    expect(trace).toMatchObject({
      sessionId: 's-1',
      userId: 'u-1',
      usage: { inputTokens: 60, outputTokens: 20 },
      notes: [],
    });
  },
);

test('INT-3 an AI SDK object that is an envelope is the turn’s envelope, with its digits as sent', async () => {
  const envelope =
    '{"answer":"It holds 12345678901234567890 files.","facts":[{"value":12345678901234567890,"source_id":"call_1","path":"files"}]}';
  llm.queue({ text: envelope });
  const { model, prompt, experimental_telemetry } = call();
  const schema = z.object({
    answer: z.string(),
    facts: z.array(z.object({ value: z.number(), source_id: z.string(), path: z.string() })),
  });
  await generateObject({ model, prompt, schema, maxRetries: 0, experimental_telemetry });
  const turn = onlyTurn(await assembled());
  expect(turn.envelope).toBe(envelope);
});

test('an AI SDK call that records no content gives a note and no turn', async () => {
  llm.queue(answers);
  await generateText(call(false));
  const trace = await assembled();
  expect(trace.turns).toEqual([]);
  expect(trace.notes).toHaveLength(1);
  expect(trace.notes[0]?.reason).toContain('recordOutputs');
});

test('a call that failed gives a note with its message', async () => {
  await expect(generateText(call())).rejects.toThrow('the script has no more replies');
  const trace = await assembled();
  expect(trace).toMatchObject({ errors: 2, turns: [] });
  expect(trace.notes.map(({ reason }) => reason)).toEqual([
    'the call failed: the script has no more replies',
  ]);
});
