// Results, comparison and gate of experiments (online.md 4), on stored rows and verdicts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect } from 'vitest';
import { createCaller, type Json, type Reply } from '../../../testing/call';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import { refreshLabelledVerdicts } from '../../measures';
import type { Runtime } from '../../runtime';

let runtime: Runtime;
let project: ProjectCtx;
let call: (path: string, body?: unknown) => Promise<Reply>;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  const { key } = await createKey(project, { name: 'k', scopes: ['verify', 'read'] });
  call = createCaller(runtime, key);
});

type Outcome = 'passed' | 'failed' | 'inconclusive' | 'skipped' | null;
interface Row {
  readonly item: string;
  readonly repetition?: number;
  readonly state?: string;
  readonly outcome?: Outcome | undefined;
  readonly score?: number | null;
  readonly cost?: number | null;
  readonly latency?: number;
  readonly error?: string;
}
interface Run {
  readonly id: string;
  readonly dataset?: string;
  readonly version?: number;
  readonly state?: string;
  readonly branch?: string;
  readonly repetitions?: number;
  readonly verifiers?: readonly string[];
  readonly rows: readonly Row[];
}

/** Stores a run; its verdicts are of the verifier `policy`. */
async function store(run: Run): Promise<void> {
  const { sql, projectId } = project;
  const { id, dataset = 'refunds', version = 1, branch = null, repetitions = 1 } = run;
  const verifiers = JSON.stringify(run.verifiers ?? ['policy']);
  await sql`
    insert into experiments (project_id, id, name, dataset_id, dataset_slug, dataset_version, repetitions, target, verifiers, concurrency, branch, job_id, state, created_by)
    select ${projectId}, ${id}, ${id}, ${`ds_${dataset}`}, ${dataset}, ${version}, ${repetitions}, '{"type":"outputs"}',
      array(select jsonb_array_elements_text(${verifiers}::text::jsonb)), 1, ${branch}, 'job', ${run.state ?? 'done'}, 'test'`;
  const rows = run.rows.map((row, ordinal) => ({
    ordinal,
    item: row.item,
    repetition: row.repetition ?? 0,
    state: row.state ?? 'answered',
    turn: row.state === undefined || row.state === 'answered' ? `${id}-${ordinal}` : null,
    outcome: row.outcome ?? null,
    score: row.score ?? null,
    cost: row.cost === undefined ? 0.01 : row.cost,
    latency: row.latency ?? 100,
    error: row.error ?? null,
  }));
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(ordinal int, item text, repetition int, state text, turn text, outcome text, score float8, cost float8, latency float8, error text)`;
  await sql`
    insert into experiment_rows (project_id, experiment_id, ordinal, item_id, repetition, state, turn_id, cost_usd, latency_ms, error)
    select ${projectId}, ${id}, ordinal, item, repetition, state, turn, cost, latency, error from ${given}`;
  await sql`
    insert into turns (project_id, id, content_hash, payload, flags, origin)
    select ${projectId}, turn, 'h', json_build_object('output', 'Answer to ' || item)::text, '{}', 'experiment' from ${given} where turn is not null`;
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, turn_id, experiment_id, outcome, action, score, needs_human_review, decision_state, issues, detail, excerpt, cost_usd, created_at)
    select ${projectId}, 'v-' || turn, 'turn', 'policy', 1, 'turn', turn, 1, turn, ${id}, outcome, 'none', score, false, 'run', '[]', '{}', '', 0.001, now()
    from ${given} where turn is not null and outcome is not null`;
}

const many = (count: number, row: (n: number) => Row): Row[] =>
  Array.from({ length: count }, (_, n) => row(n));
const item = (n: number): string => `i-${String(n).padStart(4, '0')}`;

