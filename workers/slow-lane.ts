import type { Ctx } from '../server/platform';
import {
  type ClaimedWork,
  claimSlowBatch,
  createWakeSignal,
  handle,
  judgeJob,
  type JudgeJobData,
  type RowToPublish,
  listenForSlowWork,
  poll,
  unpublishWork,
} from '../server/queue';
import { type SandboxSlotsOptions, createSandboxSlots } from './sandbox-slots';
import { createLeasedWork, type LeasedWork, NoSlotFree } from './leased-work';
import { createSlots, type Slots } from './slots';
import { asJobRow, createPublisher, isShared } from './publisher';
import { createSemaphore } from './semaphore';

export interface SlowLaneOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
  /**
   * Processes one row: settles it, parks it (`parkWork`), or returns it (`failWork`, `returnWork`).
   * An error that it throws fails the attempt. It should end soon after its signal fires; the lane
   * does not wait for it.
   */
  readonly verify: (work: ClaimedWork, signal: AbortSignal) => Promise<void>;
  /** Maximum number of rows in progress; `judgesAtOnce` unless a test overrides it. */
  readonly concurrency?: number;
  /** If omitted, no work uses sandboxes. */
  readonly boxes?: SandboxSlotsOptions;
  /** Time after which a job that no consumer has taken is published again. */
  readonly staleMs?: number;
  /** Time to wait for the work in progress on stop; the rest is returned. */
  readonly graceMs?: number;
}

/** Poll interval without a wake-up, for rows scheduled for later, expired leases and lost jobs. */
const pollMs = 1_000;
/** Pause between two passes; rows that become ready during it are published together. */
const gapMs = 50;
const staleMs = 5_000;
/** Shorter than the time that a worker process has to stop. */
const graceMs = 5_000;
/** Number of jobs in progress: the next one is fetched while the rows of the others are claimed. */
const jobsAtOnce = 8;
/** Time that a row waits for a slot here; then it is returned, for any worker. */
const slotWaitMs = 500;
/** Maximum number of concurrent rows whose worker was lost once. */
const maxSuspects = 4;

/**
 * The slow lane: publishes jobs for the rows that wait for a model, consumes jobs, claims the rows
 * that they name, and runs `verify` on each, until `signal` fires. Rows, leases and fences in
 * PostgreSQL decide; the queue only carries hints, so losing it costs only time.
 */
export async function runSlowLane(ctx: Ctx, options: SlowLaneOptions): Promise<void> {
  const { owner, signal } = options;
  const concurrency = options.concurrency ?? ctx.env.judgesAtOnce;
  const wakeSignal = createWakeSignal();
  const leasedWork = createLeasedWork(ctx, owner);
  const slots = createSlots(concurrency, ctx.clock);
  const judging = createJudge(ctx, options, leasedWork, slots, wakeSignal.wake);
  const publisher = createPublisher(ctx, {
    concurrency,
    jobsAtOnce: () => (slots.available() > 0 ? jobsAtOnce : 1) + judging.countSuspects(),
    staleMs: options.staleMs ?? staleMs,
    handlers: new Map([handle(judgeJob, (data) => judging.judge(data))]),
    takeLocally: (rows) => beginLocally(ctx, slots, judging, rows),
    idle: () => slots.free() > 0,
    onReturn: wakeSignal.wake,
  });
  await poll(ctx, {
    name: 'slow lane',
    signal,
    wakeSignal,
    listen: (wake) => listenForSlowWork(ctx, wake),
    claim: async () => {
      await leasedWork.beat();
      return (await publisher.runPass()) === 'more';
    },
    restMs: () => gapMs,
    idleMs: pollMs,
  });
  await publisher.pause();
  await leasedWork.emptied(options.graceMs ?? graceMs);
  await leasedWork.stop();
  await publisher.close();
}

