// What runs in a box, under what, and how it ended.

export interface BoxFile {
  /** Relative to the box's folder; see `faultOfPaths`. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /**
   * The code in the box can neither change nor replace it: it and its folders are mounts of their
   * own.
   */
  readonly locked?: boolean;
}

/**
 * What a box may use. Shipped values in `defaultLimits`; a tenant may lower them, only the operator
 * raises them.
 */
export interface BoxLimits {
  /** Milliseconds from the start to the kill. */
  readonly wallMs: number;
  /** Bytes that all processes hold together, with what is in the box's file systems. */
  readonly memoryBytes: number;
  /** Processes and threads at one time. */
  readonly tasks: number;
  /** Bytes kept of standard output and standard error together; the next one ends the run. */
  readonly outputBytes: number;
  /** Bytes of the working folder; /tmp gets half of it. */
  readonly diskBytes: number;
  /** Files and folders in the box's file systems. */
  readonly fileCount: number;
}

const mib = 1024 * 1024;

/** Measured: a test runner of TypeScript alone uses 37 tasks, a compiler of Go 104 MiB. */
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
  /** Files outside of the working folder, by absolute path; read-only, as the whole root is. */
  readonly tools?: readonly { readonly path: string; readonly content: string }[];
  /** Absolute path of the program inside the box, then its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Folders of this machine, read-only: never one that a stranger can write to. */
  readonly binds?: readonly { readonly from: string; readonly to: string }[];
  /** Folders that are searched before /usr/bin. */
  readonly path?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the program reads once from standard input; without it /dev/null. */
  readonly input?: string;
  /** Whether descriptor 3 takes a report: at most `outputBytes`, apart from the output. */
  readonly report?: boolean;
  /** Whether descriptor 5 is a socket that leads to the other box of a pair. */
  readonly link?: boolean;
  readonly limits?: Partial<BoxLimits>;
}

/**
 * How a run ended, each distinguished from the others:
 * - `exit`: the program ended by itself, `exitCode` is its own;
 * - `signal`: a signal that did not come from here ended it, `exitCode` is 128 + the signal;
 * - `timeout`, `memory`, `output`: stopped at that limit;
 * - `setup`: the box could not be made; the program never began;
 * - `interrupted`: the caller gave up, or the box's own process was killed from outside.
 */
export type BoxEnd = 'exit' | 'signal' | 'timeout' | 'memory' | 'output' | 'setup' | 'interrupted';

export interface BoxResult {
  readonly end: BoxEnd;
  readonly exitCode: number | null;
  /** Bytes as written, cut at the cap. Not necessarily UTF-8. */
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** What came through descriptor 3. */
  readonly report: Buffer;
  readonly durationMs: number;
  /** The most memory seen, in bytes; 0 when the run was shorter than the first look. */
  readonly peakBytes: number;
  /** For `setup`: what the launcher said. Null for all other ends. */
  readonly fault: string | null;
  /**
   * The user that the box ran as on this machine; null when the run was shorter than the first
   * look.
   */
  readonly hostUid?: number | null;
  readonly limits: BoxLimits;
}
