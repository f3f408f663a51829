import { resolveModelNames } from '../server/ingest';
import { enqueueMissed, refreshPending } from '../server/measures';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';

/**
 * Poll interval for changes that no one waits for: labels of imports, and verdicts on subjects that
 * already have labels.
 */
const pollMs = 1_000;
const lookbackEveryMs = 60 * 60 * 1000;

/**
 * Recomputes the labelled verdicts whose labels or verdicts changed, until `signal` fires. Any
 * number of workers may run this.
 */
export async function runRefresh(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  let lookbackAt = Number.NEGATIVE_INFINITY;
  await poll(ctx, {
    name: 'judgements',
    signal,
    claim: async () => {
      if (ctx.clock.monotonicMs() - lookbackAt > lookbackEveryMs) {
        await enqueueMissed(ctx);
        lookbackAt = ctx.clock.monotonicMs();
      }
      return refreshPending(ctx);
    },
    idleMs: pollMs,
  });
}

/** Poll interval once all names are resolved: only an upgrade adds names without an identity. */
const namesPollMs = 60_000;

/** Resolves names of models of an earlier release, until `signal` fires; any number may run. */
export async function runModelNames(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  await poll(ctx, {
    name: 'model names',
    signal,
    claim: () => resolveModelNames(ctx),
    idleMs: namesPollMs,
  });
}
