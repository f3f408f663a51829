import { setTimeout as pause } from 'node:timers/promises';
import { createTestRuntime } from '../../testing/database';
import { until } from '../../testing/until';
import { runLane } from '../../workers/lane';
import { openBareNotify } from '../bare-notify';
import { median, quantileOf, runRounds } from '../rounds';
import { compare, type Row } from '../row';
import type { RowMaker } from '../run';
import type { Stage } from '../stage';
import { plannedTurn } from './turns';

/**
 * The pause between one verdict and the next turn: the lane has polled once more by then, and
 * waits.
 */
const idleMs = 8;

/**
 * Q2: the time from the call that stores a turn with its work row until the lane has claimed that
 * row. The lane is that of a worker, run in this process, so that both times are read from one
 * clock, as for the bare LISTEN/NOTIFY that it is compared with.
 */
export const q2: RowMaker = {
  name: 'Q2',
  async make(stage, settings) {
    const adds = settings.smoke ? 30 : 300;
    const lane = await startLane(stage);
    const bare = await openBareNotify(stage.sql);
    const figures = (took: readonly number[]) => ({
      p50Ms: quantileOf(took, 0.5),
      p99Ms: quantileOf(took, 0.99),
    });
    const contenders = [
      {
        name: 'pickup',
        async run(round: number) {
          const added: Added[] = [];
          for (let n = 0; n < adds; n++) added.push(await lane.add(`q2-${round}-${n}`));
          const storedMs = quantileOf(
            added.map((each) => each.storedMs),
            0.5,
          );
          return { ...figures(added.map((each) => each.claimedMs)), storedMs };
        },
      },
      {
        name: 'bare',
        async run() {
          const took: number[] = [];
          for (let n = 0; n < adds; n++) {
            took.push(await bare.once());
            await pause(idleMs);
          }
          return { ...figures(took), storedMs: 0 };
        },
      },
    ];
    const measured = await runRounds('Q2', contenders, settings);
    await bare.close();
    await lane.close();
    const [stored] = await stage.sql<{ verdicts: number; work: number }[]>`
      select (select count(*)::int from verdicts where subject_id like 'q2-%') as verdicts, (select count(*)::int from work) as work`;
    const expected = adds * (settings.rounds + settings.discarded);
    if (stored?.verdicts !== expected || stored.work !== 0)
      throw new Error(`void: ${JSON.stringify(stored)} after ${expected} turns`);
    const row = (quantile: string, figure: 'p50Ms' | 'p99Ms', max: number): Row =>
      compare({
        figure: `Q2 a stored turn picked up by an idle worker, against a bare LISTEN/NOTIFY, ${quantile}`,
        unit: 'ms',
        assayValues: measured('pickup', figure),
        floor: measured('bare', figure),
        goal: { max },
        notes: [
          `${adds} single adds a round; half of them stored after ${median(measured('pickup', 'storedMs')).toFixed(2)} ms`,
        ],
      });
    return [row('p50', 'p50Ms', 1.5), row('p99', 'p99Ms', 3)];
  },
};

/** Milliseconds from the call until the turn is stored, and until the lane has claimed it. */
interface Added {
  readonly storedMs: number;
  readonly claimedMs: number;
}

interface Lane {
  /** Stores a turn; the lane is idle again when this resolves. */
  add(id: string): Promise<Added>;
  close(): Promise<void>;
}

async function startLane(stage: Stage): Promise<Lane> {
  const { writer, ctx } = stage.runtime;
  const worker = createTestRuntime(ctx.env.databaseUrl);
  const stopping = new AbortController();
  let claimed: (at: number) => void = () => undefined;
  let settled: () => void = () => undefined;
  const listening = await stage.sql.listen('assay_verdicts', () => settled());
  const rules = {
    ...worker.rules,
    // The first option that the lane reads after it has claimed a batch.
    get planTurns() {
      claimed(performance.now());
      return worker.rules.planTurns;
    },
  };
  const running = runLane(worker.ctx, {
    owner: 'bench',
    signal: stopping.signal,
    rules,
    subjects: worker.subjects,
  });
  await until('the lane listens', async () => {
    const rows =
      await stage.sql`select 1 from pg_stat_activity where query ilike 'listen "assay_work"%'`;
    return rows.length > 0 ? true : null;
  });
  return {
    async add(id) {
      const at = new Promise<number>((resolve) => {
        claimed = resolve;
      });
      const done = new Promise<void>((resolve) => {
        settled = resolve;
      });
      const turn = plannedTurn(stage.project.projectId, id);
      const began = performance.now();
      const [result] = await writer.write([turn]);
      const storedMs = performance.now() - began;
      if (result?.state !== 'inserted')
        throw new Error(`void: a turn was ${JSON.stringify(result)}`);
      const claimedMs = (await at) - began;
      await done;
      await pause(idleMs);
      return { storedMs, claimedMs };
    },
    async close() {
      stopping.abort();
      await running;
      await listening.unlisten();
      await worker.close();
    },
  };
}
