/**
 * Options of a host, with their defaults. Nothing here throws: invalid values are replaced by the
 * defaults.
 */

export interface Rejection {
  kind: 'turn' | 'outcome';
  id: string;
  /** Index in the request that was answered; -1 if it was never sent. */
  index: number;
  /** The server's code; `not_json`, `misconfigured`, or `http_<status>` if the server sent none. */
  code: string;
  message: string;
  /** Status of the response; null if it was never sent. */
  status: number | null;
}

export type DropReason = 'queue_full' | 'too_large' | 'gave_up' | 'closed' | 'exit';

export interface Drop {
  kind: 'turn' | 'outcome';
  id: string;
  reason: DropReason;
}

export interface Retry {
  /** 1 for the first failure of a batch. */
  attempt: number;
  waitMs: number;
  /** Null if there was no response. */
  status: number | null;
  message: string;
}

export interface AssayOptions {
  /** URL of the HTTP API. Default: `ASSAY_URL`, else `http://localhost:4318`. */
  url?: string | undefined;
  /**
   * A project's API key with the scope `ingest` (and `verify`, for verifications). Default:
   * `ASSAY_API_KEY`.
   */
  key?: string | undefined;
  /** Maximum number of turns in a request (500) … */
  maxBatchItems?: number;
  /** … and maximum bytes of JSON (4 MiB), unless a single turn is larger. */
  maxBatchBytes?: number;
  /** Maximum time that a turn waits to be batched (1,000 ms). */
  maxAgeMs?: number;
  /**
   * Limit of the queue in memory, in bytes of JSON (64 MiB). If it is full, turns are dropped and
   * reported; `ready()` prevents that.
   */
  maxQueueBytes?: number;
  /** Timeout of a request (30,000 ms). */
  requestTimeoutMs?: number;
  /**
   * First pause after a failure (200 ms). It doubles with each failure, up to `maxBackoffMs`
   * (15,000 ms); half of it is random.
   */
  backoffMs?: number;
  maxBackoffMs?: number;
  /** A batch that has failed for this long is dropped. Default: never. */
  giveUpAfterMs?: number;
  /** Default: gzip if the runtime has CompressionStream, none for a server on this machine. */
  compression?: 'gzip' | 'none';
  /** Whether to send the remaining items when the process runs out of work (true). */
  flushOnExit?: boolean;
  /** … for at most this long (5,000 ms). */
  exitFlushMs?: number;
  /**
   * Whether to do so on SIGTERM and SIGINT too (false). If there is no other listener for the
   * signal, it then ends the process.
   */
  handleSignals?: boolean;
  /** A final refusal: the server will never accept the item. */
  onReject?: (rejection: Rejection) => void;
  /** The client dropped the item. */
  onDrop?: (drop: Drop) => void;
  onRetry?: (retry: Retry) => void;
  /** Replaces the fetch of the runtime. */
  fetch?: typeof globalThis.fetch;
}

export interface Settings {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
  /** Why nothing can be sent; null if the options are usable. */
  readonly misconfigured: string | null;
  readonly maxBatchItems: number;
  readonly maxBatchBytes: number;
  readonly maxAgeMs: number;
  readonly maxQueueBytes: number;
  readonly requestTimeoutMs: number;
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  readonly giveUpAfterMs: number;
  readonly gzip: boolean;
  readonly flushOnExit: boolean;
  readonly exitFlushMs: number;
  readonly handleSignals: boolean;
  readonly fetch: typeof globalThis.fetch;
}

const mebibyte = 1024 * 1024;

export function readOptions(options: AssayOptions): Settings {
  const url = (options.url ?? fromEnvironment('ASSAY_URL') ?? 'http://localhost:4318')
    .trim()
    .replace(/\/+$/, '');
  const key = (options.key ?? fromEnvironment('ASSAY_API_KEY') ?? '').trim();
  const host = hostOf(url);
  return {
    url,
    key,
    misconfigured: unusableReason(host, key),
    maxBatchItems: Math.max(1, Math.floor(positive(options.maxBatchItems, 500))),
    maxBatchBytes: positive(options.maxBatchBytes, 4 * mebibyte),
    maxAgeMs: positive(options.maxAgeMs, 1000),
    maxQueueBytes: positive(options.maxQueueBytes, 64 * mebibyte),
    requestTimeoutMs: positive(options.requestTimeoutMs, 30_000),
    backoffMs: positive(options.backoffMs, 200),
    maxBackoffMs: positive(options.maxBackoffMs, 15_000),
    giveUpAfterMs: positive(options.giveUpAfterMs, Number.POSITIVE_INFINITY),
    gzip:
      typeof CompressionStream === 'function' &&
      (options.compression ?? (isLoopback(host) ? 'none' : 'gzip')) === 'gzip',
    flushOnExit: options.flushOnExit ?? true,
    exitFlushMs: positive(options.exitFlushMs, 5000),
    handleSignals: options.handleSignals ?? false,
    // Looked up at each call, since hosts and their tests replace the global.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

function positive(value: number | undefined, otherwise: number): number {
  return typeof value === 'number' && value > 0 ? value : otherwise;
}

/** Null if it is not an HTTP URL. */
function hostOf(url: string): string | null {
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'http:' || protocol === 'https:' ? hostname : null;
  } catch {
    return null;
  }
}

function isLoopback(host: string | null): boolean {
  return host === 'localhost' || host === '[::1]' || (host?.startsWith('127.') ?? false);
}

function unusableReason(host: string | null, key: string): string | null {
  if (host === null) return 'the url is not the address of an HTTP server';
  if (key === '') return 'there is no API key: pass `key`, or set ASSAY_API_KEY';
  // Any other character in a header makes fetch throw every time.
  return /^[\x21-\x7e]+$/.test(key) ? null : 'the API key has invalid characters';
}

/** An environment variable, if available: browsers have none, and Deno may refuse. */
function fromEnvironment(name: string): string | undefined {
  try {
    const host = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process;
    return host?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}
