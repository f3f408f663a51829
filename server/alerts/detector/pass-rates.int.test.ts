import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import type { ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { putThreshold } from '../../thresholds';
import { listAlerts } from '../list-alerts';
import { listFalls } from '../list-falls';
import { listFindings } from '../list-findings';
import { putAlertRule } from '../put-alert-rule';
import { checkAlertsNow } from '../watch';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

interface Spell {
  readonly model: string;
  /** Days ago, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly passed: number;
  readonly failed: number;
  readonly verifier?: string;
}

/** Daily counts as settling writes them. */
async function roll({ model, from, to, passed, failed, verifier = 'task' }: Spell): Promise<void> {
  await project.sql`
    insert into verdict_rollups (project_id, day, verifier_slug, model, passed, failed)
    select ${project.projectId}, (now() at time zone 'UTC')::date - n, ${verifier}, ${model}, ${passed}, ${failed}
    from generate_series(${to}::int, ${from}::int) n`;
}

const dayAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** States and messages of the kind, by series. */
async function look() {
  await checkAlertsNow(project);
  const { alerts } = await listAlerts(project);
  return new Map(
    alerts.filter(({ kind }) => kind === 'pass_rate_fell').map((alert) => [alert.series, alert]),
  );
}

test('a fall is found with its day, its numbers and what changed; quiet series and rises are not', async () => {
  await roll({ model: 'small', from: 40, to: 7, passed: 38, failed: 12 });
  await roll({ model: 'small', from: 6, to: 0, passed: 24, failed: 26 });
  await roll({ model: 'quiet', from: 40, to: 0, passed: 45, failed: 5 });
  await roll({ model: 'better', from: 40, to: 7, passed: 24, failed: 26 });
  await roll({ model: 'better', from: 6, to: 0, passed: 38, failed: 12 });
  await roll({ model: '', from: 3, to: 0, passed: 2, failed: 2 });
  const found = await look();
  const states = Object.fromEntries([...found].map(([series, { state }]) => [series, state]));
  expect(states).toEqual({
    'task/better': 'ok',
    'task/quiet': 'ok',
    'task/small': 'alerting',
  });
  const small = found.get('task/small');
  expect(small).toMatchObject({
    value: 0.48,
    message: `Task, small: 48% of 350 verdicts passed since ${dayAgo(6)}, and 76% of 1,700 verdicts before.`,
    advice: expect.stringContaining('no setting changed around that day') as string,
  });
  expect(small?.href).toContain('verifier=task&model=small&outcome=failed&from=');
  const { items } = await listFindings(project, { limit: 50, kind: 'pass_rate_fell' });
  expect(items).toMatchObject([{ series: 'task/small', severity: 'high' }]);
});

test('open falls have their counts, their difference and the changes around the day, the deepest first', async () => {
  expect(await listFalls(project)).toEqual([]);
  await roll({ model: 'small', from: 40, to: 7, passed: 38, failed: 12 });
  await roll({ model: 'small', from: 6, to: 0, passed: 24, failed: 26 });
  await roll({ model: '', from: 40, to: 1, passed: 45, failed: 5 });
  await roll({ model: '', from: 0, to: 0, passed: 20, failed: 80 });
  await putThreshold(project, {
    verifier: 'task',
    key: 'pass_threshold',
    body: { value: 0.8, reason: 'stricter', scope: { mission_id: null, task_id: null } },
  });
  await look();
  const falls = await listFalls(project);
  expect(falls).toMatchObject([
    {
      verifier: 'task',
      part: null,
      since: new Date(dayAgo(0)),
      now: { numerator: 20, denominator: 100 },
      before: { numerator: 1800, denominator: 2000 },
      changes: [{ action: 'thresholds.update', target: 'task/pass_threshold' }],
    },
    {
      part: 'small',
      since: new Date(dayAgo(6)),
      now: { numerator: 168, denominator: 350 },
      before: { numerator: 1292, denominator: 1700 },
      changes: [],
    },
  ]);
  expect(falls.map(({ difference }) => difference?.value.toFixed(2))).toEqual(['-0.70', '-0.28']);
  const { items } = await listFindings(project, { limit: 50, kind: 'pass_rate_fell' });
  expect(new Set(falls.map(({ findingId }) => findingId))).toEqual(
    new Set(items.map(({ id }) => id)),
  );
});

test('settings that changed around the day are named', async () => {
  await roll({ model: 'small', from: 30, to: 1, passed: 45, failed: 5 });
  await roll({ model: 'small', from: 0, to: 0, passed: 60, failed: 90 });
  await putThreshold(project, {
    verifier: 'task',
    key: 'pass_threshold',
    body: { value: 0.8, reason: 'stricter', scope: { mission_id: null, task_id: null } },
  });
  expect((await look()).get('task/small')).toMatchObject({
    state: 'alerting',
    advice: 'Check what changed around that day: thresholds.update task/pass_threshold.',
  });
});

test('a fall of more than four weeks ago is no news, and a disabled rule finds nothing', async () => {
  await roll({ model: 'old', from: 55, to: 30, passed: 45, failed: 5 });
  await roll({ model: 'old', from: 29, to: 0, passed: 25, failed: 25 });
  expect((await look()).get('task/old')?.state).toBe('ok');
  await roll({ model: 'new', from: 40, to: 5, passed: 45, failed: 5 });
  await roll({ model: 'new', from: 4, to: 0, passed: 25, failed: 25 });
  expect((await look()).get('task/new')?.state).toBe('alerting');
  await putAlertRule(project, {
    kind: 'pass_rate_fell',
    verifier: null,
    rule: {
      enabled: false,
      limit: null,
      window_minutes: 56 * 1440,
      no_data: 'keep',
      renotify_minutes: null,
    },
  });
  expect((await look()).get('task/new')).toBeUndefined();
});

test('names of one model are one series, and other projects have no part in it', async () => {
  const other = await createTestProject(runtime);
  await roll({ model: 'gpt-4o', from: 30, to: 5, passed: 45, failed: 5 });
  await roll({ model: 'openai/gpt-4o', from: 4, to: 0, passed: 20, failed: 30 });
  await project.sql`
    insert into model_names (project_id, name, identity) values (${project.projectId}, 'openai/gpt-4o', 'gpt-4o')
    on conflict do nothing`;
  const found = await look();
  expect([...found].map(([series, { state }]) => [series, state])).toEqual([
    ['task/gpt-4o', 'alerting'],
  ]);
  project = other;
  expect((await look()).size).toBe(0);
});
