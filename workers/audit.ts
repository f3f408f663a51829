import { checkNextChain, sealAuditEvents } from '../server/access';
import type { Ctx } from '../server/platform';
import { poll } from '../server/queue';

/** Maximum time for which a new event is not sealed yet. */
const idleMs = 5_000;

/**
 * Seals new audit events and checks sealed ones until `signal` fires. Any number of workers may run
 * this.
 */
export async function runAuditSeals(
  ctx: Ctx,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  await poll(ctx, {
    name: 'audit seals',
    signal,
    claim: async () => (await sealAuditEvents(ctx)) || (await checkNextChain(ctx)),
    idleMs,
  });
}
