/**
 * The pause that an upstream requests: `Retry-After` in seconds or as an HTTP date (RFC 9110
 * 10.2.3), or OpenAI's `retry-after-ms`. Milliseconds from `now`; null if not sent or invalid. A
 * date in the past is 0.
 * @param headers names and values in turn
 */
export function readRetryAfterMs(headers: readonly string[], now: Date): number | null {
  let inSeconds: string | null = null;
  for (let n = 0; n + 1 < headers.length; n += 2) {
    const name = headers[n]?.toLowerCase();
    const value = headers[n + 1]?.trim() ?? '';
    if (name === 'retry-after-ms' && DECIMAL.test(value)) return Math.ceil(Number(value));
    if (name === 'retry-after') inSeconds ??= value;
  }
  if (inSeconds === null) return null;
  if (DECIMAL.test(inSeconds)) return Math.ceil(Number(inSeconds) * 1000);
  if (!HTTP_DATE.test(inSeconds)) return null;
  const at = Date.parse(inSeconds.replaceAll('-', ' '));
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

const DECIMAL = /^\d{1,9}(?:\.\d{1,9})?$/;
/** IMF-fixdate, or the format of RFC 850. */
const HTTP_DATE = /^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
