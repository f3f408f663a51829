/**
 * Failed requests that may be retried (the table of OTLP/HTTP, which the HTTP API follows: every
 * other response is final).
 */

const retryable = new Set([429, 502, 503, 504]);

/** Upper limit of the wait that a server may request. */
const longestWaitMs = 300_000;

export function isRetryable(status: number): boolean {
  return retryable.has(status);
}

/**
 * `Retry-After` in seconds or as an HTTP date, in milliseconds; null if it is missing or
 * unreadable.
 */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  const ms = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : /^[A-Z][a-z]{2}/.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestWaitMs);
}

/**
 * Doubles with each failure. The upper half is random, so that the clients of a restarted server do
 * not all return at once. Never shorter than the server requested. In milliseconds; `attempt`
 * counts from 1, `random` is 0 to 1.
 */
export function backoff(
  attempt: number,
  limits: { readonly backoffMs: number; readonly maxBackoffMs: number },
  retryAfterMs: number | null,
  random: number,
): number {
  const full = Math.min(limits.maxBackoffMs, limits.backoffMs * 2 ** Math.min(attempt - 1, 30));
  return Math.max(retryAfterMs ?? 0, full / 2 + (full / 2) * random);
}
