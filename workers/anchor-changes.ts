import { runChangedAnchors } from '../server/experiments';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';
import type { SubjectDeps } from '../server/verdicts';

/** Maximum delay between a change and its anchor run; no one waits for the result. */
const everyMs = 30_000;

/**
 * Reruns the scheduled anchor sets after a change of their judges, until `signal` fires. Any number
 * of workers may run this.
 */
export async function runAnchorChanges(
  ctx: Ctx,
  { signal, subjects }: { signal: AbortSignal; subjects: SubjectDeps },
): Promise<void> {
  await poll(ctx, {
    name: 'anchor sets',
    signal,
    claim: async () => {
      await runChangedAnchors(ctx, subjects);
      return null;
    },
    idleMs: everyMs,
  });
}
