import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { reportFigure } from '../../../testing/figures';
import { clean, closeLedger } from '../../../testing/ledger';
import { sampleTurnId } from '../../../testing/otlp';
import { type Child, type Edge, startEdge, startWorker } from '../../../testing/processes';
import {
  isQuiet,
  type LoadResult,
  packTraces,
  quantile,
  sendLoad,
  watchMemory,
} from '../../../testing/span-load';
import { createStack, long, type Stack } from '../../../testing/stack';
import { timeFactor } from '../../../testing/time-factor';
import { createKey, type ProjectCtx } from '../../access';

/**
 * Many requests of ordinary size (reliability.md 4.1), each test's to its own project: the counts
 * must be right in both forms; the times are limits only on a quiet machine.
 */

let stack: Stack;
let edge: Edge;
let workers: Child[];

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'), { ASSAY_DB_POOL: '10' });
  edge = await startEdge(stack.variables);
  workers = await Promise.all([startWorker(stack.variables), startWorker(stack.variables)]);
});

afterAll(() => stack.close());

async function newTenant(
  name: string,
): Promise<{ readonly project: ProjectCtx; readonly key: string }> {
  const project = await createTestProject(stack.runtime);
  const { key } = await createKey(project, { name, scopes: ['ingest'] });
  return { project, key };
}

/**
 * Expects every acknowledged span stored once, and every trace with its turn and its one verdict.
 */
async function expectBook(
  project: ProjectCtx,
  results: readonly LoadResult[],
  sent: readonly string[],
): Promise<void> {
  await stack.drained(long ? 180_000 : 40_000);
  const { projectId } = project;
  const turnsOf = (labels: readonly string[]): Set<string> =>
    new Set(labels.map((label) => sampleTurnId(label, 10)));
  const acked = results.flatMap((result) => result.acked);
  const balance = await closeLedger(stack.sql, projectId, {
    sent: turnsOf(sent),
    acked: turnsOf(acked),
    faults: results.flatMap((result) => result.faults),
  });
  expect(balance).toMatchObject(clean);
  expect(balance.stored).toBeGreaterThanOrEqual(acked.length);
  const [row] = await stack.sql<
    { stored: number; merged: number; counted: number; wrong: number }[]
  >`
    select (select sum(spans)::int from trace_segments where project_id = ${projectId}) as stored,
      (select sum(spans)::int from traces where project_id = ${projectId}) as merged,
      (select sum(spans)::int from intake_rollups where project_id = ${projectId}) as counted,
      (select count(*)::int from verdicts where project_id = ${projectId} and (detail->>'unsourced')::int <> 1) as wrong`;
  const spans = balance.stored * 10;
  expect(row).toEqual({ stored: spans, merged: spans, counted: spans, wrong: 0 });
}

test('R-1 steady intake of spans, half JSON half protobuf, compressed: no request fails, every span is stored once, every trace has its verdict', async () => {
  const perSecond = long ? 400 : 150;
  const seconds = long ? 60 : 4;
  const quiet = isQuiet();
  const { project, key } = await newTenant('steady');
  const requests = packTraces('r1', perSecond * seconds);
  await sendLoad(edge.url, key, requests.slice(0, 50), { atOnce: 5 });
  const memory = watchMemory([edge, ...workers]);
  const result = await sendLoad(edge.url, key, requests, { perSecond });
  memory.stop();
  expect([...result.statuses]).toEqual([[200, requests.length]]);
  await expectBook(
    project,
    [result],
    requests.map(({ label }) => label),
  );
  const [late] = await stack.sql<{ p95: number }[]>`
      select percentile_cont(0.95) within group (order by extract(epoch from v.settled_at - c.received_at) * 1000) as p95
      from verdicts v join traces c on c.project_id = v.project_id and c.id = v.trace_id where v.project_id = ${project.projectId}`;
  reportFigure('R-1', {
    'requests a second': perSecond,
    requests: requests.length,
    'not 2xx': 0,
    'p50 ms': quantile(result.latencies, 0.5).toFixed(1),
    'p99 ms': quantile(result.latencies, 0.99).toFixed(1),
    'p99.9 ms': quantile(result.latencies, 0.999).toFixed(1),
    'stored to verdict p95 ms': Math.round(late?.p95 ?? -1),
    'memory slope MiB/s': memory.slope().toFixed(2),
    'machine quiet': quiet ? 'yes' : 'no',
  });
  expect(memory.slope()).toBeLessThan(long ? 1 : Number.POSITIVE_INFINITY);
  // A limit only when nothing else uses the processors: client, edge, workers and PostgreSQL
  // already share two.
  expect(quantile(result.latencies, 0.99)).toBeLessThanOrEqual(
    long && quiet ? 50 : Number.POSITIVE_INFINITY,
  );
});

