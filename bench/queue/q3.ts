import { setTimeout as pause } from 'node:timers/promises';
import { createTestRuntime } from '../../testing/database';
import { startRedis } from '../../testing/redis';
import type { Runtime } from '../../server/runtime';
import { dropWork } from '../../server/queue';
import { runSlowLane } from '../../workers/slow-lane';
import { median, quantileOf, runRounds } from '../rounds';
import { absent, bound, type Row } from '../row';
import type { RowMaker } from '../run';
import type { Stage } from '../stage';
import { fillTurns } from './turns';

const inFlight = 200;
const judgeMs = 500;
const goal = { max: 2 };

/**
 * Q3: the delay that the slow lane adds to a judge call while 200 calls are in progress in one
 * worker: the time from the end of a call's work, which frees its slot, until the next call in that
 * slot begins. The judge is a timer of 400 to 600 ms, and its work ends with one small statement,
 * since the cost of verdicts is not the lane's. If a lane cannot keep up, its rate is lower than
 * the maximum of 200 concurrent calls, and every slot waits.
 */
export const q3: RowMaker = {
  name: 'Q3',
  async make(stage, settings) {
    const count = inFlight * (settings.smoke ? 2 : 8);
    const redis = await startRedis();
    if (redis !== null) stage.onClose(() => redis.stop());
    const faults: string[] = [];
    const side = (name: string, redisUrl: string | null) => ({
      name,
      run: (round: number) => runRound(stage, redisUrl, `q3-${name}-${round}`, count, faults),
    });
    const contenders = [
      side('postgres', null),
      ...(redis === null ? [] : [side('redis', redis.url)]),
    ];
    const measured = await runRounds('Q3', contenders, settings);
    if (faults.length > 0) settings.log({ row: 'Q3', faults: faults.slice(0, 5) });
    const rows = (name: string): Row[] =>
      (['p50Ms', 'p99Ms'] as const).map((figure) =>
        bound({
          figure: `Q3 ${inFlight} calls of a judge in flight, added to each by a queue in ${name === 'redis' ? 'Redis' : 'PostgreSQL'}, ${figure.slice(0, 3)}`,
          unit: 'ms',
          assayValues: measured(name, figure),
          ...(figure === 'p50Ms' ? { goal } : {}),
          notes: [
            `a judge of about ${judgeMs} ms, ${count} calls a round, one worker`,
            `${Math.round(Math.min(...measured(name, 'perS')))} calls/s of at most ${(inFlight / judgeMs) * 1000}`,
            `${median(measured(name, 'cpuPerCallMs')).toFixed(1)} ms of processor a call`,
            `${faults.length} faults of the queue, locks lost among them`,
          ],
        }),
      );
    return [
      ...rows('postgres'),
      ...(redis === null
        ? [absent('Q3 with a queue in Redis', 'ms', goal, 'no redis-server on this machine')]
        : rows('redis')),
    ];
  },
};

async function runRound(
  stage: Stage,
  redisUrl: string | null,
  name: string,
  count: number,
  faults: string[],
) {
  const worker = createTestRuntime(stage.runtime.ctx.env.databaseUrl, {
    ASSAY_DB_POOL: '10',
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
  });
  await fillTurns(stage, stage.project, name, count, 'slow');
  const begins: number[] = [];
  const ends: number[] = [];
  const ran = new Set<string>();
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const cpuBefore = cpuMs(stage);
  const stopping = new AbortController();
  const running = runSlowLane(listening(worker, faults), {
    owner: 'bench',
    signal: stopping.signal,
    concurrency: inFlight,
    async verify(work) {
      begins.push(performance.now());
      await pause(judgeMs * (0.8 + 0.4 * Math.random()));
      await dropWork(worker.ctx, 'bench', work);
      ran.add(work.id);
      ends.push(performance.now());
      if (ends.length === count) finish();
    },
  });
  await done;
  stopping.abort();
  await running;
  await worker.close();
  await checkDone(stage, begins.length, ran);
  // The n-th end frees a slot for the n-th call after the first 200.
  const added = begins.slice(inFlight).map((at, n) => at - (ends[n] ?? Number.NaN));
  const cpuPerCallMs = (cpuMs(stage) - cpuBefore) / count;
  const seconds = ((ends.at(-1) ?? 0) - (begins[0] ?? 0)) / 1000;
  return {
    p50Ms: quantileOf(added, 0.5),
    p99Ms: quantileOf(added, 0.99),
    perS: count / seconds,
    cpuPerCallMs,
  };
}

/** Processor time of this process and of PostgreSQL so far. */
function cpuMs(stage: Stage): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + stage.postgresCpu() * 1000;
}

/** A context for the lane that records warnings. */
function listening({ ctx }: Runtime, faults: string[]): Runtime['ctx'] {
  const log = Object.create(ctx.log, {
    warn: { value: (...details: unknown[]) => void faults.push(JSON.stringify(details)) },
  }) as typeof ctx.log;
  return { ...ctx, log };
}

/**
 * Checks that every row was judged once, none is left, and no attempt was lost.
 * @throws Error otherwise
 */
async function checkDone({ sql }: Stage, calls: number, ran: ReadonlySet<string>): Promise<void> {
  const [row] = await sql<{ work: number; attempts: number }[]>`
    select (select count(*)::int from work) as work, (select count(*)::int from work_attempts) as attempts`;
  if (ran.size !== calls || row?.work !== 0 || row.attempts !== 0)
    throw new Error(`void: ${JSON.stringify(row)}, ${ran.size} of ${calls}`);
}
