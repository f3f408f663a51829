import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { workerFlags } from '../scripts/node-flags.mjs';
import { supervise } from '../scripts/supervise.mjs';
import { createTestProject } from '../testing/database';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger } from '../testing/ledger';
import { exportOf, plainSpan, sampleTurnId, text } from '../testing/otlp';
import { bundleOf, type Edge, type Entry, startEdge } from '../testing/processes';
import { postSpans } from '../testing/span-call';
import { packTraces, sendLoad } from '../testing/span-load';
import { createStack, long, type Stack } from '../testing/stack';
import { until } from '../testing/until';
import { createKey, type ProjectCtx } from '../server/access';

/** A worker whose heap is too small for a trace, restarted as `npm start` restarts it. */

let stack: Stack;
let edge: Edge;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'), {
    ASSAY_LEASE_MS: '3000',
    ASSAY_TRACE_IDLE_MS: '300',
  });
  edge = await startEdge(stack.variables);
});
afterAll(() => stack.close());

async function newTenant(name: string): Promise<{ project: ProjectCtx; key: string }> {
  const project = await createTestProject(stack.runtime);
  const { key } = await createKey(project, { name, scopes: ['ingest'] });
  return { project, key };
}

/** Sends one trace of 40 MB, in batches of 8 MB. */
async function sendLargeTrace(key: string): Promise<void> {
  for (let batch = 0; batch < 5; batch++) {
    const spans = Array.from({ length: 4 }, (_, i) =>
      plainSpan('large', batch * 4 + i, [text('note', `${batch}.${i} `.repeat(500_000))]),
    );
    const body = exportOf('proto', spans);
    expect((await postSpans(edge.url, key, { format: 'proto', body, gzip: true })).status).toBe(
      200,
    );
  }
}

/** Runs a worker with 96 MiB of heap; `restarts` receives the supervisor's lines. */
async function superviseWorker(entry: Entry, restarts: string[]): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-heap-'));
  const log = join(dir, 'worker.log');
  const child = supervise(
    {
      name: 'worker',
      args: [...workerFlags, '--max-old-space-size=96', await bundleOf(entry)],
      cwd: dir,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', TZ: 'UTC', ...stack.variables },
      log,
      readyTimeoutMs: 240_000,
    },
    (line) => restarts.push(line),
  );
  onTestFinished(async () => {
    child.kill();
    rmSync(dir, { recursive: true, force: true });
  });
  await child.ready;
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail')
      process.stdout.write(readFileSync(log, 'utf8').slice(-4_000));
  });
}

async function expectNeighbours({ project, key }: Awaited<ReturnType<typeof newTenant>>) {
  const labels = Array.from({ length: 10 }, (_, i) => `near-${i}`);
  const sent = new Set(labels.map((label) => sampleTurnId(label, 10)));
  const { acked, faults } = await sendLoad(edge.url, key, packTraces('near', 10), { atOnce: 2 });
  expect(acked).toHaveLength(10);
  await until('the neighbours are verified', async () => {
    const rows = await stack.sql`select 1 from verdicts where project_id = ${project.projectId}`;
    return rows.length === 10 ? true : null;
  });
  expect(
    await closeLedger(stack.sql, project.projectId, { sent, acked: sent, faults }),
  ).toMatchObject(clean);
}

test('R-18 a worker that a trace kills each time is restarted a few times and no more: the trace is quarantined with the reason, neighbours are verified', async () => {
  const { project, key } = await newTenant('large');
  await sendLargeTrace(key);
  const restarts: string[] = [];
  // Its lane runs in the main thread, whose full heap ends the process.
  await superviseWorker('fixture-worker', restarts);
  const reason = await until('quarantined', async () => {
    const [row] = await stack.sql<{ reason: string }[]>`
      select reason from work where project_id = ${project.projectId} and state = 'quarantined'`;
    return row?.reason ?? null;
  });
  await expectNeighbours(await newTenant('near'));
  expect(reason).toBe('its worker died 3 times while verifying it');
  expect(restarts).toHaveLength(3);
  expect(restarts[0]).toContain('SIGABRT');
  reportFigure('R-18', { restarts: restarts.length });
});

test('R-18 the threads of a worker have heaps of their own: the same trace does not end it', async () => {
  const large = await newTenant('large');
  const restarts: string[] = [];
  await superviseWorker('worker', restarts);
  for (let trace = 0; trace < (long ? 3 : 1); trace++) await sendLargeTrace(large.key);
  await expectNeighbours(await newTenant('near'));
  await stack.drained(180_000);
  expect(restarts).toEqual([]);
  const [trace] = await stack.sql<{ spans: number }[]>`
    select spans from traces where project_id = ${large.project.projectId}`;
  expect(trace?.spans).toBe(20);
});
