import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import type { ProjectCtx } from '../../access';
import { deriveOutcome } from '../../domain';
import type { Runtime } from '../../runtime';
import type { PipelineFilters } from '../input';
import { storeSubject } from '../subjects/store-subject';
import { getPipeline } from './get-pipeline';
import { listPipelines } from './list-pipelines';

let runtime: Runtime;
let ctx: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  ctx = await createTestProject(runtime);
});

interface Call {
  readonly kind: 'decomposition' | 'agent-output' | 'synthesis';
  readonly subject: object;
  /** Undefined if not settled yet; null if it could not be decided. */
  readonly verdict?: string | null;
  readonly score?: number;
  readonly used?: number;
  readonly detail?: object;
  readonly trace?: string;
  readonly session?: string;
  readonly query?: string;
  readonly complexity?: 'SIMPLE' | 'CRITICAL';
  readonly workUsd?: number;
  readonly costUsd?: number;
}

let serial = 0;

/**
 * A call as the verify routes store it, and the verdict as a worker gives it. Returns the verdict's
 * id.
 */
async function verified(call: Call): Promise<string> {
  const [id, verdictId] = [`sub_${++serial}`, `ver_${serial}`];
  const [traceId, sessionId] = [call.trace ?? null, call.session ?? null];
  await storeSubject(
    ctx,
    {
      kind: call.kind,
      id,
      clientId: null,
      content: JSON.stringify({ subject: call.subject, facts: {} }),
      contentHash: id,
      missionId: null,
      taskId: null,
      sessionId,
      traceId,
      model: null,
      costUsd: call.workUsd ?? null,
      pipeline: { query: call.query ?? null, complexity: call.complexity ?? null },
    },
    { verdictId, verifier: call.kind, owner: null },
  );
  if (call.verdict === undefined) return verdictId;
  await runtime.ctx.sql`
    insert into verdicts (
      project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, trace_id, session_id, outcome, verdict, action,
      score, needs_human_review, decision_state, issues, retries_used, retries_budget, cost_usd, detail, excerpt, created_at)
    select project_id, id, subject_kind, subject_kind, 1, subject_kind, subject_id, 1, ${traceId}, ${sessionId},
      ${call.verdict === null ? 'inconclusive' : deriveOutcome(call.verdict)}, ${call.verdict}, 'none', ${call.score ?? null}, false, 'run',
      '[]', ${call.used ?? 0}, 2, ${call.costUsd ?? 0}, ${JSON.stringify(call.detail ?? {})}::text::jsonb, '', created_at
    from work where project_id = ${ctx.projectId} and id = ${verdictId}`;
  await runtime.ctx.sql`delete from work where project_id = ${ctx.projectId} and id = ${verdictId}`;
  return verdictId;
}

const plan = (...subgoals: object[]) => ({
  decomposition: { goal: 'g', subgoals, execution_order: [] },
});
const output = (id: string, agent: string, summary = 's') => ({
  subgoal: { id, description: `do ${id}`, critical: id === 'a' },
  output: { agent, summary, data: { rows: 1 }, confidence: 0.9, tools_used: ['search'] },
});
const of = (id: string) => ({ subgoal: { id } });
const list = async (filters: PipelineFilters = {}) => (await listPipelines(ctx, filters)).items;
const ids = async (filters: PipelineFilters) => (await list(filters)).map(({ id }) => id);

test('SOAR-1 calls of one trace are one pipeline; no later call removes the request of an earlier one', async () => {
  await verified({
    kind: 'decomposition',
    subject: plan(),
    verdict: 'PASS',
    trace: 'tr',
    session: 'se',
    query: 'Why \u0000?',
    complexity: 'CRITICAL',
  });
  await verified({
    kind: 'agent-output',
    subject: output('a', 'sql'),
    verdict: 'PASS',
    trace: 'tr',
  });
  await verified({
    kind: 'synthesis',
    subject: { answer: 'x' },
    verdict: 'PASS',
    trace: 'tr',
    query: `${'é😀'.repeat(1500)}`,
  });
  await verified({
    kind: 'agent-output',
    subject: output('a', 'sql'),
    verdict: 'PASS',
    session: 'se',
  });
  await verified({ kind: 'agent-output', subject: output('a', 'sql'), verdict: 'PASS' });
  const [ofSession, ofTrace, ...others] = await list();
  expect(others).toEqual([]);
  expect(ofSession).toMatchObject({ id: 'se', query: null, complexity: null });
  expect(ofTrace).toMatchObject({
    id: 'tr',
    query: 'é😀'.repeat(1000),
    complexity: 'CRITICAL',
    origin: 'checkpoints',
  });
  expect(ofTrace?.checkpoints.map(({ kind, attempts }) => [kind, attempts])).toEqual([
    ['decomposition', 1],
    ['agent-output', 1],
    ['synthesis', 1],
  ]);
  expect(await getPipeline(ctx, 'tr')).toMatchObject({ traceId: 'tr', sessionId: 'se' });
});

test('SOAR-1 a query of NUL and lone surrogates is stored as far as possible', async () => {
  await verified({ kind: 'decomposition', subject: plan(), trace: 'tr', query: 'a\u0000b\ud800c' });
  expect((await list())[0]?.query).toBe('a␀b�c');
});

