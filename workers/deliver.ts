import {
  type ClaimedDelivery,
  claimDeliveries,
  listenForDeliveries,
  sendDeliveries,
} from '../server/deliveries';
import type { Ctx } from '../server/platform';
import { createBell } from './lane';

export interface DeliverOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Without a wake-up the sender looks by itself so often: for what falls due again. */
const pollMs = 1_000;
const afterFaultMs = 500;
const batch = 64;
/** Destinations that are sent to at the same time. */
const destinationsAtOnce = 16;

/**
 * Sends settled verdicts to their destinations until `signal` ends it; resolves when what is under
 * way is done. Destinations are served beside one another: one that hangs holds up nobody else's
 * deliveries.
 */
export async function runDeliveries(ctx: Ctx, { owner, signal }: DeliverOptions): Promise<void> {
  const bell = createBell();
  signal.addEventListener('abort', bell.ring);
  const listening = await listenForDeliveries(ctx, bell.ring).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'no wake-ups: looking for deliveries every second');
    return null;
  });
  const busy = new Map<string, Promise<void>>();
  const serve = (destinationId: string, claimed: readonly ClaimedDelivery[]): void => {
    const sending = sendDeliveries(ctx, claimed, signal)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'deliveries: storage fault'))
      .finally(() => {
        busy.delete(destinationId);
        bell.ring();
      });
    busy.set(destinationId, sending);
  };
  while (!signal.aborted) {
    let found = 0;
    try {
      if (busy.size < destinationsAtOnce) {
        const claimed = await claimDeliveries(ctx, { owner, limit: batch, busy: [...busy.keys()] });
        found = claimed.length;
        for (const [destinationId, ofDestination] of byDestination(claimed))
          serve(destinationId, ofDestination);
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'deliveries: storage fault');
      await new Promise((resolve) => setTimeout(resolve, afterFaultMs));
    }
    if (found === 0 && !signal.aborted) await bell.wait(pollMs);
  }
  await Promise.all(busy.values());
  await listening?.unlisten().catch(() => undefined);
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
