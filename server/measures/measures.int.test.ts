import { beforeEach, expect } from 'vitest';
import { appOf } from '../../testing/app';
import { createTestProject, drainJobs, drainWork } from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, type ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { summariseProject } from '../verdicts';
import { listLabelledVerdicts } from './list-labelled-verdicts';
import { measureVerifier } from './measure-verifier';
import { measureVerifiers } from './measure';
import { overrideVerdict, undoLabel } from '../labels';
import { Cell } from './measure-input';
import { type Counts, noCounts } from './rates';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest', 'read', 'write'] }));
});

const http = async (
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await appOf(runtime).request(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/**
 * Turns with one figure each: those of `flagged` without a source, those of `clean` with one.
 * Returns the verdict of each by turn.
 */
async function verify(
  flagged: readonly string[],
  clean: readonly string[],
): Promise<Map<string, string>> {
  const tools = [{ id: 'tc1', name: 'disk', result: { used: 42 } }];
  const turns = [
    ...flagged.map((id) => ({ id, output: 'It is 73 %.', tools })),
    ...clean.map((id) => ({ id, output: 'It is 42.', tools })),
  ];
  expect((await http('/v1/turns', { turns })).status).toBe(202);
  await drainWork(runtime);
  const rows = await project.sql<{ id: string; subject_id: string }[]>`
    select id, subject_id from verdicts where project_id = ${project.projectId}`;
  return new Map(rows.map((row) => [row.subject_id, row.id]));
}

const report = (outcomes: readonly object[]) => http('/v1/outcomes', { outcomes });
const counts = async (): Promise<Partial<Counts>> =>
  (await measureVerifiers(project, { verifier: 'integrity' })).find(
    (each) => each.origin === 'verifier',
  )?.counts ?? {};

test('X-1, SOAR-26, SOAR-27: verdicts are in the matrix by the reported truth, and each number leads to its rows', async () => {
  await verify(['f1', 'f2', 'f3'], ['c1', 'c2', 'c3', 'c4']);
  await report([
    { subject_id: 'f1', success: false },
    { subject_id: 'f2', success: false },
    { subject_id: 'f3', success: true },
    { subject_id: 'c1', success: false },
    { subject_id: 'c2', success: true },
    { subject_id: 'c3', success: true },
    { subject_id: 'elsewhere', success: false },
  ]);
  expect(await counts()).toEqual({
    ...noCounts,
    caught: 2,
    missed: 1,
    rejected: 1,
    passed: 2,
    undecided: 0,
    unparseable: 0,
    ruled: 0,
    overruled: 0,
    decided: 7,
    passes: 4,
  });
  const cells: Readonly<Record<string, readonly string[]>> = {
    caught: ['f1', 'f2'],
    missed: ['c1'],
    rejected: ['f3'],
    passed: ['c2', 'c3'],
    bad: ['c1', 'f1', 'f2'],
    good: ['c2', 'c3', 'f3'],
    labelled: ['c1', 'c2', 'c3', 'f1', 'f2', 'f3'],
    agreed: ['c2', 'c3', 'f1', 'f2'],
    undecided: [],
    unparseable: [],
    ruled: [],
    overruled: [],
  };
  for (const cell of Cell.options.filter((each) => each !== 'passes' && each !== 'decided')) {
    const { items } = await listLabelledVerdicts(project, {
      verifier: 'integrity',
      origin: 'verifier',
      cell,
    });
    expect(items.map((item) => item.turnId ?? '').sort(), cell).toEqual(cells[cell]);
  }
});

test.each(['subject_id', 'verification_id'])(
  'X-1, VS-45: an outcome by %s is also the truth of a submitted task',
  async (named) => {
    const { key: verifyKey } = await createKey(project, { name: 'v', scopes: ['verify'] });
    const response = await appOf(runtime).request('/v1/verify/task', {
      method: 'POST',
      headers: { authorization: `Bearer ${verifyKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        task_description: 'Report',
        task_output: 'short',
        success_criteria: [{ check: 'min_length', value: 50 }],
      }),
    });
    const {
      id,
      subject_id: subject,
      verdict,
    } = (await response.json()) as { id: string; subject_id: string; verdict: string };
    expect(verdict).toBe('fail');
    await report([{ [named]: named === 'subject_id' ? subject : id, success: false }]);
    const [task] = await measureVerifiers(project, { verifier: 'task' });
    expect(task?.counts).toMatchObject({
      caught: 1,
      missed: 0,
      rejected: 0,
      passed: 0,
      decided: 1,
    });
    const { items } = await listLabelledVerdicts(project, {
      verifier: 'task',
      origin: 'verifier',
      cell: 'caught',
    });
    expect(items.map((item) => item.verdictId)).toEqual([id]);
  },
);

test('X-1: an override is the truth of its verdict, above any outcome, until it is undone; the verifier’s side is unchanged', async () => {
  const verdicts = await verify(['f1'], ['c1']);
  await report([{ subject_id: 'f1', success: false }]);
  const byModel = async () => (await summariseProject(project, { days: 7 })).byModel;
  const machine = await byModel();
  const made = await overrideVerdict(project, {
    verdictId: verdicts.get('f1') ?? '',
    verdict: 'pass',
    reason: 'it is in the manual',
  });
  expect(await counts()).toMatchObject({
    caught: 0,
    rejected: 1,
    ruled: 1,
    overruled: 1,
    decided: 2,
    passes: 1,
  });
  expect(await byModel()).toEqual(machine);
  await overrideVerdict(project, {
    verdictId: verdicts.get('c1') ?? '',
    verdict: 'fail',
    reason: 'it is of yesterday',
  });
  expect(await counts()).toMatchObject({ missed: 1, ruled: 2, overruled: 2 });
  // Of two rulings the later one counts.
  await overrideVerdict(project, { verdictId: verdicts.get('c1') ?? '', verdict: 'pass' });
  expect(await counts()).toMatchObject({
    rejected: 1,
    passed: 1,
    ruled: 2,
    overruled: 1,
    passes: 1,
  });
  await overrideVerdict(project, { verdictId: verdicts.get('c1') ?? '', grade: 2 });
  expect(await counts()).toMatchObject({ rejected: 1, passed: 1, ruled: 2, overruled: 1 });
  const [row] = (
    await listLabelledVerdicts(project, {
      verifier: 'integrity',
      origin: 'verifier',
      cell: 'overruled',
    })
  ).items;
  expect(row).toMatchObject({
    turnId: 'f1',
    machine: 'failed',
    word: 'unsourced',
    good: true,
    truthOf: 'override',
    overruled: true,
  });
  await undoLabel(project, made.id);
  expect(await counts()).toMatchObject({
    caught: 1,
    rejected: 0,
    passed: 1,
    ruled: 1,
    overruled: 0,
  });
});

test('X-1: of several reports the latest with success or failure counts', async () => {
  await verify(['f1'], []);
  await report([{ subject_id: 'f1', success: true }]);
  await report([{ subject_id: 'f1', success: false }]);
  await report([{ subject_id: 'f1', score: 1 }]);
  expect(await counts()).toMatchObject({ caught: 1, rejected: 0 });
});

test('X-12: undecided verdicts are outside every denominator, and reported separately', async () => {
  const verdicts = await verify(['f1', 'f2', 'f3'], []);
  const outcomes = ['inconclusive', 'skipped', 'needs_review'];
  for (const [at, outcome] of outcomes.entries()) {
    await project.sql`update verdicts set outcome = ${outcome}, verdict = null where project_id = ${project.projectId} and id = ${verdicts.get(`f${at + 1}`) ?? ''}`;
  }
  await report(['f1', 'f2'].map((id) => ({ subject_id: id, success: false })));
  await overrideVerdict(project, {
    verdictId: verdicts.get('f3') ?? '',
    verdict: 'fail',
    reason: 'r',
  });
  expect(await counts()).toMatchObject({
    caught: 0,
    missed: 0,
    rejected: 0,
    passed: 0,
    undecided: 3,
    ruled: 0,
    overruled: 0,
  });
  const reply = await http('/v1/metrics/verifiers?verifier=integrity');
  const noData = {
    value: null,
    numerator: 0,
    denominator: 0,
    low: null,
    high: null,
    state: 'no_data',
  };
  expect(reply).toMatchObject({
    status: 200,
    body: {
      data: [
        {
          verifier: 'integrity',
          kind: 'integrity',
          undecided: 3,
          catch_rate: noData,
          override_rate: noData,
          retry_success: noData,
        },
      ],
    },
  });
});

test('SOAR-26, SOAR-29: GET /v1/metrics/verifiers gives value, counts, interval and state of each measure', async () => {
  const [flagged, clean] = [
    Array.from({ length: 15 }, (_, n) => `f${n}`),
    Array.from({ length: 25 }, (_, n) => `c${n}`),
  ];
  await verify(flagged, clean);
  await report([
    ...flagged.map((id, n) => ({ subject_id: id, success: n < 3 })),
    ...clean.map((id, n) => ({ subject_id: id, success: n >= 8 })),
  ]);
  const { body } = await http('/v1/metrics/verifiers');
  const [integrity] = body.data as Record<string, Record<string, unknown>>[];
  expect(Object.keys(integrity ?? {})).toEqual(
    expect.arrayContaining(['retry_success', 'correlation', 'pass_rate', 'corrected_pass_rate']),
  );
  // 12 of 20 is exactly 0.60, which does not alert.
  expect(integrity?.catch_rate).toMatchObject({
    value: 0.6,
    numerator: 12,
    denominator: 20,
    state: 'off_target',
  });
  expect(integrity?.false_positive_rate).toMatchObject({
    value: 0.075,
    numerator: 3,
    denominator: 40,
    state: 'on_target',
  });
  expect(integrity?.false_rejection_rate).toMatchObject({
    value: 0.15,
    numerator: 3,
    denominator: 20,
  });
  expect(integrity?.agreement).toMatchObject({ value: 0.725, numerator: 29, denominator: 40 });
  expect(integrity?.kappa).toMatchObject({ numerator: null, denominator: 40 });
  expect(integrity?.pass_rate).toMatchObject({ value: 0.625, numerator: 25, denominator: 40 });
  expect(integrity?.override_rate).toMatchObject({ value: null, state: 'no_data' });
});

test('SOAR-27: a period contains the verdicts settled in it, to the moment; a version of a verifier has its own figures', async () => {
  const verdicts = await verify(['f1', 'f2'], ['c1']);
  const move = async (turn: string, at: string): Promise<void> => {
    await project.sql`update verdicts set settled_at = ${at}::timestamptz, verifier_version = 2 where project_id = ${project.projectId} and id = ${verdicts.get(turn) ?? ''}`;
  };
  await move('f1', '2026-03-02T12:00:00Z');
  // Counts as settling would have stored them.
  const { sql, projectId } = project;
  await sql`update verdict_populations set failed = failed - 1 where project_id = ${projectId}`;
  await sql`
    insert into verdict_populations (project_id, verifier_slug, day, version, model, judge, self, part, failed)
    select project_id, verifier_slug, day, 2, model, judge, self, part, 1 from verdict_populations where project_id = ${projectId} and version = 1`;
  await report([
    { subject_id: 'f1', success: false },
    { subject_id: 'f2', success: false },
  ]);
  const caught = async (query: string) => {
    const { body } = await http(`/v1/metrics/verifiers?${query}`);
    const [first] = body.data as { catch_rate: { numerator: number } }[];
    return first?.catch_rate.numerator;
  };
  expect(await caught('from=2026-03-02&to=2026-03-03')).toBe(1);
  expect(await caught('from=2026-03-02T12:00:00Z&to=2026-03-02T12:00:01Z')).toBe(1);
  expect(await caught('from=2026-03-01&to=2026-03-02T12:00:00Z')).toBe(0);
  expect(await caught('to=2026-03-03')).toBe(1);
  expect(await caught('from=2026-03-03')).toBe(1);
  expect(await caught('verifier=integrity@2')).toBe(1);
  expect(await caught('verifier=integrity@1')).toBe(1);
  const versions = await http('/v1/metrics/verifiers?verifier=integrity@2');
  expect(versions.body.data).toMatchObject([{ pass_rate: { numerator: 0, denominator: 1 } }]);
  // The rollup has the settlement day; rows of the moved verdict are found on partial days.
  const cut = await http('/v1/metrics/verifiers?from=2026-03-02T12:00:00Z&to=2026-03-02T13:00:00Z');
  expect(cut.body.data).toMatchObject([{ pass_rate: { numerator: 0, denominator: 1 } }]);
});

test.each([
  ['from=yesterday', 'from'],
  ['to=2026-02-30', 'to'],
  ['from=2026-11-01T10:00', 'from'],
  ['from=0000-01-01', 'from'],
  ['from=2026-11-02&to=2026-11-01', 'to'],
  ['verifier=', 'verifier'],
])('R-83 /v1/metrics/verifiers?%s is refused by the name of the field', async (query, path) => {
  expect(await http(`/v1/metrics/verifiers?${query}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', details: [{ path }] } },
  });
});

test('X-12: a project without a label shows its verifier as unmeasured', async () => {
  const { body } = await http('/v1/metrics/verifiers');
  expect(body.data).toMatchObject([
    { verifier: 'integrity', catch_rate: { state: 'no_data', value: null } },
  ]);
  expect((await http('/v1/metrics/verifiers?verifier=nobodys')).body).toEqual({ data: [] });
});

const judged = [
  // judge, truth
  ['fail', 'fail'],
  ['fail', 'pass'],
  ['pass', 'fail'],
  ['pass', 'pass'],
  ['?', 'fail'],
  ['?', 'pass'],
  ['fail', ''],
];

async function importJudged(unparseable_as: string): Promise<void> {
  const mapping = {
    format: 'jsonl',
    id: 'id',
    output: 'out',
    judge: { const: 'acme/judge' },
    judge_verdict: 'j',
    human_label: 'h',
    unparseable_as,
  };
  const rows = judged.map(([j, h], at) => ({ id: `i-${at}`, out: 'text', j, h }));
  const response = await appOf(runtime).request(
    `/v1/import?mapping=${encodeURIComponent(JSON.stringify(mapping))}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: rows.map((row) => JSON.stringify(row)).join('\n'),
    },
  );
  expect(response.status).toBe(202);
  await drainJobs(runtime);
}

test('X-1: an imported judge is a separate verifier; unparseable replies are a pass or left out, and counted separately', async () => {
  const judge = async () =>
    (await measureVerifiers(project, { verifier: 'acme/judge' })).map(
      ({ kind, origin, counts: c }) => ({ kind, origin, ...c }),
    );
  const about = {
    ...noCounts,
    kind: 'imported',
    origin: 'imported',
    caught: 1,
    rejected: 1,
    unparseable: 2,
    ruled: 0,
    overruled: 0,
  };
  await importJudged('exclude');
  expect(await judge()).toEqual([
    { ...about, missed: 1, passed: 1, undecided: 2, decided: 5, passes: 2 },
  ]);
  // The same replies, read differently: the latest reading counts.
  await importJudged('pass');
  expect(await judge()).toEqual([
    { ...about, missed: 2, passed: 2, undecided: 0, decided: 7, passes: 4 },
  ]);
  const rows = await listLabelledVerdicts(project, {
    verifier: 'acme/judge',
    origin: 'imported',
    cell: 'unparseable',
  });
  expect(rows.items.map(({ turnId, unread, machine }) => [turnId, unread, machine])).toEqual(
    expect.arrayContaining([
      ['i-4', true, 'passed'],
      ['i-5', true, 'passed'],
    ]),
  );
  const all = await listLabelledVerdicts(project, {
    verifier: 'acme/judge',
    origin: 'imported',
    cell: 'decided',
  });
  expect(all.items).toHaveLength(7);
  expect(
    (
      await listLabelledVerdicts(project, {
        verifier: 'acme/judge',
        origin: 'verifier',
        cell: 'decided',
      })
    ).items,
  ).toEqual([]);
});

test('X-1: rows are paged, and rates are by day where days have 20 labels, else by week', async () => {
  const turns = Array.from({ length: 20 }, (_, n) => `f${n}`);
  await verify(turns, []);
  const ofWeek = { verifier: 'integrity', origin: 'verifier', days: 7 } as const;
  const failed = turns.map((id) => ({ subject_id: id, success: false }));
  await report(failed.slice(0, 19));
  expect(await measureVerifier(project, ofWeek)).toMatchObject({
    step: 'week',
    steps: [{ matrix: { caught: 19, missed: 0, rejected: 0, passed: 0 } }],
  });
  await report(failed.slice(19));
  const wanted = { verifier: 'integrity', origin: 'verifier', cell: 'caught', limit: 8 } as const;
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await listLabelledVerdicts(project, {
      ...wanted,
      ...(cursor != null && { cursor }),
    });
    seen.push(...page.items.map((item) => item.turnId ?? ''));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen.toSorted()).toEqual(turns.toSorted());
  const detail = await measureVerifier(project, ofWeek);
  expect(detail.step).toBe('day');
  expect(detail.steps).toMatchObject([
    { matrix: { caught: 20, missed: 0, rejected: 0, passed: 0 } },
  ]);
  const [step] = detail.steps;
  const inStep = await listLabelledVerdicts(project, {
    ...wanted,
    limit: 50,
    ...(step && { from: step.from, to: step.to }),
  });
  expect(inStep.items).toHaveLength(20);
  expect((await measureVerifier(project, { ...ofWeek, days: 0 })).step).toBe('week');
  const version = async (name: string) =>
    (await measureVerifier(project, { verifier: name, origin: 'verifier', days: 7 })).counts;
  expect(await version('integrity@1')).toMatchObject({ caught: 20, decided: 20 });
  expect(await version('integrity@2')).toMatchObject({ caught: 0, decided: 0 });
  // Zeros without a verdict, and an error for an unknown one.
  expect(
    (await measureVerifier(project, { verifier: 'mission', origin: 'verifier', days: 7 })).counts
      .decided,
  ).toBe(0);
  for (const origin of ['imported', 'verifier'] as const) {
    await expect(
      measureVerifier(project, { verifier: 'nobodys', origin, days: 7 }),
    ).rejects.toMatchObject({ code: 'not_found' });
  }
});
