import type { Captured } from '../proxy/captured';

/** Limits of the queue; calls beyond them are counted but leave no row. */
const CALLS_MAX = 10_000;
const BYTES_MAX = 64 * 1024 * 1024;

/** A queued call and its size. */
interface Waiting {
  readonly captured: Captured;
  readonly bytes: number;
}

/** Calls waiting to be stored, oldest first. */
export interface CallQueue {
  /** False if the queue is full. */
  push(captured: Captured): boolean;
  shift(): Waiting | undefined;
  readonly size: number;
  readonly bytes: number;
}

export function createCallQueue(): CallQueue {
  const calls: Waiting[] = [];
  let bytes = 0;
  return {
    push(captured) {
      const size = captured.chunks.reduce(
        (sum, chunk) => sum + chunk.length,
        captured.requestBytes,
      );
      if (calls.length >= CALLS_MAX || bytes + size > BYTES_MAX) return false;
      calls.push({ captured, bytes: size });
      bytes += size;
      return true;
    },
    shift() {
      const next = calls.shift();
      bytes -= next?.bytes ?? 0;
      return next;
    },
    get size() {
      return calls.length;
    },
    get bytes() {
      return bytes;
    },
  };
}
