import { runChangedAnchors } from '../server/experiments';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';
import type { SubjectDeps } from '../server/verdicts';

/** A change is judged so long after it was made at the latest; no one waits for it. */
const everyMs = 30_000;

/**
 * Has sets with a schedule judged again after a change of who judges them, until `signal` ends it.
 * Any number of workers may look.
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
