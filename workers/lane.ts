import type { Ctx } from '../server/platform';
import {
  type ClaimedWork,
  claimLostWork,
  claimWork,
  createWakeSignal,
  extendLease,
  listenForWork,
  poll,
  returnWork,
  type WakeSignal,
} from '../server/queue';
import type { RuleBook } from '../server/rules';
import type { Pool } from '../server/pool';
import { type SubjectDeps, workInPool, workThrough } from '../server/verdicts';
import { type BatchSize, createBatchSize } from './batch-size';
import { createSemaphore, type Semaphore } from './semaphore';

export interface LaneOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly rules: RuleBook;
  readonly subjects: SubjectDeps;
  /** Threads that do the work; if omitted, it runs in this thread. */
  readonly pool?: Pool | null;
  /** Maximum batch size; the lane takes fewer rows if they take long. */
  readonly batch?: number;
}

/**
 * Poll interval without a wake-up, for work scheduled for later, or a notification lost with its
 * connection.
 */
const pollMs = 1_000;
/** Interval between two looks for lost rows while there are none. */
const lostEveryMs = 500;
/**
 * Target duration of a batch's rows: work that arrives meanwhile waits until they are done (Q4).
 */
const rowsMs = 20;
const smallestBatch = 8;
const firstBatch = 50;
const largestBatch = 500;

/** Two loops: while PostgreSQL stores the verdicts of one batch, the next one is verified. */
const loopCount = 2;

/**
 * The work lane: claims ready work in batches and stores its verdicts, two batches at a time, until
 * `signal` fires; resolves when the work in progress is done. Between batches it processes one row
 * whose worker was lost, alone.
 */
export async function runLane(ctx: Ctx, options: LaneOptions): Promise<void> {
  const wakeSignals = Array.from({ length: loopCount }, createWakeSignal);
  const wakeAll = (): void => {
    for (const { wake } of wakeSignals) wake();
  };
  const size = createBatchSize({
    min: smallestBatch,
    max: options.batch ?? largestBatch,
    first: firstBatch,
    rowsMs,
  });
  const semaphore = createSemaphore(loopCount);
  const shared = { size, semaphore, callOthers: wakeAll };
  await Promise.all(
    wakeSignals.map((wakeSignal, n) =>
      runLoop(ctx, options, { ...shared, wakeSignal, isFirst: n === 0 }),
    ),
  );
}

interface Loop {
  readonly size: BatchSize;
  readonly semaphore: Semaphore;
  readonly wakeSignal: WakeSignal;
  /**
   * The first loop takes lost rows and listens for new work; it wakes the other loops if there is
   * more.
   */
  readonly isFirst: boolean;
  readonly callOthers: () => void;
}

async function runLoop(
  ctx: Ctx,
  options: LaneOptions,
  { size, semaphore, wakeSignal, isFirst, callOthers }: Loop,
): Promise<void> {
  const { owner, signal } = options;
  /**
   * Claimed, but not settled because storage failed. Returned as soon as storage is available, long
   * before the leases expire.
   */
  let unsettled: ClaimedWork[] = [];
  const run = async (claimed: readonly ClaimedWork[]): Promise<number> => {
    unsettled = [...claimed];
    const ms = await runBatch(ctx, options, unsettled);
    unsettled = [];
    return ms;
  };
  const takeBatch = async (): Promise<number> => {
    const limit = size.next();
    const began = ctx.clock.monotonicMs();
    const claimed = await claimWork(ctx, { owner, limit });
    if (claimed.length === limit) callOthers();
    const claimMs = ctx.clock.monotonicMs() - began;
    size.note(claimed.length, claimMs + (await run(claimed)));
    return claimed.length;
  };
  let nextLostAt = 0;
  await poll(ctx, {
    name: 'work lane',
    signal,
    wakeSignal,
    ...(isFirst && { listen: (wake: () => void) => listenForWork(ctx, wake) }),
    claim: async () => {
      if (unsettled.length > 0) await returnWork(ctx, owner, unsettled);
      unsettled = [];
      const found = await semaphore(1, takeBatch);
      const now = ctx.clock.monotonicMs();
      if (!isFirst || signal.aborted || now < nextLostAt) return found;
      unsettled = await claimLostWork(ctx, owner);
      if (unsettled.length === 0) {
        nextLostAt = now + lostEveryMs;
        return found;
      }
      await keepingLeases(ctx, owner, unsettled, () => semaphore(loopCount, () => run(unsettled)));
      return found + 1;
    },
    idleMs: pollMs,
  });
}

/**
 * Adds to `works` the verifications that traces of the batch enqueue, so that their leases are
 * renewed too. Returns the milliseconds of the work itself.
 */
async function runBatch(ctx: Ctx, options: LaneOptions, works: ClaimedWork[]): Promise<number> {
  if (works.length === 0) return 0;
  if (options.signal.aborted) {
    await returnWork(ctx, options.owner, works);
    return 0;
  }
  const { owner, pool = null } = options;
  const onClaimed = (more: readonly ClaimedWork[]): void => void works.push(...more);
  if (pool !== null)
    return keepingLeases(ctx, owner, works, () =>
      workInPool(ctx, pool, { owner, claimed: [...works], onClaimed }),
    );
  const began = ctx.clock.monotonicMs();
  await keepingLeases(ctx, owner, works, () =>
    workThrough(ctx, {
      owner,
      claimed: [...works],
      rules: options.rules,
      subjects: options.subjects,
      signal: new AbortController().signal,
      onClaimed,
    }),
  );
  return ctx.clock.monotonicMs() - began;
}

/** Renews the leases of the rows in `works` until `run` has ended. */
async function keepingLeases<T>(
  ctx: Ctx,
  owner: string,
  works: readonly ClaimedWork[],
  run: () => Promise<T>,
): Promise<T> {
  const heartbeat = setInterval(() => {
    extendLease(ctx, owner, works).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'lease not extended'),
    );
  }, ctx.env.leaseMs / 3);
  try {
    return await run();
  } finally {
    clearInterval(heartbeat);
  }
}
