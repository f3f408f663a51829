import { afterEach, expect, onTestFinished, test } from 'vitest';
import { startTestCluster } from '../../../scripts/temporary-cluster.mjs';
import { startFaultline } from '../../../testing/faultline';
import { reportFigure } from '../../../testing/figures';
import { clean, closeLedger, createLedger } from '../../../testing/ledger';
import { endAll, startEdge, startWorker } from '../../../testing/processes';
import { startReplica } from '../../../testing/replica';
import { createStack, long, sampleTurn } from '../../../testing/stack';
import { until } from '../../../testing/until';

afterEach(() => endAll());

test('R-36 the primary dies under load, and its synchronous replica takes over: nothing acknowledged is lost, the same processes go on', async () => {
  const cluster = await startTestCluster({ fsync: true });
  onTestFinished(() => cluster.stop());
  const line = await startFaultline({ host: '127.0.0.1', port: cluster.port });
  onTestFinished(() => line.close());
  const url = Object.assign(new URL(cluster.url), { port: String(line.port) }).href;
  const stack = await createStack(url, { ASSAY_LEASE_MS: '3000' });
  const replica = await startReplica(cluster);
  onTestFinished(() => replica.stop());
  onTestFinished(() => stack.close());
  const edge = await startEdge(stack.variables);
  await startWorker(stack.variables);
  const ledger = createLedger({ url: edge.url, key: stack.key });
  let isOver = false;
  let next = 0;
  const load = async (): Promise<void> => {
    while (!isOver) {
      await ledger.postUntilAcked([sampleTurn(`r36-${next++}`)], 120_000);
      await new Promise((resolve) => setTimeout(resolve, long ? 5 : 20));
    }
  };
  const running = Promise.all(Array.from({ length: long ? 8 : 4 }, load));
  await until('work is under way', async () => {
    const [row] = await stack.sql<{ n: number }[]>`select count(*)::int as n from verdicts`;
    return (row?.n ?? 0) >= 10 && ledger.acked.size >= (long ? 5_000 : 60) ? true : null;
  });
  await cluster.kill();
  const began = performance.now();
  const refusedBefore = ledger.statuses.get(503) ?? 0;
  await until('writes are refused', () =>
    (ledger.statuses.get(503) ?? 0) > refusedBefore ? true : null,
  );
  await replica.promote();
  line.redirect({ host: '127.0.0.1', port: replica.port });
  const before = ledger.acked.size;
  await until('taken again', () => (ledger.acked.size > before + 10 ? true : null));
  const withoutMs = Math.round(performance.now() - began);
  isOver = true;
  await running;
  await stack.drained(180_000);
  expect(await closeLedger(stack.sql, stack.project.projectId, ledger)).toMatchObject(clean);
  expect(new Set(ledger.statuses.keys())).toEqual(new Set([202, 503]));
  reportFigure('R-36', { acked: ledger.acked.size, lost: 0, 'without writes ms': withoutMs });
});
