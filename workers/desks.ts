import { fillDesks, listenForDesks } from '../server/labels';
import type { Ctx } from '../server/platform';
import { createBell } from './lane';

export interface DesksOptions {
  readonly signal: AbortSignal;
}

/**
 * Without a wake-up desks are looked at so often: for what has grown old enough to be looked at
 * once more.
 */
const pollMs = 2_000;
/**
 * Verdicts that settle one by one are looked at together; where so many waited there is a backlog,
 * and nothing to wait for.
 */
const gatherMs = 250;
const backlog = 500;
const afterFaultMs = 500;

/**
 * Fills the review desks of all projects until `signal` ends it. Any number of workers may: a
 * project is one's at a time.
 */
export async function runDesks(ctx: Ctx, { signal }: DesksOptions): Promise<void> {
  const bell = createBell();
  signal.addEventListener('abort', bell.ring);
  const listening = await listenForDesks(ctx, bell.ring).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'no wake-ups: looking at review desks every two seconds');
    return null;
  });
  while (!signal.aborted) {
    let looked = 0;
    try {
      looked = await fillDesks(ctx, signal);
    } catch (error) {
      ctx.log.warn({ err: error }, 'review desks: storage fault');
      await new Promise((resolve) => setTimeout(resolve, afterFaultMs));
    }
    if (signal.aborted) break;
    if (looked === 0) await bell.wait(pollMs);
    else if (looked < backlog) await new Promise((resolve) => setTimeout(resolve, gatherMs));
  }
  await listening?.unlisten().catch(() => undefined);
}
