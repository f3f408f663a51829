import { runChangedAnchors } from '../server/experiments';
import type { Ctx } from '../server/platform';
import type { SubjectDeps } from '../server/verdicts';
import { createBell } from './lane';

/** A change is judged so long after it was made at the latest; nobody waits for it. */
const everyMs = 30_000;

/**
 * Has sets with a schedule judged again after a change of who judges them, until `signal` ends it.
 * Any number of workers may look.
 */
export async function runAnchorChanges(
  ctx: Ctx,
  { signal, subjects }: { signal: AbortSignal; subjects: SubjectDeps },
): Promise<void> {
  const bell = createBell();
  signal.addEventListener('abort', bell.ring);
  while (!signal.aborted) {
    try {
      await runChangedAnchors(ctx, subjects);
    } catch (error) {
      ctx.log.warn({ err: error }, 'anchor sets: storage fault');
    }
    if (!signal.aborted) await bell.wait(everyMs);
  }
}
