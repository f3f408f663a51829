import type { ProjectCtx } from '../access';
import { unavailable } from '../platform';
import type { FullVerdict } from './get';
import type { PendingVerdict } from './pending';

export interface AwaitVerdict {
  readonly mode: 'sync' | 'async';
  /** How long a verdict that somebody works on is waited for; in `async` it is not. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** The verdict; while there is none, asks again until `waitMs` is over. @throws AssayError unavailable */
export async function awaitVerdict(
  ctx: Pick<ProjectCtx, 'clock'>,
  find: () => Promise<FullVerdict | PendingVerdict | null>,
  input: AwaitVerdict,
): Promise<FullVerdict | PendingVerdict> {
  const until = ctx.clock.monotonicMs() + (input.mode === 'sync' ? input.waitMs : 0);
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const found = await find();
    if (found?.state === 'settled' || ctx.clock.monotonicMs() >= until || input.signal.aborted) {
      if (found === null) throw unavailable('the verification is not to be found');
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
