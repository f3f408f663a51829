import { beforeEach, expect } from 'vitest';
import { appOf } from '../../testing/app';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, type ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { measureVerifiers } from './measure';
import { refreshLabelledVerdicts } from './refresh';
import { reportVerifier } from './report-verifier';
import { putThreshold } from '../thresholds';
import { partColumn } from '../verdicts';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

interface Seeded {
  readonly failed: boolean;
  /** Null if there is no label. */
  readonly good?: boolean | null;
  readonly score?: number | null;
  readonly confidence?: number | null;
  readonly probability?: number | null;
  readonly model?: string;
  readonly version?: number;
  readonly policy?: number;
  readonly complexity?: string;
  readonly retries?: number;
  /** Blind votes by rater. */
  readonly votes?: Readonly<Record<string, boolean>>;
}

let serial = 0;

/**
 * Verdicts of kind `decomposition` with their rollups, labels and audit draws, as the settling
 * statement and the review queue store them.
 */
async function seed(rows: readonly Seeded[]): Promise<void> {
  const { sql, projectId } = project;
  const from = ++serial * 100_000;
  const verdicts = JSON.stringify(
    rows.map((row, at) => ({
      n: from + at,
      outcome: row.failed ? 'failed' : 'passed',
      word: row.failed ? 'FAIL' : 'PASS',
      score: row.score ?? null,
      confidence: row.confidence ?? null,
      model: row.model ?? 'gpt-4o',
      version: row.version ?? 1,
      complexity: row.complexity ?? 'simple',
      retries: row.retries ?? 0,
      probability: row.probability ?? null,
    })),
  );
  const labels = JSON.stringify(
    rows.flatMap((row, at) => [
      ...(row.good == null
        ? []
        : [
            {
              n: from + at,
              good: row.good,
              rater: 'lead',
              blind: false,
              policy: row.policy ?? null,
            },
          ]),
      ...Object.entries(row.votes ?? {}).map(([rater, good]) => ({
        n: from + at,
        good,
        rater,
        blind: true,
        policy: null,
      })),
    ]),
  );
  await sql`
    with input as (
      select * from jsonb_to_recordset(${verdicts}::text::jsonb) as r(n int, outcome text, word text, score double precision,
        confidence double precision, model text, version int, complexity text, retries int, probability double precision)
    ), made as (
      insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, model, outcome, verdict, action,
        score, confidence, needs_human_review, decision_state, issues, retries_used, threshold_value, detail, excerpt, created_at)
      select ${projectId}, 'ver_' || n, 'decomposition', 'decomposition', version, 'decomposition', 's' || n, 1, model, outcome, word, 'accept',
        score, confidence, false, 'run', '[]', retries, 0.7, jsonb_build_object('complexity', complexity), '', now() from input
      returning id
    ), rolled as (
      insert into verdict_rollups (project_id, day, verifier_slug, model, passed, failed)
      select ${projectId}, (now() at time zone 'UTC')::date, 'decomposition', model, count(*) filter (where outcome = 'passed'),
        count(*) filter (where outcome = 'failed') from input group by model
      on conflict (project_id, day, verifier_slug, model) do update
        set passed = verdict_rollups.passed + excluded.passed, failed = verdict_rollups.failed + excluded.failed
    )
    insert into review_items (project_id, id, verdict_id, kind, verifier_slug, verifier_version, subject_id, queues, priority, probability, raters, blind, verdict_at)
    select ${projectId}, 'rev_' || n, 'ver_' || n, 'decomposition', 'decomposition', version, 's' || n, array['audit'], 0, probability, 1, false, now()
    from input where probability is not null`;
  await sql`
    insert into labels (project_id, id, kind, subject_id, verdict_id, verifier_slug, verdict, success, rater, blind, policy, source, selection, content_hash, created_by)
    select ${projectId}, 'lbl_' || n || rater, 'override', 's' || n, 'ver_' || n, 'decomposition', case when good then 'PASS' else 'FAIL' end, good, rater, blind,
      policy, 'console', 'sample', 'h' || n || rater, rater
    from jsonb_to_recordset(${labels}::text::jsonb) as r(n int, good boolean, rater text, blind boolean, policy int)`;
  const judged = rows.flatMap(({ good, votes, probability }, at) =>
    good == null && votes == null && probability == null ? [] : [`s${from + at}`],
  );
  await refreshLabelledVerdicts(project, judged);
}

