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
  /** The threads that do the work. If omitted or null, it runs in this thread. */
  readonly pool?: Pool | null;
  /** Maximum number of rows in a batch. The lane claims fewer if rows take long. */
  readonly maxBatch?: number;
}

/**
 * Poll interval without a wake-up. It finds work that was scheduled for later, and work whose
 * notification was lost with the connection.
 */
const pollMs = 1_000;
/** Interval between searches for lost rows while there are none. */
const lostSearchMs = 500;
/** Target duration of the rows of a batch: work that arrives meanwhile waits for them (Q4). */
const rowsMs = 20;
const smallestBatch = 8;
const firstBatch = 50;
const largestBatch = 500;

/** While PostgreSQL stores the verdicts of one batch, the other loop verifies the next batch. */
const loopCount = 2;

/**
 * Runs the work lane until `signal` aborts: claims ready work in batches, two at a time, and stores
 * the verdicts. Resolves when the work in progress is done. Between batches, it processes rows
 * whose worker was lost, one at a time and alone.
 */
export async function runLane(ctx: Ctx, options: LaneOptions): Promise<void> {
  const wakeSignals = Array.from({ length: loopCount }, createWakeSignal);
  const wakeAll = (): void => {
    for (const { wake } of wakeSignals) wake();
  };
  const size = createBatchSize({
    min: smallestBatch,
    max: options.maxBatch ?? largestBatch,
    first: firstBatch,
    rowsMs,
  });
  const semaphore = createSemaphore(loopCount);
  const shared = { size, semaphore, wakeAll };
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
  /** The first loop also claims lost rows and listens for new work. */
  readonly isFirst: boolean;
  /** Wakes all loops, if there is more work than one batch. */
  readonly wakeAll: () => void;
}

async function runLoop(
  ctx: Ctx,
  options: LaneOptions,
  { size, semaphore, wakeSignal, isFirst, wakeAll }: Loop,
): Promise<void> {
  const { owner, signal } = options;
  /**
   * Work that was claimed but not settled, because storage failed. It is returned as soon as
   * storage is available, long before its leases expire.
   */
  let unsettled: ClaimedWork[] = [];
  const run = async (claimed: readonly ClaimedWork[]): Promise<number> => {
    unsettled = [...claimed];
    const ms = await runBatch(ctx, options, unsettled);
    unsettled = [];
    return ms;
  };
  const processBatch = async (): Promise<number> => {
    const limit = size.next();
    const began = ctx.clock.monotonicMs();
    const claimed = await claimWork(ctx, { owner, limit });
    if (claimed.length === limit) wakeAll();
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
      const count = await semaphore(1, processBatch);
      const now = ctx.clock.monotonicMs();
      if (!isFirst || signal.aborted || now < nextLostAt) return count;
      unsettled = await claimLostWork(ctx, owner);
      if (unsettled.length === 0) {
        nextLostAt = now + lostSearchMs;
        return count;
      }
      await withLeaseRenewal(ctx, owner, unsettled, () =>
        semaphore(loopCount, () => run(unsettled)),
      );
      return count + 1;
    },
    idleMs: pollMs,
  });
}

/**
 * Processes a batch and returns the duration of the work in milliseconds. Adds to `works` the
 * verifications that traces of the batch enqueue, so that their leases are renewed too.
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
    return withLeaseRenewal(ctx, owner, works, () =>
      workInPool(ctx, pool, { owner, claimed: [...works], onClaimed }),
    );
  const began = ctx.clock.monotonicMs();
  await withLeaseRenewal(ctx, owner, works, () =>
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

/** Runs `run`, and meanwhile renews the leases of the rows in `works`. */
async function withLeaseRenewal<T>(
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
