import { AssayError, classifyStorageError, type Logger } from '../../platform';

/** Whether the last write to storage succeeded. */
export interface StorageState {
  readonly isUnavailable: boolean;
  /** A write succeeded. */
  recovered(): void;
  /**
   * Whether a failed write should be retried; any other error is a bug, and retrying would never
   * end.
   */
  isRetryable(error: unknown): boolean;
}

export function createStorageState(log: Logger): StorageState {
  let isUnavailable = false;
  return {
    get isUnavailable() {
      return isUnavailable;
    },
    recovered() {
      isUnavailable = false;
    },
    isRetryable(error) {
      // A rate limit concerns one project, not storage.
      if (error instanceof AssayError && error.code === 'rate_limited') return true;
      const isFault =
        error instanceof AssayError
          ? error.code === 'unavailable'
          : classifyStorageError(error) !== 'unknown';
      if (!isFault) return false;
      if (!isUnavailable)
        log.warn(
          { err: error },
          'storage is unavailable: gateway calls are not recorded until it recovers',
        );
      isUnavailable = true;
      return true;
    },
  };
}