/** Moves everything seeded so far this many days into the past. */
async function age(days: number): Promise<void> {
  const { sql, projectId } = project;
  await sql`update verdicts set settled_at = settled_at - ${days} * interval '1 day' where project_id = ${projectId}`;
  await sql`update verdict_rollups set day = day - ${days}::int where project_id = ${projectId}`;
  const rows = await sql<
    { subject_id: string }[]
  >`select distinct subject_id from judgements where project_id = ${projectId}`;
  await refreshLabelledVerdicts(
    project,
    rows.map((row) => row.subject_id),
  );
}

const many = (count: number, row: Seeded): Seeded[] => Array.from({ length: count }, () => row);

/** V1 of calibration.md as labelled verdicts, and 5,000 others of which 1,200 failed. */
const v1 = (more: Partial<Seeded>): Seeded[] => [
  ...many(42, { failed: true, good: false, score: 0.2, ...more }),
  ...many(8, { failed: false, good: false, score: 0.8, ...more }),
  ...many(15, { failed: true, good: true, score: 0.3, ...more }),
  ...many(135, { failed: false, good: true, score: 0.9, ...more }),
];
const production = [...many(1200, { failed: true }), ...many(3800, { failed: false })];
const report = (more: Partial<Parameters<typeof reportVerifier>[1]> = {}) =>
  reportVerifier(project, { verifier: 'decomposition', origin: 'verifier', days: 7, ...more });

test('calibration.md 5.1 to 5.4, X-1: the report of V1 as labelled verdicts has the figures computed for it', async () => {
  await seed([...v1({ probability: 0.04 }), ...production]);
  const found = await report();
  expect(found.counts).toMatchObject({
    caught: 42,
    missed: 8,
    rejected: 15,
    passed: 135,
    decided: 5200,
    passes: 3943,
  });
  expect(found.rates.catchRate.value).toBe(0.84);
  expect(found.rates.catchRate.low).toBeCloseTo(0.7149, 4);
  expect(found.rates.catchRate.high).toBeCloseTo(0.9166, 4);
  expect(found.rates.falseRejectionRate).toMatchObject({ value: 0.1, denominator: 150 });
  expect(found.rates.falsePositiveRate).toMatchObject({ value: 0.075, denominator: 200 });
  expect(found.rates.kappa.value).toBeCloseTo(0.707, 4);
  expect(found.precision.value).toBeCloseTo(0.7368, 4);
  expect(found.precision.low).toBeCloseTo(0.6102, 4);
  expect(found.precision.high).toBeCloseTo(0.8335, 4);
  const { balancedAccuracy, youden, f1, mcc, ac1 } = found.summary;
  expect(balancedAccuracy.value).toBeCloseTo(0.87, 12);
  expect(youden.value).toBeCloseTo(0.74, 12);
  expect(f1.value).toBeCloseTo(84 / 107, 12);
  expect(mcc.value).toBeCloseTo(0.7098, 4);
  expect(ac1.value).toBeCloseTo(0.8109, 4);
  for (const { value, low, high, n } of [balancedAccuracy, youden, f1, mcc, ac1]) {
    expect(n).toBe(200);
    expect(low).toBeLessThan(value ?? 0);
    expect(high).toBeGreaterThan(value ?? 1);
  }
  expect(found.corrected).toMatchObject({
    shown: 'ppi',
    drawn: 200,
    labelled: 200,
    defects: 50,
    decided: 5200,
    disagree: false,
  });
  expect(found.corrected.naive.value).toBe(3943 / 5200);
  expect(found.corrected.ppi.value).toBeCloseTo(1 - 0.2172, 4);
  expect(found.corrected.ppi.lambda).toBeCloseTo(0.7279, 4);
  expect(found.corrected.roganGladen.value).toBeCloseTo(1 - 0.1892, 4);
  expect(found.rates.correctedPassRate).toMatchObject({
    value: found.corrected.ppi.value,
    denominator: 200,
    state: 'on_target',
  });
  expect(await report()).toEqual({ ...found, to: expect.any(Date) });
});

