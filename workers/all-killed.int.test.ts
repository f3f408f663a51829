import { afterEach, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../scripts/postgres.mjs';
import { startTestCluster } from '../scripts/temporary-cluster.mjs';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger, createLedger, type Ledger } from '../testing/ledger';
import { type Child, endAll, startProcess } from '../testing/processes';
import { createRandom } from '../testing/seed';
import { createSlowStack, lacks, type SlowStack } from '../testing/slow-stack';
import { long, sampleTurn } from '../testing/stack';
import { until } from '../testing/until';

afterEach(() => endAll());

/**
 * Sends one turn at a time from several clients until `isOver`, repeating each until acknowledged.
 */
async function sendTurns(ledger: Ledger, round: number, isOver: () => boolean): Promise<void> {
  let next = 0;
  // About 200 requests a second in the long form.
  const client = async (): Promise<void> => {
    while (!isOver()) {
      await ledger.postUntilAcked([sampleTurn(`r21-${round}-${next++}`)], 240_000);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  };
  await Promise.all(Array.from({ length: long ? 8 : 3 }, client));
}

async function isUnderWay({ sql }: SlowStack, verdicts: number): Promise<true | null> {
  const [row] = await sql<{ work: number; verdicts: number }[]>`
    select (select count(*)::int from work) as work, (select count(*)::int from verdicts) as verdicts`;
  return row !== undefined && row.work > 3 && row.verdicts > verdicts ? true : null;
}

const rounds = long ? 5 : 1;
test.skipIf(lacks('redis'))(
  `R-21 edge, worker, Redis and PostgreSQL killed at once under load, ${rounds} time(s), and started in any order: nothing lost, nothing twice`,
  async () => {
    const random = createRandom('R-21');
    const cluster = await startTestCluster({ fsync: true });
    onTestFinished(() => cluster.stop());
    const stack = await createSlowStack(cluster.url, 'redis', { ASSAY_LEASE_MS: '3000' });
    onTestFinished(() => stack.close());
    const port = await findFreePort();
    const starts = {
      edge: () => startProcess('edge', { ...stack.variables, ASSAY_EDGE_PORT: String(port) }),
      worker: () => startProcess('worker', stack.variables),
    };
    const processes: Child[] = [await starts.edge(), await starts.worker()];
    const ledger = createLedger({ url: `http://127.0.0.1:${port}`, key: stack.key });
    for (let round = 0; round < rounds; round++) {
      let isOver = false;
      const sending = sendTurns(ledger, round, () => isOver);
      const verdicts = round === 0 ? 0 : ledger.acked.size;
      await until('work is under way', () => isUnderWay(stack, verdicts));
      const killRedis = async (): Promise<void> => stack.redis?.kill();
      await Promise.all([cluster.kill(), killRedis(), ...processes.map((each) => each.kill())]);
      const ackedBefore = ledger.acked.size;
      const begin = [
        cluster.start,
        async () => stack.redis?.start(),
        async () => void processes.splice(0, 1, await starts.edge()),
        async () => void processes.splice(1, 1, await starts.worker()),
      ];
      for (const start of random.shuffle(begin)) await start();
      await until('taken again', () => (ledger.acked.size > ackedBefore + 10 ? true : null));
      isOver = true;
      await sending;
      await stack.drained(180_000);
      expect(await closeLedger(stack.sql, stack.project.projectId, ledger)).toMatchObject(clean);
    }
    expect([...ledger.statuses.keys()].filter((status) => ![0, 202, 503].includes(status))).toEqual(
      [],
    );
    expect(await stack.sql`select 1 from work where state = 'quarantined'`).toHaveLength(0);
    reportFigure('R-21', {
      rounds,
      seed: random.seed,
      acked: ledger.acked.size,
      'sent in vain': (ledger.statuses.get(0) ?? 0) + (ledger.statuses.get(503) ?? 0),
      lost: 0,
      twice: 0,
    });
  },
  600_000,
);
