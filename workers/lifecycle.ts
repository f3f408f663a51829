import { carryOutNext, listenForDeletions, pruneNextProject } from '../server/lifecycle';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';

/** Poll intervals without a wake-up, for deletions and for data past its retention. */
const pollMs = 2_000;
const pruneEveryMs = 30_000;

/**
 * Carries out pending deletions until `signal` fires. Any number of workers may run this: each
 * continues where another stopped.
 */
export async function runDeletions(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  await poll(ctx, {
    name: 'deletions',
    signal,
    listen: (wake) => listenForDeletions(ctx, wake),
    claim: () => carryOutNext(ctx),
    idleMs: pollMs,
  });
}

/** Prunes data past its project's retention until `signal` fires. */
export async function runPruning(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  await poll(ctx, {
    name: 'pruning',
    signal,
    claim: () => pruneNextProject(ctx, { signal }),
    idleMs: pruneEveryMs,
  });
}
