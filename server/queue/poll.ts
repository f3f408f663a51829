import type { Ctx } from '../platform';

/**
 * Wakes a waiting loop. A wake-up while nothing waits is kept for the next wait, so that work
 * stored during a claim is not missed.
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
  /** Ends the loop after the claimed work has run. */
  readonly signal: AbortSignal;
  /** Claims ready work; null, 0 or false when there is none. */
  readonly claim: () => Promise<Claimed | null | 0 | false>;
  /** Omitted where `claim` does the work. */
  readonly run?: (claimed: Claimed) => Promise<unknown>;
  /** Delay after an empty claim; a wake-up ends it early. */
  readonly idleMs: number;
  /** Subscribes to wake-ups. Without them the loop polls at `idleMs`. */
  readonly listen?: (wake: () => void) => Promise<{ unlisten(): Promise<void> }>;
  /** Passed in where other code wakes the loop too. */
  readonly wakeSignal?: WakeSignal;
  /** Delay between two claims, so that work that arrives during it is claimed together. */
  readonly restMs?: (claimed: Claimed | null | 0 | false) => number;
}

const afterFaultMs = 500;

/**
 * A worker's loop: claims work and runs it until `signal` fires. Errors of `claim` and `run` are
 * logged as storage faults, and the next claim follows after a short delay.
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
