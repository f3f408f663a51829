import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest';
import { createCaller } from '../testing/call';
import { type Faultline, startFaultline } from '../testing/faultline';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger, createLedger } from '../testing/ledger';
import { endAll, startEdge } from '../testing/processes';
import { startTestCluster } from '../scripts/temporary-cluster.mjs';
import {
  type Backend,
  backends,
  createSlowStack,
  lacks,
  type SlowStack,
} from '../testing/slow-stack';
import { startLane } from '../testing/local-slow-lane';
import { long, sampleTurn } from '../testing/stack';
import { until } from '../testing/until';
import { timeFactor } from '../testing/time-factor';
import type { Ctx } from '../server/platform';

/** Address of a relay in front of the queue. */
async function relayOf(
  stack: SlowStack,
): Promise<{ readonly fault: Faultline; readonly env: Partial<Ctx['env']> }> {
  const straight = new URL(stack.redis?.url ?? stack.database.url);
  const fault = await startFaultline({ host: straight.hostname, port: Number(straight.port) });
  straight.port = String(fault.port);
  straight.hostname = '127.0.0.1';
  return {
    fault,
    env: stack.redis === null ? { databaseUrl: straight.href } : { redisUrl: straight.href },
  };
}

describe.each(backends)('slow lane on %s', (backend: Backend) => {
  describe.skipIf(lacks(backend))('queue faults', () => {
    let stack: SlowStack;
    let sent = 0;
    const send = async (count: number): Promise<void> => {
      const call = createCaller(stack.runtime, stack.key);
      const turns = Array.from({ length: count }, () => sampleTurn(`f-${sent++}`));
      expect((await call('/v1/turns', { turns })).body).toMatchObject({ accepted: count });
    };

    async function expectCleanBook(): Promise<void> {
      const ids = new Set(
        (await stack.sql<{ id: string }[]>`select id from turns`).map((row) => row.id),
      );
      expect(
        await closeLedger(stack.sql, stack.project.projectId, {
          sent: ids,
          acked: ids,
          faults: [],
        }),
      ).toMatchObject(clean);
      expect(await stack.sql`select 1 from work_attempts`).toHaveLength(0);
    }

    beforeAll(async () => {
      stack = await createSlowStack(inject('databaseUrl'), backend, { ASSAY_LEASE_MS: '3000' });
    });
    afterAll(() => stack.close());

    test('R-27 the connection goes silently dead: work waits, and is picked up within 10 s of the recovery', async () => {
      const { fault, env } = await relayOf(stack);
      const lane = startLane(stack, 'r27', env);
      await send(5);
      await stack.drained();
      fault.blackHole();
      await send(5);
      await until('publication was given up', () => isUnpublished(stack), 8_000);
      fault.restore();
      const healed = performance.now();
      await stack.drained(10_000);
      const drainedMs = Math.round(performance.now() - healed);
      expect(drainedMs).toBeLessThan(timeFactor * 10_000);
      reportFigure(`R-27 slow ${backend}`, { 'drained after the heal ms': drainedMs });
      await send(1);
      await stack.drained(2_000);
      await expectCleanBook();
      await lane.stop();
      await fault.close();
    });

    test(
      'R-28 cut and restored again and again: a job is picked up within 5 s each time',
      async () => {
        const { fault, env } = await relayOf(stack);
        const lane = startLane(stack, 'r28', env);
        const cycles = long ? 50 : 3;
        let slowest = 0;
        for (let cycle = 0; cycle < cycles; cycle++) {
          fault.cut();
          const began = performance.now();
          await send(1);
          await stack.drained(5_000);
          slowest = Math.max(slowest, performance.now() - began);
        }
        reportFigure(`R-28 slow ${backend}`, { cycles, 'slowest pickup ms': Math.round(slowest) });
        expect(slowest).toBeLessThan(timeFactor * 5_000);
        await expectCleanBook();
        await lane.stop();
        await fault.close();
      },
      long ? 250_000 : 300_000,
    );
  });
});

