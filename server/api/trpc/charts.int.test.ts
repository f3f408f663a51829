import { beforeEach, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import { listMarks } from '../../alerts';
import { measureCaughtCosts } from '../../measures';
import { Outcome } from '../../domain';
import { setRuleEnabled } from '../../rules';
import type { Runtime } from '../../runtime';
import { applyThresholds } from '../../thresholds';
import { bucketOf, listModelScores, readVerdictHistory, readScores } from '../../verdicts';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

/** Turns of one figure each; every third has its source and passes. */
async function settle(count: number): Promise<void> {
  const { key } = await createKey(project, { name: 'k', scopes: ['ingest'] });
  const turns = Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    model: at % 2 === 0 ? 'even' : 'odd',
    output: at % 3 === 0 ? 'It is 42.' : 'It is 73 %.',
    tools: [{ id: 'tc', name: 'disk', result: { used: 42 } }],
  }));
  const response = await appOf(runtime).request('/v1/turns', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turns }),
  });
  expect(response.status).toBe(202);
  await drainWork(runtime);
}

test('the history counts every verdict once, by its day and by its hour, and reports verdicts without an hour', async () => {
  await settle(30);
  const stored = await project.sql<{ outcome: Outcome; hour: string; n: number }[]>`
    select outcome, date_trunc('hour', settled_at, 'UTC') as hour, count(*)::int as n from verdicts
    where project_id = ${project.projectId} group by 1, 2`;
  const wanted = new Map<string, number>();
  for (const { outcome, n } of stored) wanted.set(outcome, (wanted.get(outcome) ?? 0) + n);
  for (const days of [1, 7, 30]) {
    const history = await readVerdictHistory(project, { days });
    expect(history).toMatchObject({ step: days === 1 ? 'hour' : 'day', verdicts: 30, inSteps: 30 });
    const summed = Outcome.options.map((outcome) => [
      outcome,
      history.steps.reduce((sum, each) => sum + each.outcomes[outcome], 0),
    ]);
    expect(Object.fromEntries(summed)).toEqual(
      Object.fromEntries(Outcome.options.map((outcome) => [outcome, wanted.get(outcome) ?? 0])),
    );
    expect(days === 1 || history.steps.length === days).toBe(true);
  }
  const hours = await readVerdictHistory(project, { days: 1 });
  const filled = hours.steps
    .filter(({ outcomes }) => outcomes.passed + outcomes.failed > 0)
    .map(({ at }) => at.getTime());
  expect(new Set(filled)).toEqual(new Set(stored.map(({ hour }) => new Date(hour).getTime())));
  // A day that began under a release without hours.
  await project.sql`delete from verdict_hours where project_id = ${project.projectId}`;
  expect(await readVerdictHistory(project, { days: 1 })).toMatchObject({
    verdicts: 30,
    inSteps: 0,
  });
});

test('scores are in their bins with the failures separate, and days that did not separate them are marked', async () => {
  await settle(30);
  const [stored] = await project.sql<{ scored: number; failed: number; zeros: number }[]>`
    select count(score)::int as scored, count(score) filter (where outcome = 'failed')::int as failed,
      count(*) filter (where score = 0)::int as zeros
    from verdicts where project_id = ${project.projectId} and verifier_slug = 'integrity'`;
  expect(stored?.failed).toBeGreaterThan(0);
  const sum = (
    bins: readonly {
      readonly count: number;
      readonly failed: number;
      readonly unclassified: number;
    }[],
  ) =>
    bins.reduce(
      (all, { count, failed, unclassified }) => ({
        count: all.count + count,
        failed: all.failed + failed,
        unclassified: all.unclassified + unclassified,
      }),
      { count: 0, failed: 0, unclassified: 0 },
    );
  const histogram = await readScores(project, { verifier: 'integrity', from: undefined });
  expect(sum(histogram.bins)).toEqual({
    count: stored?.scored,
    failed: stored?.failed,
    unclassified: 0,
  });
  expect(histogram).toMatchObject({
    max: 1,
    verdicts: 30,
    spread: { n: stored?.scored },
    thresholds: [],
  });
  expect(histogram.bins[0]?.count).toBe(stored?.zeros);
  await project.sql`delete from verdict_spreads where project_id = ${project.projectId} and measure = 'failed_score'`;
  expect(sum((await readScores(project, { verifier: 'integrity', from: undefined })).bins)).toEqual(
    {
      count: stored?.scored,
      failed: 0,
      unclassified: stored?.scored,
    },
  );
  const task = await readScores(project, { verifier: 'task', from: undefined });
  expect(task).toMatchObject({ spread: { n: 0, p50: null }, verdicts: 0 });
  expect(task.thresholds.map(({ key, value }) => [key, value])).toEqual([
    ['pass_threshold', 0.7],
    ['fail_threshold', 0.4],
  ]);
  const models = await listModelScores(project, { verifier: 'integrity' });
  expect(models.map(({ model, days }) => [model, days.length])).toEqual([
    ['even', 30],
    ['odd', 30],
  ]);
  expect(
    models
      .flatMap(({ days }) => days.map(({ spread }) => spread?.n ?? 0))
      .reduce((all, n) => all + n, 0),
  ).toBe(stored?.scored);
});

