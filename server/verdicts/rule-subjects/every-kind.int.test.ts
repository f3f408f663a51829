import { afterAll, beforeEach, describe, expect } from 'vitest';
import {
  agentTraceJson,
  graphAnswer,
  graphPlan,
  graphQuestion,
  graphSketches,
} from '../../../testing/agent-traces';
import { anyJudge } from '../../../testing/any-judge';
import type { Json } from '../../../testing/call';
import { testWithLlmAnd } from '../../../testing/fixture';
import { createJudgedProject, type JudgedProject } from '../../../testing/judged-project';
import type { ScriptedLlm } from '../../../testing/scripted-llm';
import { verifyAll } from '../../../testing/verify-all';
import type { ProjectCtx } from '../../access';
import { createRunGates } from '../../code/gates';
import type { Runtime } from '../../runtime';
import { createBoxMonitor } from '../../sandbox';

/**
 * For each target that it reads, every kind reaches a verdict by a rule on incoming traffic. A
 * verify call with the same content reaches the same verdict. Judges are scripted at their HTTP
 * interface.
 */

const boxes = createBoxMonitor();
const gates = createRunGates(boxes);
afterAll(() => boxes.stop());

const test = testWithLlmAnd({ ASSAY_TRACE_IDLE_MS: '0' });

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let call: JudgedProject['call'];
let ok: JudgedProject['ok'];

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  // Code is compiled, as in a worker.
  runtime = { ...ownRuntime, subjects: { ...ownRuntime.subjects, gates } };
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  ({ project, call, ok } = await createJudgedProject(runtime, llm));
  llm.answerWith((request) => anyJudge(request));
});

const SESSION = 's-1';
const MISSION = 'm-1';
const TRACE = '5b8aa5a2d2c872e8321cf37308d69df2';
const MODEL = 'anthropic/claude-sonnet-4-5';

type Sketches = Parameters<typeof agentTraceJson>[0];

/** Two answers of one session and mission, each with the tool result that it is based on. */
const disks = ['web-1', 'web-2'].map((host, at) => ({
  id: `turn-${at + 1}`,
  session_id: SESSION,
  model: MODEL,
  input: [{ role: 'user', content: `How full is the disk of ${host}?` }],
  output: `The disk of ${host} is at 91.4 %.`,
  tools: [{ id: `call-${at + 1}`, name: 'disk', result: { host, used_percent: 91.4 } }],
  metadata: { assay: { 'mission.id': MISSION } },
}));
const [firstDisk] = disks;

const written = {
  id: 'turn-1',
  model: MODEL,
  input: 'Write src/add.py, a function that adds two numbers.',
  output: 'Done.',
  tools: [
    {
      id: 'call-1',
      name: 'Write',
      arguments: {
        file_path: '/repo/src/add.py',
        content: 'def add(a: int, b: int) -> int:\n    """The sum of both."""\n    return a + b\n',
      },
      result: 'ok',
    },
  ],
};

const llmMessages = (question: string, answer: string): Record<string, string> => ({
  'llm.model_name': 'claude-sonnet-4-5',
  'llm.input_messages.0.message.role': 'user',
  'llm.input_messages.0.message.content': question,
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.content': answer,
});

/** Work in an agent's format. */
const handedIn = (summary: string, pct: number): string =>
  JSON.stringify({ summary, data: { pct }, confidence: 0.8, tools_used: ['disk'], metadata: {} });

const steps = [
  { name: 'Planner Agent', part: 'decomposition', answer: JSON.stringify(graphPlan) },
  {
    name: 'researcher',
    part: 'agent-output',
    answer: handedIn('The disk of web-1 is 91.4 % full.', 91.4),
  },
  {
    name: 'analyst',
    part: 'agent-output',
    answer: handedIn('The disk of web-2 is 40 % full.', 40),
  },
  { name: 'Writer', part: 'synthesis', answer: graphAnswer },
] as const;

/** Like traces of the OpenAI Agents SDK: an agent's span has no content, but its model span has. */
const agents: Sketches = [
  { id: 1, name: 'Agent workflow', kind: 'AGENT', input: graphQuestion, output: graphAnswer },
  ...steps.flatMap(
    ({ name, answer }, at): Sketches => [
      {
        id: 2 * at + 2,
        parent: 1,
        name,
        kind: 'AGENT',
        attributes: { 'graph.node.id': name },
      },
      {
        id: 2 * at + 3,
        parent: 2 * at + 2,
        name: 'response',
        kind: 'LLM',
        attributes: llmMessages(graphQuestion, answer),
      },
    ],
  ),
];

