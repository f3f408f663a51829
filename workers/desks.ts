import { fillDesks, listenForDesks } from '../server/labels';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';

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

/**
 * Fills the review desks of all projects until `signal` ends it. Any number of workers may: a
 * project is one's at a time.
 */
export async function runDesks(ctx: Ctx, { signal }: DesksOptions): Promise<void> {
  await poll(ctx, {
    name: 'review desks',
    signal,
    listen: (wake) => listenForDesks(ctx, wake),
    claim: () => fillDesks(ctx, signal),
    idleMs: pollMs,
    restMs: (looked) => (looked && looked < backlog ? gatherMs : 0),
  });
}
