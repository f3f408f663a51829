/**
 * Traces of two agent frameworks in OTLP JSON, as their OpenInference instrumentations send them:
 * real span names and attributes, shortened contents. LangGraph: a plan, two workers and a
 * synthesis. OpenAI Agents SDK: a triage agent that hands off.
 */
import { exportJson, type OtlpPair, type OtlpSpan } from './otlp';

const TRACE_ID = '5b8aa5a2d2c872e8321cf37308d69df2';
const EPOCH_MS = Date.parse('2026-01-05T10:00:00.000Z');

interface Sketch {
  readonly id: number;
  readonly parent?: number;
  readonly name: string;
  readonly kind: 'CHAIN' | 'LLM' | 'TOOL' | 'AGENT' | 'RETRIEVER';
  readonly input?: unknown;
  readonly output?: unknown;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly error?: string;
}

const idOf = (id: number): string => id.toString(16).padStart(16, '0');
const pair = (key: string, text: string): OtlpPair => ({ key, value: { stringValue: text } });
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Spans start in the order of their ids; parents end after their children. */
function spanOf({ id, parent, name, kind, input, output, attributes, error }: Sketch): OtlpSpan {
  const startMs = EPOCH_MS + id * 100;
  const endMs = parent === undefined ? EPOCH_MS + 9_000 : startMs + 90;
  return {
    traceId: TRACE_ID,
    spanId: idOf(id),
    ...(parent === undefined ? {} : { parentSpanId: idOf(parent) }),
    name,
    kind: 1,
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${endMs}000000`,
    attributes: [
      pair('openinference.span.kind', kind),
      ...(input === undefined ? [] : [pair('input.value', textOf(input))]),
      ...(output === undefined ? [] : [pair('output.value', textOf(output))]),
      ...Object.entries(attributes ?? {}).map(([key, text]) => pair(key, text)),
    ],
    ...(error === undefined ? {} : { status: { code: 2, message: error } }),
  };
}

function messages(
  side: 'input' | 'output',
  list: readonly { readonly role: string; readonly content?: string; readonly call?: string }[],
): Record<string, string> {
  return Object.fromEntries(
    list.flatMap(({ role, content, call }, at): [string, string][] => {
      const prefix = `llm.${side}_messages.${at}.message.`;
      return [
        [`${prefix}role`, role],
        ...(content === undefined ? [] : [[`${prefix}content`, content] as [string, string]]),
        ...(call === undefined
          ? []
          : ([
              [`${prefix}tool_calls.0.tool_call.id`, `call_${call}`],
              [`${prefix}tool_calls.0.tool_call.function.name`, call],
              [`${prefix}tool_calls.0.tool_call.function.arguments`, '{"order_id":"A-17"}'],
            ] as [string, string][])),
      ];
    }),
  );
}

const node = (name: string, step: number): Record<string, string> => ({
  metadata: JSON.stringify({
    langgraph_node: name,
    langgraph_step: step,
    langgraph_triggers: [`branch:to:${name}`],
    langgraph_path: ['__pregel_pull', name],
    langgraph_checkpoint_ns: `${name}:6f0c1c9e`,
  }),
});

export const graphQuestion = 'Compare the disks of web-1 and web-2.';
export const graphAnswer = 'web-1 is 91.4 % full, web-2 is 40 % full.';
export const graphPlan = {
  goal: graphQuestion,
  subgoals: [
    { id: 's1', description: 'Read the disk of web-1', agent: 'researcher', depends_on: [] },
    { id: 's2', description: 'Read the disk of web-2', agent: 'analyst', depends_on: ['s1'] },
  ],
};

export const graphSketches: readonly Sketch[] = [
  {
    id: 1,
    name: 'LangGraph',
    kind: 'CHAIN',
    input: { messages: [{ type: 'human', content: graphQuestion }] },
    output: {
      messages: [
        { type: 'human', content: graphQuestion },
        { type: 'ai', content: graphAnswer },
      ],
    },
  },
  {
    id: 2,
    parent: 1,
    name: 'planner',
    kind: 'CHAIN',
    input: { messages: [{ type: 'human', content: graphQuestion }] },
    output: { plan: graphPlan },
    attributes: node('planner', 1),
  },
  {
    id: 3,
    parent: 2,
    name: 'ChatOpenAI',
    kind: 'LLM',
    attributes: {
      ...node('planner', 1),
      'llm.model_name': 'gpt-4o',
      ...messages('input', [
        { role: 'system', content: 'Plan.' },
        { role: 'user', content: graphQuestion },
      ]),
      ...messages('output', [{ role: 'assistant', content: JSON.stringify(graphPlan) }]),
    },
  },
  {
    id: 4,
    parent: 1,
    name: 'researcher',
    kind: 'CHAIN',
    input: { messages: [{ type: 'human', content: graphQuestion }] },
    output: { messages: [{ type: 'ai', content: 'web-1 is 91.4 % full.', name: 'researcher' }] },
    attributes: node('researcher', 2),
  },
  {
    id: 5,
    parent: 4,
    name: 'disk',
    kind: 'TOOL',
    input: '{"host": "web-1"}',
    output: '{"pct": 91.4}',
    attributes: { ...node('researcher', 2), 'tool.name': 'disk', 'tool_call.id': 'call_disk_1' },
  },
  {
    id: 6,
    parent: 1,
    name: 'analyst',
    kind: 'CHAIN',
    input: { messages: [{ type: 'human', content: graphQuestion }] },
    output: { messages: [{ type: 'ai', content: 'web-2 is 40 % full.', name: 'analyst' }] },
    attributes: node('analyst', 3),
  },
  {
    id: 7,
    parent: 6,
    name: 'disk',
    kind: 'TOOL',
    input: '{"host": "web-2"}',
    attributes: { ...node('analyst', 3), 'tool.name': 'disk' },
    error: 'connection refused',
  },
  {
    id: 8,
    parent: 1,
    name: 'synthesizer',
    kind: 'CHAIN',
    input: { messages: [{ type: 'human', content: graphQuestion }] },
    output: { messages: [{ type: 'ai', content: graphAnswer }] },
    attributes: node('synthesizer', 4),
  },
  { id: 9, parent: 1, name: 'ChannelWrite<messages>', kind: 'CHAIN' },
];

export const handoffQuestion = 'Refund my order A-17, please.';
export const handoffAnswer = 'Order A-17 was refunded: 30 dollars.';

export const handoffSketches: readonly Sketch[] = [
  { id: 1, name: 'Agent workflow', kind: 'AGENT' },
  {
    id: 2,
    parent: 1,
    name: 'Triage Agent',
    kind: 'AGENT',
    attributes: { 'graph.node.id': 'Triage Agent' },
  },
  {
    id: 3,
    parent: 2,
    name: 'response',
    kind: 'LLM',
    attributes: {
      'llm.model_name': 'gpt-4o-2024-08-06',
      ...messages('input', [
        { role: 'system', content: 'Hand off to the right agent.' },
        { role: 'user', content: handoffQuestion },
      ]),
      ...messages('output', [{ role: 'assistant', call: 'transfer_to_refund_agent' }]),
    },
  },
  { id: 4, parent: 2, name: 'handoff to Refund Agent', kind: 'TOOL' },
  {
    id: 5,
    parent: 1,
    name: 'Refund Agent',
    kind: 'AGENT',
    attributes: { 'graph.node.id': 'Refund Agent', 'graph.node.parent_id': 'Triage Agent' },
  },
  {
    id: 6,
    parent: 5,
    name: 'response',
    kind: 'LLM',
    attributes: {
      'llm.model_name': 'gpt-4o-2024-08-06',
      ...messages('input', [{ role: 'user', content: handoffQuestion }]),
      ...messages('output', [{ role: 'assistant', call: 'refund' }]),
    },
  },
  {
    id: 7,
    parent: 5,
    name: 'refund',
    kind: 'TOOL',
    input: '{"order_id":"A-17"}',
    output: '{"amount":30}',
    attributes: { 'tool.name': 'refund' },
  },
  {
    id: 8,
    parent: 5,
    name: 'response',
    kind: 'LLM',
    attributes: {
      'llm.model_name': 'gpt-4o-2024-08-06',
      ...messages('input', [
        { role: 'user', content: handoffQuestion },
        { role: 'assistant', call: 'refund' },
        { role: 'tool', content: '{"amount":30}' },
      ]),
      ...messages('output', [{ role: 'assistant', content: handoffAnswer }]),
    },
  },
];

/** An export request with one trace. */
export function agentTraceJson(sketches: readonly Sketch[]): string {
  return exportJson(sketches.map(spanOf));
}
