import { carryOutDue, listenForDeletions, pruneDue } from '../server/lifecycle';
import type { Ctx } from '../server/platform';
import { createBell } from './lane';

/**
 * Without a wake-up deletions are looked for so often, and what a project keeps no longer so often.
 */
const pollMs = 2_000;
const pruneEveryMs = 30_000;
const afterFaultMs = 1_000;

/**
 * Carries out deletions that wait, until `signal` ends it: any number of workers may, and what one
 * leaves another goes on with.
 */
export async function runDeletions(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const bell = createBell();
  signal.addEventListener('abort', bell.ring);
  const listening = await listenForDeletions(ctx, bell.ring).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'no wake-ups: looking for deletions every two seconds');
    return null;
  });
  while (!signal.aborted) {
    let found = false;
    try {
      found = await carryOutDue(ctx);
    } catch (error) {
      ctx.log.warn({ err: error }, 'a deletion was not carried out, it is tried again');
      await bell.wait(afterFaultMs);
    }
    if (!found && !signal.aborted) await bell.wait(pollMs);
  }
  await listening?.unlisten().catch(() => undefined);
}

/** Prunes what projects keep no longer, until `signal` ends it. */
export async function runPruning(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const bell = createBell();
  signal.addEventListener('abort', bell.ring);
  while (!signal.aborted) {
    let found = false;
    try {
      found = await pruneDue(ctx, { signal });
    } catch (error) {
      ctx.log.warn({ err: error }, 'nothing pruned');
    }
    if (!found && !signal.aborted) await bell.wait(pruneEveryMs);
  }
}
