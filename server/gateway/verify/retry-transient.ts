import { setTimeout as delay } from 'node:timers/promises';

/** Four retries after the first call: five calls at most (INT-9). */
export const retryDelaysMs = [1000, 2000, 4000, 8000] as const;

/**
 * An upstream that asks for a longer pause than this is not asked again: its answer is passed on.
 */
export const RETRY_AFTER_MAX_MS = 60_000;

/** Ends early, without throwing, when the signal fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const waitByTimer: Wait = (ms, signal) =>
  delay(ms, undefined, { signal }).catch(() => undefined);

/**
 * Whether a call with this status may go well the next time: time-outs, too many requests, faults
 * of the server.
 */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/**
 * The pause before the next call: what the upstream asks for (`Retry-After`), else the backoff.
 * Null: it asks for more than is waited.
 * @param askedMs null: it asks for none. 0 is no pause, and the backoff holds
 */
export function pauseOf(backoffMs: number, askedMs: number | null): number | null {
  if (askedMs === null || askedMs === 0) return backoffMs;
  return askedMs > RETRY_AFTER_MAX_MS ? null : askedMs;
}

/** What an outcome says of the next call. */
export interface RetryRules<T> {
  readonly isTransient: (outcome: T) => boolean;
  /** Milliseconds that the upstream asks to be left alone; null: it does not say. */
  readonly retryAfterMs: (outcome: T) => number | null;
}

/**
 * Calls until the fault is not transient any more, with 1, 2, 4 and 8 s between, or what the
 * upstream asks for (INT-9). Gives the last outcome, whatever it is, and how often it was called
 * again; a fired signal ends the waiting and the calling. `attempt` must not throw.
 */
export async function retryTransient<T>(
  attempt: () => Promise<T>,
  { isTransient, retryAfterMs }: RetryRules<T>,
  wait: Wait,
  signal: AbortSignal,
): Promise<{ readonly outcome: T; readonly retries: number }> {
  let outcome = await attempt();
  let retries = 0;
  for (const backoffMs of retryDelaysMs) {
    if (signal.aborted || !isTransient(outcome)) break;
    const pause = pauseOf(backoffMs, retryAfterMs(outcome));
    if (pause === null) break;
    await wait(pause, signal);
    // An abort during the wait: no one wants the answer any more. The compiler does not know that
    // the signal may have fired since.
    if (isFired(signal)) break;
    retries++;
    outcome = await attempt();
  }
  return { outcome, retries };
}

function isFired(signal: AbortSignal): boolean {
  return signal.aborted;
}
