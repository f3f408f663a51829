import { expect } from '@playwright/test';
import { readInstance, readKey } from './instance';

/**
 * A request in a pipeline, for the pages of pipelines: every step has two attempts, and no model is
 * called.
 */

/** Of this test run: a retried test begins with its own request. */
export const traceId = `e2e-pipeline-${Date.now().toString(36)}`;
export const query = `Which disks fill up this week, and who looks after them (${traceId})? <img src=x onerror=alert(1)>`;

const agents = [
  { name: 'metrics', capabilities: ['metrics'], tools: ['query_range'] },
  { name: 'directory', capabilities: ['directory'], tools: [] },
];

const subgoals = [
  {
    id: 'disks',
    description: 'Read how full each disk is, and how fast it fills',
    agent: 'metrics',
    depends_on: [],
    requires: ['metrics'],
  },
  {
    id: 'owners',
    description: 'Look up who owns each host',
    agent: 'oracle',
    depends_on: ['disks'],
    requires: ['directory'],
  },
  {
    id: 'poem',
    description: 'Write a poem about disks',
    agent: 'metrics',
    depends_on: [],
    requires: [],
  },
];

const order = (...ids: string[]) => [{ phase: 'sequential', subgoals: ids }];

const plan = {
  query,
  complexity: 'COMPLEX',
  agents,
  executor_model: 'openai/gpt-4o',
  cost_usd: 0.02,
};

/**
 * SOAR-12: the first plan names a nonexistent agent, and does more than requested; the second fixes
 * both.
 */
export const decompositions = [
  {
    ...plan,
    decomposition: {
      goal: 'Disks that fill up, with owners',
      subgoals,
      execution_order: order('disks', 'owners', 'poem'),
    },
    scores: {
      completeness: 0.6,
      consistency: 0.7,
      groundedness: 0.8,
      routability: 0.4,
      overall: 0.9,
      verdict: 'PASS',
      suggestions: ['Leave the poem out.'],
    },
  },
  {
    ...plan,
    retries_used: 1,
    decomposition: {
      goal: 'Disks that fill up, with owners',
      subgoals: [
        subgoals[0],
        { ...subgoals[1], agent: 'directory' },
        {
          id: 'rank',
          description: 'Order the disks by the day on which they are full',
          agent: 'metrics',
          depends_on: ['disks'],
          requires: [],
        },
      ],
      execution_order: order('disks', 'owners', 'rank'),
    },
    scores: { completeness: 0.9, consistency: 0.95, groundedness: 0.85, routability: 0.9 },
  },
];

const output = (agent: string, summary: string, confidence: number) => ({
  output: {
    agent,
    summary,
    data: { rows: [{ host: 'web-1', disk_pct: 91.4 }] },
    confidence,
    tools_used: ['query_range'],
    metadata: {},
  },
  agents_available: ['metrics', 'directory'],
  cost_usd: 0.01,
});

export const outputs = [
  {
    subgoal: { id: 'disks', description: 'Read how full each disk is', critical: true },
    ...output('metrics', 'web-1 is perhaps full.', 0.6),
  },
  {
    subgoal: { id: 'disks', description: 'Read how full each disk is', critical: true },
    retries_used: 1,
    ...output('directory', 'web-1 is at 91.4 %, and gains 2 points a day.', 0.92),
  },
  {
    subgoal: { id: 'owners', description: 'Look up who owns each host', critical: false },
    ...output('directory', 'Nobody is listed.', 0.3),
  },
];

const agentOutputs = [
  {
    id: 'disks',
    agent: 'directory',
    summary: 'web-1 is at 91.4 %, and gains 2 points a day.',
    data: { disk_pct: 91.4 },
  },
];
const [gains, only] = ['It gains 2 points a day.', 'It is the only one.'];
const [rose, owned, soon] = [
  'web-1 is at 91.4 %.',
  'Olga owns it.',
  'At 2 points a day it is full within the week.',
];

export const syntheses = [
  {
    query,
    answer: `${rose} ${owned}`,
    agent_outputs: agentOutputs,
    claims: [
      { text: rose, supported_by: ['disks'] },
      { text: owned, supported_by: [] },
    ],
  },
  {
    query,
    retries_used: 1,
    answer: `${rose} ${gains} ${soon} ${only}`,
    agent_outputs: agentOutputs,
    claims: [
      { text: rose, supported_by: ['disks'] },
      { text: gains, supported_by: ['disks'] },
      { text: soon, supported_by: ['disks'] },
      { text: only, supported_by: [] },
    ],
  },
];

interface Reply {
  readonly id: string;
  readonly verdict: string | null;
}

export async function verifyStep(
  kind: 'decomposition' | 'agent-output' | 'synthesis',
  call: object,
): Promise<Reply> {
  const response = await post(`/v1/verify/${kind}`, { trace_id: traceId, ...call });
  return JSON.parse(response) as Reply;
}

/** Reports the final outcome of the request. */
export async function reportOutcome(subject: string, success: boolean): Promise<void> {
  await post('/v1/outcomes', {
    outcomes: [{ id: `outcome-${subject}`, subject_id: subject, success, source: 'e2e' }],
  });
}

/**
 * A recorded run, as `assay import --preset openai-chat` sends it, and a pipeline, none of which
 * was verified live.
 */
export async function importRun(): Promise<void> {
  const row = {
    id: 'e2e-recorded',
    question: 'Book the earliest train to Bern.',
    success: false,
    messages: [
      { role: 'user', content: 'Book the earliest train to Bern.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'find_trains', arguments: '{"to":"Bern"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '[{"train":"IC 61","leaves":"06:02"}]' },
      { role: 'assistant', content: 'IC 61 leaves at 06:02. Shall I book it?' },
      { role: 'user', content: 'Yes.' },
      { role: 'assistant', content: 'It is booked.' },
    ],
  };
  const mapping = {
    format: 'jsonl',
    id: 'id',
    messages: 'messages',
    pipeline: { query: 'question', complexity: { const: 'simple' } },
    human_label: 'success',
  };
  const job = JSON.parse(
    await post(`/v1/import?mapping=${encodeURIComponent(JSON.stringify(mapping))}`, row),
  ) as { id: string };
  await expect
    .poll(async () => {
      const response = await fetch(`${readInstance().edgeUrl}/v1/jobs/${job.id}`, {
        headers: { authorization: `Bearer ${readKey()}` },
      });
      return ((await response.json()) as { state: string }).state;
    })
    .toBe('done');
}

async function post(path: string, body: object): Promise<string> {
  const response = await fetch(`${readInstance().edgeUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return text;
}
