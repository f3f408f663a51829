import { readRetryAfter } from './backoff';

/**
 * One POST of JSON with a deadline that covers the whole response. Never throws: a failure is a
 * return value.
 */

export interface Target {
  readonly url: string;
  readonly key: string;
  readonly gzip: boolean;
  readonly requestTimeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
}

export type Posted =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly text: string;
      readonly retryAfterMs: number | null;
    }
  /** No response, or an incomplete one: the server may or may not have stored the items. */
  | { readonly kind: 'fault'; readonly message: string };

/** Below this size, gzip costs more than it saves. */
const minGzipBytes = 1024;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Null if there is none. */
  readonly body: string | Uint8Array | null;
  /** Of the body (application/json). */
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const post = (
  target: Target,
  path: string,
  body: string,
  signal?: AbortSignal,
  headers?: Readonly<Record<string, string>>,
): Promise<Posted> => exchangeInTime(target, { method: 'POST', path, body, signal, headers });

/** As `post`, with any method and body. */
export async function exchangeInTime(target: Target, request: HttpRequest): Promise<Posted> {
  const { signal } = request;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A fetch that ignores signals must not block the queue either.
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(new Error('it was stopped')), {
      once: true,
    });
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${target.requestTimeoutMs} ms`));
      stop.abort();
    }, target.requestTimeoutMs);
  });
  try {
    if (signal?.aborted === true) throw new Error('it was stopped');
    signal?.addEventListener('abort', onAbort, { once: true });
    return await Promise.race([exchange(target, request, stop.signal), stopped]);
  } catch (error) {
    return { kind: 'fault', message: messageOf(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // Aborts the rest of the exchange; nothing handles the rejection of `stopped` any more.
    stopped.catch(() => undefined);
    stop.abort();
  }
}

async function exchange(
  target: Target,
  { method, path, body, contentType = 'application/json', headers }: HttpRequest,
  signal: AbortSignal,
): Promise<Posted> {
  const isText = typeof body === 'string';
  const packed = isText && target.gzip && body.length >= minGzipBytes ? await gzip(body) : null;
  const sent = packed ?? (body === null || isText ? body : new Uint8Array(body));
  const response = await target.fetch(`${target.url}${path}`, {
    method,
    headers: {
      ...(target.key === '' ? {} : { authorization: `Bearer ${target.key}` }),
      ...(body === null ? {} : { 'content-type': contentType }),
      ...(packed === null ? {} : { 'content-encoding': 'gzip' }),
      ...headers,
    },
    ...(sent === null ? {} : { body: sent }),
    // A redirected POST would arrive as a GET, or at another server.
    redirect: 'manual',
    signal,
  });
  const text = await response.text();
  return {
    kind: 'answer',
    status: response.status,
    text,
    retryAfterMs: readRetryAfter(response.headers.get('retry-after'), Date.now()),
  };
}

/** Null if the runtime has no compression: the body is then sent uncompressed. */
async function gzip(text: string): Promise<ArrayBuffer | null> {
  try {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
    return await new Response(stream).arrayBuffer();
  } catch {
    return null;
  }
}

/** Runtimes report "fetch failed" and put the reason into the cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && cause.message !== ''
    ? `${error.message}: ${cause.message}`
    : error.message;
}
