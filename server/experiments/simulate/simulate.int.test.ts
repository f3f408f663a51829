import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, listAudit, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import {
  listThresholds,
  loadThresholds,
  putThreshold,
  resolveThresholds,
  type ScopedValue,
  undoThreshold,
} from '../../thresholds';
import { ThresholdBody } from '../../thresholds/input';
import { kinds } from '../../verifiers';
import { listFlips } from './list-flips';
import { listThresholdChanges } from './list-threshold-changes';
import { simulateThreshold } from './simulate-threshold';
import { SimulateBody } from './simulate-input';

/**
 * Simulation decides stored verdicts again; here compared with a slow reference that does it row by
 * row, like settling.
 */

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  await insertHistory(project, 400);
});

interface Planted {
  readonly aggregate: number;
  readonly confidence: number;
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly own: number | null;
  readonly good: boolean | null;
}

/** The nth item of a history in which better scores are good more often. */
function planted(n: number): Planted {
  const aggregate = ((n * 37) % 101) / 100;
  return {
    aggregate,
    confidence: n % 11 === 0 ? 0.4 : 0.9,
    missionId: n % 4 === 0 ? 'm' : null,
    taskId: n % 8 === 0 ? 't' : null,
    own: n % 13 === 0 ? 0.3 : null,
    good: n % 10 === 3 ? null : (n * 7919) % 100 < aggregate * 100,
  };
}

