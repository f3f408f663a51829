import type { Ctx } from '../../platform';
import type { Captured } from '../proxy/captured';
import { createThread, share, type StartThread } from '../thread';
import { asCapturedCall, toCapturedCall, type ReadCall } from './read-captured';
import type { RecordOrder, RecordReport } from './record-thread';

/**
 * Larger calls are parsed in a thread: parsing them here would block the event loop for half a
 * millisecond.
 */
const THREAD_BYTES = 32 * 1024;
/** Masking a text costs several times as much as parsing it. */
const MASKED_THREAD_BYTES = 4 * 1024;
const READ_MAX_MS = 30_000;

/** Parses large calls in a thread. */
export interface ThreadReader {
  /** Whether calls of this size are parsed in the thread. */
  accepts(bytes: number, isMasked: boolean): boolean;
  /**
   * Copies the bytes, since they may still be on their way to the client. @throws Error if the call
   * cannot be parsed
   */
  read(captured: Captured): Promise<ReadCall>;
}

/** `startThread` is null if no thread is available; then the reader accepts no calls. */
export function createThreadReader(
  ctx: Pick<Ctx, 'clock' | 'log'>,
  startThread: StartThread | null,
): ThreadReader {
  if (startThread === null)
    return { accepts: () => false, read: () => Promise.reject(new Error('there is no thread')) };
  const thread = createThread<RecordOrder, RecordReport>(ctx, () => startThread('records'));

  function ask(captured: Captured): Promise<RecordReport | null> {
    const { opening, body } = captured.unread();
    const { chunks, ...facts } = toCapturedCall(captured);
    const order = { opening, body: share([body]), call: { ...facts, answer: share(chunks) } };
    return thread.ask(order, READ_MAX_MS);
  }

  return {
    accepts: (bytes, isMasked) => bytes > (isMasked ? MASKED_THREAD_BYTES : THREAD_BYTES),
    async read(captured) {
      // The thread may have crashed on another call: try once more in a new one.
      const report = (await ask(captured)) ?? (await ask(captured));
      if (report?.read == null)
        throw new Error(report?.problem ?? 'the thread that reads calls broke');
      return asCapturedCall(ctx, captured, report.read);
    },
  };
}
