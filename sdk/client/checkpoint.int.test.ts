import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Edge, startEdge } from '../../testing/processes';
import { createStack, type Stack } from '../../testing/stack';
import { type Assay, createAssay } from './index';

/** The checkpoint helper against a real edge: agents' outputs, judged without a model. */

let stack: Stack;
let edge: Edge;
let assay: Assay;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
  assay = createAssay({ url: edge.url, key: stack.key, flushOnExit: false });
});

afterAll(async () => {
  await assay.close();
  await stack.close();
});

const output = (confidence: number) => ({
  summary: 'The index on orders is missing.',
  data: {},
  confidence,
  tools_used: ['psql'],
  metadata: {},
});
const about = {
  subgoal: { id: 'a', description: 'Find the missing index', critical: false },
  agents_available: ['reader', 'writer'],
};

test('SOAR-8 SOAR-18 X-4 three attempts: RETRY, RETRY and the final verdict, with feedback in between', async () => {
  const run = async (last: number) => {
    const feedbacks: (string | null)[] = [];
    const result = await assay.checkpoint('agent-output', {
      generate: ({ attempt, feedback }) => {
        feedbacks.push(feedback);
        return output(attempt < 3 ? 0.6 : last);
      },
      body: (made) => ({ ...about, output: { agent: 'reader', ...made } }),
    });
    return { ...result, feedbacks };
  };
  const passed = await run(0.8);
  expect(passed).toMatchObject({
    state: 'passed',
    accepted: true,
    verification: { verdict: 'PASS', retries: { used: 2, budget: 2 } },
  });
  expect(passed.attempts.map(({ verification }) => verification?.verdict)).toEqual([
    'RETRY',
    'RETRY',
    'PASS',
  ]);
  expect(passed.feedbacks[0]).toBeNull();
  expect(passed.feedbacks[1]).toMatch(/^PREVIOUS ATTEMPT FEEDBACK:/);
  const failed = await run(0.6);
  expect(failed).toMatchObject({
    state: 'failed',
    accepted: false,
    verification: { verdict: 'FAIL' },
  });
  expect(failed.warning).not.toBeNull();
  const traces = await stack.sql<{ trace_id: string; n: number }[]>`
    select trace_id, count(*)::int as n from verdicts where kind = 'agent-output' group by trace_id`;
  expect(traces.toSorted((a, b) => a.trace_id.localeCompare(b.trace_id))).toEqual(
    [passed, failed]
      .map(({ traceId }) => ({ trace_id: traceId, n: 3 }))
      .toSorted((a, b) => a.trace_id.localeCompare(b.trace_id)),
  );
});

test('SOAR-18 SOAR-20 subgoals in their order: another agent for a retry, a warning for a part, an abort for a critical one', async () => {
  const subgoals = [
    { id: 'read', description: 'Find the missing index', agent: 'reader' },
    {
      id: 'write',
      description: 'Write the migration of the index',
      agent: 'writer',
      depends_on: ['read'],
      critical: true,
    },
    {
      id: 'tell',
      description: 'Tell the team of the index',
      agent: 'writer',
      depends_on: ['write'],
    },
  ];
  const partial = await assay.runSubgoals(
    { subgoals: subgoals.slice(0, 1) },
    (_, { agent }) => output(agent === 'reader' ? 0.6 : 0.9),
    {
      agentsAvailable: ['reader', 'writer'],
    },
  );
  expect(partial).toMatchObject({
    state: 'complete',
    results: [{ agent: 'writer', state: 'passed' }],
  });
  const aborted = await assay.runSubgoals({ subgoals }, ({ id }) => {
    if (id === 'write') throw new Error('no rights');
    return output(id === 'read' ? 0.3 : 0.9);
  });
  expect(aborted.state).toBe('aborted');
  expect(aborted.results.map(({ state }) => state)).toEqual(['failed', 'failed', 'skipped']);
  expect(aborted.results[0]?.checkpoint?.verification).toMatchObject({
    verdict: 'FAIL',
    agent_output: { next: 'partial_with_warning' },
  });
  expect(aborted.results[1]?.checkpoint).toMatchObject({
    attempts: { length: 3 },
    verification: { agent_output: { next: 'abort_query' } },
  });
  expect(aborted.warnings).toHaveLength(3);
});

test('the same attempt under the caller’s own id is found again, and a refusal by the server is reported', async () => {
  const once = () =>
    assay.checkpoint('agent-output', {
      id: 'own',
      generate: () => output(0.9),
      body: (made) => ({ ...about, output: made }),
    });
  expect((await once()).verification?.id).toBe((await once()).verification?.id);
  const other = await assay.checkpoint('agent-output', {
    id: 'own',
    generate: () => output(0.8),
    body: (made) => ({ ...about, output: made }),
  });
  expect(other).toMatchObject({
    state: 'unreachable',
    accepted: false,
    error: { code: 'conflict', status: 409 },
  });
  const refused = await assay.checkpoint('agent-output', {
    generate: () => output(0.9),
    body: () => ({ subgoal: 7 }),
  });
  expect(refused).toMatchObject({
    state: 'unreachable',
    accepted: false,
    error: { code: 'invalid_request', status: 400 },
  });
});
