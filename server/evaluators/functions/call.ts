import type { FunctionScore, FunctionValue } from './outcome';

export type { FunctionScore, FunctionValue };

/** A function that a user wrote. */
export interface FunctionSource {
  readonly language: 'python' | 'javascript';
  readonly source: string;
  /** Milliseconds that one subject may take. */
  readonly timeoutMs: number;
}

/** The arguments that one subject has for a function. */
export interface FunctionArguments {
  /** The value for a parameter of this name, as JSON; undefined if there is none. */
  readonly valueOf: (name: string) => unknown;
  /** The names that a parameter for all others gets (`**kwargs`, `...rest`). */
  readonly names: readonly string[];
}

/** The result for one subject. */
export type FunctionOutcome =
  | (FunctionValue & {
      readonly state: 'returned';
      /** The function's output, at most 8,192 bytes of it. */
      readonly stdout: string;
      readonly durationMs: number;
    })
  | FunctionFault;

export interface FunctionFault {
  readonly state: 'failed';
  /** For the author: the last line of the traceback, or a description of the failure. */
  readonly reason: string;
  /** Line of the source, from 1; null if it is unknown. */
  readonly line: number | null;
  readonly stdout: string;
  /** Null if the function did not end by itself. */
  readonly durationMs: number | null;
}

/** A parameter of `evaluate`. */
export interface FunctionParameter {
  readonly name: string;
  /** It has no default. */
  readonly required: boolean;
}

/** The result of loading a source. */
export interface LoadedFunction {
  readonly state: 'loaded';
  readonly parameters: readonly FunctionParameter[];
  /** It also takes all other values. */
  readonly takesAll: boolean;
}

/** Why a source cannot be loaded. */
export interface LoadFault {
  readonly state: 'fault';
  /**
   * `syntax`, `load` (its top level failed) and `signature` are faults of the source; `sandbox`:
   * nothing was run.
   */
  readonly cause: 'syntax' | 'load' | 'signature' | 'sandbox';
  readonly message: string;
  readonly line: number | null;
}

/** Runs the functions of one project. */
export interface RunFunctions {
  /** Loads a source without calling it. Never throws because of the source. */
  load(source: FunctionSource, signal: AbortSignal): Promise<LoadedFunction | LoadFault>;
  /**
   * Calls a function once for each subject, in a process that it shares with other calls of the
   * same function. Never throws because of the source.
   * @returns an outcome for each subject, in order
   * @throws Error if `signal` fires first
   */
  run(
    source: FunctionSource,
    subjects: readonly FunctionArguments[],
    signal: AbortSignal,
  ): Promise<readonly FunctionOutcome[]>;
}

/** The functions of all projects, for the worker that owns the sandboxes. */
export interface FunctionRunner {
  forProject(projectId: string): RunFunctions;
  /** Ends all processes; their subjects fail. */
  close(): void;
}
