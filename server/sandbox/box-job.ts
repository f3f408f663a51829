// A job for a box, its limits and its result.
import type { Writable } from 'node:stream';

export interface BoxFile {
  /** Relative to the box's folder; see `faultOfPaths`. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /**
   * Whether code in the box can neither change nor replace it: the file and its folders are then
   * separate mounts.
   */
  readonly locked?: boolean;
}

/**
 * Limits of a box, with defaults in `defaultLimits`. A tenant may lower them; only the operator can
 * raise them.
 */
export interface BoxLimits {
  /** Milliseconds from the start to the kill. */
  readonly wallMs: number;
  /** Bytes of all processes together, including the box's file systems. */
  readonly memoryBytes: number;
  /** Maximum number of concurrent processes and threads. */
  readonly tasks: number;
  /** Bytes kept of standard output and error together; the next byte ends the run. */
  readonly outputBytes: number;
  /** Bytes of the working folder; /tmp gets half of it. */
  readonly diskBytes: number;
  /** Files and folders in the box's file systems. */
  readonly fileCount: number;
}

const mib = 1024 * 1024;

/** Measured: a TypeScript test runner alone uses 37 tasks, a Go compiler 104 MiB. */
export const defaultLimits: BoxLimits = {
  wallMs: 60_000,
  memoryBytes: 1024 * mib,
  tasks: 128,
  outputBytes: mib,
  diskBytes: 256 * mib,
  fileCount: 65_536,
};

export interface BoxJob {
  readonly files: readonly BoxFile[];
  /** Files outside the working folder, by absolute path; read-only, like the whole root. */
  readonly tools?: readonly { readonly path: string; readonly content: string }[];
  /** Absolute path of the program inside the box, then its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Folders of this machine, read-only: never one that an untrusted user can write to. */
  readonly binds?: readonly { readonly from: string; readonly to: string }[];
  /** Folders searched before /usr/bin. */
  readonly path?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input of the program; /dev/null if undefined. */
  readonly input?: string;
  /** Whether descriptor 3 accepts a report of at most `outputBytes`, in addition to the output. */
  readonly report?: boolean;
  /** Whether descriptor 5 is a socket to the other box of a pair. */
  readonly link?: boolean;
  readonly limits?: Partial<BoxLimits>;
}

/** Talks to a program while it runs: its input stays open, and its report arrives in parts. */
export interface BoxStream {
  /**
   * Called once, when the program is being started, with its standard input. A write to a program
   * that has exited is ignored.
   */
  readonly started: (input: Writable) => void;
  /** A part of the report. It is neither kept in the result nor counted as output. */
  readonly report: (part: Buffer) => void;
}

/**
 * The end of a run:
 * - `exit`: the program exited by itself, `exitCode` is its own;
 * - `signal`: a signal from inside ended it, `exitCode` is 128 + the signal;
 * - `timeout`, `memory`, `output`: stopped at that limit;
 * - `setup`: the box could not be created; the program never started;
 * - `interrupted`: the caller aborted, or the box's own process was killed from outside.
 */
export type BoxEnd = 'exit' | 'signal' | 'timeout' | 'memory' | 'output' | 'setup' | 'interrupted';

export interface BoxResult {
  readonly end: BoxEnd;
  readonly exitCode: number | null;
  /** Bytes as written, truncated at the cap; they may not be UTF-8. */
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** The report from descriptor 3. */
  readonly report: Buffer;
  readonly durationMs: number;
  /** Peak memory in bytes; 0 if the run was shorter than the first check. */
  readonly peakBytes: number;
  /** For `setup`: the launcher's message. Null otherwise. */
  readonly fault: string | null;
  /** The user of the box on this machine; null if the run was shorter than the first check. */
  readonly hostUid?: number | null;
  readonly limits: BoxLimits;
}
