import type { Captured } from '../proxy/captured';

/** What waits at the most; what comes on top is counted, and leaves no row. */
const CALLS_MAX = 10_000;
const BYTES_MAX = 64 * 1024 * 1024;

/** A call that waits, with the bytes that it holds. */
interface Waiting {
  readonly captured: Captured;
  readonly bytes: number;
}

/** Calls that wait to be written, oldest first. */
export interface CallQueue {
  /** False: it is full, and the call was not taken. */
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
      const held = captured.chunks.reduce(
        (sum, chunk) => sum + chunk.length,
        captured.requestBytes,
      );
      if (calls.length >= CALLS_MAX || bytes + held > BYTES_MAX) return false;
      calls.push({ captured, bytes: held });
      bytes += held;
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
