import { noteMissed, refreshDue } from '../server/measures';
import type { Ctx } from '../server/platform';
import { createBell } from './lane';

/**
 * What nobody waits for at the very moment is looked for so often: labels of imports, and verdicts
 * of subjects that have labels already.
 */
const pollMs = 1_000;
const afterFaultMs = 500;
const lookBackEveryMs = 60 * 60 * 1000;

/**
 * Makes judgements anew whose labels or verdicts changed, until `signal` ends it. Any number of
 * workers may do so at once.
 */
export async function runRefresh(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const bell = createBell();
  signal.addEventListener('abort', bell.ring);
  let lookedBackAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    let found = 0;
    try {
      if (ctx.clock.monotonicMs() - lookedBackAt > lookBackEveryMs) {
        await noteMissed(ctx);
        lookedBackAt = ctx.clock.monotonicMs();
      }
      found = await refreshDue(ctx);
    } catch (error) {
      ctx.log.warn({ err: error }, 'judgements: storage fault');
      await new Promise((resolve) => setTimeout(resolve, afterFaultMs));
    }
    if (found === 0 && !signal.aborted) await bell.wait(pollMs);
  }
}
