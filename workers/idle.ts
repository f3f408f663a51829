import { planIdle, type RuleBook } from '../server/rules';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';

export interface IdleOptions {
  readonly signal: AbortSignal;
  readonly rules: RuleBook;
  /** A test looks more often. */
  readonly everyMs?: number;
}

/** A session is verified at most so much later than it fell idle. */
const everyMs = 5_000;

/** Plans the verifications of sessions and missions that fell idle, until `signal` ends it. */
export async function runIdle(ctx: Ctx, options: IdleOptions): Promise<void> {
  await poll(ctx, {
    name: 'idle sessions',
    signal: options.signal,
    claim: () => planIdle(ctx, options.rules),
    idleMs: options.everyMs ?? everyMs,
  });
}