/** Spans without a framework that name their own role. */
const marked: Sketches = [
  { id: 1, name: 'run', kind: 'CHAIN', input: graphQuestion, output: graphAnswer },
  ...steps.map(({ name, part, answer }, at) => ({
    id: at + 2,
    parent: 1,
    name: `part ${name}`,
    kind: 'CHAIN' as const,
    input: graphQuestion,
    output: answer,
    attributes: { 'assay.subject.kind': part },
  })),
];

/** One model call with a tool, as any framework sends it. */
const single: Sketches = [
  {
    id: 1,
    name: 'run',
    kind: 'AGENT',
    input: firstDisk?.input[0]?.content,
    output: firstDisk?.output,
  },
  {
    id: 2,
    parent: 1,
    name: 'disk',
    kind: 'TOOL',
    input: '{"host":"web-1"}',
    output: '{"host":"web-1","used_percent":91.4}',
    attributes: { 'tool.name': 'disk' },
  },
  {
    id: 3,
    parent: 1,
    name: 'chat',
    kind: 'LLM',
    attributes: llmMessages(firstDisk?.input[0]?.content ?? '', firstDisk?.output ?? ''),
  },
];

const editing: Sketches = [
  { id: 1, name: 'run', kind: 'AGENT', input: written.input, output: written.output },
  {
    id: 2,
    parent: 1,
    name: 'Write',
    kind: 'TOOL',
    input: JSON.stringify(written.tools[0]?.arguments),
    output: 'ok',
    attributes: { 'tool.name': 'Write' },
  },
  {
    id: 3,
    parent: 1,
    name: 'chat',
    kind: 'LLM',
    attributes: llmMessages(written.input, written.output),
  },
];

interface Row {
  readonly kind: string;
  readonly target: 'turn' | 'trace' | 'session' | 'mission';
  /** The means of arrival. */
  readonly by: string;
  readonly turns?: readonly object[];
  readonly spans?: Sketches;
  readonly subject: string;
  readonly verdict: string;
  readonly asks: boolean;
}

/** These cache the answer to the same question (VS-43). */
const caching: readonly string[] = ['task', 'decomposition', 'synthesis'];

const turns = 'POST /v1/turns';
const rows: readonly Row[] = [
  {
    kind: 'task',
    target: 'turn',
    by: turns,
    turns: disks,
    subject: 'turn-1',
    verdict: 'pass',
    asks: true,
  },
  {
    kind: 'code',
    target: 'turn',
    by: turns,
    turns: [written],
    subject: 'turn-1',
    verdict: 'PASS',
    asks: false,
  },
  {
    kind: 'integrity',
    target: 'turn',
    by: turns,
    turns: disks,
    subject: 'turn-1',
    verdict: 'sourced',
    asks: false,
  },
  {
    kind: 'turn',
    target: 'turn',
    by: turns,
    turns: disks,
    subject: 'turn-1',
    verdict: 'pass',
    asks: true,
  },
  {
    kind: 'turn',
    target: 'session',
    by: turns,
    turns: disks,
    subject: SESSION,
    verdict: 'pass',
    asks: true,
  },
  {
    kind: 'consistency',
    target: 'session',
    by: turns,
    turns: disks,
    subject: SESSION,
    verdict: 'consistent',
    asks: true,
  },
  {
    kind: 'consistency',
    target: 'mission',
    by: turns,
    turns: disks,
    subject: MISSION,
    verdict: 'consistent',
    asks: true,
  },
  {
    kind: 'mission',
    target: 'mission',
    by: turns,
    turns: disks,
    subject: MISSION,
    verdict: 'pass',
    asks: true,
  },
  {
    kind: 'task',
    target: 'trace',
    by: 'spans of a model and a tool',
    spans: single,
    subject: TRACE,
    verdict: 'pass',
    asks: true,
  },
  {
    kind: 'integrity',
    target: 'trace',
    by: 'spans of a model and a tool',
    spans: single,
    subject: TRACE,
    verdict: 'sourced',
    asks: false,
  },
  {
    kind: 'code',
    target: 'trace',
    by: 'spans of a model and a tool',
    spans: editing,
    subject: TRACE,
    verdict: 'PASS',
    asks: false,
  },
  ...(
    [
      ['spans of LangGraph', graphSketches],
      ['spans of OpenAI Agents', agents],
      ['assay.subject.kind', marked],
    ] as const
  ).flatMap(([by, spans]): Row[] => [
    {
      kind: 'decomposition',
      target: 'trace',
      by,
      spans,
      subject: TRACE,
      verdict: 'PASS',
      asks: true,
    },
    {
      kind: 'agent-output',
      target: 'trace',
      by,
      spans,
      subject: TRACE,
      // A node of LangGraph returns its messages, which is not the form of an agent's output.
      verdict: by === 'spans of LangGraph' ? 'RETRY' : 'PASS',
      asks: false,
    },
    { kind: 'synthesis', target: 'trace', by, spans, subject: TRACE, verdict: 'PASS', asks: true },
  ]),
];