test('calibration.md 5.4: the sample represents verdicts decided since the audit began, of the whole and of a slice', async () => {
  await seed(many(2000, { failed: false }));
  await age(2);
  await seed([...v1({ probability: 0.04 }), ...production]);
  for (const slice of [undefined, { by: 'model', value: 'gpt-4o' }] as const) {
    const { corrected } = await report({ slice });
    expect(corrected).toMatchObject({
      shown: 'ppi',
      decided: 7200,
      reached: 5200,
      drawn: 200,
      labelled: 200,
    });
    expect(corrected.ppi.value).toBeCloseTo(1 - 0.2172, 4);
  }
  const [measured] = await measureVerifiers(project, { verifier: 'decomposition' });
  expect(measured?.rates.correctedPassRate.value).toBeCloseTo(1 - 0.2172, 4);
  // None of the 2,000 earlier verdicts was drawn, nor some later ones, so the sample does not
  // represent all.
  await seed([{ failed: false, good: true, probability: 0.04 }]);
  await project.sql`update verdicts set settled_at = settled_at - interval '3 days' where project_id = ${project.projectId} and id = ${`ver_${serial * 100_000}`}`;
  await refreshLabelledVerdicts(project, [`s${serial * 100_000}`]);
  await seed(many(3000, { failed: false }));
  expect((await report()).corrected).toMatchObject({
    shown: null,
    why: expect.stringContaining('not drawn from all verdicts'),
  });
});

test('calibration.md 5.4: old draws without a ruling are reported, and beyond half of it the sample is not used', async () => {
  await seed([
    ...v1({ probability: 0.5 }),
    ...many(40, { failed: false, probability: 0.5 }),
    ...many(240, { failed: false }),
  ]);
  expect((await report()).corrected).toMatchObject({
    shown: 'ppi',
    drawn: 240,
    labelled: 200,
    why: expect.not.stringContaining('day ago'),
  });
  await age(3);
  expect((await report()).corrected).toMatchObject({
    shown: 'ppi',
    why: expect.stringContaining('200 of 240 that were drawn more than a day'),
  });
  const slice = { by: 'model', value: 'gpt-4o' } as const;
  expect((await report({ slice })).corrected.why).toContain('200 of 240');
  await project.sql`update labels set selection = 'own_choice' where project_id = ${project.projectId} and id < ${`lbl_${serial * 100_000 + 140}`}`;
  await age(0);
  for (const more of [{}, { slice }]) {
    expect((await report(more)).corrected).toMatchObject({
      shown: null,
      labelled: 60,
      why: expect.stringContaining('Only 60 of 240'),
    });
  }
});

test('calibration.md 5.5, SOAR-33: curves, correlation and reliability of V1, with the current threshold', async () => {
  await seed(v1({ confidence: 0.9 }));
  const { curves, correlation, reliability } = await report();
  expect(curves).toMatchObject({ threshold: 0.7, bestYouden: 0.9, auc: { n: 200 } });
  // Scores of good ones are above those of bad ones in 135·42 + 15·42 of 7,500 pairs, and in 135·8
  // more.
  expect(curves?.auc.value).toBeCloseTo((135 * 42 + 15 * 42 + 135 * 8) / 7500, 12);
  expect(curves?.points).toEqual([
    { threshold: 0.2, caught: 0, missed: 50, rejected: 0, passed: 150 },
    { threshold: 0.3, caught: 42, missed: 8, rejected: 0, passed: 150 },
    { threshold: 0.7, caught: 42, missed: 8, rejected: 15, passed: 135 },
    { threshold: 0.8, caught: 42, missed: 8, rejected: 15, passed: 135 },
    { threshold: 0.9, caught: 50, missed: 0, rejected: 15, passed: 135 },
  ]);
  expect(correlation).toMatchObject({ pearson: { n: 200 }, state: 'on_target' });
  expect(reliability).toMatchObject({ of: 'confidence', ece: { n: 200 } });
  expect(reliability?.ece.value).toBeCloseTo(0.9 - 0.885, 12);
  await putThreshold(project, {
    verifier: 'decomposition',
    key: 'pass_threshold',
    body: { value: 0.85, scope: { mission_id: null, task_id: null }, reason: 'r' },
  });
  expect((await report()).curves?.threshold).toBe(0.85);
});

