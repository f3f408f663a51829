import { Redis } from 'ioredis';
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
import { startFaultline } from '../testing/faultline';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger } from '../testing/ledger';
import { endAll, startEdge, startWorker } from '../testing/processes';
import { startRedis, type TestRedis } from '../testing/redis';
import { startLane } from '../testing/local-slow-lane';
import { createSlowStack, lacks, type SlowStack } from '../testing/slow-stack';
import { long, sampleTurn } from '../testing/stack';
import { until } from '../testing/until';

/** A Redis that is emptied, misconfigured, replaced or slow (reliability.md 4.3). */
describe.skipIf(lacks('redis'))('slow lane with a Redis that changes', () => {
  let stack: SlowStack;
  let redis: TestRedis;
  let client: Redis;
  let sent = 0;

  beforeAll(async () => {
    stack = await createSlowStack(inject('databaseUrl'), 'redis', { ASSAY_LEASE_MS: '3000' });
    if (stack.redis === null) throw new Error('there is no Redis');
    ({ redis } = stack);
    client = new Redis(redis.url);
  });
  afterEach(() => endAll());
  afterAll(async () => {
    client.disconnect();
    await stack.close();
  });

  async function send(count: number): Promise<void> {
    const call = createCaller(stack.runtime, stack.key);
    const turns = Array.from({ length: count }, () => sampleTurn(`c-${sent++}`));
    expect((await call('/v1/turns', { turns })).body).toMatchObject({ accepted: count });
  }

  async function settles(count: number): Promise<void> {
    await until(`${count} verdicts`, async () => {
      const [row] = await stack.sql<{ n: number }[]>`select count(*)::int as n from verdicts`;
      return (row?.n ?? 0) >= count ? true : null;
    });
  }

  async function readBook() {
    await stack.drained();
    const rows = await stack.sql<{ id: string }[]>`select id from turns`;
    const ids = new Set(rows.map((row) => row.id));
    const ledger = { sent: ids, acked: ids, faults: [] };
    return {
      ...(await closeLedger(stack.sql, stack.project.projectId, ledger)),
      attempts: (await stack.sql`select 1 from work_attempts`).length,
    };
  }
  /** Everything sent has one verdict, and no work was attempted twice. */
  const cleanBook = () => ({ ...clean, stored: sent, verdicts: sent, attempts: 0 });

  test('R-24 FLUSHALL again and again in a full run: nothing lost, nothing twice; Redis has nothing but jobs', async () => {
    const rounds = long ? 6 : 3;
    const each = long ? 200 : 40;
    const lanes = [startLane(stack, 'a', {}, 20), startLane(stack, 'b', {}, 20)];
    const before = sent;
    for (let round = 0; round < rounds; round++) {
      await send(each);
      await settles(before + round * each + 8);
      await client.flushall();
    }
    expect(await readBook()).toMatchObject(cleanBook());
    // Schedules are rows of PostgreSQL.
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !key.includes(':assay-judge:'))).toEqual([]);
    for (const lane of lanes) await lane.stop();
    reportFigure('R-24', { flushes: rounds, turns: rounds * each, lost: 0, twice: 0 });
  });

  test('R-26 a Redis that evicts keys: the worker warns at its start, and nothing is lost', async () => {
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    onTestFinished(async () => {
      await client.config('SET', 'maxmemory', '0');
      await client.config('SET', 'maxmemory-policy', 'noeviction');
    });
    const worker = await startWorker(stack.variables);
    await until('it warns', () =>
      worker.output().includes('maxmemory-policy allkeys-lru') ? true : null,
    );
    await worker.kill();
    const lane = startLane(stack, 'evicted', {}, 20);
    const before = sent;
    await send(40);
    await settles(before + 8);
    // Less than is in use, so Redis evicts all that it can.
    await client.config('SET', 'maxmemory', '1');
    await until('keys are evicted', async () =>
      /^evicted_keys:[1-9]/m.test(await client.info('stats')) ? true : null,
    );
    await client.config('SET', 'maxmemory', '0');
    expect(await readBook()).toMatchObject(cleanBook());
    await lane.stop();
  });

  test('R-29 the Redis becomes a read-only replica of another: the lane reconnects, nothing is lost', async () => {
    const other = await startRedis();
    if (other === null) throw new Error('there is no Redis');
    const line = await startFaultline({ host: '127.0.0.1', port: redis.port });
    onTestFinished(async () => {
      await client.replicaof('NO', 'ONE');
      await line.close();
      await other.stop();
    });
    const lane = startLane(stack, 'moved', { redisUrl: `redis://127.0.0.1:${line.port}` }, 20);
    const before = sent;
    await send(30);
    await settles(before + 8);
    await client.replicaof('127.0.0.1', String(other.port));
    await send(30);
    // Behaves like a name that points to the new master.
    line.redirect({ host: '127.0.0.1', port: other.port });
    expect(await readBook()).toMatchObject(cleanBook());
    await lane.stop();
  });

  test('R-30 every command of Redis takes half a second: intake asks no Redis before it answers', async () => {
    const line = await startFaultline({ host: '127.0.0.1', port: redis.port });
    onTestFinished(() => line.close());
    line.delay(500);
    const redisUrl = `redis://127.0.0.1:${line.port}`;
    const edge = await startEdge({ ...stack.variables, REDIS_URL: redisUrl });
    const ids = Array.from({ length: 10 }, () => `c-${sent++}`);
    for (const id of ids) {
      const response = await fetch(`${edge.url}/v1/turns`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ turns: [sampleTurn(id)] }),
      });
      expect(response.status).toBe(202);
    }
    expect(line.passed()).toBe(0);
    const lane = startLane(stack, 'slow', { redisUrl }, 0);
    expect(await readBook()).toMatchObject(cleanBook());
    expect(line.passed()).toBeGreaterThan(0);
    await lane.stop();
  });
});
