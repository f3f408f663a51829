import { afterEach, beforeEach, describe, expect } from 'vitest';
import { createTestProject, type TestDatabase } from '../testing/database';
import { test } from '../testing/fixture';
import { reportFigure } from '../testing/figures';
import { type Child, endAll, waitForMessage, startProcess } from '../testing/processes';
import { until } from '../testing/until';
import type { ProjectCtx } from '../server/access';
import { refused } from '../server/platform';
import {
  type CatchUp,
  type Schedule,
  type ScheduleKind,
  startScheduledJobs,
  storeJob,
} from '../server/queue';
import type { Runtime } from '../server/runtime';

/**
 * The schedulers are separate processes; their clock is the database's: a table that the test
 * updates.
 */

let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(async ({ database: ownDatabase, runtime: ownRuntime }) => {
  database = ownDatabase;
  runtime = ownRuntime;
  await runtime.ctx.sql`create table harness_clock (at timestamptz not null)`;
  await runtime.ctx.sql`insert into harness_clock values ('2026-01-01T00:00:00Z')`;
});
beforeEach(async () => {
  project = await createTestProject(runtime);
});
afterEach(() => endAll());

const long = process.env.ASSAY_LONG === '1';

const setClock = (at: string) => runtime.ctx.sql`update harness_clock set at = ${at}::timestamptz`;

const scheduleOf = (name: string, cron: string, zone: string, since: string): Schedule => ({
  projectId: project.projectId,
  projectSlug: project.projectSlug,
  name: `harness:${name}`,
  cron,
  zone,
  since: new Date(since),
});

