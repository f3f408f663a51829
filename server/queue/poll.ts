import type { Ctx } from '../platform';

/**
 * Wakes one that waits. A wake-up that comes while no one waits is kept for the next wait: work
 * stored during a claim is not left lying.
 */
export interface WakeSignal {
  readonly wake: () => void;
  wait(ms: number): Promise<void>;
}

export function createWakeSignal(): WakeSignal {
  let isWoken = false;
  let end: (() => void) | null = null;
  return {
    wake() {
      isWoken = true;
      end?.();
    },
    async wait(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = null;
      isWoken = false;
    },
  };
}

export interface Poll<Claimed> {
  /** For the log. */
  readonly name: string;
  /** Ends the loop, after what is claimed has run. */
  readonly signal: AbortSignal;
  /** Takes what is due; null, 0 or false where nothing is. */
  readonly claim: () => Promise<Claimed | null | 0 | false>;
  /** Left out where claiming does the work. */
  readonly run?: (claimed: Claimed) => Promise<unknown>;
  /** Where nothing was due it claims again after so long, or as soon as it is woken. */
  readonly idleMs: number;
  /** Subscribes to wake-ups. Without them the loop goes by `idleMs` alone. */
  readonly listen?: (wake: () => void) => Promise<{ unlisten(): Promise<void> }>;
  /** Given where others wake the loop too. */
  readonly wakeSignal?: WakeSignal;
  /** Between two claims: what comes meanwhile is claimed together. */
  readonly restMs?: (claimed: Claimed | null | 0 | false) => number;
}

const afterFaultMs = 500;

/**
 * The loop of a worker: claims what is due and runs it, until `signal` ends it. What `claim` or
 * `run` throw is logged as a fault of storage, and the next claim comes a little later.
 */
export async function poll<Claimed>(
  ctx: Pick<Ctx, 'log'>,
  { name, signal, claim, run, idleMs, listen, restMs, ...given }: Poll<Claimed>,
): Promise<void> {
  const { wakeSignal = createWakeSignal() } = given;
  const stopped = createWakeSignal();
  const stop = (): void => {
    stopped.wake();
    wakeSignal.wake();
  };
  signal.addEventListener('abort', stop);
  const listening = await listen?.(wakeSignal.wake).catch((error: unknown) => {
    ctx.log.warn({ err: error }, `${name}: no wake-ups, looking every ${idleMs} ms`);
    return undefined;
  });
  while (!signal.aborted) {
    let claimed: Claimed | null | 0 | false = null;
    let pauseMs = 0;
    try {
      claimed = await claim();
      if (claimed) await run?.(claimed);
      pauseMs = restMs?.(claimed) ?? 0;
    } catch (error) {
      ctx.log.warn({ err: error }, `${name}: storage fault`);
      pauseMs = afterFaultMs;
    }
    if (pauseMs > 0 && !signal.aborted) await stopped.wait(pauseMs);
    if (!claimed && !signal.aborted) await wakeSignal.wait(idleMs);
  }
  signal.removeEventListener('abort', stop);
  await listening?.unlisten().catch(() => undefined);
}