test('SOAR-8 attempts are counted by checkpoint, and its state is that of the latest of each subgoal', async () => {
  await verified({
    kind: 'agent-output',
    subject: output('a', 'sql'),
    verdict: 'RETRY',
    trace: 'tr',
    detail: of('a'),
  });
  await verified({
    kind: 'agent-output',
    subject: output('a', 'web'),
    verdict: 'PASS',
    used: 1,
    trace: 'tr',
    detail: of('a'),
  });
  await verified({
    kind: 'agent-output',
    subject: output('b', 'sql'),
    verdict: 'FAIL',
    trace: 'tr',
    detail: of('b'),
  });
  await verified({ kind: 'agent-output', subject: output('c', 'sql'), verdict: null, trace: 'tr' });
  await verified({ kind: 'agent-output', subject: output('c', 'sql'), trace: 'tr' });
  const [row] = await list();
  expect(row?.checkpoints).toEqual([
    {
      kind: 'agent-output',
      attempts: 5,
      steps: 3,
      pass: 1,
      retry: 0,
      fail: 1,
      undecided: 0,
      pending: 1,
    },
  ]);
  const { outputs } = await getPipeline(ctx, 'tr');
  expect(
    outputs.map(({ subgoal, attempts }) => [
      subgoal.id,
      subgoal.critical,
      attempts.map(({ agent, verdict }) => [agent, verdict]),
    ]),
  ).toEqual([
    [
      'a',
      true,
      [
        ['sql', 'RETRY'],
        ['web', 'PASS'],
      ],
    ],
    ['b', false, [['sql', 'FAIL']]],
    [
      'c',
      false,
      [
        ['sql', null],
        ['sql', null],
      ],
    ],
  ]);
  expect(outputs[2]?.attempts.map(({ state, outcome }) => [state, outcome])).toEqual([
    ['settled', 'inconclusive'],
    ['pending', null],
  ]);
  expect(outputs[0]?.attempts[1]).toMatchObject({
    summary: 's',
    data: '{"rows":1}',
    toolsUsed: ['search'],
    retries: { used: 1, budget: 2 },
  });
});

test('SOAR-12 each attempt lists its changes since the previous one, and none for a new request', async () => {
  const [a, b] = [
    { id: 'a', description: 'x', agent: 'sql' },
    { id: 'b', description: 'y', agent: 'nobody', depends_on: ['a'] },
  ];
  const detail = {
    option: 'self',
    scores: { routability: 0.5, completeness: 0.6, consistency: 0.7, groundedness: 0.8 },
    stated_overall: 0.9,
    stated_verdict: 'PASS',
    suggestions: ['say more'],
    error: 'not enough',
  };
  const common = { kind: 'decomposition', session: 'se', query: 'Q' } as const;
  await verified({ ...common, subject: plan(a, b), verdict: 'RETRY', score: 0.64, detail });
  await verified({
    ...common,
    subject: plan({ ...a, agent: 'web' }, { id: 'c', description: 'z', agent: 'web' }),
    verdict: 'PASS',
    used: 1,
  });
  await verified({ ...common, subject: plan(a), verdict: 'PASS' });
  const { decompositions } = await getPipeline(ctx, 'se');
  expect(decompositions[0]).toMatchObject({
    score: 0.64,
    reason: 'not enough',
    scores: [
      ['completeness', 0.6],
      ['consistency', 0.7],
      ['groundedness', 0.8],
      ['routability', 0.5],
    ],
    stated: { overall: 0.9, verdict: 'PASS' },
    suggestions: ['say more'],
  });
  expect(decompositions.map(({ decomposition }) => decomposition?.changes)).toEqual([
    null,
    {
      added: 1,
      altered: 1,
      removed: [{ id: 'b', description: 'y', agent: 'nobody', dependsOn: ['a'] }],
      removedCount: 1,
    },
    null,
  ]);
  expect(
    decompositions[1]?.decomposition?.subgoals.map(({ id, change, fields }) => [
      id,
      change,
      fields,
    ]),
  ).toEqual([
    ['a', 'altered', ['agent']],
    ['c', 'added', []],
  ]);
});

