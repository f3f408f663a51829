import type { Ctx } from '../server/platform';
import type { ClaimedWork } from '../server/queue';
import { workThrough } from '../server/verdicts';
import { runSlowLane } from '../workers/slow-lane';
import type { Stack } from './stack';

/** A lane in this process, on the stack's database; it may reach the queue through a relay. */
interface Lane {
  readonly ctx: Ctx;
  stop(): Promise<void>;
}

export function startLane(
  stack: Stack,
  owner: string,
  env: Partial<Ctx['env']> = {},
  delayMs = 10,
): Lane {
  const { runtime } = stack;
  const ctx: Ctx = { ...runtime.ctx, env: { ...runtime.ctx.env, ...env } };
  const stopping = new AbortController();
  const running = runSlowLane(ctx, {
    owner,
    signal: stopping.signal,
    concurrency: 8,
    staleMs: 1_000,
    graceMs: 500,
    async verify(work: ClaimedWork, signal) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await workThrough(runtime.ctx, {
        owner,
        claimed: [work],
        rules: runtime.rules,
        subjects: runtime.subjects,
        signal,
      });
    },
  });
  return {
    ctx,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
