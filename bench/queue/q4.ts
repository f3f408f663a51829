import { setTimeout as pause } from 'node:timers/promises';
import { createTestProject } from '../../testing/database';
import { until } from '../../testing/until';
import type { ProjectCtx } from '../../server/access';
import type { Runtime } from '../../server/runtime';
import type { Child } from '../child';
import { median, quantileOf, runRounds } from '../rounds';
import { compare } from '../row';
import type { RowMaker } from '../run';
import type { Stage } from '../stage';
import { fillTurns, plannedTurn } from './turns';

/**
 * Q4: the time until a project's turn is claimed while another project has a million waiting rows
 * in the same database and the worker processes them, compared with the same in a separate
 * database. Both workers are the production process; the crowded one is paused while the quiet one
 * is measured, since both use the same processors.
 */
export const q4: RowMaker = {
  name: 'Q4',
  async make(stage, settings) {
    const [waiting, adds] = settings.smoke ? [50_000, 20] : [1_000_000, 100];
    const noisy = await createTestProject(stage.runtime);
    await fillTurns(stage, noisy, 'n', waiting);
    await stage.sql`vacuum analyze turns, work`;
    const quietDatabase = await stage.openDatabase('quiet');
    const crowded = await openSide(stage.runtime, stage.project, await stage.startWorker());
    const quiet = await openSide(
      quietDatabase.runtime,
      quietDatabase.project,
      await stage.startWorker(quietDatabase.url),
    );
    const left: number[] = [];
    const contenders = [
      {
        name: 'crowded',
        async run(round: number) {
          await resume(stage, crowded.worker, noisy);
          const figures = await measureSide(crowded, `q4-crowded-${round}`, adds);
          left.push(await countWaiting(stage, noisy));
          await freeze(stage, crowded.worker);
          return figures;
        },
      },
      { name: 'quiet', run: (round: number) => measureSide(quiet, `q4-quiet-${round}`, adds) },
    ];
    await freeze(stage, crowded.worker);
    const measured = await runRounds('Q4', contenders, settings);
    await crowded.worker.stop();
    await quiet.worker.stop();
    const remaining = left.at(-1) ?? 0;
    if (remaining === 0)
      throw new Error(`void: the queue of ${waiting} rows ran empty while it was measured`);
    await checkNothingLost(stage, noisy, waiting);
    for (const side of [crowded, quiet])
      await checkSide(side, adds * (settings.rounds + settings.discarded));
    return [
      compare({
        figure: `Q4 pickup of another project's turn beside ${waiting.toLocaleString('en')} waiting rows, against a database of its own, p99`,
        unit: 'ms',
        assayValues: measured('crowded', 'p99Ms'),
        floor: measured('quiet', 'p99Ms'),
        goal: { max: 3 },
        notes: [
          `p50 ${median(measured('crowded', 'p50Ms')).toFixed(1)} and ${median(measured('quiet', 'p50Ms')).toFixed(1)} ms; ${adds} single adds a round; one worker; ${remaining} rows still waited at the end`,
        ],
      }),
    ];
  },
};

/** A project in a database, and the time until a worker there claims its stored turns. */
interface Side {
  readonly runtime: Runtime;
  readonly project: ProjectCtx;
  readonly worker: Child;
  /** Maps a verdict id to a callback for the claim of its work. */
  readonly claims: Map<string, (at: number) => void>;
}

/**
 * The worker is unmodified: a trigger reports its claims at the claim's own commit, for this
 * project only.
 */
async function openSide(runtime: Runtime, project: ProjectCtx, worker: Child): Promise<Side> {
  const { sql } = runtime.ctx;
  await sql.unsafe(`
    create function bench_report_claim() returns trigger language plpgsql as $$
      begin perform pg_notify('bench_claims', new.id); return null; end $$;
    create trigger bench_claims after update of owner on work for each row
      when (new.project_id = '${project.projectId}' and new.owner is not null and old.owner is null)
      execute function bench_report_claim()`);
  const claims = new Map<string, (at: number) => void>();
  await sql.listen('bench_claims', (id) => claims.get(id)?.(performance.now()));
  return { runtime, project, worker, claims };
}

async function measureSide(
  side: Side,
  name: string,
  adds: number,
): Promise<{ readonly p50Ms: number; readonly p99Ms: number }> {
  const took: number[] = [];
  for (let n = 0; n < adds; n++) {
    const turn = plannedTurn(side.project.projectId, `${name}-${n}`);
    const id = turn.planned.verdicts[0]?.verdictId ?? '';
    const claimed = new Promise<number>((resolve) => side.claims.set(id, resolve));
    const began = performance.now();
    const [result] = await side.runtime.writer.write([turn]);
    if (result?.state !== 'inserted') throw new Error(`void: a turn was ${JSON.stringify(result)}`);
    took.push((await claimed) - began);
    side.claims.delete(id);
    // Pauses of varying length, so that adds are not synchronised with the worker's batches.
    await pause(10 + Math.random() * 40);
  }
  return { p50Ms: quantileOf(took, 0.5), p99Ms: quantileOf(took, 0.99) };
}

/**
 * Stops the process for much less than a lease, and waits until its last statements have finished.
 */
async function freeze(stage: Stage, worker: Child): Promise<void> {
  worker.signal('SIGSTOP');
  await until('the paused worker has no statement under way', async () => {
    const rows = await stage.sql`
      select 1 from pg_stat_activity where datname = current_database() and application_name = 'assay worker' and state = 'active'`;
    return rows.length === 0 ? true : null;
  });
}

/** Resumes the worker, and waits until it has settled some of the many rows. */
async function resume(stage: Stage, worker: Child, noisy: ProjectCtx): Promise<void> {
  let settled: () => void = () => undefined;
  const some = new Promise<void>((resolve) => {
    settled = resolve;
  });
  const listening = await stage.sql.listen('assay_verdicts', (notice) => {
    if (notice.startsWith(noisy.projectId)) settled();
  });
  worker.signal('SIGCONT');
  await some;
  await listening.unlisten();
}

async function countWaiting({ sql }: Stage, { projectId }: ProjectCtx): Promise<number> {
  const [row] = await sql<
    { n: number }[]
  >`select count(*)::int as n from work where project_id = ${projectId} and owner is null`;
  return row?.n ?? 0;
}

/**
 * Checks that every row is a verdict or still waits.
 * @throws Error otherwise
 */
async function checkNothingLost(
  { sql }: Stage,
  { projectId }: ProjectCtx,
  count: number,
): Promise<void> {
  const [row] = await sql<{ verdicts: number; work: number; other: number }[]>`
    select (select count(*)::int from verdicts where project_id = ${projectId}) as verdicts,
      (select count(*)::int from work where project_id = ${projectId} and state = 'waiting') as work,
      (select count(*)::int from work w join verdicts v on v.project_id = w.project_id and v.id = w.id where w.project_id = ${projectId}) as other`;
  if (row === undefined || row.verdicts + row.work !== count || row.other !== 0) {
    throw new Error(`void: of ${count} waiting rows ${JSON.stringify(row)}`);
  }
}

/**
 * Checks that each turn has one verdict.
 * @throws Error otherwise
 */
async function checkSide({ runtime, project }: Side, count: number): Promise<void> {
  const { sql } = runtime.ctx;
  const [row] = await sql<{ verdicts: number; turns: number }[]>`
    select count(*)::int as verdicts, count(distinct subject_id)::int as turns from verdicts
    where project_id = ${project.projectId} and subject_id like 'q4-%'`;
  if (row?.verdicts !== count || row.turns !== count)
    throw new Error(`void: ${JSON.stringify(row)} of ${count} turns`);
}
