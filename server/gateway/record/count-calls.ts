import type { GatewayRoute, VerificationHeaders } from '../exchange';
import { createRollups, type Drop } from './rollups';
import type { StorageState } from './storage-state';
import type { RecordStore } from './store-batch';

/**
 * Counts every call and stores the counts in the background, which also detects that storage has
 * recovered.
 */
export interface CallCounts {
  /** Synchronous. */
  count(route: GatewayRoute, outcome: VerificationHeaders): Drop;
  /** Stores the counts so far. Never throws. */
  flush(): Promise<void>;
  /** Stops the timer. */
  stop(): void;
}

export function createCallCounts(
  { ctx }: RecordStore,
  state: StorageState,
  flushMs: number,
): CallCounts {
  const rollups = createRollups();
  let flushing: Promise<void> | null = null;

  async function flushOnce(): Promise<void> {
    if (rollups.size === 0) return;
    try {
      await rollups.flush(ctx);
      state.recovered();
    } catch (error) {
      if (!state.isRetryable(error))
        ctx.log.error({ err: error }, 'counts of the gateway could not be stored');
    }
  }

  function flush(): Promise<void> {
    flushing ??= flushOnce().finally(() => {
      flushing = null;
    });
    return flushing;
  }

  const timer = setInterval(() => void flush(), flushMs);
  timer.unref();
  return {
    count: ({ project, name }, outcome) =>
      rollups.count({ projectId: project.id, route: name, outcome, at: ctx.clock.now() }),
    async flush() {
      // A flush in progress may have started before the last count.
      await flushing;
      await flush();
    },
    stop: () => clearInterval(timer),
  };
}
