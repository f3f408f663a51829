import { AssayError, invalid, unavailable } from './errors';

/** What a caller reads of a fault that is ours; the request's id finds it in the log. */
export const internalMessage = 'the server failed; its log has the cause under the request id';

/**
 * How a failed statement is to be met: `transient` is ours and passes, `data` is this row's fault,
 * `unknown` neither.
 */
export type StorageFault = 'transient' | 'retry' | 'data' | 'unknown';

/** Connection faults of postgres.js and of the socket under it. */
const lostConnection = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_DESTROYED',
  'ERR_SOCKET_CLOSED',
]);

/**
 * 08 connection, 53 resources (53100 disk full), 57 operator (57014 timeout, 57P01 shutdown), 58
 * system, 25006 read-only, 55P03 lock.
 */
const transientClasses = ['08', '53', '57', '58', '25', '55', 'XX'];

/** Sorts an error of the driver by its code (reliability.md section 6, "retry class"). */
export function classifyStorageError(error: unknown): StorageFault {
  const { cause, code } = causeOf(error);
  if (lostConnection.has(code)) return 'transient';
  if (code === '40001' || code === '40P01') return 'retry';
  if (cause instanceof Error && cause.message === 'no answer from PostgreSQL') return 'transient';
  const sqlClass = code.slice(0, 2);
  if (code.length === 5 && transientClasses.includes(sqlClass)) return 'transient';
  if (sqlClass === '22' || sqlClass === '54' || sqlClass === '23') return 'data';
  return 'unknown';
}

/**
 * The statement was ended since it took longer than it may. Transient for a request; for what asks
 * the same again and again it is a fault of its own.
 */
export function tookTooLong(error: unknown): boolean {
  return causeOf(error).code === '57014';
}

/** The driver's error and its code; drizzle wraps it. */
function causeOf(error: unknown): { readonly cause: unknown; readonly code: string } {
  const cause =
    error instanceof Error && error.cause instanceof Error && 'code' in error.cause
      ? error.cause
      : error;
  return {
    cause,
    code:
      cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '',
  };
}

/**
 * A value that PostgreSQL cannot read at all: a NUL in text (22021) or in JSON (22P05), a moment
 * that is none or out of range (22007, 22008, 22009).
 */
const unreadableValue = new Set(['22007', '22008', '22009', '22021', '22P05']);

/**
 * An error of the family for whatever a verb threw: storage faults are 503 with Retry-After, never
 * 500.
 */
export function asAssayError(error: unknown): AssayError {
  if (error instanceof AssayError) return error;
  if (unreadableValue.has(causeOf(error).code))
    return invalid(
      'a value of the request cannot be stored: it has a NUL character, or a time out of range',
    );
  const fault = classifyStorageError(error);
  if (fault === 'transient' || fault === 'retry')
    return unavailable('storage is not available at the moment; send the request again');
  return new AssayError('internal', internalMessage);
}
