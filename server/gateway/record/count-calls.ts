import type { GatewayRoute, VerificationHeaders } from '../exchange';
import { createRollups, type Drop } from './rollups';
import type { StorageState } from './storage-state';
import type { RecordStore } from './store-batch';

/** Counts every call, and stores the counts behind; which also finds out that storage is back. */
export interface CallCounts {
  /** Synchronous. */
  count(route: GatewayRoute, verification: VerificationHeaders): Drop;
  /** Stores what is counted until then. Never throws. */
  flush(): Promise<void>;
  /** Ends the storing by time. */
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
      state.back();
    } catch (error) {
      if (!state.passes(error))
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
    count: ({ project, name }, verification) =>
      rollups.count({ projectId: project.id, route: name, verification, at: ctx.clock.now() }),
    async flush() {
      // One that is under way may have begun before the last count.
      await flushing;
      await flush();
    },
    stop: () => clearInterval(timer),
  };
}
