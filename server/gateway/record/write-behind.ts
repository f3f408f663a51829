import { setTimeout as delay } from 'node:timers/promises';
import { notifyChanged } from '../../platform';
import type { Captured } from '../proxy/captured';
import type { VerifierCall } from '../verify/judge';
import type { CallQueue } from './call-queue';
import { observeTurn } from './observe-turn';
import { createPace } from './pace';
import { type ReadCall, readCaptured } from './read-captured';
import type { ThreadReader } from './thread-reader';
import type { StorageState } from './storage-state';
import { type CallBatch, type RecordStore, storeBatch } from './store-batch';
import { reportSkipped } from './log-skipped';

const BATCH_CALLS = 200;
const BATCH_BYTES = 16 * 1024 * 1024;
/**
 * Characters of turns per statement, so that building it blocks the event loop for less than a
 * millisecond. A longer turn is stored alone.
 */
const STATEMENT_CHARS = 96 * 1024;
const VERIFIER_CALLS_MAX = 10_000;
const RETRY_MS = [200, 500, 1000, 2000] as const;

interface WriteBehindDeps {
  readonly store: RecordStore;
  readonly queue: CallQueue;
  readonly state: StorageState;
  readonly threadReader: ThreadReader;
  /** Calls that end within this time are stored together, in milliseconds. */
  readonly gatherMs: number;
}

/** Stores queued calls in batches, at a pace that keeps the event loop free for answers. */
export interface WriteBehind {
  /** Starts, unless already running. */
  begin(): void;
  /** Adds a verifier's HTTP call to the next batch; drops it beyond 10,000. */
  addVerifierCall(call: VerifierCall): void;
  /** Works without pauses from now on; resolves when the queue is empty. Never throws. */
  finish(): Promise<void>;
  readonly counts: { readonly recorded: number; readonly failed: number };
}

export function createWriteBehind({
  store,
  queue,
  state,
  threadReader,
  gatherMs,
}: WriteBehindDeps): WriteBehind {
  const pace = createPace();
  const counts: Counts = { recorded: 0, failed: 0 };
  let verifierCalls: VerifierCall[] = [];
  let working: Promise<void> | null = null;
  let isDraining = false;

  const yieldToCalls = (): Promise<void> => (isDraining ? Promise.resolve() : pace.yieldToCalls());

  async function takeBatch(): Promise<CallBatch> {
    const calls: (ReadCall | null)[] = [];
    const laterReads: Promise<ReadCall | null>[] = [];
    for (let bytes = 0; calls.length + laterReads.length < BATCH_CALLS && bytes < BATCH_BYTES; ) {
      const next = queue.shift();
      if (next === undefined) break;
      bytes += next.bytes;
      const { captured } = next;
      if (threadReader.accepts(next.bytes, captured.route.project.masks !== null))
        laterReads.push(readOne(store, counts, captured, () => threadReader.read(captured)));
      else {
        const read = () => readCaptured(store.ctx, captured, yieldToCalls);
        calls.push(await readOne(store, counts, captured, read));
      }
      await yieldToCalls();
    }
    const batch = {
      calls: [...calls, ...(await Promise.all(laterReads))].filter((call) => call !== null),
      verifierCalls,
    };
    verifierCalls = [];
    return batch;
  }

  async function work(): Promise<void> {
    await delay(isDraining ? 0 : gatherMs);
    while (queue.size > 0 || verifierCalls.length > 0) {
      for (const part of partsOf(await takeBatch())) {
        await storeWithRetries(store, state, counts, part);
        await yieldToCalls();
      }
    }
  }

  function begin(): void {
    working ??= work().finally(() => {
      working = null;
      if (queue.size > 0 || verifierCalls.length > 0) begin();
    });
  }

  return {
    begin,
    addVerifierCall(call) {
      if (verifierCalls.length >= VERIFIER_CALLS_MAX) return;
      verifierCalls.push(call);
      begin();
    },
    async finish() {
      isDraining = true;
      while (working !== null) await working;
    },
    counts,
  };
}

interface Counts {
  recorded: number;
  failed: number;
}

/** Null if the call cannot be parsed, because of a bug. */
async function readOne(
  { ctx, turns }: RecordStore,
  counts: Counts,
  captured: Captured,
  readIt: () => Promise<ReadCall>,
): Promise<ReadCall | null> {
  try {
    const read = observeTurn(turns, captured, await readIt());
    reportSkipped(ctx.log, captured, read);
    return read;
  } catch (error) {
    counts.failed++;
    ctx.log.error(
      { err: error, route: captured.route.name },
      'a call of the gateway could not be recorded',
    );
    return null;
  }
}

/** Each part becomes one statement. */
function partsOf({ calls, verifierCalls }: CallBatch): CallBatch[] {
  const parts: ReadCall[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const call of calls) {
    const turnChars = call.turn?.payloadBytes?.length ?? call.turn?.payload.length ?? 0;
    if (chars + turnChars > STATEMENT_CHARS) {
      parts.push([]);
      chars = 0;
    }
    parts.at(-1)?.push(call);
    chars += turnChars;
  }
  return [
    { calls: parts[0] ?? [], verifierCalls },
    ...parts.slice(1).map((part): CallBatch => ({ calls: part, verifierCalls: [] })),
  ];
}

/** Retries until storage accepts the batch, or the process ends. */
async function storeWithRetries(
  store: RecordStore,
  state: StorageState,
  counts: Counts,
  batch: CallBatch,
): Promise<void> {
  for (let attempts = 0; ; attempts++) {
    try {
      await storeBatch(store, batch);
      counts.recorded += batch.calls.length;
      for (const { projectId, masked } of batch.calls) store.noteMasked(projectId, masked);
      for (const { projectId } of batch.calls) notifyChanged(store.ctx, projectId, 'calls');
      state.recovered();
      return;
    } catch (error) {
      if (!state.isRetryable(error)) {
        counts.failed += batch.calls.length;
        store.ctx.log.error(
          { err: error, calls: batch.calls.length },
          'calls of the gateway could not be recorded',
        );
        return;
      }
      await delay(RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] ?? 0, undefined, {
        ref: false,
      });
    }
  }
}
