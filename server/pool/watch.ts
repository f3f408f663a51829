/**
 * Progress of a pool thread in shared memory, so that the process can report what a thread was
 * doing when it had to be terminated.
 */

const HEADER_BYTES = 16;
const SUBJECT_BYTES = 2_048;
const PART_BYTES = 512;
/** Index of each number of the header. */
const THREAD_ID = 0;
const SEQUENCE = 1;
const SUBJECT_LENGTH = 2;
const PART_LENGTH = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A thread's progress as read by its process. */
export interface WatchedTask {
  /** The operating system's thread id; 0 until the thread runs. */
  readonly threadId: number;
  /** Incremented with each subject, for which CPU time restarts at 0. */
  readonly sequence: number;
  /** As given to `begin`, or null. */
  readonly subject: unknown;
  /** The last part that was entered, for logs. Empty before the first. */
  readonly part: string;
}

export function createWatchMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + SUBJECT_BYTES + PART_BYTES);
}

/**
 * Reads without a lock: exact once the thread has exited or is stuck, the only cases in which it is
 * needed.
 */
export function readWatch(memory: SharedArrayBuffer): WatchedTask {
  const header = new Int32Array(memory, 0, HEADER_BYTES / 4);
  const subject = textAt(memory, HEADER_BYTES, header[SUBJECT_LENGTH] ?? 0);
  return {
    threadId: header[THREAD_ID] ?? 0,
    sequence: header[SEQUENCE] ?? 0,
    subject: subject === '' ? null : (JSON.parse(subject) as unknown),
    part: textAt(memory, HEADER_BYTES + SUBJECT_BYTES, header[PART_LENGTH] ?? 0),
  };
}

/** Reads only the numbers, which are polled for every busy thread every few milliseconds. */
export function readProgress(
  memory: SharedArrayBuffer,
): Pick<WatchedTask, 'threadId' | 'sequence'> {
  const header = new Int32Array(memory, 0, 2);
  return { threadId: header[THREAD_ID] ?? 0, sequence: header[SEQUENCE] ?? 0 };
}

/** The thread's side of the progress memory. */
export interface WatchWriter {
  start(threadId: number): void;
  /** `subject` may have at most 2 KiB as JSON; a larger one is not recorded. */
  begin(subject: unknown): void;
  enter(part: string): void;
}

export function writeWatch(memory: SharedArrayBuffer): WatchWriter {
  const header = new Int32Array(memory, 0, HEADER_BYTES / 4);
  const write = (text: string, at: number, max: number, lengthAt: number): void => {
    // The encoder cannot write to shared memory.
    const bytes = encoder.encode(text.length > max ? '' : text);
    const fits = bytes.length <= max ? bytes : bytes.subarray(0, 0);
    new Uint8Array(memory, at, max).set(fits);
    header[lengthAt] = fits.length;
  };
  return {
    start(threadId) {
      header[THREAD_ID] = threadId;
    },
    begin(subject) {
      write(
        subject === null ? '' : JSON.stringify(subject),
        HEADER_BYTES,
        SUBJECT_BYTES,
        SUBJECT_LENGTH,
      );
      header[PART_LENGTH] = 0;
      header[SEQUENCE] = ((header[SEQUENCE] ?? 0) + 1) | 0;
    },
    enter(part) {
      write(part.slice(0, PART_BYTES / 4), HEADER_BYTES + SUBJECT_BYTES, PART_BYTES, PART_LENGTH);
    },
  };
}

function textAt(memory: SharedArrayBuffer, at: number, length: number): string {
  // A copy: the decoder refuses shared memory.
  return decoder.decode(new Uint8Array(memory, at, length).slice());
}