test('X-12: a verifier without a label is unmeasured in every part, and an unknown one is not found', async () => {
  const found = await report();
  expect(found).toMatchObject({
    pending: 0,
    contested: 0,
    precision: { state: 'no_data', value: null },
    human: { items: 0, alpha: { value: null } },
    corrected: { shown: null, naive: { value: null }, drawn: 0, labelled: 0 },
    curves: null,
    reliability: null,
    correlation: { state: 'no_data', advice: [], pearson: { value: null, n: 0 } },
    slices: [],
    alerts: [],
    drift: null,
    versions: [],
    policies: [],
    judges: [],
  });
  for (const { value, low, high } of Object.values(found.summary))
    expect([value, low, high]).toEqual([null, null, null]);
  await expect(report({ verifier: 'nobodys' })).rejects.toMatchObject({ code: 'not_found' });
});

test('X-1: versions, policies and slices have figures of their own, and list each other', async () => {
  await seed([
    ...many(30, { failed: true, good: false, model: 'a', policy: 1, probability: 0.5 }),
    ...many(20, {
      failed: true,
      good: true,
      model: 'b',
      complexity: 'complex',
      version: 2,
      policy: 2,
    }),
    ...many(10, { failed: false, good: true, model: 'a', version: 2 }),
    ...many(40, { failed: false, model: 'a', probability: 0.5 }),
  ]);
  const matrix = async (more: Partial<Parameters<typeof reportVerifier>[1]>) => {
    const { counts, corrected } = await report(more);
    return [
      counts.caught,
      counts.missed,
      counts.rejected,
      counts.passed,
      counts.decided,
      corrected.drawn,
      corrected.labelled,
    ];
  };
  expect(await matrix({})).toEqual([30, 0, 20, 10, 100, 70, 30]);
  expect(await matrix({ verifier: 'decomposition@2' })).toEqual([0, 0, 20, 10, 30, 0, 0]);
  expect(await matrix({ policy: 1 })).toEqual([30, 0, 0, 0, 100, 70, 30]);
  expect(await matrix({ policy: 0 })).toEqual([0, 0, 0, 10, 100, 70, 0]);
  expect(await matrix({ slice: { by: 'model', value: 'a' } })).toEqual([30, 0, 0, 10, 80, 70, 30]);
  expect(await matrix({ slice: { by: 'complexity', value: 'complex' } })).toEqual([
    0, 0, 20, 0, 20, 0, 0,
  ]);
  expect(await matrix({ slice: { by: 'model', value: 'a' }, verifier: 'decomposition@2' })).toEqual(
    [0, 0, 0, 10, 10, 0, 0],
  );
  expect(await matrix({ slice: { by: 'tier', value: 'large' } })).toEqual([0, 0, 0, 0, 0, 0, 0]);
  const found = await report({ policy: 2, slice: { by: 'model', value: 'b' } });
  expect(found.versions).toEqual([{ version: 2, labels: 20 }]);
  expect(found.policies).toEqual([{ policy: 2, labels: 20 }]);
  const whole = await report();
  expect(whole.versions).toEqual([
    { version: 2, labels: 30 },
    { version: 1, labels: 30 },
  ]);
  expect(whole.policies.map(({ policy, labels }) => [policy, labels])).toEqual([
    [2, 20],
    [1, 30],
    [0, 10],
  ]);
  const models = whole.slices.find(({ by }) => by === 'model')?.rows ?? [];
  expect(
    models.map(({ slice, labelled, catchRate }) => [slice.value, labelled, catchRate.numerator]),
  ).toEqual([
    ['a', 40, 30],
    ['b', 20, 0],
  ]);
  // The other model has no bad ones; of the good ones it has all 20 rejected, compared with none of
  // 10.
  expect(models[0]?.adjustedP.catchRate).toBeNull();
  expect(models[0]?.adjustedP.falseRejectionRate).toBeLessThan(0.001);
});

