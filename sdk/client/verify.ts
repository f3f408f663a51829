import { backoff, isRetryable } from './backoff';
import { holdProcess } from './bell';
import type { Settings } from './options';
import { post } from './post';
import { parseObject, readError } from './taken';
import type { Turn, Verification } from './turn';

export interface VerifyOptions {
  /** `async` answers at once, with the id of a pending verification. */
  mode?: 'sync' | 'async';
  /** How long the server waits for the verdict (30,000 ms); after it the verification is `pending`. */
  waitMs?: number;
  /** How long all tries together may take (waitMs and 5,000 ms more). */
  timeoutMs?: number;
  /** `integrity@3`: verifies only if that version is current. */
  verifier?: string;
  signal?: AbortSignal;
  /** Throws an AssayError in place of the failed result (false). */
  throwOnError?: boolean;
}

export interface VerifyFailure {
  /** The server's code; `unreachable`, `not_json`, `misconfigured` or `aborted` where it did not answer. */
  code: string;
  message: string;
  /** Null when there was no answer. */
  status: number | null;
}

export type VerifyResult = { ok: true; verification: Verification } | { ok: false; error: VerifyFailure };

/** Thrown only where `throwOnError` was asked for. */
export class AssayError extends Error {
  readonly code: string;
  readonly status: number | null;

  constructor({ code, message, status }: VerifyFailure) {
    super(message);
    this.name = 'AssayError';
    this.code = code;
    this.status = status;
  }
}

/** JSON text of a turn under its id, or why there is none. Members come in the host's order, `id` first. */
export function writeTurn(value: unknown, id: string, more: Readonly<Record<string, unknown>> = {}): { text: string } | { why: string } {
  try {
    const plain =
      typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
    if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return { why: 'it is no object' };
    const first: Readonly<Record<string, unknown>> = { id };
    return { text: JSON.stringify({ ...first, ...plain, ...more, id }) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/** `POST /v1/verify/integrity`, tried again while that may help. The id makes all tries one verification. Throws nothing. */
export async function verifyIntegrity(settings: Settings, turn: Turn, id: string, options: VerifyOptions): Promise<VerifyResult> {
  if (settings.misconfigured !== null) return failure('misconfigured', settings.misconfigured);
  const waitMs = options.waitMs ?? 30_000;
  const written = writeTurn(turn, id, {
    mode: options.mode ?? 'sync',
    wait_ms: waitMs,
    ...(options.verifier === undefined ? {} : { verifier: options.verifier }),
  });
  if ('why' in written) return failure('not_json', `the turn is not JSON: ${written.why}`);
  const end = performance.now() + (options.timeoutMs ?? waitMs + 5000);
  const release = holdProcess();
  try {
    return await tryUntil(end, settings, written.text, options.signal);
  } finally {
    release();
  }
}

async function tryUntil(end: number, settings: Settings, body: string, signal: AbortSignal | undefined): Promise<VerifyResult> {
  for (let attempt = 1; ; attempt++) {
    const leftMs = Math.max(1, end - performance.now());
    const posted = await post({ ...settings, requestTimeoutMs: leftMs }, '/v1/verify/integrity', body, signal);
    if (isStopped(signal)) return failure('aborted', 'it was stopped by its caller');
    if (posted.kind === 'answer' && !isRetryable(posted.status)) return readReply(posted.text, posted.status);
    const pauseMs = backoff(attempt, settings, posted.kind === 'answer' ? posted.retryAfterMs : null, Math.random());
    if (performance.now() + pauseMs >= end) {
      if (posted.kind === 'fault') return failure('unreachable', posted.message);
      const error = readError(posted.text, posted.status);
      return failure(error.code, error.message, posted.status);
    }
    await pause(pauseMs, signal);
    if (isStopped(signal)) return failure('aborted', 'it was stopped by its caller');
  }
}

function readReply(text: string, status: number): VerifyResult {
  if (status < 200 || status > 299) {
    const error = readError(text, status);
    return failure(error.code, error.message, status);
  }
  const reply = parseObject(text);
  if (typeof reply?.id !== 'string' || typeof reply.state !== 'string') {
    return failure('unreachable', 'the answer is none of this API', status);
  }
  // The shape is the wire contract's; id and state show that it is one.
  return { ok: true, verification: reply as Verification };
}

function failure(code: string, message: string, status: number | null = null): VerifyResult {
  return { ok: false, error: { code, message, status } };
}

function isStopped(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}

/** Ends early when the caller stops. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
