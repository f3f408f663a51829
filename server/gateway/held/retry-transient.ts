import { setTimeout as delay } from 'node:timers/promises';

/** Four retries after the first call: five calls at most (INT-9). */
export const retryDelaysMs = [1000, 2000, 4000, 8000] as const;

/** Ends early, without throwing, when the signal fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const waitByTimer: Wait = (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined);

/** Whether a call with this status may go well the next time: time-outs, too many requests, faults of the server. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/**
 * Calls until it is no transient fault any more, with 1, 2, 4 and 8 s between (INT-9). Gives the last outcome, whatever it is, and how
 * often it was called again; a fired signal ends the waiting and the calling. `attempt` must not throw.
 */
export async function retryTransient<T>(
  attempt: () => Promise<T>,
  isTransient: (outcome: T) => boolean,
  wait: Wait,
  signal: AbortSignal,
): Promise<{ readonly outcome: T; readonly retries: number }> {
  let outcome = await attempt();
  let retries = 0;
  for (const ms of retryDelaysMs) {
    if (signal.aborted || !isTransient(outcome)) break;
    await wait(ms, signal);
    // An abort during the wait: nobody wants the answer any more. The compiler does not know that the signal may have fired since.
    if (isFired(signal)) break;
    retries++;
    outcome = await attempt();
  }
  return { outcome, retries };
}

function isFired(signal: AbortSignal): boolean {
  return signal.aborted;
}