test('D3 the decided ones of a part are the same from the counters and from the verdicts, and only complete days use the counters', async () => {
  const { sql, projectId } = project;
  await seed([
    ...many(30, { failed: true, good: false, model: 'a' }),
    ...many(20, { failed: true, good: true, model: 'b', complexity: 'complex', version: 2 }),
    ...many(40, { failed: false, model: 'a' }),
  ]);
  await sql`update verdicts set cross_model = 'self' where project_id = ${projectId} and model = 'b' and id < 'ver_' || ${serial * 100_000 + 35}`;
  const decided = async (): Promise<(readonly number[])[]> => {
    const asked = [
      { verifier: 'decomposition@1' },
      { verifier: 'decomposition@2' },
      { verifier: 'decomposition:self' },
      { slice: { by: 'model', value: 'a' } },
      { slice: { by: 'model', value: 'b' } },
      { slice: { by: 'complexity', value: 'complex' } },
      { slice: { by: 'judge', value: 'nobody' } },
      { verifier: 'decomposition@1', slice: { by: 'complexity', value: 'simple' } },
    ] as const;
    const found: (readonly number[])[] = [];
    for (const one of asked) {
      const { decided: of, passes } = (await report(one)).counts;
      found.push([of, passes]);
    }
    return found;
  };
  const raw = await decided();
  expect(raw).toEqual([
    [70, 40],
    [15, 0],
    [5, 0],
    [70, 40],
    [15, 0],
    [15, 0],
    [0, 0],
    [70, 40],
  ]);
  await sql`
    insert into verdict_populations (project_id, verifier_slug, day, version, model, judge, self, part, passed, failed)
    select project_id, verifier_slug, (settled_at at time zone 'UTC')::date, verifier_version, model, coalesce(judge_model, ''),
      cross_model is not distinct from 'self', ${partColumn(sql)}, count(*) filter (where outcome = 'passed'), count(*) filter (where outcome = 'failed')
    from verdicts where project_id = ${projectId} group by 1, 2, 3, 4, 5, 6, 7, 8`;
  await sql`update verdict_rollups set self_failed = case model when 'b' then 5 else 0 end, self_passed = 0 where project_id = ${projectId}`;
  expect(await decided()).toEqual(raw);
  // The day's sums are unchanged, so the counters are read.
  await sql`update verdict_populations set version = version + 2 where project_id = ${projectId}`;
  await sql`update verdict_rollups set self_failed = 1 + self_failed where project_id = ${projectId} and model = 'b'`;
  const moved = await decided();
  expect(moved.slice(0, 3)).toEqual([
    [0, 0],
    [0, 0],
    [6, 0],
  ]);
  // One is missing: incomplete counters are not used.
  await sql`update verdict_populations set failed = failed - 1 where project_id = ${projectId} and model = 'a'`;
  expect((await decided()).slice(0, 2)).toEqual(raw.slice(0, 2));
});

test('calibration.md 5.2: people are compared by blind votes on the same items, next to the verifier', async () => {
  await seed([
    ...many(20, { failed: true, votes: { ann: false, bob: false } }),
    ...many(5, { failed: true, votes: { ann: true, bob: true } }),
    ...many(15, { failed: false, votes: { ann: true, bob: true } }),
    ...many(4, { failed: false, votes: { ann: true, bob: false } }),
    ...many(9, { failed: false, votes: { ann: true } }),
    ...many(9, { failed: false, good: true }),
  ]);
  const { human, contested, counts } = await report();
  expect(human).toMatchObject({
    items: 44,
    raters: 2,
    pairs: [{ one: 'ann', other: 'bob', kappa: { n: 44 } }],
    machine: { n: 44 },
  });
  expect(human.pairs[0]?.kappa.value).toBeCloseTo(0.8197, 4);
  expect(human.alpha.value).toBeGreaterThan(0.8);
  // Contested votes are not a ground truth until someone decides.
  expect(contested).toBe(4);
  expect(counts.caught + counts.missed + counts.rejected + counts.passed).toBe(58);
});