describe.skipIf(lacks('redis'))('slow lane with a Redis that dies', () => {
  let stack: SlowStack;

  beforeAll(async () => {
    stack = await createSlowStack(inject('databaseUrl'), 'redis', { ASSAY_LEASE_MS: '3000' });
  });
  afterEach(() => endAll());
  afterAll(() => stack.close());

  const kills = long ? 5 : 2;
  test(
    `R-22 Redis killed and emptied ${kills} times: nothing lost, nothing twice, published again within 5 s`,
    async () => {
      const turns = long ? 2000 : 120;
      const ledger = createLedger(
        await startEdge(stack.variables).then((edge) => ({ url: edge.url, key: stack.key })),
      );
      const lanes = [startLane(stack, 'a', {}, 40), startLane(stack, 'b', {}, 40)];
      let slowest = 0;
      for (let kill = 0; kill < kills; kill++) {
        const begin = (kill * turns) / kills;
        await ledger.postUntilAcked(
          Array.from({ length: turns / kills }, (_, i) => sampleTurn(`r22-${begin + i}`)),
        );
        await until('some are settled and some are not', () => isUnderWay(stack));
        await stack.redis?.kill();
        await stack.redis?.start();
        const back = performance.now();
        const before = await countVerdicts(stack);
        await until(
          'it goes on',
          async () => ((await countVerdicts(stack)) > before + 8 ? true : null),
          10_000,
        );
        slowest = Math.max(slowest, performance.now() - back);
      }
      await stack.drained(long ? 60_000 : 15_000);
      const balance = await closeLedger(stack.sql, stack.project.projectId, ledger);
      expect(balance).toMatchObject({
        ...clean,
        sent: turns,
        acked: turns,
        stored: turns,
        verdicts: turns,
      });
      expect(await stack.sql`select 1 from work_attempts`).toHaveLength(0);
      expect(slowest).toBeLessThan(timeFactor * 5_000);
      reportFigure('R-22', {
        turns,
        kills,
        lost: 0,
        twice: 0,
        'slowest resumption ms': Math.round(slowest),
      });
      for (const lane of lanes) await lane.stop();
    },
    long ? 180_000 : 300_000,
  );

  test('R-23 Redis unavailable for a while: intake answers as ever, no request takes a second, all is drained within 10 s of its return', async () => {
    const ledger = createLedger(
      await startEdge(stack.variables).then((edge) => ({ url: edge.url, key: stack.key })),
    );
    const lane = startLane(stack, 'r23');
    await ledger.postUntilAcked([sampleTurn('r23-warm')]);
    await stack.drained();
    await stack.redis?.kill();
    const began = performance.now();
    let slowest = 0;
    for (let n = 0; performance.now() - began < (long ? 30_000 : 1_500); n++) {
      const asked = performance.now();
      expect(await ledger.post([sampleTurn(`r23-${n}`)])).toBe(true);
      slowest = Math.max(slowest, performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(slowest).toBeLessThan(timeFactor * 1_000);
    await stack.redis?.start();
    const back = performance.now();
    await stack.drained(10_000);
    reportFigure('R-23', {
      requests: ledger.acked.size,
      'slowest request ms': Math.round(slowest),
      'drained after the return ms': Math.round(performance.now() - back),
    });
    const ids = new Set(
      (await stack.sql<{ id: string }[]>`select id from turns`).map((row) => row.id),
    );
    expect(
      await closeLedger(stack.sql, stack.project.projectId, { sent: ids, acked: ids, faults: [] }),
    ).toMatchObject(clean);
    expect(ledger.faults).toEqual([]);
    await lane.stop();
  });
});

/** True when work is ready and none of it is marked as published. */
async function isUnpublished({ sql }: SlowStack): Promise<true | null> {
  const [row] = await sql<{ waiting: number; hinted: number }[]>`
    select count(*)::int as waiting, count(hinted_at)::int as hinted from work where state = 'waiting'`;
  return row !== undefined && row.waiting > 0 && row.hinted === 0 ? true : null;
}

async function isUnderWay({ sql }: SlowStack): Promise<true | null> {
  const [row] = await sql<{ work: number; verdicts: number }[]>`
    select (select count(*)::int from work) as work, (select count(*)::int from verdicts) as verdicts`;
  return row !== undefined && row.work > 10 && row.verdicts > 0 ? true : null;
}

async function countVerdicts({ sql }: SlowStack): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from verdicts`;
  return row?.n ?? 0;
}

describe.each(backends)('slow lane on %s', (backend: Backend) => {
  test.skipIf(lacks(backend))(
    'R-32 PostgreSQL killed and restarted: the lane continues by itself, nothing lost, nothing twice',
    async () => {
      const cluster = await startTestCluster({ fsync: true });
      onTestFinished(() => cluster.stop());
      const stack = await createSlowStack(cluster.url, backend, {
        ASSAY_LEASE_MS: '2000',
        ASSAY_QUERY_TIMEOUT_MS: '2000',
      });
      onTestFinished(() => stack.close());
      const lane = startLane(stack, 'r32', {}, 40);
      const call = createCaller(stack.runtime, stack.key);
      const turns = Array.from({ length: 60 }, (_, i) => sampleTurn(`r32-${i}`));
      expect((await call('/v1/turns', { turns })).body).toMatchObject({ accepted: 60 });
      await until('some are settled and some are not', () => isUnderWay(stack));
      await cluster.kill();
      await cluster.start();
      const back = performance.now();
      await until(
        'all are settled',
        async () => ((await countVerdicts(stack).catch(() => 0)) === 60 ? true : null),
        15_000,
      );
      reportFigure(`R-32 slow ${backend}`, {
        'drained after the return ms': Math.round(performance.now() - back),
      });
      const ids = new Set(turns.map((turn) => turn.id));
      expect(
        await closeLedger(stack.sql, stack.project.projectId, {
          sent: ids,
          acked: ids,
          faults: [],
        }),
      ).toMatchObject(clean);
      await lane.stop();
    },
  );
});
