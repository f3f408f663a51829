import { AssayError, classifyStorageError, type Logger } from '../../platform';

/** Whether storage took what was last written to it. */
export interface StorageState {
  readonly isAway: boolean;
  /** The last write went well. */
  back(): void;
  /**
   * Whether a write that failed so may go well later; any other fault is ours, and trying it again
   * would never end.
   */
  passes(error: unknown): boolean;
}

export function createStorageState(log: Logger): StorageState {
  let isAway = false;
  return {
    get isAway() {
      return isAway;
    },
    back() {
      isAway = false;
    },
    passes(error) {
      // A project that sends too much is told to wait; that says nothing of storage.
      if (error instanceof AssayError && error.code === 'rate_limited') return true;
      const isFault =
        error instanceof AssayError
          ? error.code === 'unavailable'
          : classifyStorageError(error) !== 'unknown';
      if (!isFault) return false;
      if (!isAway)
        log.warn(
          { err: error },
          'storage is away: calls of the gateway are not recorded until it is back',
        );
      isAway = true;
      return true;
    },
  };
}
