/** Times of spans: nanoseconds since 1970 as decimal digits, "0" if the client sent none. */

/**
 * Attribute of a span that arrived as one of several updates: the time of the update in
 * nanoseconds, decimal digits. Updates merge in the order of these times and do not conflict.
 */
export const updateTimeKey = 'update.time_unix_nano';

const NS_PER_MS = 1_000_000n;
/** The end of the year 9999: RFC 3339 cannot express later times. */
const LAST_MS = 253_402_300_799_999n;

/** Compares two such times as numbers. */
export function compareNs(a: string, b: string): number {
  if (a === b) return 0;
  const x = bare(a);
  const y = bare(b);
  return x.length === y.length ? compareText(x, y) : x.length - y.length;
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isTime(ns: string): boolean {
  return bare(ns) !== '';
}

/** RFC 3339 in UTC, whole milliseconds; null for no time and for one beyond the year 9999. */
export function rfc3339(ns: string): string | null {
  const digits = bare(ns);
  if (!/^\d{1,20}$/.test(digits)) return null;
  const ms = BigInt(digits) / NS_PER_MS;
  return ms > LAST_MS ? null : new Date(Number(ms)).toISOString();
}

/** When a span ended: its end, or its start if it has no end. */
export function endOf(span: { readonly startNs: string; readonly endNs: string }): string {
  return isTime(span.endNs) ? span.endNs : span.startNs;
}

const DAY_MS = 86_400_000;
/** Exports of older spans exist: they arrive in an import. */
const OLDEST_MS = 8 * 365 * DAY_MS;

/** Flag of a span whose times cannot be right; they are only displayed. */
export const oddTimes = 'odd_times';

/**
 * Whether a span ends before its start, or has a time beyond the year 9999, more than a day after
 * it was received or years before.
 */
export function hasOddTimes(
  span: { readonly startNs: string; readonly endNs: string },
  receivedMs: number,
): boolean {
  const { startNs, endNs } = span;
  if (isTime(startNs) && isTime(endNs) && compareNs(endNs, startNs) < 0) return true;
  return [startNs, endNs].filter(isTime).some((ns) => {
    const at = rfc3339(ns);
    const aheadMs = Date.parse(at ?? '') - receivedMs;
    return at === null || aheadMs > DAY_MS || aheadMs < -OLDEST_MS;
  });
}

function bare(ns: string): string {
  return ns.startsWith('0') ? ns.replace(/^0+/, '') : ns;
}