test('X-12 the cost per caught defect is shown from 20 labels of flagged ones on, by the week', async () => {
  const { projectId, sql } = project;
  // A Monday four weeks ago, so that a week does not run into the next.
  const monday = new Date(
    Math.floor((Date.now() / 86_400_000 - 4) / 7) * 7 * 86_400_000 +
      4 * 86_400_000 -
      28 * 86_400_000,
  );
  const day = (after: number): string =>
    new Date(monday.getTime() + after * 86_400_000).toISOString().slice(0, 10);
  const spent = (after: number, usd: number, count: number) => sql`
    insert into verdict_spreads (project_id, day, verifier_slug, model, measure, counts)
    values (${projectId}, ${day(after)}::date, 'task', 'm', 'cost', ${JSON.stringify({ [bucketOf(usd)]: count })}::text::jsonb)`;
  const flagged = (after: number, failed: number, caught: number, rejected: number) => sql`
    with rolled as (
      insert into verdict_rollups (project_id, day, verifier_slug, model, passed, failed) values (${projectId}, ${day(after)}::date, 'task', 'm', 5, ${failed}))
    insert into judgement_rollups (project_id, day, origin, slug, series, version, model, judge, policy, caught, rejected)
    values (${projectId}, ${day(after)}::date, 'verifier', 'task', 'task', 1, 'm', 'j', 0, ${caught}, ${rejected})`;
  await spent(0, 0.02, 100);
  await spent(6, 0.01, 100);
  await flagged(0, 30, 12, 3);
  await flagged(3, 30, 12, 3);
  await flagged(7, 10, 15, 4);
  const { step, steps } = await measureCaughtCosts(project, { verifier: 'task', days: 90 });
  expect(step).toBe('week');
  expect(steps.map(({ from, ...each }) => [from.toISOString().slice(0, 10), each])).toMatchObject([
    [day(0), { judged: 200, flagged: 60, flaggedLabelled: 30, caughtLabelled: 24, caught: 48 }],
    [
      day(7),
      {
        judged: 0,
        usd: 0,
        flagged: 10,
        flaggedLabelled: 19,
        caughtLabelled: 15,
        caught: null,
        usdPerCaught: null,
      },
    ],
  ]);
  // Costs are stored to 2% of their value.
  expect(steps[0]?.usd).toBeGreaterThan(3 * 0.98);
  expect(steps[0]?.usd).toBeLessThan(3 * 1.02);
  expect(steps[0]?.usdPerCaught).toBeCloseTo((steps[0]?.usd ?? 0) / 48, 9);
  expect((await measureCaughtCosts(project, { verifier: 'code', days: 90 })).steps).toEqual([]);
});

test('a verifier’s marks are the changes that concern it, oldest first; the overview has them all', async () => {
  for (const verifier of ['task', 'consistency']) {
    const changes = [{ key: 'pass_threshold', value: 0.8, expectedVersion: 0 }];
    await applyThresholds(project, {
      verifier,
      missionId: null,
      taskId: null,
      reason: 'r',
      changes,
    });
  }
  await setRuleEnabled(project, runtime.rules, 'integrity', false);
  const textOf = ({
    action,
    target,
  }: {
    readonly action: string;
    readonly target: string | null;
  }) => `${action} ${target}`;
  const all = await listMarks(project, { from: undefined });
  expect(all.marks.map(textOf)).toEqual([
    'thresholds.update task/pass_threshold',
    'thresholds.update consistency/pass_threshold',
    'rules.update integrity',
  ]);
  expect(all.isCut).toBe(false);
  const ofTask = await listMarks(project, { from: undefined, verifier: 'task@2' });
  expect(ofTask.marks.map(textOf)).toEqual([
    'thresholds.update task/pass_threshold',
    'rules.update integrity',
  ]);
  expect((await listMarks(project, { from: new Date(Date.now() + 60_000) })).marks).toEqual([]);
});