test('calibration.md 5.2: a vote after an earlier statement on that verdict is no second opinion', async () => {
  await seed(many(30, { failed: true, votes: { ann: false, bob: false } }));
  const { sql, projectId } = project;
  expect((await report()).human.items).toBe(30);
  // Ann abstained on ten items before, and someone else on ten others.
  await sql`
    insert into labels (project_id, id, kind, subject_id, verdict_id, verifier_slug, rater, blind, content_hash, created_by, created_at)
    select project_id, 'before_' || id, 'abstention', subject_id, verdict_id, verifier_slug, null, false, 'h',
      case when substring(verdict_id from 5)::int % 3 = 0 then 'ann' else 'cat' end, created_at - interval '1 minute'
    from labels where project_id = ${projectId} and rater = 'ann' and substring(verdict_id from 5)::int % 3 < 2`;
  expect((await report()).human.items).toBe(20);
});

test('labels that are not counted yet are reported as pending', async () => {
  await seed(many(2, { failed: true, good: false }));
  const { sql, projectId } = project;
  await sql`insert into judgement_dues (project_id, subject_id, due_at) select ${projectId}, subject_id, now() - interval '1 second' from labels where project_id = ${projectId}`;
  await sql`insert into judgement_dues (project_id, subject_id, due_at) select ${projectId}, subject_id, now() + interval '1 hour' from labels where project_id = ${projectId}`;
  expect((await report()).pending).toBe(2);
  expect((await report({ verifier: 'task' })).pending).toBe(0);
});

test('SOAR-28, SOAR-30: two retries of which the second passes are 1 of 2, in the report and over HTTP', async () => {
  const { key } = await createKey(project, { name: 'k', scopes: ['verify', 'read'] });
  const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await appOf(runtime).request(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  };
  const tries = ['short', 'still short', 'long enough by now to pass the check of its length'];
  for (const [used, output] of tries.entries()) {
    await ask('/v1/verify/task', {
      task_description: 'Report',
      task_output: output,
      success_criteria: [{ check: 'min_length', value: 30 }],
      retries_used: used,
    });
  }
  const { data } = (await ask('/v1/metrics/verifiers?verifier=task')) as {
    data: Record<string, unknown>[];
  };
  expect(data[0]).toMatchObject({
    retry_success: { value: 0.5, numerator: 1, denominator: 2, state: 'insufficient' },
    pass_rate: { denominator: 3 },
  });
  expect((await report({ verifier: 'task' })).rates.retrySuccess).toMatchObject({
    numerator: 1,
    denominator: 2,
  });
});