test('SOAR-22 syntheses list unsupported claims, changes of the text, and their replacement', async () => {
  const claims = [
    { text: 'It rose.', state: 'supported', reason: null },
    { text: 'It fell.', state: 'unsupported', reason: 'no output says so' },
  ];
  const common = { kind: 'synthesis', trace: 'tr' } as const;
  await verified({
    ...common,
    subject: { answer: 'It rose. It fell.' },
    verdict: 'RETRY',
    detail: { traceability: 0.5, claims },
  });
  await verified({
    ...common,
    subject: { answer: 'It rose. By 5 %.' },
    verdict: 'FAIL',
    used: 2,
    detail: {
      traceability: null,
      claims: [],
      fallback: { warning: 'Not verified.', reason: 'Retries are used up.', agent_outputs: [] },
    },
  });
  const [warning, error] = ['Not verified.', 'Retries are used up.'];
  await verified({
    ...common,
    subject: { answer: 'It rose. By 6 %.' },
    verdict: 'FAIL',
    used: 2,
    detail: {
      traceability: null,
      claims: [],
      warning,
      error,
      fallback: { warning, reason: error, agent_outputs: [] },
    },
  });
  const { syntheses } = await getPipeline(ctx, 'tr');
  expect(syntheses[0]).toMatchObject({
    traceability: 0.5,
    claims: { supported: 1, all: 2 },
    unsupported: [{ text: 'It fell.', undecided: false, reason: 'no output says so' }],
    changes: null,
    fallback: null,
  });
  expect(syntheses[1]).toMatchObject({
    traceability: null,
    fallback: 'Not verified. Retries are used up.',
  });
  // Each is listed once.
  expect(syntheses[2]).toMatchObject({ warning, reason: error, fallback: '' });
  expect(syntheses[1]?.changes).toEqual([
    { text: 'It rose. ', state: 'same' },
    { text: 'It fell.', state: 'removed' },
    { text: 'By 5 %.', state: 'added' },
  ]);
});

test.each([
  ['nothing', {}],
  ['no subgoals', { decomposition: { goal: 1, subgoals: 'none', execution_order: null } }],
  [
    'subgoals that are none',
    { decomposition: { subgoals: [null, 5, { id: 7, depends_on: 'a' }] } },
  ],
  ['an output that is a text', { subgoal: null, output: 'done', answer: 5 }],
])('SOAR-14 a subject that is faulty in every part is still shown: %s', async (_, subject) => {
  for (const kind of ['decomposition', 'agent-output', 'synthesis'] as const)
    await verified({
      kind,
      subject,
      verdict: 'FAIL',
      trace: 'tr',
      detail: { scores: 'x', claims: 5, format_errors: null },
    });
  const { decompositions, outputs, syntheses } = await getPipeline(ctx, 'tr');
  expect([decompositions.length, outputs[0]?.attempts.length, syntheses.length]).toEqual([1, 1, 1]);
});

test('the outcome that was reported last counts, on the trace or the session of the pipeline', async () => {
  const report = (id: string, subjectId: string, success: boolean | null, minutes: number) =>
    runtime.ctx.sql`
      insert into labels (project_id, id, kind, subject_id, success, value, content_hash, created_by, created_at)
      values (${ctx.projectId}, ${id}, 'outcome', ${subjectId}, ${success}, 'seen', '', 'ci', now() + ${minutes} * interval '1 minute')`;
  for (const trace of ['t1', 't2', 't3'])
    await verified({
      kind: 'synthesis',
      subject: {},
      verdict: 'PASS',
      trace,
      session: `s-${trace}`,
    });
  await report('l1', 't1', true, 0);
  await report('l2', 's-t1', false, 1);
  await report('l3', 't1', null, 2);
  await report('l4', 's-t2', true, 0);
  expect(await ids({ outcome: 'failed' })).toEqual(['t1']);
  expect(await ids({ outcome: 'succeeded' })).toEqual(['t2']);
  expect(await ids({ outcome: 'unknown' })).toEqual(['t3']);
  expect((await getPipeline(ctx, 't1')).reported).toMatchObject({
    succeeded: false,
    by: 'ci',
    value: 'seen',
  });
});

test('X-11 the cost of verifying is shown next to the cost of the work, as far as known', async () => {
  const common = { kind: 'synthesis', subject: {}, trace: 'tr' } as const;
  await verified({ ...common, verdict: 'RETRY', costUsd: 0.01, workUsd: 0.2 });
  await verified({ ...common, verdict: 'PASS', used: 1, costUsd: 0.02 });
  const cost = {
    verifyingUsd: expect.closeTo(0.03),
    priceUnknown: false,
    workUsd: 0.2,
    costed: 1,
    attempts: 2,
  };
  expect((await list())[0]?.cost).toEqual(cost);
  expect((await getPipeline(ctx, 'tr')).cost).toEqual(cost);
  await verified({ ...common, trace: 'other', verdict: 'PASS' });
  expect((await getPipeline(ctx, 'other')).cost).toMatchObject({ workUsd: null, costed: 0 });
});

test('the list has pages with each pipeline once, and filters by the last result of a checkpoint', async () => {
  for (let at = 0; at < 7; at++)
    await verified({
      kind: 'synthesis',
      subject: {},
      verdict: at < 2 ? 'RETRY' : 'PASS',
      trace: `t${at}`,
    });
  await verified({ kind: 'synthesis', subject: {}, verdict: 'PASS', used: 1, trace: 't0' });
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listPipelines(ctx, { limit: 3, ...(cursor !== undefined && { cursor }) });
    seen.push(...page.items.map(({ id }) => id));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(['t0', 't6', 't5', 't4', 't3', 't2', 't1']);
  expect(await ids({ verdict: 'RETRY' })).toEqual(['t1']);
  expect(await ids({ verdict: 'PASS', outcome: 'unknown', limit: 2 })).toEqual(['t0', 't6']);
  expect(await ids({ verdict: 'FAIL' })).toEqual([]);
});
