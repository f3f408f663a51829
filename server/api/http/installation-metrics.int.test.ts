import { expect, vi } from 'vitest';
import { createTestRuntime, type TestDatabase } from '../../../testing/database';
import { testWith } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { createApp } from './index';

/**
 * The metrics that an operator's monitoring reads of the whole installation, and their access
 * control.
 */

const token = 'operator-token-of-the-tests';
const test = testWith({ ASSAY_OPERATOR_TOKEN: token });
let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ database: ownDatabase, runtime: ownRuntime, project: ownProject }) => {
  database = ownDatabase;
  runtime = ownRuntime;
  project = ownProject;
});

const read = async (
  authorization: string | null,
  of = runtime,
): Promise<{ status: number; text: string; type: string | null }> => {
  const response = await createApp(of).request(
    '/metrics',
    authorization === null ? {} : { headers: { authorization } },
  );
  return {
    status: response.status,
    text: await response.text(),
    type: response.headers.get('content-type'),
  };
};

test('S-18 only the operator token opens the metrics of the installation, and without one there are none', async () => {
  const { key } = await createKey(project, {
    name: 'all',
    scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
  });
  expect((await read(null)).status).toBe(401);
  expect((await read(`Bearer ${key}`)).status).toBe(401);
  expect((await read(`Bearer ${token}x`)).status).toBe(401);
  expect((await read(`Bearer ${token}`)).status).toBe(200);
  const without = createTestRuntime(database.url);
  expect((await read(`Bearer ${token}`, without)).status).toBe(404);
  await without.close();
});

test('the metrics count waiting work, quarantined work, live workers, and undelivered deliveries', async () => {
  const { projectId } = project;
  const { sql } = runtime.ctx;
  await sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, state, due_at, lane)
    values (${projectId}, 'w1', 'turn', 't1', 1, 'integrity', 'waiting', now() - interval '90 seconds', 'fast'),
      (${projectId}, 'w2', 'turn', 't2', 1, 'integrity', 'waiting', now() + interval '1 hour', 'fast'),
      (${projectId}, 'w3', 'turn', 't3', 1, 'integrity', 'quarantined', now() - interval '1 day', 'fast'),
      (${projectId}, 'w4', 'task', 't4', 1, 'task', 'waiting', now() + interval '1 hour', 'slow')`;
  await sql`
    insert into worker_boxes (worker, state, noted_at) values ('worker a', 'ready', now()), ('worker b', 'ready', now() - interval '1 hour')`;
  const { text, type } = await read(`Bearer ${token}`);
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  const samples = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [
        line.slice(0, line.lastIndexOf(' ')),
        Number(line.slice(line.lastIndexOf(' '))),
      ]),
  );
  expect(
    Object.fromEntries(
      [...samples].filter(([name]) => name.startsWith('assay_') && !name.includes('late')),
    ),
  ).toEqual({
    assay_database_up: 1,
    'assay_work{lane="fast",state="waiting"}': 2,
    'assay_work{lane="fast",state="quarantined"}': 1,
    'assay_work{lane="slow",state="waiting"}': 1,
    'assay_work{lane="slow",state="quarantined"}': 0,
    'assay_jobs{state="waiting"}': 0,
    'assay_jobs{state="running"}': 0,
    'assay_workers{box="ready"}': 1,
    'assay_workers{box="missing"}': 0,
    'assay_workers{box="failing"}': 0,
    'assay_workers{box="unknown"}': 0,
    'assay_deliveries{state="waiting"}': 0,
    'assay_deliveries{state="dead"}': 0,
  });
  expect(samples.get('assay_work_late_seconds{lane="fast"}')).toBeGreaterThanOrEqual(90);
  expect(samples.get('assay_work_late_seconds{lane="fast"}')).toBeLessThan(150);
  expect(samples.get('assay_work_late_seconds{lane="slow"}')).toBe(0);
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  // The metrics contain nothing about a tenant.
  expect(text).not.toContain(projectId);
});

test('a change of the clock is no restart', async () => {
  const app = createApp(runtime);
  const startTime = async (): Promise<string | undefined> => {
    const response = await app.request('/metrics', {
      headers: { authorization: `Bearer ${token}` },
    });
    return /^process_start_time_seconds \d+$/m.exec(await response.text())?.[0];
  };
  const before = await startTime();
  expect(before).toBeDefined();
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 60_000);
  try {
    expect(await startTime()).toBe(before);
  } finally {
    clock.mockRestore();
  }
});
