import { beforeEach, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import { wilson } from '../../domain';
import type { Runtime } from '../../runtime';
import { listModelDays, listModels, listModelPerformance } from '..';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest'] }));
});

/** Turns of one figure each, with its source or without; settled in the order given. */
async function send(
  model: string,
  sourced: readonly boolean[],
  prefix: string,
  sessionOf: (at: number) => string | undefined = () => undefined,
): Promise<void> {
  const turns = sourced.map((isSourced, at) => ({
    id: `${prefix}-${at}`,
    session_id: sessionOf(at),
    model,
    output: isSourced ? 'It is 42.' : 'It is 73 %.',
    tools: [{ id: 'tc1', name: 'disk', result: { used: 42 } }],
  }));
  const response = await appOf(runtime).request('/v1/turns', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turns }),
  });
  expect(response.status).toBe(202);
  await drainWork(runtime);
}

test('QEL-47 for every verifier the last 100 results of a model count: the 101st drops the oldest', async () => {
  await send(
    'm',
    Array.from({ length: 60 }, () => true),
    'old',
  );
  await send(
    'm',
    Array.from({ length: 45 }, () => false),
    'new',
  );
  const [row, ...others] = await listModels(project);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    model: 'm',
    verifier: 'integrity',
    tier: null,
    passRate: { numerator: 55, denominator: 100 },
    consecutiveFailures: 45,
    // The mean is of the window, the percentiles are of 30 days.
    scored: 100,
    score: { n: 105, p50: 1, p95: 1 },
  });
  expect(row?.outcomes).toHaveLength(100);
  expect(row?.wait.n).toBe(105);
  expect(row?.wait.p50).toBeGreaterThanOrEqual(0);
});

test('models are separate, the newest result first, and one verifier can be chosen', async () => {
  await send('first', [true, false], 'a');
  await send('second', [true], 'b');
  const rows = await listModels(project);
  expect(
    rows.map(({ model, passRate }) => [model, passRate.numerator, passRate.denominator]),
  ).toEqual([
    ['second', 1, 1],
    ['first', 1, 2],
  ]);
  const performance = async (verifier: string | null) =>
    (await listModelPerformance(project, verifier)).map((row) => [row.verifier, row.model]);
  const both = [
    ['integrity', 'second'],
    ['integrity', 'first'],
  ];
  expect(await performance(null)).toEqual(both);
  expect(await performance('integrity')).toEqual(both);
  expect(await performance('code')).toEqual([]);
  expect(await listModels(await createTestProject(runtime))).toEqual([]);
});

test('a model has 30 days, including those without results, the most results first; unnamed work is not a model', async () => {
  const rolled = (days: number, model: string, passed: number, failed: number) => project.sql`
    insert into verdict_rollups (project_id, day, verifier_slug, model, passed, failed)
    values (${project.projectId}, (now() at time zone 'UTC')::date - ${days}::int, 'integrity', ${model}, ${passed}, ${failed})`;
  await rolled(0, 'few', 1, 2);
  await rolled(29, 'few', 4, 0);
  await rolled(30, 'few', 1000, 0);
  await rolled(3, 'many', 20, 5);
  await rolled(3, '', 90, 9);
  const models = await listModelDays(project);
  expect(
    models.map(({ model, passed, failed, days }) => [model, passed, failed, days.length]),
  ).toEqual([
    ['many', 20, 5, 30],
    ['few', 5, 2, 30],
  ]);
  expect([models[1]?.days[0], models[1]?.days[1], models[1]?.days[29]]).toMatchObject([
    { passed: 4, failed: 0 },
    { passed: 0, failed: 0 },
    { passed: 1, failed: 2 },
  ]);
});

test('calibration.md 5.1 results of one session that all agree widen the interval of a pass rate', async () => {
  // 20 sessions of 3 that pass or fail as a whole.
  await send(
    'm',
    Array.from({ length: 60 }, (_, at) => Math.floor(at / 3) % 4 > 0),
    'alike',
    (at) => `session ${Math.floor(at / 3)}`,
  );
  const weight = 19 / 20 / 3;
  const { low, high } = wilson(45 * weight, 60 * weight);
  const [row] = await listModels(project);
  expect(row?.passRate).toMatchObject({ numerator: 45, denominator: 60 });
  expect([row?.passRate.low, row?.passRate.high]).toEqual([
    expect.closeTo(low, 9),
    expect.closeTo(high, 9),
  ]);
  const [days] = await listModelDays(project);
  expect(days).toMatchObject({
    passed: 45,
    failed: 15,
    weight: expect.closeTo(weight, 9) as number,
  });
});