const startScheduler = async (
  schedules: readonly Schedule[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Child> => {
  const child = await startProcess('scheduler', {
    DATABASE_URL: database.url,
    ASSAY_SECRET: 'test-secret-test-secret-test-secret',
    ASSAY_LOG_LEVEL: 'warn',
    ASSAY_DB_POOL: '2',
    HARNESS_SCHEDULES: JSON.stringify(schedules),
    ...variables,
  });
  await waitForMessage(child, 'ready');
  return child;
};

/** Waits until every process has completed a check of the schedules at this time. */
async function runSchedulersAt(children: readonly Child[], at: string): Promise<void> {
  await setClock(at);
  await Promise.all(
    children.map((child) => waitForMessage(child, `looked ${new Date(at).toISOString()}`)),
  );
}

/** The periods with stored jobs, by schedule, one entry per job. */
async function started(name: string): Promise<string[]> {
  const rows = await project.sql<{ period: string }[]>`
    select input->>'period' as period from jobs where project_id = ${project.projectId} and input->>'schedule' = ${`harness:${name}`} order by 1`;
  return rows.map(({ period }) => period.replace(':00.000Z', 'Z'));
}

async function written(name: string): Promise<{ period: string; job: boolean }[]> {
  const rows = await project.sql<{ period: string; job_id: string | null }[]>`
    select period, job_id from schedule_periods where project_id = ${project.projectId} and schedule = ${`harness:${name}`} order by period`;
  return rows.map(({ period, job_id: job }) => ({
    period: new Date(period).toISOString().replace(':00.000Z', 'Z'),
    job: job !== null,
  }));
}

const range = (from: string, count: number, stepMinutes: number): string[] =>
  Array.from({ length: count }, (_, n) =>
    new Date(Date.parse(from) + n * stepMinutes * 60_000).toISOString().replace(':00.000Z', 'Z'),
  );

/**
 * The skipped hour and the repeated hour of a change of daylight saving time; the night is checked
 * in steps of twenty minutes.
 */
const nights = [
  {
    change: 'Europe/Berlin leaves out 02:00 to 03:00',
    zone: 'Europe/Berlin',
    from: '2026-03-28T12:00Z',
    until: '2026-03-30T12:00Z',
    daily: ['2026-03-29T01:00Z', '2026-03-30T00:30Z'],
    hourly: range('2026-03-28T12:15Z', 48, 60),
    nightly: ['2026-03-30T00:00Z', '2026-03-30T00:20Z', '2026-03-30T00:40Z'],
  },
  {
    change: 'Europe/Berlin has 02:00 to 03:00 twice',
    zone: 'Europe/Berlin',
    from: '2026-10-24T12:00Z',
    until: '2026-10-26T12:00Z',
    daily: ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
    hourly: range('2026-10-24T12:15Z', 48, 60),
    nightly: [...range('2026-10-25T00:00Z', 6, 20), ...range('2026-10-26T01:00Z', 3, 20)],
  },
  {
    change: 'America/New_York leaves out 02:00 to 03:00',
    zone: 'America/New_York',
    from: '2026-03-07T18:00Z',
    until: '2026-03-09T18:00Z',
    daily: ['2026-03-08T07:00Z', '2026-03-09T06:30Z'],
    hourly: range('2026-03-07T18:15Z', 48, 60),
    nightly: ['2026-03-09T06:00Z', '2026-03-09T06:20Z', '2026-03-09T06:40Z'],
  },
  {
    change: 'America/New_York has 01:00 to 02:00 twice',
    zone: 'America/New_York',
    from: '2026-10-31T18:00Z',
    until: '2026-11-02T18:00Z',
    daily: ['2026-11-01T05:30Z', '2026-11-02T06:30Z'],
    hourly: range('2026-10-31T18:15Z', 48, 60),
    nightly: [...range('2026-11-01T05:00Z', 6, 20), ...range('2026-11-02T06:00Z', 3, 20)],
  },
];

/** In the short form: each hour after its period, and all steps of Berlin's night. */
const isChecked = (step: string): boolean => /T\d\d:20Z$|T0[012]:/.test(step);

describe('R-48', () => {
  test('R-48 three schedulers, one killed at the tick with its transaction open: another one starts the period, once', async () => {
    const daily = scheduleOf('daily', '0 6 * * *', 'UTC', '2026-05-01T00:00Z');
    await setClock('2026-05-01T05:59Z');
    const holding = await startScheduler([daily], { HARNESS_HOLD: '1' });
    await setClock('2026-05-01T06:00Z');
    await waitForMessage(holding, 'holds');
    const others = await Promise.all([startScheduler([daily]), startScheduler([daily])]);
    // They checked while the first one had locked the period, and skipped it.
    await runSchedulersAt(others, '2026-05-01T06:00:30Z');
    expect(await started('daily')).toEqual([]);
    await holding.kill();
    await until('the missed period was run', async () =>
      (await started('daily')).length > 0 ? true : null,
    );
    const third = await startScheduler([daily]);
    for (const at of [
      '2026-05-01T06:01Z',
      '2026-05-02T06:00Z',
      '2026-05-02T05:00Z',
      '2026-05-02T06:00:10Z',
      '2026-05-03T07:00Z',
    ])
      await runSchedulersAt([...others, third], at);
    expect(await started('daily')).toEqual([
      '2026-05-01T06:00Z',
      '2026-05-02T06:00Z',
      '2026-05-03T06:00Z',
    ]);
    expect(await written('daily')).toEqual(
      (await started('daily')).map((period) => ({ period, job: true })),
    );
    reportFigure('R-48', { schedulers: 3, killed: 1, periods: 3, jobs: 3 });
  });

  // schedule-periods.test.ts covers the nights of the other zone; with processes they run only in
  // the long form.
  test.each(long ? nights : nights.slice(0, 2))(
    'R-48 $change: three schedulers start each period once',
    async ({ zone, from, until: end, daily, hourly, nightly }) => {
      const hour = zone === 'America/New_York' && from.startsWith('2026-10') ? 1 : 2;
      const schedules = [
        scheduleOf('daily', `30 ${hour} * * *`, zone, from),
        scheduleOf('hourly', '15 * * * *', zone, from),
        scheduleOf('nightly', `*/20 ${hour} * * *`, zone, from),
      ];
      await setClock(from);
      const schedulers = await Promise.all([1, 2, 3].map(() => startScheduler(schedules)));
      const steps = range(from, 48 * 3 + 1, 20);
      expect(steps.at(-1)).toBe(end);
      for (const at of steps.filter((step) => long || isChecked(step)))
        await runSchedulersAt(schedulers, at);
      expect(await started('daily')).toEqual(daily);
      expect(await started('hourly')).toEqual(hourly);
      expect(await started('nightly')).toEqual(nightly);
    },
  );

  test.each<{ catchUp: CatchUp; at: string; jobs: readonly string[] }>([
    {
      catchUp: 'latest',
      at: '2026-06-04T09:00Z',
      jobs: ['2026-06-01T06:00Z', '2026-06-04T06:00Z'],
    },
    { catchUp: 'all', at: '2026-06-04T09:00Z', jobs: range('2026-06-01T06:00Z', 4, 1440) },
    { catchUp: 'none', at: '2026-06-04T09:00Z', jobs: ['2026-06-01T06:00Z'] },
    { catchUp: 'none', at: '2026-06-04T06:01Z', jobs: ['2026-06-01T06:00Z', '2026-06-04T06:00Z'] },
  ])(
    'R-48 down for three periods, catching up "$catchUp" at $at: all are recorded, those that are due are started',
    async (each) => {
      const daily = scheduleOf('daily', '0 6 * * *', 'UTC', '2026-06-01T00:00Z');
      const start = () => startScheduler([daily], { HARNESS_CATCH_UP: each.catchUp });
      await setClock('2026-06-01T06:00Z');
      const before = await start();
      await until('the first period', async () =>
        (await started('daily')).length > 0 ? true : null,
      );
      await before.kill();
      await setClock(each.at);
      const after = await Promise.all(long ? [start(), start(), start()] : [start()]);
      await Promise.all(
        after.map((child) => waitForMessage(child, `looked ${new Date(each.at).toISOString()}`)),
      );
      expect(await started('daily')).toEqual(each.jobs);
      const all = range('2026-06-01T06:00Z', 4, 1440);
      expect(await written('daily')).toEqual(
        all.map((period) => ({ period, job: each.jobs.includes(period) })),
      );
    },
  );
});

/** One check in this process, at a time that the test sets. */
const startScheduled = (
  schedules: readonly Schedule[],
  start: ScheduleKind['start'],
  at: string,
  catchUp: CatchUp = 'latest',
) =>
  startScheduledJobs(
    runtime.ctx,
    new Map([['harness', { catchUp, list: () => Promise.resolve(schedules), start }]]),
    () => Promise.resolve(new Date(at)),
  );

const storing: ScheduleKind['start'] = async (ctx, tx, schedule, period) => {
  const id = `job_${schedule.name}_${period.toISOString()}`;
  await storeJob(ctx, tx, {
    id,
    kind: 'harness',
    input: { schedule: schedule.name, period: period.toISOString() },
  });
  return id;
};

test('R-48 a fault of one schedule starts nothing of it, affects no other, and is retried; a refusal skips its period', async () => {
  const schedules = ['breaks', 'refuses', 'works'].map((name) =>
    scheduleOf(name, '0 6 * * *', 'UTC', '2026-05-01T00:00Z'),
  );
  let mended = false;
  const start: ScheduleKind['start'] = async (ctx, tx, schedule, period) => {
    const id = await storing(ctx, tx, schedule, period);
    if (schedule.name.endsWith('breaks') && !mended) throw new Error('no good');
    if (schedule.name.endsWith('refuses')) throw refused('retired');
    return id;
  };
  expect(await startScheduled(schedules, start, '2026-05-01T06:00Z')).toBe(2);
  expect([await started('breaks'), await written('breaks')]).toEqual([[], []]);
  expect(await written('refuses')).toEqual([{ period: '2026-05-01T06:00Z', job: false }]);
  expect(await started('works')).toEqual(['2026-05-01T06:00Z']);
  mended = true;
  expect(await startScheduled(schedules, start, '2026-05-01T06:10Z')).toBe(1);
  expect(await started('breaks')).toEqual(['2026-05-01T06:00Z']);
});

test('R-48 a schedule that was missed for years is recorded in parts, and only its last period is started', async () => {
  const hourly = scheduleOf('hourly', '0 * * * *', 'UTC', '2026-01-01T00:00Z');
  const startedCounts: number[] = [];
  for (let n = 0; n < 4; n++)
    startedCounts.push(await startScheduled([hourly], storing, '2026-02-12T00:00Z'));
  expect(startedCounts).toEqual([500, 500, 8, 0]);
  expect(await started('hourly')).toEqual(['2026-02-12T00:00Z']);
});

test('R-48 a schedule ignores periods before it was created, and a clock that went back starts none again', async () => {
  const daily = scheduleOf('daily', '0 6 * * *', 'UTC', '2026-05-01T06:00Z');
  expect(await startScheduled([daily], storing, '2026-05-01T07:00Z')).toBe(0);
  expect(await startScheduled([daily], storing, '2026-05-02T07:00Z')).toBe(1);
  expect(await startScheduled([daily], storing, '2026-05-01T00:00Z')).toBe(0);
  expect(await startScheduled([daily], storing, '2026-05-02T08:00Z')).toBe(0);
  expect(await started('daily')).toEqual(['2026-05-02T06:00Z']);
});

test('R-48 by default the time is the database server’s', async () => {
  const minutely = scheduleOf(
    'minutely',
    '* * * * *',
    'UTC',
    new Date(Date.now() - 90_000).toISOString(),
  );
  const kind: ScheduleKind = {
    catchUp: 'latest',
    list: () => Promise.resolve([minutely]),
    start: storing,
  };
  // A process whose clock is wrong by years.
  const clock = { ...runtime.ctx.clock, now: () => new Date('2031-01-01T00:00:00Z') };
  expect(
    await startScheduledJobs({ ...runtime.ctx, clock }, new Map([['harness', kind]])),
  ).toBeGreaterThan(0);
  const periods = await started('minutely');
  expect(periods).toHaveLength(1);
  expect(Math.abs(Date.parse(periods[0] ?? '') - Date.now())).toBeLessThan(120_000);
});
