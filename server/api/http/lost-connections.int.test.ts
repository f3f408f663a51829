import { afterEach, expect, inject, onTestFinished, test } from 'vitest';
import { startTestCluster } from '../../../scripts/temporary-cluster.mjs';
import { reportFigure } from '../../../testing/figures';
import { clean, closeLedger, createLedger } from '../../../testing/ledger';
import { sampleTurnId } from '../../../testing/otlp';
import { endAll, startEdge, startWorker } from '../../../testing/processes';
import { packTraces, sendLoad } from '../../../testing/span-load';
import { createStack, long, sampleTurn, type Stack } from '../../../testing/stack';
import { until } from '../../../testing/until';

/** PostgreSQL ends all connections, again and again, while clients send (reliability.md 4.4). */

afterEach(() => endAll());

async function countVerdicts({ sql }: Stack): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from verdicts`;
  return row?.n ?? 0;
}

/** Resolves when the workers have stored verdicts since the call. */
async function awaitVerdicts(stack: Stack): Promise<void> {
  const before = await until('the database answers', () => countVerdicts(stack).catch(() => null));
  await until('the workers go on', async () =>
    (await countVerdicts(stack)) >= before + 10 ? true : null,
  );
}

/** Reads until `isOver`; resolves with the responses by status. */
async function readUntil(
  url: string,
  key: string,
  isOver: () => boolean,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  while (!isOver()) {
    const response = await fetch(`${url}/v1/verifications?limit=5`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return statuses;
}

/** Ends every connection of the product's processes, even busy ones. */
async function cutConnections({ sql }: Stack): Promise<number> {
  const rows = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name ~ '^assay (edge|worker|queue)'`;
  return rows.length;
}

test('R-33 connections ended by PostgreSQL again and again: 503 at most, the workers go on each time, nothing lost, nothing twice', async () => {
  const stack = await createStack(inject('databaseUrl'), { ASSAY_LEASE_MS: '3000' });
  onTestFinished(() => stack.close());
  const edge = await startEdge(stack.variables);
  const workers = [await startWorker(stack.variables), await startWorker(stack.variables)];
  const ledger = createLedger({ url: edge.url, key: stack.key });
  const cuts = long ? 20 : 3;
  let isOver = false;
  let next = 0;
  const load = async (): Promise<void> => {
    while (!isOver) {
      const turns = Array.from({ length: 5 }, () => sampleTurn(`r33-${next++}`));
      await ledger.postUntilAcked(turns, 120_000);
      await new Promise((resolve) => setTimeout(resolve, long ? 5 : 40));
    }
  };
  const reads = readUntil(edge.url, stack.key, () => isOver);
  const running = Promise.all([load(), load(), load()]);
  let ended = 0;
  for (let cut = 0; cut < cuts; cut++) {
    await awaitVerdicts(stack);
    ended += await cutConnections(stack);
    const before = ledger.acked.size;
    await until('taken again', () => (ledger.acked.size > before ? true : null));
  }
  await awaitVerdicts(stack);
  isOver = true;
  await running;
  await stack.drained(180_000);
  expect(await closeLedger(stack.sql, stack.project.projectId, ledger)).toMatchObject(clean);
  const statuses = [...ledger.statuses.keys(), ...(await reads).keys()];
  expect(statuses.filter((status) => ![200, 202, 503].includes(status))).toEqual([]);
  expect(ended).toBeGreaterThan(cuts * 3);
  for (const worker of workers) expect(worker.output()).not.toContain('a pool thread');
  reportFigure('R-33', {
    cuts,
    'connections ended': ended,
    acked: ledger.acked.size,
    refused: ledger.statuses.get(503) ?? 0,
    lost: 0,
  });
});

test('R-34 PostgreSQL restarted fast under the load of R-1: 503 at most, the same processes go on, nothing lost, nothing twice', async () => {
  const cluster = await startTestCluster({ fsync: true });
  onTestFinished(() => cluster.stop());
  const stack = await createStack(cluster.url, { ASSAY_LEASE_MS: '3000' });
  onTestFinished(() => stack.close());
  const edge = await startEdge(stack.variables);
  await Promise.all([startWorker(stack.variables), startWorker(stack.variables)]);
  const restarts = long ? 3 : 1;
  const perSecond = long ? 400 : 100;
  const loads: ReturnType<typeof sendLoad>[] = [];
  const labels: string[] = [];
  const send = (): void => {
    const requests = packTraces(`r34-${loads.length}`, perSecond * (long ? 20 : 2));
    labels.push(...requests.map(({ label }) => label));
    loads.push(sendLoad(edge.url, stack.key, requests, { perSecond }));
  };
  for (let restart = 0; restart < restarts; restart++) {
    send();
    await awaitVerdicts(stack);
    send();
    await cluster.restart();
    send();
    await awaitVerdicts(stack);
    await Promise.all(loads);
  }
  await stack.drained(180_000);
  const results = await Promise.all(loads);
  const turnsOf = (names: readonly string[]): Set<string> =>
    new Set(names.map((label) => sampleTurnId(label, 10)));
  const acked = turnsOf(results.flatMap((result) => result.acked));
  const faults = results.flatMap((result) => result.faults);
  expect(
    await closeLedger(stack.sql, stack.project.projectId, { sent: turnsOf(labels), acked, faults }),
  ).toMatchObject(clean);
  const statuses = results.flatMap((result) => [...result.statuses.keys()]);
  expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  expect(statuses).toContain(503);
  reportFigure('R-34', { restarts, sent: labels.length, acked: acked.size, lost: 0 });
});