async function insertHistory({ sql, projectId }: ProjectCtx, size: number): Promise<void> {
  const rows = Array.from({ length: size }, (_, n) => {
    const { aggregate, confidence, missionId, taskId, own, good } = planted(n);
    const basis = n % 50 === 49 ? null : { ...plain, aggregate, confidence };
    return {
      id: `ver_${String(n).padStart(4, '0')}`,
      n,
      aggregate,
      missionId,
      taskId,
      own,
      good,
      basis,
      day: n % 60,
    };
  });
  const input = JSON.stringify(
    rows.map((row) => ({ ...row, mission: row.missionId, task: row.taskId })),
  );
  const read = sql`jsonb_to_recordset(${input}::text::jsonb) as r(
    id text, n int, aggregate float, mission text, task text, own float, good boolean, basis jsonb, day int)`;
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action, score,
      needs_human_review, decision_state, issues, detail, basis, excerpt, mission_id, task_id, threshold_value, threshold_source, threshold_version,
      created_at, settled_at)
    select ${projectId}, id, 'task', 'task', 1, 'task', 's-' || n, 1, 'passed', 'pass', 'accept', aggregate, false, 'run', '[]', '{}', basis, 'text ' || n,
      mission, task, coalesce(own, 0.7), case when own is null then 'default' else 'task' end, 0, now(), now() - day * interval '1 day'
    from ${read}`;
  await sql`
    insert into judgements (project_id, origin, id, slug, series, version, kind, at, day, subject_id, verdict_id, session_id, model, judge, mission_id,
      machine, word, cost_usd, excerpt, good, truth_of, contested, policy, unread)
    select ${projectId}, 'verifier', v.id, 'task', 'task', 1, 'task', v.settled_at, (v.settled_at at time zone 'UTC')::date, v.subject_id, v.id,
      'ses-' || r.n / 2, '', '', v.mission_id, 'passed', 'pass', 0, v.excerpt, r.good, 'outcome', false, 0, false
    from ${read} join verdicts v on v.project_id = ${projectId} and v.id = r.id`;
}

const plain = {
  forced: false,
  must_pass: null,
  missed: false,
  disputed: false,
  tied: false,
  aggregate: null as number | null,
  confidence: null as number | null,
  texts: true,
  not_judged: null,
};

/** Row by row, from the generated data and the most specific value (VS-33). */
function reference(
  size: number,
  stored: readonly ScopedValue[],
  scope: { missionId: string | null; taskId: string | null },
) {
  const sums = { labelled: 0, caught: 0, missed: 0, rejected: 0, passed: 0, reviews: 0 };
  const words = new Map<number, string>();
  for (let n = 0; n < size; n++) {
    const { aggregate, confidence, missionId, taskId, own, good } = planted(n);
    if (n % 50 === 49 || good === null) continue;
    if (scope.missionId !== null && scope.missionId !== missionId) continue;
    if (scope.taskId !== null && (scope.taskId !== taskId || scope.missionId !== missionId))
      continue;
    const values = resolveThresholds({ verifier: 'task', missionId, taskId }, stored);
    const pass = own ?? values.get('pass_threshold')?.value ?? Number.NaN;
    const sure = confidence >= (values.get('confidence_threshold')?.value ?? Number.NaN);
    const fails = aggregate < (values.get('fail_threshold')?.value ?? Number.NaN);
    const word = fails ? 'fail' : aggregate >= pass && sure ? 'pass' : 'partial';
    words.set(n, word);
    sums.labelled++;
    if (!sure || word === 'partial') sums.reviews++;
    if (word === 'fail') sums[good ? 'rejected' : 'caught']++;
    if (word === 'pass') sums[good ? 'passed' : 'missed']++;
  }
  return { sums, words };
}

const stored = async (): Promise<readonly ScopedValue[]> =>
  (await loadThresholds(runtime.ctx, [project.projectId], ['task'])).of(project.projectId, 'task');
const put = (key: string, value: number | null, scope: object = {}) =>
  putThreshold(project, { verifier: 'task', key, body: ThresholdBody.parse({ value, scope }) });
const simulate = (key: string, values: readonly number[], more: object = {}) =>
  simulateThreshold(project, {
    verifier: 'task',
    key,
    body: SimulateBody.parse({ values, ...more }),
  });

test.each<[string, string, number[], { mission_id: string | null; task_id: string | null }]>([
  [
    'the whole project',
    'pass_threshold',
    [0.5, 0.6, 0.65, 0.8, 0.95],
    { mission_id: null, task_id: null },
  ],
  [
    'one mission, whose tasks have a value of their own',
    'pass_threshold',
    [0.5, 0.95],
    { mission_id: 'm', task_id: null },
  ],
  ['one task', 'pass_threshold', [0.45, 0.95], { mission_id: 'm', task_id: 't' }],
  ['another key', 'fail_threshold', [0, 0.2, 0.5], { mission_id: null, task_id: null }],
  [
    'a key that calls people',
    'confidence_threshold',
    [0.3, 0.95],
    { mission_id: null, task_id: null },
  ],
])('SOAR-33 VS-33 simulation equals the slow reference: %s', async (_, key, values, scope) => {
  await put('pass_threshold', 0.75, { mission_id: 'm', task_id: 't' });
  const size = 400;
  const at = { missionId: scope.mission_id, taskId: scope.task_id };
  const found = await simulate(key, values, { scope });
  const before = reference(size, await stored(), at);
  expect(found).toMatchObject({
    labelled: before.sums.labelled,
    unknown: scope.mission_id === null ? 8 : 0,
  });
  for (const candidate of found.candidates) {
    const place = { key, missionId: scope.mission_id ?? '', taskId: scope.task_id ?? '' };
    const others = (await stored()).filter(
      (each) =>
        JSON.stringify([each.key, each.missionId, each.taskId]) !==
        JSON.stringify(Object.values(place)),
    );
    const after = reference(
      size,
      [...others, { ...place, version: 1, value: candidate.value }],
      at,
    );
    const { sums } = after;
    const flipped = [...after.words].filter(([n, word]) => before.words.get(n) !== word);
    expect(candidate.fault, `${candidate.value}`).toBeNull();
    const { caught, missed, rejected, passed } = sums;
    expect(candidate.matrix).toEqual({ caught, missed, rejected, passed });
    expect(candidate).toMatchObject({
      catchRate: { numerator: sums.caught, denominator: sums.caught + sums.missed },
      falsePositiveRate: {
        numerator: sums.rejected,
        denominator: sums.caught + sums.missed + sums.rejected + sums.passed,
      },
      falseRejectionRate: { numerator: sums.rejected, denominator: sums.rejected + sums.passed },
      reviewLoad: { numerator: sums.reviews, denominator: sums.labelled },
      cost: 10 * sums.missed + sums.rejected + sums.reviews,
      flips: { total: flipped.length },
    });
    const newest = flipped.map(([n]) => n).toSorted((a, b) => (a % 60) - (b % 60) || b - a);
    expect(candidate.flips.sample.map(({ verdictId }) => verdictId)).toEqual(
      newest.slice(0, 20).map((n) => `ver_${String(n).padStart(4, '0')}`),
    );
    for (const { verdictId, after: ruled } of candidate.flips.sample)
      expect(ruled.verdict).toBe(after.words.get(Number(verdictId.slice(4))));
  }
});

test('labelled scores are counted along the scale, good and bad separately', async () => {
  const { histogram, good, bad } = await simulate('pass_threshold', [0.6]);
  const known = Array.from({ length: 400 }, (_, n) => ({ n, ...planted(n) })).filter(
    ({ n, good: label }) => label !== null && n % 50 !== 49,
  );
  const sum = (side: 'good' | 'bad'): number =>
    (histogram?.bins ?? []).reduce((whole, bin) => whole + bin[side], 0);
  expect([sum('good'), sum('bad'), histogram?.unscored]).toEqual([good, bad, 0]);
  const inBin = known.filter(({ aggregate }) => aggregate === 0.58 || aggregate === 0.59);
  expect(histogram?.bins.find(({ low }) => low === 0.58)).toEqual({
    low: 0.58,
    high: 0.6,
    good: inBin.filter(({ good: label }) => label === true).length,
    bad: inBin.filter(({ good: label }) => label === false).length,
  });
  expect((await simulate('confidence_threshold', [0.6])).histogram).toBeNull();
});

test('the current value flips nothing; unlabelled verdicts are counted too', async () => {
  const { base, candidates, looked, current } = await simulate('pass_threshold', [0.9]);
  expect(current).toBe(0.7);
  expect(base).toMatchObject({
    value: 0.7,
    flips: { total: 0, sample: [] },
    flipsOfAll: { numerator: 0, denominator: looked },
  });
  expect(looked).toBe(392);
  const all = candidates[0]?.flipsOfAll.numerator ?? 0;
  expect(all).toBeGreaterThan(candidates[0]?.flips.total ?? 0);
  expect((await simulate('pass_threshold', [0.9], { labelled_only: true })).looked).toBe(0);
  const week = await simulate('pass_threshold', [0.9], { days: 7 });
  expect(week.labelled).toBeLessThan(60);
  expect(week.from).not.toBeNull();
});

test('X-12 without labels there is no data, and nothing is suggested', async () => {
  const empty = await createTestProject(runtime);
  const found = await simulateThreshold(empty, {
    verifier: 'task',
    key: 'pass_threshold',
    body: SimulateBody.parse({ values: [0.6] }),
  });
  expect(found).toMatchObject({
    labelled: 0,
    suggestions: [],
    candidates: [{ catchRate: { value: null, state: 'no_data' }, cost: 0 }],
  });
});

test('a value that could not be set has a fault, and no numbers', async () => {
  const { candidates } = await simulate('pass_threshold', [1.2, 0.3]);
  expect(candidates.map(({ fault }) => fault)).toEqual([
    'must be from 0 to 1, not 1.2',
    expect.stringContaining('must not be below fail_threshold') as string,
  ]);
  expect(candidates[0]).toMatchObject({
    catchRate: { state: 'no_data' },
    flips: { total: 0, sample: [] },
  });
  await expect(simulate('nothing', [0.5])).rejects.toMatchObject({ code: 'not_found' });
});

test('SOAR-34 history suggests a lower value if good ones are rejected, a higher one if failures are missed; numbers are of the held-out half', async () => {
  const many = await simulate('fail_threshold', [0.1]);
  expect(many.suggestions[0]).toMatchObject({ rule: 'false_positives', direction: 'lower' });
  await put('fail_threshold', 0.05);
  const few = await simulate('fail_threshold', [0.1]);
  expect(few.suggestions[0]).toMatchObject({ rule: 'false_negatives', direction: 'raise' });
  for (const [current, { suggestions }] of [[0.4, many] as const, [0.05, few] as const]) {
    expect(suggestions.length).toBeGreaterThan(1);
    for (const { why, value, direction } of suggestions) {
      expect(why).toMatch(
        value === null
          ? /No value/
          : /On the held-out half: catch rate (\d+ of \d+ \(\d+ to \d+%\)|no data)/,
      );
      expect(direction).toBe(
        (value ?? (direction === 'lower' ? 0 : 1)) < current ? 'lower' : 'raise',
      );
    }
  }
  expect((await simulate('fail_threshold', [0.1], { days: 7 })).suggestions).toEqual([]);
  await put('fail_threshold', null);
});

test('all flips, in pages, newest first, each once', async () => {
  const first = await listFlips(project, {
    verifier: 'task',
    key: 'pass_threshold',
    value: 0.45,
    scope: { mission_id: null, task_id: null },
    days: 0,
  });
  expect(first.items).toHaveLength(50);
  const seen = [...first.items];
  let cursor = first.nextCursor;
  while (cursor !== null) {
    const page = await listFlips(project, {
      verifier: 'task',
      key: 'pass_threshold',
      value: 0.45,
      scope: { mission_id: null, task_id: null },
      days: 0,
      cursor,
    });
    seen.push(...page.items);
    cursor = page.nextCursor;
  }
  const { candidates } = await simulate('pass_threshold', [0.45]);
  expect(seen).toHaveLength(candidates[0]?.flips.total ?? 0);
  expect(new Set(seen.map(({ verdictId }) => verdictId)).size).toBe(seen.length);
  expect(seen.slice(0, 20)).toEqual(candidates[0]?.flips.sample);
  const times = seen.map(({ settledAt }) => settledAt.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('undo restores the previous value, once, and not over a later change', async () => {
  const own = await createTestProject(runtime);
  const set = (value: number) =>
    putThreshold(own, {
      verifier: 'task',
      key: 'pass_threshold',
      body: ThresholdBody.parse({ value, reason: `to ${value}` }),
    });
  const undo = (version: number) =>
    undoThreshold(own, {
      verifier: 'task',
      key: 'pass_threshold',
      missionId: null,
      taskId: null,
      version,
      reason: 'too strict',
    });
  await set(0.6);
  await set(0.8);
  await expect(undo(1)).rejects.toMatchObject({ code: 'conflict' });
  await undo(2);
  await undo(2);
  const changes = await listThresholdChanges(own, { verifier: 'task' });
  expect(
    changes.map(({ version, before, value, isCurrent, reason }) => [
      version,
      before,
      value,
      isCurrent,
      reason,
    ]),
  ).toEqual([
    [3, 0.8, 0.6, true, 'too strict'],
    [2, 0.6, 0.8, false, 'to 0.8'],
    [1, null, 0.6, false, 'to 0.6'],
  ]);
  await expect(undo(9)).rejects.toMatchObject({ code: 'not_found' });
  await undo(3);
  expect((await listThresholds(own, 'task'))[0]).toMatchObject({ value: 0.8, version: 4 });
  const audit = (await listAudit(own, {})).items.filter(
    ({ action }) => action === 'thresholds.undo',
  );
  expect(audit).toHaveLength(2);
});

test('the route answers in API terms, and refuses values that cannot be set', async () => {
  const { key } = await createKey(project, { name: 'reads', scopes: ['read'] });
  const post = async (body: object) => {
    const response = await appOf(runtime).request('/v1/thresholds/task/pass_threshold/simulate', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const { status, body } = await post({ values: [0.6, 0.8], days: 0 });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    current: 0.7,
    unknown: 8,
    values: [{ value: 0.6, catch_rate: { state: expect.any(String) as string } }, { value: 0.8 }],
  });
  expect(await post({ values: [0.6, 1.2] })).toMatchObject({
    status: 422,
    body: {
      error: {
        details: [{ path: 'values[1]', message: '`values[1]` must be from 0 to 1, not 1.2.' }],
      },
    },
  });
  expect(await post({ values: [0.1] })).toMatchObject({
    status: 422,
    body: { error: { details: [{ path: 'values[0]' }] } },
  });
});

test('settled verdicts keep their basis, and are decided the same way when read again (no judge, all kinds that need none)', async () => {
  const own = await createTestProject(runtime);
  const { key } = await createKey(own, { name: 'v', scopes: ['verify'] });
  const bodies: readonly [string, object][] = [
    [
      'task',
      {
        task_description: 't',
        task_output: 'short',
        success_criteria: [{ check: 'min_length', value: 50 }],
      },
    ],
    [
      'task',
      {
        task_description: 't',
        task_output: 'x'.repeat(60),
        success_criteria: [{ check: 'min_length', value: 50 }],
        threshold: 0.5,
      },
    ],
    [
      'task',
      { task_description: 't', task_output: 'an output', success_criteria: ['It is kind.'] },
    ],
    ['consistency', { outputs: [{ task_id: 'a', output: 'x' }] }],
    ['code', { request: 'Create a.md', files: [{ path: 'a.md', content: 'x' }] }],
    ['code', { request: 'What is it?', files: [{ path: 'a.md', content: 'x' }] }],
    ['agent-output', { subgoal: { id: 's' }, output: { summary: 'It is up.', confidence: 0.65 } }],
    ['synthesis', { query: 'q', answer: 'It is up.', agent_outputs: [] }],
    [
      'mission',
      {
        mission_id: 'm',
        description: 'd',
        tasks: [{ task_id: 'a', description: 'd', output: '' }],
      },
    ],
  ];
  for (const [kind, body] of bodies) {
    const response = await appOf(runtime).request(`/v1/verify/${kind}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status, `${kind}: ${await response.text()}`).toBeLessThan(300);
  }
  await drainWork(runtime);
  const rows = await own.sql<
    {
      slug: string;
      verdict: string | null;
      outcome: string;
      review: boolean;
      basis: string;
      own: number | null;
    }[]
  >`
    select verifier_slug as slug, verdict, outcome, needs_human_review as review, basis::text,
      case when threshold_source = 'task' then threshold_value end as own
    from verdicts where project_id = ${own.projectId}`;
  expect(rows).toHaveLength(bodies.length);
  for (const { slug, basis, own: given, verdict, outcome, review } of rows) {
    const thresholds = resolveThresholds(
      { verifier: slug, missionId: null, taskId: null },
      [],
      new Map(given === null ? [] : [['pass_threshold', given]]),
    );
    const decided = kinds.get(slug)?.rederive?.(JSON.parse(basis))?.(thresholds);
    expect([slug, decided]).toEqual([slug, { verdict, outcome, needsHumanReview: review }]);
    expect(basis.length).toBeLessThan(300);
  }
});
