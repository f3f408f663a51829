import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createOpenAI } from '@ai-sdk/openai';
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import {
  propagateAttributes,
  setLangfuseTracerProvider,
  startActiveObservation,
  startObservation,
} from '@langfuse/tracing';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { generateText, stepCountIs, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { graphAnswer, graphPlan, graphQuestion } from '../../testing/agent-traces';
import { anyJudge } from '../../testing/any-judge';
import { createJudgedProject, type JudgedProject } from '../../testing/judged-project';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import {
  type ScriptedCall,
  type ScriptedLlm,
  type ScriptedReply,
  startScriptedLlm,
  textOf,
} from '../../testing/scripted-llm';
import { createStack, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import { createKey } from '../access';
import { putRoute } from '../gateway';
import { RouteSettings } from '../gateway/input';
import { putProvider } from '../llm';

/**
 * Unmodified clients send to a real edge process, and a real worker verifies the received data by
 * one rule of each kind. Models and judges are scripted at their HTTP interface.
 */

const run = promisify(execFile);
const langChain = new LangChainInstrumentation();

let stack: Stack;
let edge: Edge;
let models: ScriptedLlm;
let judges: ScriptedLlm;
let judged: JudgedProject;
let key: string;

beforeAll(async () => {
  [models, judges] = await Promise.all([startScriptedLlm(), startScriptedLlm()]);
  // Both providers may be called to judge.
  const isJudge = (call: ScriptedCall): boolean => textOf(call.body).includes('<data nonce=');
  for (const llm of [models, judges])
    llm.answerWith((call) => (isJudge(call) ? anyJudge(call) : answerAsModel(call)));
  const variables = {
    ASSAY_OUTBOUND_ALLOW: [models, judges].map(({ origin }) => new URL(origin).host).join(','),
    ASSAY_TRACE_IDLE_MS: '0',
  };
  stack = await createStack(inject('databaseUrl'), variables);
  judged = await createJudgedProject(stack.runtime, judges);
  await putProvider(judged.project, 'openai', {
    kind: 'openai',
    base_url: models.baseUrl,
    api_key: 'sk-upstream-stored-0001',
    models: ['gpt-4o'],
    enabled: true,
  });
  await putRoute(judged.project, 'openai', RouteSettings.parse({}));
  ({ key } = await createKey(judged.project, { name: 'c', scopes: ['ingest', 'gateway'] }));
  langChain.manuallyInstrument(callbacks);
  // Its context manager lets spans of any provider find their parents.
  new NodeTracerProvider().register();
  [edge] = await Promise.all([startEdge(stack.variables), startWorker(stack.variables)]);
});

afterAll(async () => {
  await stack.close();
  await Promise.all([models.close(), judges.close()]);
});

const question = 'How full is the disk of web-1?';
const reading = { rows: [{ host: 'web-1', disk_pct: 91.4 }] };
const answer = 'The disk of web-1 is at 91.4 %.';
const asksForCode = 'Write src/add.py, a function that adds two numbers.';
const source = 'def add(a: int, b: int) -> int:\n    """The sum of both."""\n    return a + b\n';
const usage = { input: 40, output: 12 };

/** Plans, reads a disk, writes a file, or answers, depending on the request. */
function answerAsModel({ body }: ScriptedCall): ScriptedReply {
  const asked = textOf(body);
  const hasToolResult = asked.includes('disk_pct') || asked.includes('written');
  if (asked.includes('Plan the work')) return { text: JSON.stringify(graphPlan), usage };
  if (asked.includes('Report one disk'))
    return {
      text: JSON.stringify({
        summary: 'The disk of web-1 is 91.4 % full.',
        data: { pct: 91.4 },
        confidence: 0.8,
        tools_used: ['disk'],
        metadata: {},
      }),
      usage,
    };
  if (asked.includes('Combine the reports')) return { text: graphAnswer, usage };
  if (asked.includes(asksForCode)) {
    if (hasToolResult) return { text: 'Done.', usage };
    const written = { file_path: '/repo/src/add.py', content: source };
    return {
      toolCalls: [{ id: 'call_1', name: 'Write', arguments: JSON.stringify(written) }],
      usage,
    };
  }
  if (hasToolResult) return { text: answer, usage };
  return { toolCalls: [{ id: 'call_1', name: 'disk', arguments: '{"host":"web-1"}' }], usage };
}

function openProvider(): NodeTracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${edge.url}/v1/traces`,
    headers: { authorization: `Bearer ${key}` },
  });
  return new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
}

/** A planner, two workers and a writer. Returns the id of their trace. */
async function sendByLangGraph(): Promise<string> {
  const provider = openProvider();
  langChain.setTracerProvider(provider);
  const model = new ChatOpenAI({
    model: 'gpt-4o',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: models.baseUrl },
  });
  const ask = async (system: string): Promise<string> => {
    const { content } = await model.invoke([
      { role: 'system', content: system },
      { role: 'user', content: graphQuestion },
    ]);
    return typeof content === 'string' ? content : JSON.stringify(content);
  };
  const State = Annotation.Root({
    question: Annotation<string>,
    plan: Annotation<unknown>,
    researcher: Annotation<string>,
    analyst: Annotation<string>,
    answer: Annotation<string>,
  });
  const graph = new StateGraph(State)
    .addNode('planner', async () => ({ plan: JSON.parse(await ask('Plan the work.')) as unknown }))
    .addNode('research', async () => ({ researcher: await ask('Report one disk.') }))
    .addNode('analysis', async () => ({ analyst: await ask('Report one disk.') }))
    .addNode('writer', async () => ({ answer: await ask('Combine the reports.') }))
    .addEdge(START, 'planner')
    .addEdge('planner', 'research')
    .addEdge('research', 'analysis')
    .addEdge('analysis', 'writer')
    .addEdge('writer', END)
    .compile();
  await graph.invoke({ question: graphQuestion });
  await provider.shutdown();
  const [trace] = await until('the trace has arrived', async () => {
    const rows = await stack.sql<{ id: string }[]>`select id from traces`;
    return rows.length > 0 ? rows : null;
  });
  return trace?.id ?? '';
}

/** Two answers of one session, each from a tool's result. */
async function sendByAiSdk(): Promise<void> {
  const provider = openProvider();
  for (let turn = 0; turn < 2; turn++)
    await generateText({
      model: createOpenAI({ baseURL: models.baseUrl, apiKey: 'none' }).chat('gpt-4o'),
      maxRetries: 0,
      prompt: question,
      tools: {
        disk: tool({ inputSchema: z.object({ host: z.string() }), execute: () => reading }),
      },
      stopWhen: stepCountIs(4),
      experimental_telemetry: {
        isEnabled: true,
        functionId: 'ops',
        metadata: { sessionId: 'by-ai-sdk' },
        tracer: provider.getTracer('ai'),
      },
    });
  await provider.shutdown();
}

async function sendByLangfuse(): Promise<void> {
  const processor = new LangfuseSpanProcessor({
    baseUrl: edge.url,
    publicKey: 'pk',
    secretKey: key,
    exportMode: 'batched',
  });
  const provider = new NodeTracerProvider({ spanProcessors: [processor] });
  setLangfuseTracerProvider(provider);
  await startActiveObservation('ops-agent', (span) =>
    propagateAttributes({ sessionId: 'by-langfuse' }, async () => {
      span.update({ input: question });
      const input = { host: 'web-1' };
      startObservation('disk', { input }, { asType: 'tool' }).update({ output: reading }).end();
      startObservation(
        'answer',
        { model: 'gpt-4o', input: [{ role: 'user', content: question }] },
        { asType: 'generation' },
      )
        .update({ output: answer })
        .end();
      span.update({ output: answer });
      await Promise.resolve();
    }),
  );
  await provider.shutdown();
}

/** Writes a file by a tool call, and reports it. */
async function sendByOpenAi(): Promise<void> {
  const client = new OpenAI({
    apiKey: key,
    baseURL: `${edge.url}/gateway/openai/v1`,
    maxRetries: 0,
    defaultHeaders: { 'x-assay-session': 'by-openai' },
  });
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
    { role: 'user', content: asksForCode },
  ];
  const asked = await client.chat.completions.create({ model: 'gpt-4o', messages });
  const [choice] = asked.choices;
  if (choice === undefined) throw new Error('no choice');
  messages.push(choice.message, {
    role: 'tool',
    tool_call_id: choice.message.tool_calls?.[0]?.id ?? '',
    content: 'written',
  });
  await client.chat.completions.create({ model: 'gpt-4o', messages });
}

/** Turns of a mission. */
async function sendByCurl(): Promise<void> {
  const turns = ['web-1', 'web-2'].map((host, at) => ({
    id: `by-curl-${at}`,
    session_id: 'by-curl',
    model: 'openai/gpt-4o',
    input: [{ role: 'user', content: `How full is the disk of ${host}?` }],
    output: answer,
    tools: [{ id: `call-${at}`, name: 'disk', result: reading }],
    metadata: { assay: { 'mission.id': 'disks' } },
  }));
  const { stdout } = await run('curl', [
    '--silent',
    '--fail-with-body',
    `${edge.url}/v1/turns`,
    '--header',
    `authorization: Bearer ${key}`,
    '--json',
    JSON.stringify({ turns }),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ accepted: 2, rejected: [] });
}

const targets = {
  integrity: 'turn',
  task: 'turn',
  code: 'turn',
  turn: 'session',
  consistency: 'session',
  mission: 'mission',
  decomposition: 'trace',
  'agent-output': 'trace',
  synthesis: 'trace',
} as const;

/** Client → the kinds with verdicts for it, each by the rule of that name. */
async function verdictsByClient(traceId: string): Promise<Record<string, string[]>> {
  const rows = await stack.sql<{ client: string; kind: string }[]>`
    select distinct v.verifier_slug as kind, case
        when coalesce(t.trace_id, v.subject_id) = ${traceId} then 'by-langgraph'
        else coalesce(t.session_id, v.subject_id) end as client
    from verdicts v
    join decisions d on d.project_id = v.project_id and d.verdict_id = v.id and d.rule = v.verifier_slug
    left join turns t on t.project_id = v.project_id and t.id = v.turn_id
    where v.project_id = ${judged.project.projectId} and v.outcome in ('passed', 'failed')
    order by 1, 2`;
  const clients: Record<string, string[]> = {};
  for (const { client, kind } of rows) (clients[client] ??= []).push(kind);
  return clients;
}

test('X-10 unmodified clients send, and each of the nine kinds gives verdicts by its rule', async () => {
  for (const [kind, target] of Object.entries(targets))
    await judged.ok(`/v1/rules/${kind}`, { verifier: kind, target }, 'PUT');

  const traceId = await sendByLangGraph();
  await sendByAiSdk();
  await sendByLangfuse();
  await sendByOpenAi();
  await sendByCurl();
  const arrived = async (): Promise<true | null> => {
    const clients = await stack.sql`select distinct session_id from turns`;
    return clients.length > 4 ? true : null;
  };
  await until('every client has sent', arrived);
  await stack.drained();
  for (const session of ['by-ai-sdk', 'by-curl'])
    await judged.ok(`/v1/sessions/${session}/end`, {});
  await judged.ok('/v1/missions/disks/end', {});
  await stack.drained();

  expect(await verdictsByClient(traceId)).toEqual({
    'by-langgraph': ['agent-output', 'decomposition', 'synthesis', 'task'],
    'by-ai-sdk': ['consistency', 'integrity', 'task', 'turn'],
    'by-langfuse': ['integrity', 'task'],
    'by-openai': ['code', 'integrity', 'task'],
    'by-curl': ['consistency', 'integrity', 'task', 'turn'],
    disks: ['mission'],
  });
  const open = await stack.sql`
    select d.rule, d.subject_id from decisions d
    left join verdicts v on v.project_id = d.project_id and v.id = d.verdict_id
    where d.state = 'run' and v.id is null`;
  expect([...open]).toEqual([]);
});