/** Sends the row's traffic, ends its sessions and missions, and verifies everything. */
async function arrive({ kind, target, turns: sent, spans, subject }: Row): Promise<void> {
  await ok('/v1/rules/integrity', undefined, 'DELETE');
  await ok('/v1/rules/own', { verifier: kind, target }, 'PUT');
  // A mission includes the verdicts of rules under its id.
  if (target === 'mission')
    await ok('/v1/rules/tasks', { verifier: 'task', mapping: metByCheck }, 'PUT');
  if (sent !== undefined)
    expect(await ok('/v1/turns', { turns: sent })).toMatchObject({ rejected: [] });
  if (spans !== undefined) await ok('/v1/traces', agentTraceJson(spans));
  await verifyAll(runtime);
  if (target !== 'session' && target !== 'mission') return;
  expect(await ok(`/v1/${target}s/${subject}/end`, {})).toMatchObject({ verifications: 1 });
  await verifyAll(runtime);
}

/** Decided by a check alone, so that no judge is called. */
const metByCheck = { success_criteria: { value: [{ check: 'regex', value: '%' }] } };

async function verdictOf({ kind, subject }: Row): Promise<Json> {
  const { body } = await call(`/v1/verifications?verifier=${kind}&subject_id=${subject}`);
  const [listed, ...others] = body.data as Json[];
  expect(others).toEqual([]);
  return (await call(`/v1/verifications/${String(listed?.id)}`)).body;
}

/** The content that the rule's verifier read, as the body of a verify call of the kind. */
async function bodyOf(
  { kind, target, subject, turns: sent }: Row,
  { model }: Json,
): Promise<object> {
  if (kind === 'integrity') return sent?.[0] ?? {};
  const preview = await ok('/v1/rules/preview', { verifier: kind, target });
  const found = (preview.subjects as Json[]).find(({ id }) => id === subject);
  return { ...(found?.subject as Json), executor_model: model, wait_ms: 0 };
}

/** X-10, VS-43: a verify call with the same content gets the same verdict, and calls no judge. */
async function handedOver(row: Row, given: Json): Promise<void> {
  // A verify call cannot check a whole trace for integrity.
  if (row.kind === 'integrity' && row.target === 'trace') return;
  const before = llm.calls.length;
  const sent = await ok(`/v1/verify/${row.kind}`, await bodyOf(row, given));
  await verifyAll(runtime);
  const { body } = await call(`/v1/verifications/${String(sent.id)}`);
  const { verdict, outcome, score } = given;
  expect(body).toMatchObject({ state: 'settled', verdict, outcome, score });
  const asksAgain = row.asks && !caching.includes(row.kind);
  expect(llm.calls.length > before).toBe(asksAgain);
}

describe('X-10 a rule gives a verdict on what arrives, and a verify call the same', () => {
  test.each(rows)('$kind of a $target: $by', async (row) => {
    const before = llm.calls.length;
    await arrive(row);
    const { body } = await call(`/v1/decisions?rule=own`);
    const decisions = (body.data as Json[]).filter((each) => each.subject_id === row.subject);
    expect(decisions).toMatchObject([{ state: 'run', reason: null, settled: true }]);
    const verdict = await verdictOf(row);
    const outcome = row.verdict === 'RETRY' ? 'failed' : 'passed';
    expect(verdict).toMatchObject({ state: 'settled', verdict: row.verdict, outcome });
    expect(llm.calls.length > before).toBe(row.asks);
    await handedOver(row, verdict);
    const left = await runtime.ctx.sql`select 1 from work where project_id = ${project.projectId}`;
    expect(left).toHaveLength(0);
  });
});
