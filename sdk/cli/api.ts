import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, isRetryable, readRetryAfter } from '../client/backoff';
import { messageOf } from '../client/post';
import { parseObject, readError } from '../client/taken';
import type { Connection } from './arguments';
import { CliFailure, withRemark } from './failure';

/** Interactive calls of the HTTP API, retried while that may help, for at most two minutes. */

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: string | Uint8Array;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface Api {
  readonly url: string;
  /**
   * The body of a 2xx response.
   *
   * @throws CliFailure with the server's message, or if the server does not respond
   */
  call(path: string, call?: Call): Promise<Record<string, unknown>>;
  /**
   * Status and body, for callers that handle some refusals themselves.
   *
   * @throws CliFailure if there is no response
   */
  ask(path: string, call?: Call): Promise<{ readonly status: number; readonly text: string }>;
}

export interface ApiOptions {
  /** Called after each failed attempt. */
  readonly onRetry?: (message: string, waitMs: number) => void;
  readonly retryForMs?: number;
  readonly signal?: AbortSignal;
}

const pauses = { backoffMs: 200, maxBackoffMs: 10_000 };

export function createApi(
  { url, key }: Connection,
  { onRetry, retryForMs = 120_000, signal }: ApiOptions = {},
): Api {
  async function ask(path: string, call: Call = {}): Promise<{ status: number; text: string }> {
    const end = performance.now() + retryForMs;
    for (let attempt = 1; ; attempt++) {
      const tried = await send({ url, key }, path, call, signal).catch((error: unknown) =>
        messageOf(error),
      );
      if (signal?.aborted === true)
        throw signal.reason instanceof Error
          ? signal.reason
          : new CliFailure('The command was stopped');
      if (typeof tried !== 'string' && !isRetryable(tried.status)) return tried;
      const message =
        typeof tried === 'string' ? tried : readError(tried.text, tried.status).message;
      const waitMs = backoff(
        attempt,
        pauses,
        typeof tried === 'string' ? null : tried.retryAfterMs,
        Math.random(),
      );
      if (performance.now() + waitMs > end) {
        if (typeof tried !== 'string') return tried;
        throw new CliFailure(
          `${url} does not answer (${message}); check --url or ASSAY_URL, and that the server is running`,
        );
      }
      onRetry?.(message, waitMs);
      await sleep(waitMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  }

  return {
    url,
    ask,
    async call(path, call) {
      const { status, text } = await ask(path, call);
      if (status < 200 || status > 299)
        throw new CliFailure(withRemark(readError(text, status).message, `${status} at ${path}`));
      const reply = parseObject(text);
      if (reply === null)
        throw new CliFailure(
          `${url} answers, but it is not an Assay server; check --url or ASSAY_URL`,
        );
      return reply;
    },
  };
}

/** A single attempt. */
async function send(
  { url, key }: Connection,
  path: string,
  call: Call,
  signal: AbortSignal | undefined,
): Promise<{ status: number; text: string; retryAfterMs: number | null }> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const stop = AbortSignal.timeout(call.timeoutMs ?? 60_000);
  const { body } = call;
  const response = await fetch(`${url}${path}${query.size === 0 ? '' : `?${query.toString()}`}`, {
    method: call.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    redirect: 'manual',
    signal: signal === undefined ? stop : AbortSignal.any([signal, stop]),
  });
  return {
    status: response.status,
    text: await response.text(),
    retryAfterMs: readRetryAfter(response.headers.get('retry-after'), Date.now()),
  };
}
