import { backoff, isRetryable } from './backoff';
import { pause } from './call';
import { exchangeInTime, type HttpRequest, type Target } from './post';
import { parseObject, type ReadError, readError } from './read-reply';

/** Calls of any route of the HTTP API, retried while that may help. */

export interface ApiCall {
  /** POST if there is a body, otherwise GET. */
  readonly method?: HttpRequest['method'];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: string | Uint8Array;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface HttpApi {
  readonly url: string;
  /**
   * The body of a 2xx response.
   *
   * @throws the error of `fail`, with the server's message or why the server does not respond
   */
  call(path: string, call?: ApiCall): Promise<Record<string, unknown>>;
  /**
   * Status and body, for callers that handle some refusals themselves.
   *
   * @throws the error of `fail` if there is no response
   */
  callRaw(
    path: string,
    call?: ApiCall,
  ): Promise<{ readonly status: number; readonly text: string }>;
}

export interface ApiFailure extends ReadError {
  /** The server's code; `unreachable` or `aborted` if it did not respond. */
  readonly code: string;
  readonly message: string;
  /** Null if there was no usable response. */
  readonly status: number | null;
  readonly path: string;
}

export interface HttpApiOptions {
  readonly fail: (failure: ApiFailure) => Error;
  /** The name of the setting of the URL, for messages. */
  readonly urlSetting: string;
  /** Called after each failed attempt. */
  readonly onRetry?: ((message: string, waitMs: number) => void) | undefined;
  /** 120,000 */
  readonly retryForMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const pauses = { backoffMs: 200, maxBackoffMs: 10_000 };

export function createHttpApi(
  target: Target,
  { fail, urlSetting, onRetry, retryForMs = 120_000, signal }: HttpApiOptions,
): HttpApi {
  const { url } = target;

  async function callRaw(
    path: string,
    call: ApiCall = {},
  ): Promise<{ status: number; text: string }> {
    const end = performance.now() + retryForMs;
    const request = requestOf(path, call, signal);
    const timedTarget = { ...target, requestTimeoutMs: call.timeoutMs ?? target.requestTimeoutMs };
    for (let attempt = 1; ; attempt++) {
      const result = await exchangeInTime(timedTarget, request);
      if (signal?.aborted === true)
        throw signal.reason instanceof Error
          ? signal.reason
          : fail({ code: 'aborted', message: 'The command was stopped', status: null, path });
      if (result.kind === 'answer' && !isRetryable(result.status)) return result;
      const isAnswer = result.kind === 'answer';
      const message = isAnswer ? readError(result.text, result.status).message : result.message;
      const waitMs = backoff(attempt, pauses, isAnswer ? result.retryAfterMs : null, Math.random());
      if (performance.now() + waitMs > end) {
        if (isAnswer) return result;
        throw fail({
          code: 'unreachable',
          message: `${url} does not answer (${message}); check ${urlSetting}, and that the server is running`,
          status: null,
          path,
        });
      }
      onRetry?.(message, waitMs);
      await pause(waitMs, signal);
    }
  }

  return {
    url,
    callRaw,
    async call(path, call) {
      const { status, text } = await callRaw(path, call);
      if (status < 200 || status > 299) throw fail({ ...readError(text, status), status, path });
      const reply = parseObject(text);
      if (reply !== null) return reply;
      const message = `${url} answers, but it is not an Assay server; check ${urlSetting}`;
      throw fail({ code: 'unreachable', message, status: null, path });
    },
  };
}

function requestOf(path: string, call: ApiCall, signal: AbortSignal | undefined): HttpRequest {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return {
    method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
    path: text === '' ? path : `${path}?${text}`,
    body: call.body ?? null,
    contentType: call.contentType,
    headers: call.headers,
    signal,
  };
}
