import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { reportFigure } from '../../../testing/figures';
import { long } from '../../../testing/stack';
import type { ProjectCtx } from '../../access';
import { deriveOutcome, wilson } from '../../domain';
import type { Runtime } from '../../runtime';
import { getPipeline } from './get-pipeline';
import { listPipelines } from './list-pipelines';
import { summariseCheckpoints } from './summarise-checkpoints';

let runtime: Runtime;
let ctx: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  ctx = await createTestProject(runtime);
});

interface Verdict {
  readonly kind?: string;
  readonly verdict: string | null;
  readonly score?: number;
  readonly used?: number;
  readonly trace?: string;
  readonly session?: string;
  readonly subgoal?: string;
  readonly complexity?: string;
  readonly self?: boolean;
  readonly issues?: readonly string[];
  readonly costUsd?: number;
  readonly workUsd?: number;
  readonly daysAgo?: number;
}

let serial = 0;

async function store(...verdicts: readonly Verdict[]): Promise<void> {
  const { sql } = runtime.ctx;
  for (const each of verdicts) {
    const id = `v${++serial}`;
    const kind = each.kind ?? 'decomposition';
    const issues = (each.issues ?? []).map((code) => ({
      code,
      message: code,
      severity: 'high',
      path: null,
    }));
    const detail = {
      complexity: each.complexity ?? 'MEDIUM',
      ...(each.subgoal !== undefined && { subgoal: { id: each.subgoal } }),
    };
    await sql`
      insert into subjects (project_id, kind, id, content, content_hash, trace_id, cost_usd)
      values (${ctx.projectId}, ${kind}, ${id}, '{}', ${id}, ${each.trace ?? null}, ${each.workUsd ?? null})`;
    await sql`
      insert into verdicts (
        project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, trace_id, session_id, outcome, verdict, action, score,
        needs_human_review, decision_state, issues, retries_used, retries_budget, cost_usd, cross_model, detail, excerpt, created_at, settled_at)
      select ${ctx.projectId}, ${id}, ${kind}, ${kind}, 1, ${kind}, ${id}, 1, ${each.trace ?? null}, ${each.session ?? null},
        ${each.verdict === null ? 'inconclusive' : deriveOutcome(each.verdict)}, ${each.verdict}, 'none', ${each.score ?? null}, false, 'run',
        ${JSON.stringify(issues)}::text::jsonb, ${each.used ?? 0}, 2, ${each.costUsd ?? 0}, ${each.self === true ? 'self' : null},
        ${JSON.stringify(detail)}::text::jsonb, '', at, at
      from (select now() - ${each.daysAgo ?? 0} * interval '1 day' - interval '1 minute' + ${serial} * interval '1 millisecond' as at) as t`;
  }
}

test('calibration.md 5.1 verdicts of one session that all agree widen the intervals of splits and retries', async () => {
  // 30 sessions of 3 that pass or fail as a whole.
  const planted = Array.from({ length: 90 }, (_, n) => {
    const session = Math.floor(n / 3);
    return { verdict: session % 3 === 0 ? 'RETRY' : 'PASS', used: 1, session: `s${session}` };
  });
  await store(...planted);
  const { retries, byCheckpoint } = await summariseCheckpoints(ctx, { days: 7 });
  const weight = 29 / 30 / 3;
  const { low, high } = wilson(60 * weight, 90 * weight);
  const bounds = { low: expect.closeTo(low, 9) as number, high: expect.closeTo(high, 9) as number };
  expect(retries.success).toMatchObject({ numerator: 60, denominator: 90, ...bounds });
  const own = byCheckpoint.find(({ kind }) => kind === 'decomposition');
  expect(own?.retrySuccess).toMatchObject({ numerator: 60, denominator: 90, ...bounds });
  expect(own).toMatchObject({ pass: 60, retry: 30 });
  expect(own?.weights.pass).toBeCloseTo(weight, 9);
  expect(own?.weights.retry).toBeCloseTo(weight, 9);
});

const counts = ({ numerator, denominator }: { numerator: number; denominator: number }) =>
  `${numerator}/${denominator}`;

test('X-12 without a verdict every rate and average is no data', async () => {
  const { byComplexity, byCheckpoint, byIssue, retries } = await summariseCheckpoints(ctx, {
    days: 30,
  });
  expect(byComplexity.map(({ complexity, others, self }) => [complexity, others, self])).toEqual(
    ['SIMPLE', 'MEDIUM', 'COMPLEX', 'CRITICAL'].map((name) => [
      name,
      { average: null, n: 0 },
      { average: null, n: 0 },
    ]),
  );
  for (const { retrySuccess, cost, ...split } of byCheckpoint) {
    expect(split).toMatchObject({ pass: 0, retry: 0, fail: 0, undecided: 0 });
    expect([retrySuccess.state, retrySuccess.value, cost.share]).toEqual(['no_data', null, null]);
  }
  expect([byIssue, retries.success.state, retries.unlinked]).toEqual([[], 'no_data', 0]);
});

