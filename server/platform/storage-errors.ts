import { AssayError, invalid, unavailable } from './errors';

/**
 * The text that callers read for an internal fault; the request's id locates the cause in the log.
 */
export const internalMessage = 'the server failed; its log has the cause under the request id';

/**
 * How to handle a failed statement: `transient` may succeed later, `data` is caused by this row,
 * `unknown` is neither.
 */
export type StorageFault = 'transient' | 'retry' | 'data' | 'unknown';

/** Connection faults of postgres.js and of the underlying socket. */
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

/** Classifies a driver error by its code (reliability.md section 6, "retry class"). */
export function classifyStorageError(error: unknown): StorageFault {
  if (error instanceof AssayError && error.code === 'unavailable') return 'transient';
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
 * The statement exceeded its timeout. Transient for a request; a loop that repeats the same
 * statement must treat it as a fault.
 */
export function isStatementTimeout(error: unknown): boolean {
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
 * A value that PostgreSQL cannot parse: a NUL in text (22021) or in JSON (22P05), an invalid or
 * out-of-range timestamp (22007, 22008, 22009).
 */
const unreadableValue = new Set(['22007', '22008', '22009', '22021', '22P05']);

/**
 * Converts any thrown error into an AssayError: storage faults become 503 with Retry-After, never
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
