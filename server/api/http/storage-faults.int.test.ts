import { afterAll, expect, inject, test } from 'vitest';
import { drainWork } from '../../../testing/database';
import { reportFigure } from '../../../testing/figures';
import { startFaultline } from '../../../testing/faultline';
import { clean, closeLedger, createLedger } from '../../../testing/ledger';
import { endAll, startEdge, startWorker } from '../../../testing/processes';
import { createStack, long, sampleTurn, type Stack } from '../../../testing/stack';
import { until } from '../../../testing/until';
import { timeFactor } from '../../../testing/time-factor';
import { startTestCluster } from '../../../scripts/temporary-cluster.mjs';

afterAll(() => endAll());

test('R-32 the whole cluster killed under load: 503 with Retry-After meanwhile, nothing acknowledged is lost, recovery by itself', async () => {
  const kills = long ? 10 : 1;
  const cluster = await startTestCluster({ fsync: true });
  const stack = await createStack(cluster.url);
  let loading = true;
  try {
    const edge = await startEdge(stack.variables);
    const worker = await startWorker(stack.variables);
    const ledger = createLedger({ url: edge.url, key: stack.key });
    let next = 0;
    const load = async (): Promise<void> => {
      while (loading) {
        const turns = Array.from({ length: 5 }, () => sampleTurn(`r32-${next++}`));
        while (!(await ledger.post(turns)) && loading)
          await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const reads = new Map<number, number>();
    const read = async (): Promise<void> => {
      while (loading) {
        const response = await fetch(`${edge.url}/v1/verifications?limit=5`, {
          headers: { authorization: `Bearer ${stack.key}` },
        });
        await response.arrayBuffer();
        reads.set(response.status, (reads.get(response.status) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    };
    const running = [load(), load(), load(), load(), read()];
    const recoveries: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const target = ledger.acked.size + (long ? 100 : 30);
      await until('load is on', () => (ledger.acked.size >= target ? true : null));
      const refusedBefore = ledger.statuses.get(503) ?? 0;
      await cluster.kill();
      await until('refused meanwhile', () =>
        (ledger.statuses.get(503) ?? 0) >= refusedBefore + 30 ? true : null,
      );
      const ackedBefore = ledger.acked.size;
      await cluster.start();
      const began = performance.now();
      await until('taken again', () => (ledger.acked.size > ackedBefore ? true : null));
      recoveries.push(Math.round(performance.now() - began));
    }
    loading = false;
    await Promise.all(running);
    const began = performance.now();
    await stack.drained();
    const drainedMs = Math.round(performance.now() - began);
    const balance = await closeLedger(stack.sql, stack.project.projectId, ledger);
    expect(balance).toMatchObject(clean);
    expect(Math.max(...recoveries)).toBeLessThan(5000);
    expect([...reads.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(
      [...ledger.statuses.keys()].filter((status) => status !== 202 && status !== 503),
    ).toEqual([]);
    expect(ledger.statuses.get(503)).toBeGreaterThan(0);
    reportFigure('R-32', {
      kills,
      acked: balance.acked,
      lost: balance.lost.length,
      refused: ledger.statuses.get(503) ?? 0,
      'longest recovery ms': Math.max(...recoveries),
      'work done after the end of the load ms': drainedMs,
    });
    await Promise.all([edge.kill(), worker.kill()]);
  } finally {
    loading = false;
    await stack.close();
    await cluster.stop();
  }
});

const settled = { state: 'settled', outcome: 'failed', turn_id: 'r35' };

test.each([
  {
    what: 'of the commit of a turn',
    route: '/v1/turns',
    fault: 'insert',
    again: 202,
    reply: { accepted: 0, duplicates: 1, rejected: [] },
  },
  {
    what: 'of the commit of a turn to verify',
    route: '/v1/verify/integrity',
    fault: 'insert',
    again: 200,
    reply: settled,
  },
  {
    what: 'of the commit of a verdict',
    route: '/v1/verify/integrity',
    fault: 'settle',
    again: 200,
    reply: settled,
  },
])(
  'R-35 the answer $what is lost: 503 in time, sent again, exactly one copy and one verdict',
  async ({ route, fault, again: expected, reply }) => {
    const timeoutMs = 1000;
    const stack: Stack = await createStack(inject('databaseUrl'), { ASSAY_LEASE_MS: '1000' });
    const url = new URL(stack.database.url);
    const line = await startFaultline({ host: url.hostname, port: Number(url.port) });
    try {
      url.port = String(line.port);
      const edge = await startEdge({
        ...stack.variables,
        DATABASE_URL: url.href,
        ASSAY_QUERY_TIMEOUT_MS: String(timeoutMs),
      });
      const turn = sampleTurn('r35');
      const post = async (): Promise<Response> =>
        fetch(`${edge.url}${route}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(route === '/v1/turns' ? { turns: [turn] } : turn),
        });
      // Starts a pool thread before the timing.
      await fetch(`${edge.url}/v1/contracts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ request: 'Write app.py' }),
      });
      // The first settlement of a process sends the statement's text; the intake statement is
      // recognised by its turn.
      const struck = line.swallowAfter(fault === 'insert' ? 'r35' : 'insert into verdicts');
      const began = performance.now();
      const first = await post();
      const tookMs = performance.now() - began;
      await struck;
      expect(first.status).toBe(503);
      expect(first.headers.get('retry-after')).not.toBeNull();
      // The silence after which the socket is closed, plus the delay of a busy machine. Otherwise
      // the request would never end.
      expect(tookMs).toBeLessThan(timeFactor * (timeoutMs * 1.5 + 2_500));
      await until('stored all the same', async () => {
        const rows = await stack.sql`select 1 from turns where id = 'r35'`;
        return rows.length === 1 ? true : null;
      });
      const worker = await startWorker(stack.variables);
      const again = await post();
      expect(again.status).toBe(expected);
      expect(await again.json()).toMatchObject(reply);
      await stack.drained();
      const sent = new Set(['r35']);
      expect(
        await closeLedger(stack.sql, stack.project.projectId, { sent, acked: sent, faults: [] }),
      ).toMatchObject({
        ...clean,
        stored: 1,
        verdicts: 1,
      });
      reportFigure(`R-35 ${route} ${fault}`, {
        'answered ms': Math.round(tookMs),
        'query timeout ms': timeoutMs,
      });
      await Promise.all([edge.kill(), worker.kill()]);
    } finally {
      await line.close();
      await stack.close();
    }
  },
);

test('R-35 requests that wait on the same connections as a lost answer are answered too', async () => {
  const stack = await createStack(inject('databaseUrl'));
  const url = new URL(stack.database.url);
  const line = await startFaultline({ host: url.hostname, port: Number(url.port) });
  try {
    url.port = String(line.port);
    const edge = await startEdge({
      ...stack.variables,
      DATABASE_URL: url.href,
      ASSAY_QUERY_TIMEOUT_MS: '1000',
    });
    const ledger = createLedger({ url: edge.url, key: stack.key });
    await ledger.postUntilAcked([sampleTurn('r35c-0')]);
    const struck = line.swallowAfter('r35c-7');
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => ledger.postUntilAcked([sampleTurn(`r35c-${i}`)])),
    );
    await struck;
    expect(await drainWork(stack.runtime)).toBe(20);
    expect(await closeLedger(stack.sql, stack.project.projectId, ledger)).toMatchObject({
      ...clean,
      stored: 20,
      verdicts: 20,
    });
    await edge.kill();
  } finally {
    await line.close();
    await stack.close();
  }
});
