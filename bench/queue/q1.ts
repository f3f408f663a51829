import { createTestRuntime } from '../../testing/database';
import { startRedis } from '../../testing/redis';
import { until } from '../../testing/until';
import { judgeJob, type JobQueue, openJobQueue } from '../../server/queue';
import { runLane } from '../../workers/lane';
import { median, runRounds } from '../rounds';
import { absent, compare, type Row } from '../row';
import type { RowMaker, Settings } from '../run';
import type { Stage } from '../stage';
import { fillTurns } from './turns';

/** The number of concurrent no-op jobs with which the peers are usually measured. */
const atOnce = 50;
const claimSize = 500;

/**
 * Q1: stored turns per second that one lane in this process claims, verifies with the integrity
 * verifier, and settles with verdict, scores and rollups. It is compared with the minimum of any
 * queue in PostgreSQL, which claims in batches and deletes, and with BullMQ and no-op jobs on both
 * of its backends.
 */
export const q1: RowMaker = {
  name: 'Q1',
  async make(stage, settings) {
    const sizes = settings.smoke
      ? { turns: 2_000, bare: 10_000, job: 1_000 }
      : { turns: 20_000, bare: 100_000, job: 10_000 };
    const redis = await startRedis();
    if (redis !== null) stage.onClose(() => redis.stop());
    const contenders = [
      {
        name: 'assay',
        run: async (round: number) => ({ perS: await runAssay(stage, `q1-${round}`, sizes.turns) }),
      },
      { name: 'bare', run: async () => ({ perS: await runBare(stage, sizes.bare) }) },
      {
        name: 'bull postgres',
        run: async (round: number) => ({
          perS: await runJobs(stage, null, `${round}`, sizes.job / 2),
        }),
      },
      ...(redis === null
        ? []
        : [
            {
              name: 'bull redis',
              run: async (round: number) => ({
                perS: await runJobs(stage, redis.url, `${round}`, sizes.job * 2),
              }),
            },
          ]),
    ];
    const measured = await runRounds('Q1', contenders, settings);
    await checkVerdicts(stage, sizes.turns, settings);
    const figure = 'Q1 turns claimed, verified and settled, against';
    const assayValues = measured('assay', 'perS');
    const peer = (name: string, of: string, min: number): Row =>
      compare({
        figure: `${figure} ${name}`,
        unit: '1/s',
        assayValues,
        peer: measured(of, 'perS'),
        goal: { min },
      });
    return [
      compare({
        figure: `${figure} claiming and deleting bare rows in batches of ${claimSize}`,
        unit: '1/s',
        assayValues,
        floor: measured('bare', 'perS'),
        goal: { min: 0.25 },
        notes: [
          `integrity, 3 checks a turn; one worker; ${sizes.turns} turns a round, ${Math.round(1e6 / median(assayValues))} µs each`,
        ],
      }),
      peer(`BullMQ on PostgreSQL, jobs that do nothing, ${atOnce} at once`, 'bull postgres', 10),
      redis === null
        ? absent(`${figure} BullMQ on Redis`, '1/s', { min: 1 }, 'no redis-server on this machine')
        : peer(
            `BullMQ on Redis without persistence, jobs that do nothing, ${atOnce} at once`,
            'bull redis',
            1,
          ),
    ];
  },
};

async function runAssay(stage: Stage, name: string, count: number): Promise<number> {
  await fillTurns(stage, stage.project, name, count);
  await stage.sql`vacuum analyze work`;
  const worker = createTestRuntime(stage.runtime.ctx.env.databaseUrl);
  const stopping = new AbortController();
  let settled = 0;
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const listening = await stage.sql.listen('assay_verdicts', (notice) => {
    settled += Number(notice.split(' ')[1] ?? 0);
    if (settled >= count) finish();
  });
  const began = performance.now();
  const { rules, subjects } = worker;
  const running = runLane(worker.ctx, { owner: 'bench', signal: stopping.signal, rules, subjects });
  await done;
  const seconds = (performance.now() - began) / 1000;
  stopping.abort();
  await running;
  await listening.unlisten();
  await worker.close();
  return count / seconds;
}

async function runBare({ sql }: Stage, count: number): Promise<number> {
  await sql.unsafe(`
    create table if not exists bench_bare (id bigint primary key, due_at timestamptz not null default now(), owner text);
    create index if not exists bench_bare_due on bench_bare (due_at) where owner is null`);
  await sql`insert into bench_bare (id) select generate_series(1, ${count}::int)`;
  await sql`vacuum analyze bench_bare`;
  const began = performance.now();
  for (let left = count; left > 0; ) {
    const rows = await sql<{ id: string }[]>`
      with due as (select id from bench_bare where owner is null and due_at <= now() order by due_at limit ${claimSize} for update skip locked)
      update bench_bare b set owner = 'bench', due_at = now() + interval '30 seconds' from due where b.id = due.id returning b.id`;
    const ids = JSON.stringify(rows.map((row) => Number(row.id)));
    await sql`delete from bench_bare b using jsonb_array_elements_text(${ids}::text::jsonb) as done(id) where b.id = done.id::bigint`;
    left -= rows.length;
    if (rows.length === 0) throw new Error(`void: ${left} bare rows were not found`);
  }
  return count / ((performance.now() - began) / 1000);
}

/** BullMQ with the product's own settings: jobs are published first and then processed. */
async function runJobs(
  stage: Stage,
  redisUrl: string | null,
  name: string,
  count: number,
): Promise<number> {
  let ran = 0;
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { ctx } = stage.runtime;
  const noop = async (): Promise<void> => {
    await gate;
    ran++;
  };
  const line: JobQueue = await openJobQueue({ ...ctx.env, redisUrl }, ctx.log, {
    jobsAtOnce: () => atOnce,
    handlers: new Map([[judgeJob.name, noop]]),
    onReturn: () => undefined,
  });
  const jobs = Array.from({ length: count }, (_, n) => ({
    id: `${name}-${n}`,
    data: {
      rows: [{ project_id: 'p', work_id: `${name}-${n}`, revision: 1, fence: 0 }],
      priority: 1,
    },
    urgent: true,
  }));
  for (let from = 0; from < jobs.length; from += 500)
    await line.enqueue(judgeJob, jobs.slice(from, from + 500));
  const began = performance.now();
  open();
  await until('all jobs ran', () => (ran >= count ? true : null), 120_000);
  const seconds = (performance.now() - began) / 1000;
  await line.close();
  return count / seconds;
}

async function checkVerdicts(
  { sql }: Stage,
  count: number,
  { rounds, discarded }: Settings,
): Promise<void> {
  const expected = count * (rounds + discarded);
  const [row] = await sql<{ verdicts: number; rolled: number; work: number }[]>`
    select (select count(*)::int from verdicts where subject_id like 'q1-%') as verdicts, (select count(*)::int from work) as work,
      (select sum(passed + failed + needs_review + steered + inconclusive + skipped)::int from verdict_rollups) as rolled`;
  if (row?.verdicts !== expected || row.rolled < expected || row.work !== 0)
    throw new Error(`void: ${JSON.stringify(row)} of ${expected} turns`);
}
