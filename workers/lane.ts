import type { Ctx } from '../server/platform';
import { type ClaimedWork, claimLostWork, claimWork, extendLease, listenForWork, returnWork } from '../server/queue';
import type { RuleBook } from '../server/rules';
import { type SubjectDeps, workThrough } from '../server/verdicts';
import type { TurnKind } from '../server/verifiers';
import { createBatchSize } from './batch-size';

export interface LaneOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly rules: RuleBook;
  readonly subjects: SubjectDeps;
  /** At most so many at once; the lane takes fewer where they take long. */
  readonly batch?: number;
  /** The kinds that this worker runs; all of them unless a test says otherwise. */
  readonly kinds?: ReadonlyMap<string, TurnKind>;
}

/** Without a wake-up the lane looks by itself so often: work that falls due later, or a notice lost with its connection. */
const pollMs = 1_000;
const afterFaultMs = 500;
/** So long the rows of a batch may take: whoever's work arrives meanwhile waits for its end (Q4). */
const rowsMs = 20;
const smallestBatch = 8;
const firstBatch = 50;
const largestBatch = 500;

/**
 * The work lane: claims due work in batches and settles it, until `signal` ends it; resolves when the work in hand is done.
 * After each batch it also takes one row whose worker never came back, alone.
 */
export async function runLane(ctx: Ctx, options: LaneOptions): Promise<void> {
  const { owner, signal } = options;
  const bell = createBell();
  signal.addEventListener('abort', bell.ring);
  const listening = await listenForWork(ctx, bell.ring).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'no wake-ups: looking for work every second');
    return null;
  });
  /** Claimed, and not settled because storage failed: given back as soon as it answers, long before the leases end. */
  let held: ClaimedWork[] = [];
  const run = async (claimed: readonly ClaimedWork[]): Promise<number> => {
    held = [...claimed];
    await runBatch(ctx, options, held);
    held = [];
    return claimed.length;
  };
  const size = createBatchSize({ least: smallestBatch, most: options.batch ?? largestBatch, first: firstBatch, rowsMs });
  while (!signal.aborted) {
    let found = 0;
    try {
      if (held.length > 0) await returnWork(ctx, owner, held);
      held = [];
      const began = ctx.clock.monotonicMs();
      const taken = await run(await claimWork(ctx, { owner, limit: size.next() }));
      size.note(taken, ctx.clock.monotonicMs() - began);
      found += taken;
      if (!signal.aborted) found += await run(await claimLostWork(ctx, owner));
    } catch (error) {
      ctx.log.warn({ err: error }, 'work lane: storage fault');
      await new Promise((resolve) => setTimeout(resolve, afterFaultMs));
    }
    if (found === 0 && !signal.aborted) await bell.wait(pollMs);
  }
  await listening?.unlisten().catch(() => undefined);
}

/** `held` grows by what traces of the batch are owed, so that the lease of those is kept too. */
async function runBatch(ctx: Ctx, options: LaneOptions, held: ClaimedWork[]): Promise<void> {
  if (held.length === 0) return;
  if (options.signal.aborted) return returnWork(ctx, options.owner, held);
  const heartbeat = setInterval(() => {
    extendLease(ctx, options.owner, held).catch((error: unknown) => ctx.log.warn({ err: error }, 'lease not extended'));
  }, ctx.env.leaseMs / 3);
  try {
    await workThrough(ctx, {
      owner: options.owner,
      claimed: [...held],
      rules: options.rules,
      subjects: options.subjects,
      signal: new AbortController().signal,
      onClaimed: (more) => void held.push(...more),
      ...(options.kinds === undefined ? {} : { kinds: options.kinds }),
    });
  } finally {
    clearInterval(heartbeat);
  }
}

/** A ring that comes while nobody waits is kept for the next wait: work stored during a claim is not left lying. */
export function createBell(): { readonly ring: () => void; wait(ms: number): Promise<void> } {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      rung = false;
    },
  };
}
