import { setTimeout as delay } from 'node:timers/promises';
import type { Captured } from '../proxy/captured';
import type { GatewayRoute, VerificationHeaders } from '../exchange';
import type { VerifierCall } from '../verify/judge';
import type { StartThread } from '../thread';
import { createRechecks } from './rechecks';
import { createCallQueue } from './call-queue';
import { createCallCounts } from './count-calls';
import { createThreadReader } from './thread-reader';
import type { Drop } from './rollups';
import { createStorageState } from './storage-state';
import type { RecordStore } from './store-batch';
import { createWriteBehind } from './write-behind';

export interface RecorderStats {
  readonly queued: number;
  readonly queuedBytes: number;
  /** Calls stored, dropped and unreadable since the start. */
  readonly recorded: number;
  readonly dropped: number;
  readonly failed: number;
}

/** Records calls in the background, after their answers. Never delays a call. */
export interface Recorder {
  /** Records an answered model call. Synchronous; never throws. */
  note(captured: Captured): void;
  /** Counts a call without a record. Synchronous; never throws. */
  count(route: GatewayRoute, outcome: VerificationHeaders): void;
  /** Records a verifier's HTTP call in `llm_calls`. */
  recordVerifierCall(call: VerifierCall): void;
  /** The last write failed: observed calls may not be recorded. */
  isUnavailable(): boolean;
  /** Stores the remaining calls within 5 s, without rechecks that are still in progress. */
  drain(): Promise<void>;
  readonly stats: RecorderStats;
}

export interface RecorderDeps extends RecordStore {
  /**
   * For large calls; null if no thread is available, and all calls are parsed on the event loop.
   */
  readonly startThread: StartThread | null;
}

/** In milliseconds. */
const defaultTimes = {
  /** Calls that end within this time are stored together. */
  gatherMs: 25,
  /** Interval of storing counts, which also detects that storage has recovered. */
  flushMs: 1000,
  drainMs: 5000,
};

export function createRecorder(
  { startThread, ...store }: RecorderDeps,
  times = defaultTimes,
): Recorder {
  const { log } = store.ctx;
  const state = createStorageState(log);
  const counts = createCallCounts(store, state, times.flushMs);
  const rechecks = createRechecks();
  const queue = createCallQueue();
  const threadReader = createThreadReader(store.ctx, startThread);
  const writeBehind = createWriteBehind({
    store,
    queue,
    state,
    threadReader,
    gatherMs: times.gatherMs,
  });
  let dropped = 0;

  function push(captured: Captured, drop: Drop): void {
    if (queue.push(captured)) writeBehind.begin();
    else {
      dropped++;
      drop();
    }
  }

  return {
    note(captured) {
      try {
        const drop = counts.count(captured.route, captured.outcome);
        if (!rechecks.take(captured, (done) => push(done, drop))) push(captured, drop);
      } catch (error) {
        log.error({ err: error }, 'a call of the gateway could not be taken for its record');
      }
    },
    count: (route, outcome) => void counts.count(route, outcome),
    recordVerifierCall: (call) => writeBehind.addVerifierCall(call),
    isUnavailable: () => state.isUnavailable,
    async drain() {
      counts.stop();
      const end = delay(times.drainMs, undefined, { ref: false });
      await Promise.race([rechecks.idle(), delay(times.drainMs / 2, undefined, { ref: false })]);
      rechecks.release();
      await Promise.race([writeBehind.finish().then(() => counts.flush()), end]);
    },
    get stats() {
      return { ...writeBehind.counts, dropped, queued: queue.size, queuedBytes: queue.bytes };
    },
  };
}