async function ok(path: string, body?: unknown): Promise<Json> {
  const reply = await call(path, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

interface Compared {
  comparisons: Json[];
  slices: Json[] | null;
  items: { data: Json[]; next_cursor: string | null };
  experiments: Json[];
}
const compare = async (query: string): Promise<Compared> =>
  (await ok(`/v1/experiments/compare?${query}`)) as unknown as Compared;

describe('results', () => {
  test('undecided verdicts and missing ones are in no rate; the newest verdict counts', async () => {
    await store({
      id: 'exp_a',
      rows: [
        ...many(30, (n) => ({
          item: item(n),
          outcome: n < 24 ? 'passed' : 'failed',
          score: n < 24 ? 1 : 0,
        })),
        { item: 'x-1', outcome: 'inconclusive', score: 0.5 },
        { item: 'x-2', outcome: 'skipped' },
        { item: 'x-3', cost: null },
        { item: 'x-4', state: 'failed' },
        { item: 'x-5', state: 'lost' },
      ],
    });
    await project.sql`
      insert into verdicts select (jsonb_populate_record(v, '{"id":"old","verifier_version":2,"outcome":"failed"}'::jsonb || jsonb_build_object('settled_at', v.settled_at - interval '1 day'))).*
      from verdicts v where project_id = ${project.projectId} and id = 'v-exp_a-0'`;
    const body = await ok('/v1/experiments/exp_a');
    expect(body).toMatchObject({
      dataset: 'refunds@1',
      counts: {
        rows: 35,
        answered: 33,
        failed: 1,
        lost: 1,
        verdicts: 32,
        verdicts_expected: 33,
        unscored: 3,
      },
      results: [
        {
          verifier: 'policy',
          unscored: 3,
          pass_rate: { value: 0.8, numerator: 24, denominator: 30, state: 'on_target' },
          mean_score: { value: 0.8, numerator: 24, denominator: 30 },
          corrected_pass_rate: { value: null, state: 'no_data' },
        },
      ],
      cost_usd: { unknown: 1 },
      latency_ms: { p50: 100, p95: 100 },
      progress: { done: 35, total: 35, seconds_left: null },
    });
    expect(body.url).toContain(`/p/${project.projectSlug}/experiments/exp_a`);
  });

  test('repetitions of an item count as one where they agree', async () => {
    const rows = many(60, (n) => ({
      item: item(n % 20),
      repetition: Math.floor(n / 20),
      outcome: n % 20 < 10 ? ('passed' as const) : ('failed' as const),
    }));
    await store({ id: 'exp_r', repetitions: 3, rows });
    await store({ id: 'exp_s', rows: rows.slice(0, 20) });
    const rateOf = async (id: string) =>
      ((await ok(`/v1/experiments/${id}`)).results as { pass_rate: { low: number } }[])[0]
        ?.pass_rate.low ?? 0;
    expect(Math.abs((await rateOf('exp_r')) - (await rateOf('exp_s')))).toBeLessThan(0.01);
  });

  test('the list by filter, newest first, with a cursor', async () => {
    await store({ id: 'exp_a', branch: 'main', rows: [] });
    await store({ id: 'exp_b', version: 2, rows: [] });
    await store({ id: 'exp_c', dataset: 'other', state: 'running', rows: [] });
    const ids = async (query: string) =>
      ((await ok(`/v1/experiments?${query}`)).data as { id: string }[]).map(({ id }) => id);
    expect(await ids('')).toEqual(['exp_c', 'exp_b', 'exp_a']);
    expect(await ids('dataset=refunds')).toEqual(['exp_b', 'exp_a']);
    expect(await ids('dataset=refunds@2')).toEqual(['exp_b']);
    expect(await ids('branch=main')).toEqual(['exp_a']);
    const { sql, projectId } = project;
    await sql`
      update experiments set target = jsonb_build_object('type', 'prompt', 'prompt', case id when 'exp_a' then 'answer@1' else 'answer-2@1' end)
      where project_id = ${projectId}`;
    expect(await ids('prompt=answer')).toEqual(['exp_a']);
    expect(await ids('prompt=answer@1')).toEqual(['exp_a']);
    expect(await ids('prompt=answer@2')).toEqual([]);
    expect(await ids('state=running')).toEqual(['exp_c']);
    const first = await ok('/v1/experiments?limit=2');
    expect(await ids(`limit=2&cursor=${String(first.next_cursor)}`)).toEqual(['exp_a']);
    expect((await call('/v1/experiments?branches=main')).status).toBe(400);
  });
});

describe('comparison', () => {
  const baseline = many(100, (n) => ({
    item: item(n),
    outcome: n < 80 ? ('passed' as const) : ('failed' as const),
  }));
  /** 18 regressed, 7 improved: p 0.0433 (calibration.md 5.7). */
  const other = baseline.map((row, n) => ({
    ...row,
    outcome: n < 18 ? ('failed' as const) : n >= 80 && n < 87 ? ('passed' as const) : row.outcome,
    latency: 150,
  }));

  test('one repetition: McNemar, Newcombe, and items by disagreement', async () => {
    await store({ id: 'exp_a', rows: baseline });
    await store({ id: 'exp_b', rows: [...other, { item: 'new', outcome: 'passed' }] });
    const { comparisons, items, experiments } = await compare('ids=exp_a,exp_b&limit=20');
    expect(comparisons).toMatchObject([
      {
        verifier: 'policy',
        experiment: 'exp_b',
        test: 'mcnemar',
        difference: { value: expect.closeTo(-0.11, 10) as number },
        items: { improved: 7, regressed: 18, same: 75, unpaired: 1 },
        items_needed: { this_difference: expect.any(Number) as number },
      },
    ]);
    expect(comparisons[0]?.p).toBeCloseTo(0.0433, 4);
    expect(comparisons[0]?.p_adjusted).toBe(comparisons[0]?.p);
    expect(experiments[1]).toMatchObject({ latency_difference: { value: 50 } });
    const seen = [...items.data];
    let cursor = items.next_cursor;
    for (let turn = 0; cursor !== null; turn++) {
      const path = turn % 2 === 0 ? 'compare/items' : 'compare';
      const query = `ids=exp_a,exp_b&limit=50&cursor=${cursor}`;
      const body = await ok(`/v1/experiments/${path}?${query}`);
      const page = (turn % 2 === 0 ? body : body.items) as Compared['items'];
      seen.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(new Set(seen.map((each) => each.item_id)).size).toBe(101);
    expect(seen.map(({ change }) => change)).toEqual([
      ...many(18, () => ({ item: '' })).map(() => 'regressed'),
      ...many(7, () => ({ item: '' })).map(() => 'improved'),
      ...many(75, () => ({ item: '' })).map(() => 'same'),
      'unpaired',
    ]);
    expect(seen[0]).toMatchObject({
      item_id: item(0),
      runs: [
        { experiment: 'exp_a', outcome: 'passed', output: 'Answer to i-0000' },
        { experiment: 'exp_b', outcome: 'failed', verification_id: 'v-exp_b-0' },
      ],
    });
  });

  test('repetitions: the same answer each time; Holm over runs', async () => {
    const repeated = (id: string, passes: (n: number, repetition: number) => boolean) =>
      store({
        id,
        repetitions: 3,
        rows: many(180, (n) => ({
          item: item(n % 60),
          repetition: Math.floor(n / 60),
          outcome: passes(n % 60, Math.floor(n / 60)) ? 'passed' : 'failed',
          score: passes(n % 60, Math.floor(n / 60)) ? 0.9 : 0.2,
        })),
      });
    await repeated('exp_a', (n, repetition) => (n + repetition) % 2 === 0);
    await repeated('exp_b', (n) => n < 50);
    await repeated('exp_c', (n, repetition) => (n + repetition) % 2 === 0);
    const first = await compare('ids=exp_a,exp_b,exp_c');
    expect(await compare('ids=exp_a,exp_b,exp_c')).toEqual(first);
    const [better, same] = first.comparisons;
    expect(better).toMatchObject({ experiment: 'exp_b', test: 'bootstrap', score_difference: {} });
    expect(better?.p as number).toBeLessThan(0.001);
    expect(better?.p_adjusted).toBeCloseTo(2 * (better?.p as number), 12);
    expect(same).toMatchObject({ p: 1, p_adjusted: 1, difference: { value: 0 } });
  });

  test.each([
    ['ids=exp_a', 400],
    ['ids=exp_a,exp_a', 400],
    ['', 400],
    ['ids=exp_a,exp_b&cursor=x', 400],
    ['ids=exp_a,exp_b&slice=model', 400],
    ['ids=exp_a,none', 404],
    ['ids=exp_a,exp_o', 422],
    ['ids=exp_a,exp_b&verifier=none', 422],
  ])('%s is %i', async (query, status) => {
    for (const id of ['exp_a', 'exp_b']) await store({ id, rows: [] });
    await store({ id: 'exp_o', dataset: 'other', rows: [] });
    expect((await call(`/v1/experiments/compare?${query}`)).status).toBe(status);
  });
});

describe('gate', () => {
  const rows = (passed: number, count = 100) =>
    many(count, (n) => ({ item: item(n), outcome: n < passed ? 'passed' : 'failed' }));
  const gate = async (id: string, body: object) => ok(`/v1/experiments/${id}/gate`, body);
  const limit = (by: string, least: number) => ({
    min_pass_rate: { policy: { at_least: least, by } },
  });

  test.each([
    {
      name: 'value met, interval below',
      by: 'value',
      least: 0.9,
      passed: true,
      code: 'inconclusive',
    },
    { name: 'low below', by: 'low', least: 0.9, passed: false, code: 'pass_rate' },
    { name: 'value below', by: 'value', least: 0.96, passed: false, code: 'pass_rate' },
  ])('$name', async ({ by, least, passed, code }) => {
    await store({ id: 'exp_a', rows: rows(95) });
    expect(await gate('exp_a', limit(by, least))).toMatchObject({
      passed,
      reasons: [{ code, verifier: 'policy' }],
    });
  });

  test('unfinished, without scored rows, over or without known cost', async () => {
    await store({ id: 'exp_run', state: 'running', rows: rows(100) });
    expect(await gate('exp_run', limit('value', 0))).toMatchObject({
      passed: false,
      reasons: [{ code: 'not_finished' }],
    });
    await store({
      id: 'exp_none',
      rows: many(30, (n) => ({ item: item(n), outcome: 'inconclusive' })),
    });
    expect(await gate('exp_none', limit('value', 0))).toMatchObject({
      passed: false,
      reasons: [{ code: 'no_scored_rows' }],
    });
    expect(await gate('exp_none', { max_cost_usd: 0.1 })).toMatchObject({
      passed: false,
      reasons: [{ code: 'cost' }],
    });
    await store({ id: 'exp_free', rows: [{ item: 'a', outcome: 'passed', cost: null }] });
    expect(await gate('exp_free', { max_cost_usd: 1 })).toMatchObject({
      passed: false,
      reasons: [{ code: 'cost_unknown' }],
    });
  });

  test('regression against a branch; none is no baseline', async () => {
    await store({ id: 'exp_new', branch: 'main', rows: rows(60) });
    const against = { no_regression_against: 'branch:main' };
    expect(await gate('exp_new', against)).toMatchObject({
      passed: false,
      reasons: [{ code: 'no_baseline' }],
    });
    await store({ id: 'exp_main', branch: 'main', rows: rows(90) });
    await store({ id: 'exp_later', branch: 'main', state: 'running', rows: [] });
    expect(await gate('exp_new', against)).toMatchObject({
      passed: false,
      baseline: 'exp_main',
      reasons: [{ code: 'regression', severity: 'error' }],
    });
    await store({ id: 'exp_few', rows: rows(9, 10) });
    const few = await gate('exp_few', against);
    expect(few).toMatchObject({
      passed: true,
      reasons: [{ code: 'inconclusive', severity: 'warning' }],
    });
  });

  test.each([
    [{}, 400],
    [{ min_pass_rate: { other: { at_least: 0.5 } } }, 422],
    [{ min_pass_rate: { policy: { at_least: 2 } } }, 400],
    [{ no_regression_against: 'exp_none' }, 422],
    [{ no_regression_against: 'exp_a' }, 422],
  ])('%j is %i', async (body, status) => {
    await store({ id: 'exp_a', rows: [] });
    expect((await call('/v1/experiments/exp_a/gate', body)).status).toBe(status);
  });
});

const folder = process.env.ASSAY_DATA ?? '../shared/data';
const file = join(folder, 'judge-binary-realmistake.jsonl');
const hasData = existsSync(file);
if (!hasData) process.stdout.write(`skipped: ${file} is not there, set ASSAY_DATA\n`);

test.runIf(hasData)(
  'two recorded judges: agreement, catch and false-positive rates of expected.json',
  async () => {
    interface Judge {
      catch_rate: number;
      false_positive_rate: number;
      agreement: number;
    }
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
      'judge-binary-realmistake': { judges_prompt1: Record<string, Judge> };
    };
    const items = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { id: string; human_label: string; verdicts: Record<string, string> },
      );
    const judges = ['gpt-4-0613', 'gpt-4-0125-preview'];
    // A verdict passes where the judge agrees with the person.
    for (const judge of judges)
      await store({
        id: judge,
        rows: items.map((each) => ({
          item: each.id,
          outcome:
            (each.verdicts[judge]?.[0] === 'E') === (each.human_label === 'error')
              ? 'passed'
              : 'failed',
        })),
      });
    const labels = JSON.stringify(items.map(({ id, human_label: label }) => ({ id, label })));
    await project.sql`
    insert into dataset_items (project_id, dataset_id, id, from_version, ordinal, content, content_hash, tags, created_by)
    select ${project.projectId}, 'ds_refunds', id, 1, 1, '{"input":"q"}', id, array[label], 'test'
    from jsonb_to_recordset(${labels}::text::jsonb) as i(id text, label text)`;
    const { comparisons, slices } = await compare(`ids=${judges.join(',')}&slice=tag`);
    const rateOf = (found: Json | undefined, at: number): number =>
      (found?.rates as { pass_rate: { value: number } }[] | undefined)?.[at]?.pass_rate.value ??
      Number.NaN;
    const sliceOf = (label: string) => slices?.find(({ slice }) => slice === label);
    for (const [at, judge] of judges.entries()) {
      const figures = expected['judge-binary-realmistake'].judges_prompt1[judge];
      expect(rateOf(comparisons[0], at)).toBeCloseTo(figures?.agreement ?? 0, 4);
      expect(rateOf(sliceOf('error'), at)).toBeCloseTo(figures?.catch_rate ?? 0, 4);
      expect(1 - rateOf(sliceOf('no_error'), at)).toBeCloseTo(figures?.false_positive_rate ?? 0, 4);
    }
    expect(comparisons[0]?.p_adjusted as number).toBeLessThan(0.001);
  },
);

/** Live verdicts of `policy` with rulings: `failed` is the verdict, `good` the label. */
async function label(
  groups: readonly {
    readonly count: number;
    readonly failed: boolean;
    readonly good: boolean;
  }[],
): Promise<void> {
  const { sql, projectId } = project;
  const rows = groups.flatMap(({ count, ...each }) => many(count, () => ({ item: '', ...each })));
  const text = JSON.stringify(rows.map((row, n) => ({ ...row, n })));
  const given = sql`jsonb_to_recordset(${text}::text::jsonb) as r(n int, failed boolean, good boolean)`;
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action, needs_human_review, decision_state, issues, detail, excerpt, created_at)
    select ${projectId}, 'live-' || n, 'turn', 'policy', 1, 'turn', 's' || n, 1, case when failed then 'failed' else 'passed' end,
      case when failed then 'FAIL' else 'PASS' end, 'none', false, 'run', '[]', '{}', '', now() from ${given}`;
  await sql`
    insert into labels (project_id, id, kind, subject_id, verdict_id, verifier_slug, verdict, success, rater, blind, source, selection, content_hash, created_by)
    select ${projectId}, 'lbl-' || n, 'override', 's' || n, 'live-' || n, 'policy', case when good then 'PASS' else 'FAIL' end, good, 'lead', false,
      'console', 'own_choice', 'h' || n, 'lead' from ${given}`;
  await refreshLabelledVerdicts(
    project,
    rows.map((_row, n) => `s${n}`),
  );
}

describe('the corrected pass rate', () => {
  // V1 of calibration.md: 42 of 50 defects caught, 15 of 150 good answers rejected.
  const v1 = [
    { count: 42, failed: true, good: false },
    { count: 8, failed: false, good: false },
    { count: 15, failed: true, good: true },
    { count: 135, failed: false, good: true },
  ];

  test.each([
    [30, 1 - (0.3 - 0.1) / (0.84 - 0.1)],
    [50, 1 - (0.5 - 0.1) / (0.84 - 0.1)],
    [10, 1],
  ])(
    'with %d of 100 rows failed, the errors on live labels make it %d (Rogan and Gladen)',
    async (failed, expected) => {
      await label(v1);
      await store({
        id: 'run',
        rows: many(100, (n) => ({ item: `i${n}`, outcome: n < failed ? 'failed' : 'passed' })),
      });
      const { body } = await call('/v1/experiments/run');
      const [rates] = body.results as { pass_rate: Json; corrected_pass_rate: Json }[];
      expect(rates?.pass_rate.value).toBeCloseTo(1 - failed / 100, 12);
      const corrected = rates?.corrected_pass_rate as { value: number; low: number; high: number };
      expect(corrected.value).toBeCloseTo(expected, 4);
      expect(corrected.low).toBeLessThanOrEqual(corrected.value);
      expect(corrected.high).toBeGreaterThanOrEqual(corrected.value);
    },
  );
});

test('slices by split have the items of each split', async () => {
  const { sql, projectId } = project;
  const items = JSON.stringify(
    many(40, (n) => ({ item: `i${n}` })).map(({ item }, n) => ({
      id: item,
      split: n < 10 ? 'dev' : n < 30 ? 'test' : null,
    })),
  );
  await sql`
    insert into dataset_items (project_id, dataset_id, id, from_version, ordinal, content, content_hash, split, tags, created_by)
    select ${projectId}, 'ds_refunds', id, 1, 1, '{"input":"q"}', id, split, '{}', 'test'
    from jsonb_to_recordset(${items}::text::jsonb) as i(id text, split text)`;
  for (const [id, failed] of [
    ['exp_a', 5],
    ['exp_b', 20],
  ] as const)
    await store({
      id,
      rows: many(40, (n) => ({ item: `i${n}`, outcome: n < failed ? 'failed' : 'passed' })),
    });
  const { slices } = (await call('/v1/experiments/compare?ids=exp_a,exp_b&slice=split')).body as {
    slices: { slice: string; rates: { pass_rate: Json }[] }[];
  };
  const counts = slices.map(({ slice, rates }) => [
    slice,
    ...rates.map(({ pass_rate: { numerator, denominator } }) => [numerator, denominator]),
  ]);
  expect(counts).toEqual(
    expect.arrayContaining([
      ['dev', [5, 10], [0, 10]],
      ['test', [20, 20], [10, 20]],
    ]),
  );
});

describe('the rows of an experiment', () => {
  const rows: Row[] = [
    { item: 'a', outcome: 'passed', score: 1 },
    { item: 'b', state: 'failed', error: 'the target answered with the status 500', cost: null },
    { item: 'c', state: 'lost', error: 'the worker stopped', cost: null },
    { item: 'd', outcome: null },
    { item: 'e', state: 'waiting', cost: null },
  ];

  test('each has its state, turn, cost, verdicts and the reason why it failed', async () => {
    await store({ id: 'run', rows });
    const { status, body } = await call('/v1/experiments/run/rows');
    expect([status, body.next_cursor]).toEqual([200, null]);
    const none = { turn_id: null, cost_usd: null, latency_ms: 100, verdicts: [], repetition: 0 };
    expect(body.data).toEqual([
      {
        item_id: 'a',
        repetition: 0,
        state: 'answered',
        turn_id: 'run-0',
        error: null,
        cost_usd: 0.01,
        latency_ms: 100,
        verdicts: [{ verifier: 'policy', outcome: 'passed', score: 1, verification_id: 'v-run-0' }],
      },
      { ...none, item_id: 'b', state: 'failed', error: 'the target answered with the status 500' },
      { ...none, item_id: 'c', state: 'lost', error: 'the worker stopped' },
      { ...none, item_id: 'd', state: 'answered', turn_id: 'run-3', cost_usd: 0.01, error: null },
      { ...none, item_id: 'e', state: 'waiting', error: null },
    ]);
  });

  test.each([
    ['failed', ['b']],
    ['lost', ['c']],
    ['answered', ['a', 'd']],
    ['asked', []],
  ])('the state %s selects %j', async (state, items) => {
    await store({ id: 'run', rows });
    const { body } = await call(`/v1/experiments/run/rows?state=${state}`);
    expect((body.data as Json[]).map((row) => row.item_id)).toEqual(items);
  });

  test.each([1, 2, 3])('pages of %d rows hold each row once, in order', async (limit) => {
    await store({ id: 'run', rows });
    const found: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await call(`/v1/experiments/run/rows?limit=${limit}${cursor}`);
      found.push(...(body.data as Json[]).map((row) => row.item_id));
      const next = body.next_cursor as string | null;
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    expect(found).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('an unknown experiment, state and cursor are refused by name', async () => {
    await store({ id: 'run', rows });
    expect((await call('/v1/experiments/nobodys/rows')).status).toBe(404);
    for (const [query, name] of [
      ['state=broken', 'state'],
      ['cursor=x', 'cursor'],
      ['limit=201', 'limit'],
      ['status=failed', 'state'],
    ] as const) {
      const { status, text } = await call(`/v1/experiments/run/rows?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(text).toContain(name);
    }
  });
});