test('SOAR-32 X-2 X-3 the average score by complexity: the planner’s own judgement separate, undecided ones left out', async () => {
  await store(
    { verdict: 'PASS', score: 0.96 },
    { verdict: 'RETRY', score: 0.68 },
    { verdict: null },
    { verdict: null, score: 0 },
    { verdict: 'PASS', score: 0.9, self: true },
    { verdict: 'FAIL', score: 0.4, complexity: 'CRITICAL' },
    { verdict: 'PASS', score: 1, daysAgo: 8 },
    { kind: 'synthesis', verdict: 'PASS', score: 0.1 },
  );
  const { byComplexity } = await summariseCheckpoints(ctx, { days: 7 });
  const none = { average: null, n: 0 };
  expect(byComplexity).toEqual([
    { complexity: 'SIMPLE', others: none, self: none },
    {
      complexity: 'MEDIUM',
      others: { average: expect.closeTo(0.82), n: 2 },
      self: { average: expect.closeTo(0.9), n: 1 },
    },
    { complexity: 'COMPLEX', others: none, self: none },
    { complexity: 'CRITICAL', others: { average: expect.closeTo(0.4), n: 1 }, self: none },
  ]);
});

test('SOAR-32 X-3 the split of each checkpoint into PASS, RETRY and FAIL; undecided ones are counted separately', async () => {
  await store(
    { verdict: 'PASS' },
    { verdict: 'RETRY' },
    { verdict: 'RETRY' },
    { verdict: 'FAIL' },
    { verdict: null },
    { kind: 'agent-output', verdict: 'PASS' },
    { kind: 'task', verdict: 'pass' },
  );
  const { byCheckpoint } = await summariseCheckpoints(ctx, { days: 1 });
  expect(
    byCheckpoint.map(({ kind, pass, retry, fail, undecided }) => [
      kind,
      pass,
      retry,
      fail,
      undecided,
    ]),
  ).toEqual([
    ['decomposition', 1, 2, 1, 1],
    ['agent-output', 1, 0, 0, 0],
    ['synthesis', 0, 0, 0, 0],
  ]);
});

test('SOAR-30 SOAR-32 retries count, not queries, under each issue of the previous attempt in their checkpoint and subgoal', async () => {
  await store(
    // Two retries of which the second passes.
    {
      verdict: 'RETRY',
      trace: 'a',
      issues: ['unknown_agent', 'unknown_agent', 'empty_description', 'overall_corrected'],
    },
    { verdict: 'RETRY', trace: 'a', used: 1, issues: ['unknown_agent'] },
    { verdict: 'PASS', trace: 'a', used: 2 },
    // An undecided verdict is not a retry, and its issues are not attributed to the next one.
    { verdict: 'RETRY', trace: 'b', issues: ['cycle'] },
    { verdict: null, trace: 'b', used: 1, issues: ['judge_down'] },
    { verdict: 'PASS', trace: 'b', used: 1 },
    // Subgoals of one pipeline are independent.
    { kind: 'agent-output', verdict: 'RETRY', trace: 'c', subgoal: 's1', issues: ['confidence'] },
    { kind: 'agent-output', verdict: 'RETRY', trace: 'c', subgoal: 's2', issues: ['format'] },
    { kind: 'agent-output', verdict: 'FAIL', trace: 'c', subgoal: 's1', used: 1 },
    // For a retry outside a pipeline the previous attempt is unknown.
    { verdict: 'PASS', used: 1 },
    // Issues of the judging are not faults of the work.
    {
      kind: 'synthesis',
      verdict: 'RETRY',
      trace: 'd',
      issues: ['undecided_claims', 'judge_related', 'no_judge', 'more_issues'],
    },
    { kind: 'synthesis', verdict: 'PASS', trace: 'd', used: 1 },
  );
  const { byCheckpoint, byIssue, retries } = await summariseCheckpoints(ctx, { days: 1 });
  expect(byCheckpoint.map(({ kind, retrySuccess }) => [kind, counts(retrySuccess)])).toEqual([
    ['decomposition', '3/4'],
    ['agent-output', '0/1'],
    ['synthesis', '1/1'],
  ]);
  expect([counts(retries.success), retries.unlinked]).toEqual(['4/6', 1]);
  expect(byIssue.map(({ kind, code, success }) => [kind, code, counts(success)])).toEqual([
    ['decomposition', 'unknown_agent', '1/2'],
    ['synthesis', null, '1/1'],
    ['agent-output', 'confidence', '0/1'],
    ['decomposition', 'cycle', '1/1'],
    ['decomposition', 'empty_description', '0/1'],
  ]);
});

