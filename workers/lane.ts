import type { Ctx } from '../server/platform';
import { type ClaimedWork, claimWork, extendLease, listenForWork, returnWork } from '../server/queue';
import { verifyClaimed } from '../server/verdicts';
import type { TurnKind } from '../server/verifiers';

export interface LaneOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly batch?: number;
  /** The kinds that this worker runs; all of them unless a test says otherwise. */
  readonly kinds?: ReadonlyMap<string, TurnKind>;
}

/** Without a wake-up the lane looks by itself so often: work that falls due later, or a notice lost with its connection. */
const pollMs = 1_000;
const afterFaultMs = 500;

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
  let held: readonly ClaimedWork[] = [];
  const run = async (claimed: readonly ClaimedWork[]): Promise<number> => {
    held = claimed;
    const done = await runBatch(ctx, options, claimed);
    held = [];
    return done;
  };
  while (!signal.aborted) {
    let found = 0;
    try {
      if (held.length > 0) await returnWork(ctx, owner, held);
      held = [];
      found += await run(await claimWork(ctx, { owner, limit: options.batch ?? 200, lost: false }));
      if (!signal.aborted) found += await run(await claimWork(ctx, { owner, limit: 1, lost: true }));
    } catch (error) {
      ctx.log.warn({ err: error }, 'work lane: storage fault');
      await new Promise((resolve) => setTimeout(resolve, afterFaultMs));
    }
    if (found === 0 && !signal.aborted) await bell.wait(pollMs);
  }
  await listening?.unlisten().catch(() => undefined);
}

async function runBatch(ctx: Ctx, options: LaneOptions, claimed: readonly ClaimedWork[]): Promise<number> {
  if (claimed.length === 0) return 0;
  if (options.signal.aborted) {
    await returnWork(ctx, options.owner, claimed);
    return 0;
  }
  const heartbeat = setInterval(() => {
    extendLease(ctx, options.owner, claimed).catch((error: unknown) => ctx.log.warn({ err: error }, 'lease not extended'));
  }, ctx.env.leaseMs / 3);
  try {
    await verifyClaimed(ctx, {
      owner: options.owner,
      claimed,
      signal: new AbortController().signal,
      ...(options.kinds === undefined ? {} : { kinds: options.kinds }),
    });
  } finally {
    clearInterval(heartbeat);
  }
  return claimed.length;
}

/** A ring that comes while nobody waits is kept for the next wait: work stored during a claim is not left lying. */
function createBell(): { readonly ring: () => void; wait(ms: number): Promise<void> } {
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
