import { type AskErrorClass, cleanText } from '../../domain';
import { AssayError } from '../../platform';
import type { CallFault } from './retry';
import { type Exchange, replyBytesMax } from './provider-fetch';

/**
 * The reason why a call returned no answer: the connection's fault first, then the status, then the
 * part of the reply that the SDK could not parse.
 */
export function faultOf(
  error: unknown,
  exchange: Exchange,
  aborted: boolean,
  now: Date,
): CallFault {
  const fault = (
    errorClass: AskErrorClass,
    message: string,
    retryAfterMs: number | null = null,
  ): CallFault => ({
    state: 'failed',
    errorClass,
    message,
    retryAfterMs,
  });
  if (aborted) return fault('aborted', 'no longer wanted');
  if (exchange.fault !== null) {
    switch (exchange.fault.kind) {
      case 'refused':
        return fault('refused', exchange.fault.message);
      case 'timeout':
        return fault('timeout', 'no complete reply before the deadline');
      case 'too_large':
        return fault('too_large', `the reply has more than ${replyBytesMax / 1024} KiB`);
      case 'unreachable':
        return fault('unreachable', 'the provider cannot be reached, or broke off');
    }
  }
  if (error instanceof AssayError) return fault('refused', error.message);
  const { status, body } = exchange;
  if (status === null) return fault('refused', 'the request could not be sent');
  const retryAfterMs = readRetryAfter(exchange.headers, now);
  if (status >= 200 && status < 300)
    return fault('bad_reply', 'the reply does not have the format of this provider’s API');
  return fault(classOf(status), `${status}${providerMessage(body)}`, retryAfterMs);
}

function classOf(status: number): AskErrorClass {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  return status === 408 || status === 425 || status >= 500 ? 'overloaded' : 'refused';
}

/** The provider's error message, on one line and shortened. */
function providerMessage(body: string | null): string {
  try {
    const parsed = JSON.parse(body ?? '') as {
      error?: { message?: unknown } | string;
      message?: unknown;
    } | null;
    const message =
      typeof parsed?.error === 'object' ? parsed.error.message : (parsed?.error ?? parsed?.message);
    return typeof message === 'string'
      ? `: ${cleanText(message).text.replace(/\s+/g, ' ').slice(0, 300)}`
      : '';
  } catch {
    return '';
  }
}

/**
 * `Retry-After` in seconds or as a date, or OpenAI's in milliseconds; null if it is neither or in
 * the past.
 */
export function readRetryAfter(headers: ReadonlyMap<string, string>, now: Date): number | null {
  const ms = headers.get('retry-after-ms') ?? '';
  if (/^\d{1,12}(?:\.\d+)?$/.test(ms)) return Number(ms);
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,12}(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} /.test(text)) return null;
  const wait = Date.parse(text) - now.getTime();
  return wait > 0 ? wait : null;
}

/**
 * Removes the key, and anything that resembles one: providers repeat keys in their errors (S-101).
 */
export function redact(text: string, apiKey: string | null): string {
  const without = apiKey === null || apiKey.length < 8 ? text : text.replaceAll(apiKey, '[key]');
  return without.replace(/\b(?:sk-|AIza|Bearer )[\w*.-]{8,}/g, '[key]');
}
