import { setTimeout as delay } from 'node:timers/promises';

/** Four retries after the first call: five calls at most (INT-9). */
export const retryDelaysMs = [1000, 2000, 4000, 8000] as const;

/** If an upstream requests a longer pause, its error is passed on instead. */
export const RETRY_AFTER_MAX_MS = 60_000;

/** Ends early, without throwing, when the signal fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const waitByTimer: Wait = (ms, signal) =>
  delay(ms, undefined, { signal }).catch(() => undefined);

/** Whether a retry may succeed: timeouts, rate limits and server errors. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/**
 * The pause before the next call: `Retry-After` if the upstream sent one, else the backoff. Null if
 * the upstream requests more than the limit.
 * @param askedMs null if there is no `Retry-After`. The backoff also applies to 0
 */
export function pauseOf(backoffMs: number, askedMs: number | null): number | null {
  if (askedMs === null || askedMs === 0) return backoffMs;
  return askedMs > RETRY_AFTER_MAX_MS ? null : askedMs;
}

/** How to retry after an outcome. */
export interface RetryRules<T> {
  readonly isTransient: (outcome: T) => boolean;
  /** `Retry-After` in milliseconds; null if the upstream sent none. */
  readonly retryAfterMs: (outcome: T) => number | null;
}

/**
 * Repeats a call until it has no transient error, after pauses of 1, 2, 4 and 8 s or as long as the
 * upstream requests (INT-9). Returns the last outcome and the number of retries; the signal ends
 * waiting and retrying. `attempt` must not throw.
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
    // The signal may have fired during the wait, which the compiler cannot know.
    if (isFired(signal)) break;
    retries++;
    outcome = await attempt();
  }
  return { outcome, retries };
}

function isFired(signal: AbortSignal): boolean {
  return signal.aborted;
}
