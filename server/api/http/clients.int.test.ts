// Real clients against a scripted model, through their own exporters and HTTP into a real edge
// process, verified by a real worker.
import { createOpenAI } from '@ai-sdk/openai';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { generateText, stepCountIs, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { createTestProject } from '../../../testing/database';
import { type Child, type Edge, startEdge, startWorker } from '../../../testing/processes';
import {
  type ScriptedLlm,
  type ScriptedReply,
  startScriptedLlm,
} from '../../../testing/scripted-llm';
import { startApiServers } from '../../../testing/span-call';
import { createStack, type Stack } from '../../../testing/stack';
import { until } from '../../../testing/until';
import { createKey, type ProjectCtx } from '../../access';
import { unavailable } from '../../platform';
import { getTurn } from '../../ingest';

/** Patches the client once; each test sets the provider of its spans. */
const openInference = new OpenAIInstrumentation();

let stack: Stack;
let edge: Edge;
let worker: Child;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key: string;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  // Registered for its context manager, by which spans of any provider find their parents.
  new NodeTracerProvider().register();
  openInference.manuallyInstrument(OpenAI);
  [edge, worker, llm] = await Promise.all([
    startEdge(stack.variables),
    startWorker(stack.variables),
    startScriptedLlm(),
  ]);
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
  ({ key } = await createKey(project, { name: 'sdk', scopes: ['ingest'] }));
});

afterAll(async () => {
  await llm.close();
  await worker.kill();
  await stack.close();
});

const question = 'How full is web-1?';
const answer = 'The disk of web-1 is 91.4% full, and 77 GB are free.';
const reading = '{"rows":[{"host":"web-1","disk_pct":91.4}]}';
const asksDisk: ScriptedReply = {
  toolCalls: [{ id: 'call_1', name: 'disk', arguments: '{"host":"web-1"}' }],
  usage: { input: 20, output: 8 },
};
const answers: ScriptedReply = { text: answer, usage: { input: 40, output: 12 } };

const exporters = [
  { encoding: 'http/json', gzip: false },
  { encoding: 'http/json', gzip: true },
  { encoding: 'http/protobuf', gzip: false },
  { encoding: 'http/protobuf', gzip: true },
];
type Wire = (typeof exporters)[number];

/** A provider that uses the client's own exporter, batched as by default. */
function providerOf({ encoding, gzip }: Wire): NodeTracerProvider {
  // The type of `compression` is an enum of a separate package, with these strings as values.
  const config = {
    url: `${edge.url}/v1/traces`,
    headers: { authorization: `Bearer ${key}` },
    ...(gzip ? { compression: 'gzip' as never } : {}),
  };
  const exporter: SpanExporter =
    encoding === 'http/json' ? new JsonExporter(config) : new ProtoExporter(config);
  return new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'ops-assistant' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
}

/** The result of the client's spans, once the last has been sent: compare with `oneTurn`. */
async function outcomeOf(provider: NodeTracerProvider): Promise<object> {
  await provider.shutdown();
  const { projectId } = project;
  interface Figure {
    readonly text: string;
    readonly sourced: boolean;
    readonly source: object | null;
  }
  const verdict = await until('the verdict', async () => {
    const [row] = await stack.sql<
      { turn_id: string; outcome: string; detail: { figures: Figure[] } }[]
    >`
      select turn_id, outcome, detail from verdicts where project_id = ${projectId}`;
    return row ?? null;
  });
  const turn = await getTurn(project, verdict.turn_id);
  const [counts] = await stack.sql`
    select (select count(*)::int from turns where project_id = ${projectId} and not superseded) as turns,
      (select count(*)::int from verdicts where project_id = ${projectId}) as verdicts,
      (select sum(spans)::int from trace_segments where project_id = ${projectId}) as spans,
      (select count(*)::int from dead_letters where project_id = ${projectId}) as letters`;
  return { ...turn, outcome: verdict.outcome, figures: verdict.detail.figures, counts };
}

/**
 * One turn with the tool's result as its source; one of its figures is traced to it and one is not.
 */
const oneTurn = (spans: number, sessionId: string): object => ({
  model: 'openai/gpt-4o',
  source: 'ops-assistant',
  sessionId,
  flags: [],
  content: { output: answer, tools: [{ id: 'call_1', name: 'disk', result: reading }] },
  outcome: 'failed',
  figures: [
    { text: '91.4%', sourced: true, source: { id: 'call_1', path: 'rows[0].disk_pct' } },
    { text: '77', sourced: false },
  ],
  counts: { turns: 1, verdicts: 1, spans, letters: 0 },
});

