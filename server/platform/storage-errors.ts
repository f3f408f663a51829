import { AssayError, unavailable } from './errors';

/** How a failed statement is to be met: `transient` is ours and passes, `data` is this row's fault, `unknown` neither. */
export type StorageFault = 'transient' | 'retry' | 'data' | 'unknown';

/** Connection faults of postgres.js and of the socket under it. */
const lostConnection = new Set([
  'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE',
  'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH',
]);

/** 08 connection, 53 resources (53100 disk full), 57 operator (57014 timeout, 57P01 shutdown), 58 system, 25006 read-only, 55P03 lock. */
const transientClasses = ['08', '53', '57', '58', '25', '55', 'XX'];

/** Sorts an error of the driver by its code (reliability.md section 6, "retry class"). */
export function classifyStorageError(error: unknown): StorageFault {
  const cause = error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (lostConnection.has(code)) return 'transient';
  if (code === '40001' || code === '40P01') return 'retry';
  if (cause instanceof Error && cause.message === 'no answer from PostgreSQL') return 'transient';
  const sqlClass = code.slice(0, 2);
  if (code.length === 5 && transientClasses.includes(sqlClass)) return 'transient';
  if (sqlClass === '22' || sqlClass === '54' || sqlClass === '23') return 'data';
  return 'unknown';
}

/** An error of the family for whatever a verb threw: storage faults are 503 with Retry-After, never 500. */
export function asAssayError(error: unknown): AssayError {
  if (error instanceof AssayError) return error;
  const fault = classifyStorageError(error);
  if (fault === 'transient' || fault === 'retry') return unavailable('storage is not available now; send it again');
  return new AssayError('internal', 'something broke on our side');
}
