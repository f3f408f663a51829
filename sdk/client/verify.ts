import { call, type Failed, failure, type VerifyFailure } from './call';
import type { Settings } from './options';
import { parseObject, type ReadError } from './read-reply';
import type { Turn, Verification } from './turn';

export interface VerifyOptions {
  /** `async` returns at once, with the id of a pending verification. */
  mode?: 'sync' | 'async';
  /**
   * How long the server waits for the verdict (30,000 ms); after that the verification is
   * `pending`.
   */
  waitMs?: number;
  /** Timeout of all attempts together (waitMs plus 5,000 ms). */
  timeoutMs?: number;
  /** `integrity@3`: verifies only if that version is current. */
  verifier?: string;
  signal?: AbortSignal;
  /** Throws an AssayError instead of returning the failed result (false). */
  throwOnError?: boolean;
}

export type VerifyResult = { ok: true; verification: Verification } | Failed;

/** Why a call failed. Verify calls throw it only when `throwOnError` is set. */
export class AssayError extends Error {
  /** The server's code, or that of a request without an answer, such as `unreachable`. */
  readonly code: string;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** The members that the server refused. */
  readonly details: NonNullable<ReadError['details']>;
  /** For the operator's logs; null if there was no answer. */
  readonly requestId: string | null;

  constructor({ code, message, status, details, requestId }: VerifyFailure) {
    super(message);
    this.name = 'AssayError';
    this.code = code;
    this.status = status;
    this.details = details ?? [];
    this.requestId = requestId ?? null;
  }
}

/**
 * JSON text of a turn with its id, or why it cannot be written. Members keep the host's order, with
 * `id` first.
 */
export function writeTurn(
  value: unknown,
  id: string,
  more: Readonly<Record<string, unknown>> = {},
): { text: string } | { problem: string } {
  try {
    const plain =
      typeof value === 'object' &&
      value !== null &&
      'toJSON' in value &&
      typeof value.toJSON === 'function'
        ? value.toJSON()
        : value;
    if (typeof plain !== 'object' || plain === null || Array.isArray(plain))
      return { problem: 'it is not an object' };
    const first: Readonly<Record<string, unknown>> = { id };
    return { text: JSON.stringify({ ...first, ...plain, ...more, id }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * `POST /v1/verify/integrity`, retried while that may help. The id makes all attempts one
 * verification. Never throws.
 */
export async function verifyIntegrity(
  settings: Settings,
  turn: Turn,
  id: string,
  options: VerifyOptions,
): Promise<VerifyResult> {
  if (settings.misconfigured !== null) return failure('misconfigured', settings.misconfigured);
  const waitMs = options.waitMs ?? 30_000;
  const written = writeTurn(turn, id, {
    mode: options.mode ?? 'sync',
    wait_ms: waitMs,
    ...(options.verifier === undefined ? {} : { verifier: options.verifier }),
  });
  if ('problem' in written) return failure('not_json', `the turn is not JSON: ${written.problem}`);
  const timeoutMs = options.timeoutMs ?? waitMs + 5000;
  return call(
    settings,
    { path: '/v1/verify/integrity', body: written.text, timeoutMs, signal: options.signal },
    readVerification,
  );
}

/** Null if the reply is not a verification of this API. */
export function readVerification(text: string): VerifyResult | null {
  const reply = parseObject(text);
  if (typeof reply?.id !== 'string' || typeof reply.state !== 'string') return null;
  // The server validates the shape; id and state identify it.
  return { ok: true, verification: reply as Verification };
}
