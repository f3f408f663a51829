import { carryOutDue, listenForDeletions, pruneDue } from '../server/lifecycle';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';

/**
 * Without a wake-up deletions are looked for so often, and what a project keeps no longer so often.
 */
const pollMs = 2_000;
const pruneEveryMs = 30_000;

/**
 * Carries out deletions that wait, until `signal` ends it: any number of workers may, and what one
 * leaves another goes on with.
 */
export async function runDeletions(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  await poll(ctx, {
    name: 'deletions',
    signal,
    listen: (wake) => listenForDeletions(ctx, wake),
    claim: () => carryOutDue(ctx),
    idleMs: pollMs,
  });
}

/** Prunes what projects keep no longer, until `signal` ends it. */
export async function runPruning(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  await poll(ctx, {
    name: 'pruning',
    signal,
    claim: () => pruneDue(ctx, { signal }),
    idleMs: pruneEveryMs,
  });
}