test('SOAR-32 X-11 the cost of verifying compared with the work, for work with a known cost', async () => {
  await store(
    { verdict: 'PASS', costUsd: 0.01, workUsd: 0.1 },
    { verdict: null, costUsd: 0.01, workUsd: 0.3 },
    { verdict: 'PASS', costUsd: 0.5 },
    { kind: 'synthesis', verdict: 'PASS', costUsd: 0.1, workUsd: 0 },
  );
  const { byCheckpoint } = await summariseCheckpoints(ctx, { days: 1 });
  const [decomposition, , synthesis] = byCheckpoint.map(({ cost }) => cost);
  expect(decomposition).toEqual({
    verdicts: 3,
    verifyingUsd: expect.closeTo(0.52),
    unpriced: 0,
    costed: 2,
    workUsd: expect.closeTo(0.4),
    verifyingCostedUsd: expect.closeTo(0.02),
    share: expect.closeTo(0.05),
  });
  expect(synthesis).toMatchObject({ costed: 1, workUsd: 0, share: null });
});

test('S-2 it contains nothing of another project', async () => {
  await store({ verdict: 'PASS', score: 1, trace: 'a' }, { verdict: 'PASS', used: 1, trace: 'a' });
  const other = await createTestProject(runtime);
  const { byComplexity, byIssue, retries } = await summariseCheckpoints(other, { days: 30 });
  expect([byComplexity.map(({ others }) => others.n), byIssue, retries.success.state]).toEqual([
    [0, 0, 0, 0],
    [],
    'no_data',
  ]);
  expect(await listPipelines(other, {})).toEqual({ items: [], nextCursor: null });
});

/**
 * The duration of each read is reported, not asserted, since it depends on the load of the machine.
 */
const many = long ? 100_000 : 20_000;
const pipelines = Math.ceil(many / 12);
test(`with ${many} verdicts the pages and the views of a month are read`, async () => {
  const { sql } = runtime.ctx;
  const of = ctx.projectId;
  const kind = `(array['decomposition', 'agent-output', 'synthesis', 'integrity', 'integrity', 'integrity'])[1 + i % 6]`;
  const common = `'${of}' as project_id, i, ${kind} as kind, 'p' || (i / 12) as trace, now() - (${many} - i) * interval '1 minute' as at`;
  const rowsOf = (from: number, to: number): string =>
    `select ${common} from generate_series(${from}, ${to}) as i`;
  const rows = rowsOf(1, many);
  await sql.unsafe(`
    insert into subjects (project_id, kind, id, content, content_hash, trace_id, cost_usd, created_at)
    select project_id, kind, 's' || i, '{}', 's' || i, trace, 0.1, at from (${rows}) as t where kind <> 'integrity'`);
  for (let from = 1; from < many; from += 10_000)
    await sql.unsafe(`
    insert into verdicts (
      project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, trace_id, outcome, verdict, action, score,
      needs_human_review, decision_state, issues, retries_used, retries_budget, cost_usd, detail, excerpt, created_at, settled_at)
    select project_id, 'w' || i, kind, kind, 1, kind, 's' || i, 1, trace, 'passed', 'PASS', 'none', 0.8, false, 'run',
      '[{"code":"cycle"}]', i % 3, 2, 0.01, '{"complexity":"MEDIUM"}', '', at, at from (${rowsOf(from, from + 9_999)}) as t`);
  await sql.unsafe(`
    insert into pipelines (project_id, id, query, trace_id, origin, started_at, last_at)
    select '${of}', 'p' || i, 'q', 'p' || i, 'checkpoints', now() - (${pipelines} - i) * interval '12 minutes', now() - (${pipelines} - i) * interval '12 minutes'
    from generate_series(0, ${pipelines - 1}) as i`);
  await sql.unsafe(`
    insert into labels (project_id, id, kind, subject_id, success, content_hash, created_by, created_at)
    select '${of}', 'l' || i, 'outcome', case when i % 10 = 0 then 'p' || (i / 12) else 't' || i end, i % 3 > 0, '', 'ci',
      now() - (${many} - i) * interval '1 minute'
    from generate_series(1, ${many}) as i`);
  await sql`analyze verdicts, subjects, pipelines, labels`;
  const timed = async <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const found = await read();
    reportFigure(name, { verdicts: many, ms: Math.round(performance.now() - started) });
    return found;
  };
  const middle = `p${Math.floor(pipelines / 2)}`;
  expect((await timed('all pipelines', () => listPipelines(ctx, {}))).items).not.toHaveLength(0);
  expect(
    (await timed('failed pipelines', () => listPipelines(ctx, { verdict: 'FAIL' }))).items,
  ).toEqual([]);
  expect(await timed('one pipeline', () => getPipeline(ctx, middle))).toMatchObject({
    traceId: middle,
  });
  const { byCheckpoint } = await timed('a month', () => summariseCheckpoints(ctx, { days: 30 }));
  expect(byCheckpoint).not.toHaveLength(0);
});