test('R-2 a burst over capacity: 200, or 429 and 503 with Retry-After; everything acknowledged is stored; normal again within 10 s', async () => {
  const { project, key } = await newTenant('burst');
  const requests = packTraces('r2', long ? 5000 : 600);
  const after = packTraces('after', 40);
  const burst = await sendLoad(edge.url, key, requests, { atOnce: 200 });
  const began = performance.now();
  let calm: LoadResult;
  do calm = await sendLoad(edge.url, key, after, { atOnce: 1 });
  while (
    (calm.acked.length < after.length || quantile(calm.latencies, 0.5) > 100) &&
    performance.now() - began < 20_000
  );
  const recoveredMs = performance.now() - began - calm.latencies.reduce((sum, ms) => sum + ms, 0);
  expect([...burst.statuses.keys()].filter((status) => ![200, 429, 503].includes(status))).toEqual(
    [],
  );
  expect(burst.faults).toEqual([]);
  expect(calm.acked).toHaveLength(after.length);
  expect(recoveredMs).toBeLessThan(timeFactor * 10_000);
  await expectBook(
    project,
    [burst, calm],
    [...requests, ...after].map(({ label }) => label),
  );
  reportFigure('R-2', {
    batches: requests.length,
    taken: burst.acked.length,
    'refused for now': requests.length - burst.acked.length,
    'slowest ms': Math.round(Math.max(...burst.latencies)),
    'normal again ms': Math.max(0, Math.round(recoveredMs)),
  });
});

test(
  'R-4 a tenant that sends twenty times as much does not delay a quiet one: time to verdict p95 at most twice what it is alone',
  async () => {
    // Below this it is noise: a batch of the lane and a turn of the scheduler; more of it when
    // other tests run in parallel.
    const floorMs = long ? 250 : 2_000;
    const perSecond = 10;
    const seconds = long ? 60 : 3;
    const [{ project, key }, loud] = [await newTenant('quiet'), await newTenant('loud')];
    const alone = packTraces('alone', perSecond * seconds);
    const beside = packTraces('beside', perSecond * seconds);
    const noise = packTraces('noise', 20 * perSecond * seconds);
    const first = await sendLoad(edge.url, key, alone, { perSecond });
    const [second, third] = await Promise.all([
      sendLoad(edge.url, key, beside, { perSecond }),
      sendLoad(edge.url, loud.key, noise, { perSecond: 20 * perSecond }),
    ]);
    await expectBook(
      project,
      [first, second],
      [...alone, ...beside].map(({ label }) => label),
    );
    await expectBook(
      loud.project,
      [third],
      noise.map(({ label }) => label),
    );
    expect([...second.statuses]).toEqual([[200, beside.length]]);
    const toVerdict = async (prefix: string): Promise<number> => {
      const [row] = await stack.sql<{ p95: number }[]>`
        select percentile_cont(0.95) within group (order by extract(epoch from v.settled_at - c.received_at) * 1000)::float8 as p95
        from verdicts v join traces c on c.project_id = v.project_id and c.id = v.trace_id
        where v.project_id = ${project.projectId} and v.session_id like ${`s-${prefix}-%`}`;
      return row?.p95 ?? Number.NaN;
    };
    const [aloneMs, besideMs] = [await toVerdict('alone'), await toVerdict('beside')];
    reportFigure('R-4', {
      'alone p95 ms': aloneMs.toFixed(1),
      'beside one at 20 times p95 ms': besideMs.toFixed(1),
      'floor ms': floorMs,
    });
    expect(besideMs).toBeLessThanOrEqual(timeFactor * Math.max(aloneMs * 2, floorMs));
  },
  long ? 400_000 : 300_000,
);
