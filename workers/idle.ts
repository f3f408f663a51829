import { planIdle, type RuleBook } from '../server/rules';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';

export interface IdleOptions {
  readonly signal: AbortSignal;
  readonly rules: RuleBook;
  /** Shorter in tests. */
  readonly everyMs?: number;
}

/** Maximum delay between a session becoming idle and its verification being planned. */
const everyMs = 5_000;

/** Plans the verifications of sessions and missions that became idle, until `signal` fires. */
export async function runIdle(ctx: Ctx, options: IdleOptions): Promise<void> {
  await poll(ctx, {
    name: 'idle sessions',
    signal: options.signal,
    claim: () => planIdle(ctx, options.rules),
    idleMs: options.everyMs ?? everyMs,
  });
}
