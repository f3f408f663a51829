import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createKey } from '../server/access';
import { startEdge, startWorker } from '../testing/processes';
import { createStack, long, type Stack } from '../testing/stack';
import { until } from '../testing/until';
import { findFreePort } from '../scripts/postgres.mjs';
import { type CallApi, createApi } from './call-api.mjs';
import { runDemo } from './run-demo.mjs';

/**
 * The four weeks of `npm run demo`, shortened except for its tasks, in a simulated project. The
 * file in the data folder enables the simulated judge.
 */

let stack: Stack;
let dataDir = '';
let demo: Awaited<ReturnType<typeof runDemo>>;
let call: CallApi;
const lines: string[] = [];
/**
 * Thresholds are suggested only from 100 labelled verdicts on, so the long form tests that part.
 */
const taskCount = long ? 150 : 72;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'assay-demo-'));
  stack = await createStack(inject('databaseUrl'), { ASSAY_DATA_DIR: dataDir });
  await stack.sql`update projects set simulated = true`;
  const { key } = await createKey(stack.project, {
    name: 'demo',
    scopes: ['ingest', 'verify', 'read', 'write', 'gateway', 'impersonate'],
  });
  const { url } = await startEdge(stack.variables);
  call = createApi({ url, key });
  await startWorker(stack.variables);
  const counts = { turns: 80, traces: 2, tasks: taskCount, plans: 2, talks: 2, seed: 7 };
  const judgePort = await findFreePort();
  demo = await runDemo({
    url,
    key,
    ...counts,
    simulated: true,
    experiment: true,
    dataDir,
    judgePort,
    run: 'test',
    print: (line) => lines.push(line),
  });
});

