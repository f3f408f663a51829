import { fillReviewQueues, listenForReviews } from '../server/labels';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';

export interface ReviewQueueOptions {
  readonly signal: AbortSignal;
}

/**
 * Poll interval without a wake-up, for verdicts that have become old enough to be sampled again.
 */
const pollMs = 2_000;
/**
 * Verdicts that settle one by one are processed together. From this many pending ones on there is a
 * backlog, and no reason to wait.
 */
const gatherMs = 250;
const backlog = 500;

/**
 * Fills the review queues of all projects until `signal` fires. Any number of workers may run this:
 * only one at a time locks a project.
 */
export async function runReviewQueues(ctx: Ctx, { signal }: ReviewQueueOptions): Promise<void> {
  await poll(ctx, {
    name: 'review desks',
    signal,
    listen: (wake) => listenForReviews(ctx, wake),
    claim: () => fillReviewQueues(ctx, signal),
    idleMs: pollMs,
    restMs: (settled) => (settled && settled < backlog ? gatherMs : 0),
  });
}
