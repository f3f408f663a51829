import { noteMissed, refreshDue } from '../server/measures';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';

/**
 * What no one waits for at the very moment is looked for so often: labels of imports, and verdicts
 * of subjects that have labels already.
 */
const pollMs = 1_000;
const lookBackEveryMs = 60 * 60 * 1000;

/**
 * Makes judgements again whose labels or verdicts changed, until `signal` ends it. Any number of
 * workers may do so at once.
 */
export async function runRefresh(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  let lookedBackAt = Number.NEGATIVE_INFINITY;
  await poll(ctx, {
    name: 'judgements',
    signal,
    claim: async () => {
      if (ctx.clock.monotonicMs() - lookedBackAt > lookBackEveryMs) {
        await noteMissed(ctx);
        lookedBackAt = ctx.clock.monotonicMs();
      }
      return refreshDue(ctx);
    },
    idleMs: pollMs,
  });
}