test.each(exporters)(
  'INT-2 OpenTelemetry by hand through its $encoding exporter (gzip: $gzip) is one turn with a verdict',
  async (wire) => {
    const provider = providerOf(wire);
    const tracer = provider.getTracer('by-hand', '1.0.0');
    await tracer.startActiveSpan('invoke_agent ops', async (agent) => {
      agent.setAttributes({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'ops',
        'gen_ai.conversation.id': 's-hand',
      });
      tracer
        .startSpan('execute_tool disk', {
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'disk',
            'gen_ai.tool.call.id': 'call_1',
            'gen_ai.tool.call.result': reading,
          },
        })
        .end();
      const chat = tracer.startSpan('chat gpt-4o', {
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai' },
      });
      chat.setAttributes({
        'gen_ai.conversation.id': 's-hand',
        'gen_ai.response.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 40,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: question }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: answer }], finish_reason: 'stop' },
        ]),
      });
      chat.setStatus({ code: SpanStatusCode.OK });
      chat.end();
      agent.end();
    });
    expect(await outcomeOf(provider)).toMatchObject(oneTurn(3, 's-hand'));
  },
);

test.each(exporters.filter(({ gzip }) => gzip))(
  'INT-2 an OpenAI call with a tool, recorded by OpenInference over $encoding, is one turn with a verdict',
  async (wire) => {
    const provider = providerOf(wire);
    openInference.setTracerProvider(provider);
    llm.queue(asksDisk, answers);
    const client = new OpenAI({ baseURL: llm.baseUrl, apiKey: 'none', maxRetries: 0 });
    const tools: OpenAI.Chat.ChatCompletionTool[] = [
      {
        type: 'function',
        function: {
          name: 'disk',
          parameters: { type: 'object', properties: { host: { type: 'string' } } },
        },
      },
    ];
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
      { role: 'user', content: question },
    ];
    await provider.getTracer('app').startActiveSpan('request', async (span) => {
      span.setAttribute('session.id', 's-openai');
      const asked = await client.chat.completions.create({ model: 'gpt-4o', messages, tools });
      const [choice] = asked.choices;
      if (choice === undefined) throw new Error('no choice');
      messages.push(choice.message, {
        role: 'tool',
        tool_call_id: choice.message.tool_calls?.[0]?.id ?? '',
        content: reading,
      });
      await client.chat.completions.create({ model: 'gpt-4o', messages, tools });
      span.end();
    });
    expect(await outcomeOf(provider)).toMatchObject(oneTurn(3, 's-openai'));
  },
);

test.each(exporters.filter(({ gzip }) => gzip))(
  'INT-2 an AI SDK call with a tool, recorded by its own telemetry over $encoding, is one turn with a verdict',
  async (wire) => {
    const provider = providerOf(wire);
    llm.queue(asksDisk, answers);
    await generateText({
      model: createOpenAI({ baseURL: llm.baseUrl, apiKey: 'none' }).chat('gpt-4o'),
      maxRetries: 0,
      prompt: question,
      tools: {
        disk: tool({
          inputSchema: z.object({ host: z.string() }),
          execute: ({ host }) => ({ rows: [{ host, disk_pct: 91.4 }] }),
        }),
      },
      stopWhen: stepCountIs(4),
      experimental_telemetry: {
        isEnabled: true,
        functionId: 'ops',
        metadata: { sessionId: 's-ai' },
        tracer: provider.getTracer('ai'),
      },
    });
    expect(await outcomeOf(provider)).toMatchObject(oneTurn(4, 's-ai'));
  },
);

/** Ends one span with its own provider; returns the exporter's messages. */
async function exportOne(
  exporter: SpanExporter,
): Promise<{ readonly code: number; readonly error?: Error }[]> {
  const results: { readonly code: number; readonly error?: Error }[] = [];
  const recordingExporter: SpanExporter = {
    export(spans, done) {
      exporter.export(spans, (result) => {
        results.push(result);
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
  const provider = new NodeTracerProvider({
    spanProcessors: [new BatchSpanProcessor(recordingExporter)],
  });
  provider.getTracer('app').startSpan('x').end();
  await provider.shutdown();
  return results;
}

const stored = async () =>
  stack.sql`select 1 from trace_segments where project_id = ${project.projectId}`;

test('S-12 an exporter with a wrong key receives 401 and does not send again', async () => {
  const results = await exportOne(
    new ProtoExporter({
      url: `${edge.url}/v1/traces`,
      headers: { authorization: 'Bearer asy_no' },
    }),
  );
  expect(results.map((result) => [result.code, String(result.error)])).toEqual([
    [1, expect.stringMatching(/401|Unauthorized/)],
  ]);
  expect(await stored()).toHaveLength(0);
});

test.each(['http/json', 'http/protobuf'])(
  'R-32 an exporter that receives 503 with Retry-After sends again by itself, and its span is stored once (%s)',
  async (encoding) => {
    let refusals = 1;
    const { segments } = stack.runtime;
    const write: typeof segments.write = (rows) =>
      refusals-- > 0 ? Promise.reject(unavailable('storage is away', 1)) : segments.write(rows);
    const servers = await startApiServers({ ...stack.runtime, segments: { ...segments, write } });
    const config = {
      url: `${servers.edge}/v1/traces`,
      headers: { authorization: `Bearer ${key}` },
    };
    const results = await exportOne(
      encoding === 'http/json' ? new JsonExporter(config) : new ProtoExporter(config),
    );
    expect(results).toMatchObject([{ code: 0 }]);
    expect(refusals).toBe(-1);
    expect(await stored()).toHaveLength(1);
    await servers.close();
  },
);