interface Judge {
  readonly judge: (data: JudgeJobData) => Promise<void>;
  /**
   * Resolves when all rows are claimed or returned; `over` resolves when the work on the claimed
   * rows is complete.
   */
  readonly beginAll: (rows: JudgeJobData['rows']) => Promise<{ readonly over: Promise<unknown> }>;
  /**
   * Number of jobs in progress whose rows were lost before: few of them run at once, and they must
   * not block other jobs.
   */
  countSuspects(): number;
}

/**
 * Handles a job: claims its rows, as many at a time as will probably get a slot. The job is done
 * when all rows are claimed: from then on the leases record the owners, and the queue need not
 * monitor them. A row that gets no slot is returned.
 */
function createJudge(
  ctx: Ctx,
  options: SlowLaneOptions,
  leasedWork: LeasedWork,
  slots: Slots,
  wakePublisher: () => void,
): Judge {
  const concurrency = options.concurrency ?? ctx.env.judgesAtOnce;
  const { owner, signal, verify, boxes } = options;
  const sandboxSlots = boxes === undefined ? null : createSandboxSlots(boxes, concurrency);
  // A row that kills its worker affects few others. A row that was lost twice runs with no other
  // lost row: if its worker dies again, this row was the cause.
  const suspects = createSemaphore(maxSuspects);
  let suspectJobs = 0;

  function begin(work: ClaimedWork): Promise<void> {
    const over = leasedWork.run(work, judgeJob.timeoutMs, async (ending) => {
      if (!(await slots.take(ending, slotWaitMs))) throw new NoSlotFree('no slot was free');
      void over.then(() => slots.release());
      const release = await sandboxSlots?.take(work, ending);
      if (release !== undefined) void over.then(release);
      await verify(work, ending);
    });
    return over.then(wakePublisher);
  }

  const beginAll: Judge['beginAll'] = async (rows) => {
    const begun: Promise<void>[] = [];
    for (let left = rows; left.length > 0 && !signal.aborted; ) {
      const count = await slots.order(left.length, signal, slotWaitMs);
      if (count === 0) {
        await unpublishWork(ctx, left.map(asRowKey));
        wakePublisher();
        break;
      }
      begun.push(...(await claimOrdered(ctx, owner, slots, left.slice(0, count))).map(begin));
      left = left.slice(count);
      wakePublisher();
    }
    return { over: Promise.all(begun) };
  };

  return {
    countSuspects: () => suspectJobs,
    beginAll,
    async judge(data) {
      if (data.priority < 2) return void (await beginAll(data.rows));
      suspectJobs++;
      try {
        await suspects(
          data.priority === 2 ? 1 : maxSuspects,
          async () => void (await (await beginAll(data.rows)).over),
        );
      } finally {
        suspectJobs--;
      }
    },
  };
}

/** Begins published rows for which slots are free, without a job; returns the others. */
function beginLocally(
  { log }: Ctx,
  slots: Slots,
  { beginAll }: Judge,
  rows: readonly RowToPublish[],
): readonly RowToPublish[] {
  const rowsHere = rows.filter(isShared).slice(0, Math.max(0, slots.available()));
  if (rowsHere.length === 0) return rows;
  // A row that is not claimed now is published later, like a row whose job was lost.
  beginAll(rowsHere.map(asJobRow)).catch((error: unknown) =>
    log.warn({ err: error }, 'work of the slow lane not claimed'),
  );
  const taken = new Set(rowsHere);
  return rows.filter((row) => !taken.has(row));
}

/**
 * Claims rows for which slots were ordered; the order of a row that is not claimed is cancelled.
 */
async function claimOrdered(
  ctx: Ctx,
  owner: string,
  slots: Slots,
  rows: JudgeJobData['rows'],
): Promise<readonly ClaimedWork[]> {
  let owned: readonly ClaimedWork[] = [];
  try {
    const claimed = await claimSlowBatch(ctx, owner, rows.map(asRowKey));
    owned = claimed.filter((work) => work !== null);
    return owned;
  } finally {
    slots.cancel(rows.length - owned.length);
  }
}

const asRowKey = (row: JudgeJobData['rows'][number]) => ({
  projectId: row.project_id,
  id: row.work_id,
  fence: row.fence,
});
