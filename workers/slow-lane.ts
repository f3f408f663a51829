import type { Ctx } from '../server/platform';
import {
  type ClaimedWork,
  claimSlowWorks,
  createWakeSignal,
  handle,
  judgeJob,
  type JudgeJobData,
  listenForSlowWork,
  poll,
  unhintWork,
} from '../server/queue';
import { createBoxPlaces } from './box-places';
import { createHeldWork, type HeldWork, NoBoxFree, NoRoom } from './held-work';
import { createPlaces, type Places } from './places';
import { createPublisher } from './publisher';
import { createTurnstile } from './turnstile';

export interface SlowLaneOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
  /**
   * Takes one row to its end: settles it, parks it (`parkWork`), or gives it back (`failWork`,
   * `returnWork`). What it throws fails the attempt. It should end soon after its signal fires, and
   * is not waited for.
   */
  readonly verify: (work: ClaimedWork, signal: AbortSignal) => Promise<void>;
  /** So many rows at once; `judgesAtOnce` unless a test says otherwise. */
  readonly concurrency?: number;
  /** Boxes that may run at the same time, and which work runs one; without it none does. */
  readonly boxes?: { readonly atOnce: number; readonly needs: (work: ClaimedWork) => boolean };
  /** A job that no one has taken up for so long is published again. */
  readonly staleMs?: number;
  /** When it stops it waits so long for what it has in hand, and gives the rest back. */
  readonly graceMs?: number;
}

/**
 * Without a wake-up it looks by itself so often: rows that fall due later, leases that end, jobs
 * that were lost.
 */
const pollMs = 1_000;
/** Between two looks; what comes meanwhile is published together. */
const gapMs = 20;
const staleMs = 5_000;
/** Less than a worker process has for its end. */
const graceMs = 5_000;
/**
 * Jobs in hand while there is room: the next is fetched while the rows of the others are claimed.
 */
const jobsAtOnce = 8;
/** So long a row waits for a place here; then it goes back, for any worker. */
const roomMs = 500;
/** Rows that were lost once run so many at a time. */
const suspectsMost = 4;

/**
 * The slow lane: publishes jobs for the rows that wait for a model, takes jobs up again, claims the
 * rows that they name, and runs `verify` on each; until `signal` ends it. Rows, leases and fences
 * in PostgreSQL decide; the queue only says what might be due, so whatever becomes of it is a delay
 * (R-22 to R-28).
 */
export async function runSlowLane(ctx: Ctx, options: SlowLaneOptions): Promise<void> {
  const { owner, signal } = options;
  const concurrency = options.concurrency ?? ctx.env.judgesAtOnce;
  const wakeSignal = createWakeSignal();
  const held = createHeldWork(ctx, owner);
  const places = createPlaces(concurrency, ctx.clock);
  const judging = createJudge(ctx, options, held, places, wakeSignal.wake);
  const publisher = createPublisher(ctx, {
    concurrency,
    jobsAtOnce: () => (places.hasRoom() ? jobsAtOnce : 1) + judging.aside(),
    staleMs: options.staleMs ?? staleMs,
    handlers: new Map([handle(judgeJob, (data) => judging.judge(data))]),
    idle: () => places.free() > 0,
    onReturn: wakeSignal.wake,
  });
  await poll(ctx, {
    name: 'slow lane',
    signal,
    wakeSignal,
    listen: (wake) => listenForSlowWork(ctx, wake),
    claim: async () => {
      await held.beat();
      return (await publisher.look()) === 'more';
    },
    restMs: () => gapMs,
    idleMs: pollMs,
  });
  await publisher.pause();
  await held.emptied(options.graceMs ?? graceMs);
  await held.stop();
  await publisher.close();
}

interface Judge {
  readonly judge: (data: JudgeJobData) => Promise<void>;
  /**
   * Jobs in hand whose rows were lost before: they wait for one another, and are not to keep others
   * out.
   */
  aside(): number;
}

/**
 * What does a job: claims its rows, as many at a time as are likely to find a place, and is done
 * when all are claimed: from then on the leases say whose they are, and the queue need not watch.
 * What finds no place goes back.
 */
function createJudge(
  ctx: Ctx,
  options: SlowLaneOptions,
  held: HeldWork,
  places: Places,
  look: () => void,
): Judge {
  const concurrency = options.concurrency ?? ctx.env.judgesAtOnce;
  const { owner, signal, verify, boxes } = options;
  const boxPlaces = createBoxPlaces(countBoxPlaces(boxes?.atOnce ?? 1, concurrency));
  // A row that kills its worker takes few others with it; one that was lost twice runs with no
  // other that was lost: should its worker die again, it was this one.
  const suspects = createTurnstile(suspectsMost);
  let aside = 0;

  function begin(work: ClaimedWork): Promise<void> {
    const over = held.run(work, judgeJob.timeoutMs, async (ending) => {
      if (!(await places.take(ending, roomMs))) throw new NoRoom('no place was free');
      void over.then(() => places.leave());
      if (boxes?.needs(work) === true) {
        const place = await boxPlaces.take(work.projectId, ending);
        if (typeof place !== 'function')
          throw new NoBoxFree('All boxes that the project may run at a time are in use.');
        void over.then(place);
      }
      await verify(work, ending);
    });
    return over.then(look);
  }

  /**
   * Resolves when all rows are claimed or given back, with what lasts until the work of those
   * claimed is over.
   */
  async function beginAll({ rows }: JudgeJobData): Promise<{ readonly over: Promise<unknown> }> {
    const begun: Promise<void>[] = [];
    for (let left = rows; left.length > 0 && !signal.aborted; ) {
      const count = await places.order(left.length, signal, roomMs);
      if (count === 0) {
        await unhintWork(ctx, left.map(asHint));
        look();
        break;
      }
      begun.push(...(await claimOrdered(ctx, owner, places, left.slice(0, count))).map(begin));
      left = left.slice(count);
      look();
    }
    return { over: Promise.all(begun) };
  }

  return {
    aside: () => aside,
    async judge(data) {
      if (data.priority < 2) return void (await beginAll(data));
      aside++;
      try {
        await suspects(
          data.priority === 2 ? 1 : suspectsMost,
          async () => void (await (await beginAll(data)).over),
        );
      } finally {
        aside--;
      }
    },
  };
}

/**
 * Work that runs a box has a place of the lane, and so has what waits for one, which is at most as
 * much: with half of the places, boxes of any number of projects leave some for work that needs
 * none.
 */
const countBoxPlaces = (atOnce: number, concurrency: number): number =>
  Math.max(1, Math.min(atOnce, Math.floor(concurrency / 2)));

/** Claims rows that places were ordered for; what is not claimed gives its place up. */
async function claimOrdered(
  ctx: Ctx,
  owner: string,
  places: Places,
  rows: JudgeJobData['rows'],
): Promise<readonly ClaimedWork[]> {
  let works: readonly ClaimedWork[] = [];
  try {
    const claimed = await claimSlowWorks(ctx, owner, rows.map(asHint));
    works = claimed.filter((work) => work !== null);
    return works;
  } finally {
    places.forgo(rows.length - works.length);
  }
}

const asHint = (row: JudgeJobData['rows'][number]) => ({
  projectId: row.project_id,
  id: row.work_id,
  fence: row.fence,
});
