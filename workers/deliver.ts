import {
  type ClaimedDelivery,
  claimDeliveries,
  listenForDeliveries,
  sendDeliveries,
} from '../server/deliveries';
import type { Ctx } from '../server/platform';
import { createWakeSignal, poll } from '../server/queue';

export interface DeliverOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Poll interval without a wake-up, for scheduled retries. */
const pollMs = 1_000;
const batch = 64;
/** Maximum number of destinations served concurrently. */
const destinationsAtOnce = 16;

/**
 * Sends due deliveries, verdicts and notices, to their destinations until `signal` fires; resolves
 * when the sends in progress are done. Destinations are served concurrently: one that hangs does not
 * delay the others.
 */
export async function runDeliveries(ctx: Ctx, { owner, signal }: DeliverOptions): Promise<void> {
  const wakeSignal = createWakeSignal();
  const busy = new Map<string, Promise<void>>();
  const serve = (destinationId: string, claimed: readonly ClaimedDelivery[]): void => {
    const sending = sendDeliveries(ctx, claimed, signal)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'deliveries: storage fault'))
      .finally(() => {
        busy.delete(destinationId);
        wakeSignal.wake();
      });
    busy.set(destinationId, sending);
  };
  await poll(ctx, {
    name: 'deliveries',
    signal,
    wakeSignal,
    listen: (wake) => listenForDeliveries(ctx, wake),
    claim: async () => {
      if (busy.size >= destinationsAtOnce) return null;
      const claimed = await claimDeliveries(ctx, { owner, limit: batch, busy: [...busy.keys()] });
      for (const [destinationId, ofDestination] of byDestination(claimed))
        serve(destinationId, ofDestination);
      return claimed.length;
    },
    idleMs: pollMs,
  });
  await Promise.all(busy.values());
}

function byDestination(claimed: readonly ClaimedDelivery[]): Map<string, ClaimedDelivery[]> {
  const groups = new Map<string, ClaimedDelivery[]>();
  for (const each of claimed) {
    const { id } = each.destination;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [each]);
    else group.push(each);
  }
  return groups;
}
