import { backoff, isRetryable } from './backoff';
import { keepProcessAlive } from './wake-signal';
import type { Settings } from './options';
import { post } from './post';
import { type ReadError, readError } from './read-reply';

/** One awaited call, retried while that may help; a final failure is a return value. */

export interface VerifyFailure {
  /**
   * The server's code; `unreachable`, `not_json`, `misconfigured` or `aborted` if it did not
   * respond.
   */
  code: string;
  message: string;
  /** Null if there was no response. */
  status: number | null;
  /** The members that the server refused. */
  details?: NonNullable<ReadError['details']>;
  /** For the operator's logs. */
  requestId?: string;
}

export type Failed = { ok: false; error: VerifyFailure };

export interface Call {
  readonly path: string;
  /** JSON text; must be safe to send twice. */
  readonly body: string;
  /** For all attempts together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** @param read parses the text of a 2xx response; null if it is not one of this API */
export async function call<Result>(
  settings: Settings,
  { path, body, timeoutMs, signal }: Call,
  read: (text: string) => Result | null,
): Promise<Result | Failed> {
  const end = performance.now() + timeoutMs;
  const release = keepProcessAlive();
  try {
    for (let attempt = 1; ; attempt++) {
      const leftMs = Math.max(1, end - performance.now());
      const posted = await post({ ...settings, requestTimeoutMs: leftMs }, path, body, signal);
      if (isStopped(signal)) return failure('aborted', 'it was stopped by its caller');
      if (posted.kind === 'answer' && !isRetryable(posted.status))
        return readReply(posted.text, posted.status, read);
      const pauseMs = backoff(
        attempt,
        settings,
        posted.kind === 'answer' ? posted.retryAfterMs : null,
        Math.random(),
      );
      if (performance.now() + pauseMs >= end) {
        if (posted.kind === 'fault') return failure('unreachable', posted.message);
        return refusal(posted.text, posted.status);
      }
      await pause(pauseMs, signal);
      if (isStopped(signal)) return failure('aborted', 'it was stopped by its caller');
    }
  } finally {
    release();
  }
}

export function failure(code: string, message: string, status: number | null = null): Failed {
  return { ok: false, error: { code, message, status } };
}

const refusal = (text: string, status: number): Failed => ({
  ok: false,
  error: { ...readError(text, status), status },
});

function readReply<Result>(
  text: string,
  status: number,
  read: (text: string) => Result | null,
): Result | Failed {
  if (status < 200 || status > 299) return refusal(text, status);
  return (
    read(text) ?? failure('unreachable', 'the answer does not come from the Assay API', status)
  );
}

function isStopped(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}

/** Ends early when the caller aborts. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
