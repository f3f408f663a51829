import { setTimeout as delay } from 'node:timers/promises';
import type { Captured } from '../proxy/captured';
import type { GatewayRoute, VerificationHeaders } from '../exchange';
import type { VerifierCall } from '../verify/ask-verifier';
import type { StartThread } from '../thread';
import { createAfterLooks } from './after-looks';
import { createCallQueue } from './call-queue';
import { createCallCounts } from './count-calls';
import { createReadInThread } from './read-in-thread';
import type { Drop } from './rollups';
import { createStorageState } from './storage-state';
import type { RecordStore } from './store-batch';
import { createWriteBehind } from './write-behind';

export interface RecorderStats {
  readonly queued: number;
  readonly queuedBytes: number;
  /** Calls stored, dropped, and not readable, since the start. */
  readonly recorded: number;
  readonly dropped: number;
  readonly failed: number;
}

/** Writes behind the answers what came of each call. Nothing here makes a call wait. */
export interface Recorder {
  /** Takes a call to a model that was answered. Synchronous; never throws. */
  note(captured: Captured): void;
  /** Counts a call that leaves no more than that. Synchronous; never throws. */
  count(route: GatewayRoute, verification: VerificationHeaders): void;
  /** Takes one HTTP call of a verifier: a row of `llm_calls`. */
  noteAsked(call: VerifierCall): void;
  /** The last write failed: what is observed now may not be recorded. */
  isAway(): boolean;
  /** Writes what is still there, within 5 s. Looks that are still under way then are left out. */
  drain(): Promise<void>;
  readonly stats: RecorderStats;
}

export interface RecorderDeps extends RecordStore {
  /** For large calls; null: none can be had, and all are read here. */
  readonly startThread: StartThread | null;
}

/** In milliseconds. */
const usualTimes = {
  /** Calls that end together are stored together. */
  gatherMs: 25,
  /** Counts are stored so often, which also finds out that storage is back. */
  flushMs: 1000,
  drainMs: 5000,
};

export function createRecorder(
  { startThread, ...store }: RecorderDeps,
  times = usualTimes,
): Recorder {
  const { log } = store.ctx;
  const state = createStorageState(log);
  const counts = createCallCounts(store, state, times.flushMs);
  const looks = createAfterLooks();
  const queue = createCallQueue();
  const inThread = createReadInThread(store.ctx, startThread);
  const behind = createWriteBehind({ store, queue, state, inThread, gatherMs: times.gatherMs });
  let dropped = 0;

  function push(captured: Captured, drop: Drop): void {
    if (queue.push(captured)) behind.begin();
    else {
      dropped++;
      drop();
    }
  }

  return {
    note(captured) {
      try {
        const drop = counts.count(captured.route, captured.verification);
        if (!looks.take(captured, (done) => push(done, drop))) push(captured, drop);
      } catch (error) {
        log.error({ err: error }, 'a call of the gateway could not be taken for its record');
      }
    },
    count: (route, verification) => void counts.count(route, verification),
    noteAsked: (call) => behind.noteAsked(call),
    isAway: () => state.isAway,
    async drain() {
      counts.stop();
      const end = delay(times.drainMs, undefined, { ref: false });
      await Promise.race([looks.settled(), delay(times.drainMs / 2, undefined, { ref: false })]);
      looks.release();
      await Promise.race([behind.finish().then(() => counts.flush()), end]);
    },
    get stats() {
      return { ...behind.counts, dropped, queued: queue.size, queuedBytes: queue.bytes };
    },
  };
}
