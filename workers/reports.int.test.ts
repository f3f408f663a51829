import { afterEach, beforeEach, expect } from 'vitest';
import { createTestProject, type TestDatabase } from '../testing/database';
import { test } from '../testing/fixture';
import { type Child, endAll, waitForMessage, startProcess } from '../testing/processes';
import { until } from '../testing/until';
import type { ProjectCtx } from '../server/access';
import { listReports, putReportSchedule } from '../server/reports';
import type { Runtime } from '../server/runtime';

/**
 * Scheduled reports, made by processes that are killed at every boundary; the clock of their
 * schedules is a table that the test moves.
 */

let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(async ({ database: ownDatabase, runtime: ownRuntime }) => {
  database = ownDatabase;
  runtime = ownRuntime;
  await runtime.ctx.sql`create table harness_clock (at timestamptz not null)`;
  await runtime.ctx.sql`create table harness_holds (place text not null)`;
  await runtime.ctx.sql`insert into harness_clock values ('2026-01-01T00:00:00Z')`;
});
beforeEach(async () => {
  project = await createTestProject(runtime);
});
afterEach(() => endAll());

const setClock = (at: string) => runtime.ctx.sql`update harness_clock set at = ${at}::timestamptz`;

const startWorker = async (): Promise<Child> => {
  const child = await startProcess('report-worker', {
    DATABASE_URL: database.url,
    ASSAY_SECRET: 'test-secret-test-secret-test-secret',
    ASSAY_LOG_LEVEL: 'warn',
    ASSAY_DB_POOL: '3',
    // A dead worker's job becomes available after this.
    ASSAY_LEASE_MS: '500',
  });
  await waitForMessage(child, 'ready');
  return child;
};

/** Kills the first process that reaches `place`; returns the remaining ones. */
async function killAt(place: string, children: readonly Child[]): Promise<readonly Child[]> {
  const held = await Promise.race(
    children.map((child) => waitForMessage(child, `holds ${place}`).then(() => child)),
  );
  await held.kill();
  return children.filter((child) => child !== held);
}

const holdAt = (...places: readonly string[]) =>
  runtime.ctx
    .sql`insert into harness_holds select jsonb_array_elements_text(${JSON.stringify(places)}::text::jsonb)`;

async function runSchedulersAt(children: readonly Child[], at: string): Promise<void> {
  await setClock(at);
  await Promise.all(
    children.map((child) => waitForMessage(child, `looked ${new Date(at).toISOString()}`)),
  );
}

/**
 * Every report, oldest first: its days, its state, and how often it was sent to each destination.
 */
async function sentReports(): Promise<readonly string[]> {
  const rows = await project.sql<
    { from: string; to: string; made: boolean; notices: number; deliveries: number }[]
  >`
    select r."from", r."to", r.made_at is not null as made,
      (select count(*)::int from notices n where n.project_id = r.project_id and n.kind = 'report' and n.ref_id = r.id) as notices,
      (select count(*)::int from deliveries d join notices n on n.project_id = d.project_id and n.id = d.notice_id
        where d.project_id = r.project_id and n.ref_id = r.id) as deliveries
    from reports r where r.project_id = ${project.projectId} order by r."from", r.id`;
  const day = (at: string): string => new Date(at).toISOString().slice(0, 10);
  return rows.map(
    ({ from, to, made, notices, deliveries }) =>
      `${day(from)} to ${day(to)}: ${made ? 'made' : 'not made'}, ${notices} notice, sent to ${deliveries}`,
  );
}

const once = (from: string, to: string): string => `${from} to ${to}: made, 1 notice, sent to 2`;

const allMade = (count: number) =>
  until(`${count} reports are made`, async () => {
    const { items } = await listReports(project);
    return items.length >= count && items.every(({ state }) => state === 'made') ? true : null;
  });

test('R-48 the clock moves week by week, and a worker is killed at every boundary: each week has one report, which is sent once', async () => {
  const { projectId } = project;
  for (const id of ['dst_one', 'dst_two']) {
    await runtime.ctx.sql`
      insert into destinations (project_id, id, kind, name, url, outcomes, sends, created_by)
      values (${projectId}, ${id}, 'webhook', ${id}, 'https://hooks.example.org/a', '{}', '{alerts,reports}', 'test')`;
  }
  await runtime.ctx.sql`
    insert into destinations (project_id, id, kind, name, url, outcomes, created_by)
    values (${projectId}, 'dst_verdicts', 'webhook', 'verdicts only', 'https://hooks.example.org/a', '{}', 'test')`;
  const schedule = {
    name: 'Weekly',
    cron: '0 6 * * 1',
    zone: 'Europe/Berlin',
    days: 7,
    enabled: true,
    sent: true,
  };
  const { id } = await putReportSchedule(project, schedule);
  await runtime.ctx
    .sql`update report_schedules set updated_at = '2026-05-01T00:00Z' where project_id = ${projectId} and id = ${id}`;

  // The first Monday, 06:00 in Berlin: of three processes the first is killed while the transaction
  // of the period is open.
  await setClock('2026-05-04T03:59Z');
  await holdAt('period');
  const three = await Promise.all([startWorker(), startWorker(), startWorker()]);
  expect(await sentReports()).toEqual([]);
  await setClock('2026-05-04T04:00Z');
  const two = await killAt('period', three);
  await allMade(1);
  expect(await sentReports()).toEqual([once('2026-04-27', '2026-05-04')]);

  // A week later: the period's row and the job are stored, and the worker that claims the job is
  // killed before it has an effect; then another one is killed after the report is stored but not
  // yet recorded in the job.
  await holdAt('step', 'stored');
  await setClock('2026-05-11T04:00Z');
  const one = await killAt('step', two);
  await killAt('stored', one);
  const secondWeek = [once('2026-04-27', '2026-05-04'), once('2026-05-04', '2026-05-11')];
  expect(await sentReports()).toEqual(secondWeek);

  // No process checks for three weeks, then the clock goes back and forth: the job ends without a
  // second report, and only the latest week is made up.
  await setClock('2026-06-02T12:00Z');
  const after = await Promise.all([startWorker(), startWorker()]);
  for (const at of ['2026-06-02T12:00Z', '2026-05-20T00:00Z', '2026-06-02T12:01Z'])
    await runSchedulersAt(after, at);
  await allMade(3);
  await until('no job is open', async () => {
    const open =
      await project.sql`select from jobs where project_id = ${projectId} and state in ('waiting', 'running')`;
    return open.length === 0 ? true : null;
  });
  expect(await sentReports()).toEqual([...secondWeek, once('2026-05-25', '2026-06-01')]);
  const periods = await project.sql<{ period: string; job: boolean }[]>`
    select period, job_id is not null as job from schedule_periods where project_id = ${projectId} and schedule = ${`report:${id}`} order by 1`;
  expect(
    periods.map(({ period, job }) => `${new Date(period).toISOString().slice(0, 16)} ${job}`),
  ).toEqual([
    '2026-05-04T04:00 true',
    '2026-05-11T04:00 true',
    '2026-05-18T04:00 false',
    '2026-05-25T04:00 false',
    '2026-06-01T04:00 true',
  ]);
});
