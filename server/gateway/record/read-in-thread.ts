import type { Ctx } from '../../platform';
import type { Captured } from '../proxy/captured';
import { createThread, share, type StartThread } from '../thread';
import { asCall, callDataOf, type ReadCall } from './read-captured';
import type { RecordOrder, RecordReport } from './record-thread';

/**
 * Bytes of request and answer from which on a call is read in a thread: reading them here would
 * keep the loop for half a millisecond.
 */
const BYTES_THERE = 32 * 1024;
const READ_MAX_MS = 30_000;

/** Reads large calls in another thread than the event loop. */
export interface ReadInThread {
  /** Whether a call with so many bytes is one for it. */
  takes(bytes: number): boolean;
  /**
   * Copies the bytes, for they may be on their way to the client still. @throws Error for what
   * cannot be read
   */
  read(captured: Captured): Promise<ReadCall>;
}

/** `startThread` null: no thread can be had, and nothing is read elsewhere. */
export function createReadInThread(
  ctx: Pick<Ctx, 'clock' | 'log'>,
  startThread: StartThread | null,
): ReadInThread {
  if (startThread === null)
    return { takes: () => false, read: () => Promise.reject(new Error('there is no thread')) };
  const thread = createThread<RecordOrder, RecordReport>(ctx, () => startThread('records'));

  function ask(captured: Captured): Promise<RecordReport | null> {
    const { opening, body } = captured.unread();
    const { chunks, ...facts } = callDataOf(captured);
    const order = { opening, body: share([body]), data: { ...facts, answer: share(chunks) } };
    return thread.ask(order, READ_MAX_MS);
  }

  return {
    takes: (bytes) => bytes > BYTES_THERE,
    async read(captured) {
      // The thread may have died of another call: once more in a new one.
      const report = (await ask(captured)) ?? (await ask(captured));
      if (report?.read == null)
        throw new Error(report?.problem ?? 'the thread that reads calls broke');
      return asCall(ctx, captured, report.read);
    },
  };
}