afterAll(async () => {
  await stack.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('work of four weeks is sent at once, and every verdict counts under the day of its work', async () => {
  const [span] = await stack.sql<{ days: number; weeks: number; apart: number }[]>`
    select count(distinct (settled_at at time zone 'UTC')::date)::int as days, count(distinct date_trunc('week', settled_at))::int as weeks,
      count(*) filter (where settled_at - created_at > interval '10 minutes')::int as apart
    from verdicts where kind <> 'turn'`;
  expect(span?.days).toBeGreaterThan(20);
  expect(span?.weeks).toBeGreaterThanOrEqual(4);
  expect(span?.apart).toBe(0);
  const off = await stack.sql`
    select day from verdict_rollups where verifier_slug = 'integrity' group by day having sum(passed + failed + inconclusive) <> (
      select count(*) from verdicts v where verifier_slug = 'integrity' and outcome in ('passed', 'failed', 'inconclusive') and experiment_id is null
        and (settled_at at time zone 'UTC')::date = day)`;
  expect([...off]).toEqual([]);
});

test('reviewers label within the weeks; two of them see neither the verdict nor each other, and the lead decides where they disagree', async () => {
  const labels = await stack.sql<{ blind: boolean; rater: string; late: boolean; n: number }[]>`
    select blind, rater, l.created_at < v.created_at or l.created_at > now() as late, count(*)::int as n from labels l
    join verdicts v on v.project_id = l.project_id and v.id = l.verdict_id where l.kind = 'override' group by 1, 2, 3`;
  expect(labels.filter(({ late }) => late)).toEqual([]);
  const [ada, ben] = ['Ada (scripted)', 'Ben (scripted)'].map(
    (rater) => labels.find((each) => each.blind && each.rater === rater)?.n ?? 0,
  );
  expect(ada).toBeGreaterThan(0);
  expect(ben).toBe(ada);
});

test('the simulated judge may be called only while it runs, and is distinguished by its name', async () => {
  expect(demo.tasks).toHaveLength(taskCount);
  expect(demo.tasks?.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([]);
  expect(existsSync(join(dataDir, 'outbound-allow'))).toBe(false);
  const judges = await stack.sql<
    { judge_model: string }[]
  >`select distinct judge_model from verdicts where judge_calls > 0 and kind <> 'turn'`;
  expect(judges.map((row) => row.judge_model)).toEqual(['simulated/judge-1']);
});

test('QV-1 QV-26 conversations go through the gateway, and rash answers are steered', async () => {
  expect(demo.talks).toHaveLength(12);
  const looked = demo.talks.filter(({ verdict }) => verdict !== 'not_verified');
  expect(looked).toHaveLength(4);
  expect(
    looked.filter(({ verdict }) => !['passed', 'steered', 'flagged'].includes(verdict)),
  ).toEqual([]);
  const count = async () => {
    const [row] = await stack.sql<
      { n: number }[]
    >`select count(*)::int as n from verdicts where kind = 'turn' and outcome in ('passed', 'steered', 'failed', 'needs_review')`;
    return row?.n === 4 ? true : null;
  };
  await until('the alert checks are stored', count);
});

test('the quality lead moves a threshold and edits a prompt; both are reported, and dated now', async () => {
  const [value] = await stack.sql<{ value: number; recent: boolean }[]>`
    select value, created_at > now() - interval '5 minutes' as recent from thresholds where verifier = 'task' order by version desc limit 1`;
  expect(value).toEqual({ value: 0.8, recent: true });
  const text = lines.join('\n');
  expect(text).toContain('halfway through, dated today: task-rubric: version 1 runs');
  expect(text).toMatch(/was replaced by a worse model on \d{4}-\d\d-\d\d/);
  expect(text).toMatch(/ {2}integrity +\d+ of \d+/);
});

test('failed answers with rulings become a dataset, which the prompt in production and a candidate answer', async () => {
  const { compared, project } = demo;
  const ids = new URL(compared?.url ?? '').searchParams.get('ids')?.split(',') ?? [];
  expect(compared?.url).toMatch(new RegExp(`^${project ?? ''}/experiments/compare\\?ids=exp_`));
  expect(compared?.items).toBeGreaterThan(3);
  const items = await stack.sql<{ reference: { verifier: string } }[]>`
    select content::jsonb->'reference' as reference from dataset_items i
    join turns t on t.project_id = i.project_id and t.id = i.turn_id`;
  expect(items).toHaveLength(compared?.items ?? 0);
  expect(new Set(items.map(({ reference }) => reference.verifier))).toEqual(new Set(['integrity']));
  const runs = await stack.sql<{ id: string; prompt: string; baseline_id: string | null }[]>`
    select id, target->>'prompt' as prompt, baseline_id from experiments where state = 'done' order by created_at`;
  expect([...runs]).toEqual([
    { id: ids[0], prompt: 'ops-answer@1', baseline_id: null },
    { id: ids[1], prompt: 'ops-answer@2', baseline_id: ids[0] },
  ]);
  const [left] = await stack.sql<{ n: number }[]>`
    select count(*)::int as n from experiment_rows where state <> 'answered'`;
  expect(left?.n).toBe(0);
});

test('the trial of a candidate of the judge prompt has a finding, and the candidate is not promoted', async () => {
  expect(lines.join('\n')).toMatch(
    /Prompt trial {5}task-rubric@2 on \d+ held-out labelled tasks: (?:not worse than|too little data)/,
  );
  expect(await call('/v1/prompts/task-rubric')).toMatchObject({
    production_version: 1,
    latest_version: 2,
  });
});

test(`SOAR-33 SOAR-34 moving pass_threshold of task by 0.1 flips verdicts and moves both rates${long ? ', and history suggests a value' : ''}`, async () => {
  const simulation = (await call('/v1/thresholds/task/pass_threshold/simulate', {
    values: [0.7, 0.9],
    sample: 0,
  })) as unknown as Simulation;
  expect(simulation.current).toBe(0.8);
  expect(simulation.labelled).toBeGreaterThanOrEqual(long ? 110 : 50);
  expect(simulation.bad).toBeGreaterThanOrEqual(long ? 20 : 5);
  for (const { value, flips } of simulation.values)
    expect(flips.total, String(value)).toBeGreaterThan(0);
  for (const rate of ['catch_rate', 'false_rejection_rate'] as const) {
    const moved = simulation.values.filter(
      (each) => each[rate].denominator !== simulation.base[rate].denominator,
    );
    // In the short form, possibly none of the few bad tasks lies between two of the thresholds.
    expect(moved.length, rate).toBeGreaterThanOrEqual(long ? simulation.values.length : 1);
  }
  if (!long) return;
  expect(simulation.suggestions).toContainEqual(
    expect.objectContaining({ rule: 'false_negatives', direction: 'raise' }),
  );
});

interface SimulatedValue {
  readonly value: number;
  readonly flips: { readonly total: number };
  readonly catch_rate: { readonly denominator: number };
  readonly false_rejection_rate: { readonly denominator: number };
}

interface Simulation {
  readonly current: number;
  readonly labelled: number;
  readonly bad: number;
  readonly base: SimulatedValue;
  readonly values: readonly SimulatedValue[];
  readonly suggestions: readonly {
    readonly rule: string;
    readonly value: number | null;
    readonly direction: string;
  }[];
}