test('SOAR-28: checkpoint attempts and repairs of code are retries; undecided ones, or those of another slice, are not', async () => {
  await seed([
    ...many(2, { failed: true, retries: 0 }),
    ...many(3, { failed: true, retries: 1 }),
    { failed: false, retries: 1 },
    { failed: false, retries: 2, model: 'b' },
  ]);
  const { sql, projectId } = project;
  const code = (
    id: string,
    iteration: number,
    outcome: string,
    verdict: string | null,
    version = 1,
  ) => sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action,
      needs_human_review, decision_state, issues, retries_used, detail, excerpt, created_at)
    values (${projectId}, ${`${id}-${version}`}, 'code', 'code', ${version}, 'code', ${id}, 1, ${outcome}, ${verdict}, 'accept', false, 'run', '[]', 0,
      jsonb_build_object('repair', jsonb_build_object('iteration', ${iteration}::int), 'tier', 'large'), '', now())`;
  await code('c0', 0, 'failed', 'FAIL');
  await code('c1', 1, 'failed', 'FAIL');
  await code('c2', 2, 'passed', 'PASS');
  await code('c3', 3, 'inconclusive', null);
  await code('c4', 1, 'skipped', null);
  // Verified by two versions, but counted as one attempt.
  await code('c1', 1, 'passed', 'PASS', 2);
  const success = async (
    verifier: string,
    more: Partial<Parameters<typeof reportVerifier>[1]> = {},
  ) => {
    const { retrySuccess } = (await report({ verifier, ...more })).rates;
    return [retrySuccess.numerator, retrySuccess.denominator];
  };
  expect(await success('decomposition')).toEqual([2, 5]);
  expect(await success('decomposition', { slice: { by: 'model', value: 'b' } })).toEqual([1, 1]);
  expect(await success('code')).toEqual([2, 2]);
  expect(await success('code@1')).toEqual([1, 2]);
  expect(await success('code', { slice: { by: 'tier', value: 'tiny' } })).toEqual([0, 0]);
});

test('SOAR-33: the correlation of the measures equals that of the report, and scores beyond any scale break nothing', async () => {
  await seed([
    ...v1({}),
    { failed: true, good: false, score: 1e300 },
    ...many(3, { failed: true, good: true, score: null }),
  ]);
  const [measured] = await measureVerifiers(project, { verifier: 'decomposition' });
  const found = await report();
  expect(measured?.rates.correlation.value).toBeCloseTo(found.correlation.pearson.value ?? 0, 12);
  expect(measured?.rates.correlation).toMatchObject({ denominator: 200, state: 'on_target' });
  expect(found.rates.correlation.low).toBeCloseTo(measured?.rates.correlation.low ?? 0, 12);
  const constant = await createTestProject(runtime);
  project = constant;
  await seed([
    ...many(60, { failed: true, good: false, score: 0.7 }),
    ...many(60, { failed: false, good: true, score: 0.7 }),
  ]);
  const [flat] = await measureVerifiers(project, { verifier: 'decomposition' });
  expect(flat?.rates.correlation).toMatchObject({
    value: null,
    state: 'no_data',
    denominator: 120,
  });
});

test('X-1: an imported judge has a report of its rows, without the parts that only verdicts have', async () => {
  const { sql, projectId } = project;
  const rows = JSON.stringify(
    [
      ...many(20, { failed: true, good: false }),
      ...many(10, { failed: true, good: true }),
      ...many(30, { failed: false, good: true }),
    ].map((row, n) => ({ n, ...row })),
  );
  await sql`
    with input as (select * from jsonb_to_recordset(${rows}::text::jsonb) as r(n int, failed boolean, good boolean)), labelled as (
      insert into labels (project_id, id, kind, subject_id, success, rater, content_hash, created_by)
      select ${projectId}, 'imp_' || n, 'import', 'i' || n, good, 'ann', 'h', 'import' from input
    )
    insert into foreign_scores (project_id, id, name, source, subject_id, model, label, value)
    select ${projectId}, 'f' || n, 'judge', 'import', 'i' || n, 'acme@3', case when failed then 'fail' else 'pass' end, case when failed then 0.2 else 0.8 end from input`;
  await refreshLabelledVerdicts(
    project,
    Array.from({ length: 60 }, (_, n) => `i${n}`),
  );
  const found = await report({ verifier: 'acme@3', origin: 'imported', days: 0 });
  expect(found.counts).toMatchObject({
    caught: 20,
    missed: 0,
    rejected: 10,
    passed: 30,
    decided: 60,
    passes: 30,
  });
  expect(found).toMatchObject({
    kind: 'imported',
    versions: [],
    judges: [],
    drift: null,
    corrected: { shown: 'rogan_gladen', drawn: 0 },
    curves: { threshold: null },
  });
  expect(found.correlation.pearson.n).toBe(60);
  const ofPolicy = await report({ verifier: 'acme@3', origin: 'imported', days: 0, policy: 7 });
  expect(ofPolicy.counts).toMatchObject({ caught: 0, decided: 0 });
});

test('SOAR-28: retries are found by their index, however many other verdicts there are', async () => {
  const { sql, projectId } = project;
  await seed([...many(400, { failed: true }), ...many(3, { failed: true, retries: 1 })]);
  await runtime.ctx.sql`analyze verdicts`;
  const plan = await sql<{ 'QUERY PLAN': string }[]>`
    explain select count(*) from verdicts v where v.project_id = ${projectId} and v.verifier_slug = 'decomposition'
      and (retries_used > 0 or (kind = 'code' and detail #> '{repair,iteration}' > '0')) and experiment_id is null`;
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('verdicts_retried_live');
});
