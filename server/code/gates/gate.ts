// The result of a proof gate, for verifiers, pages and the HTTP API (QEL-20, QEL-27 to QEL-34).
import type { GateLanguage, ModelTier } from '../../domain';

/**
 * - `passed`, `failed`: the tool exited by itself with that result.
 * - `neutral`: the environment allows no result, as with a missing toolchain (QEL-28, QEL-30): no
 * points either way.
 * - `timeout`: stopped at the deadline of the tier; no points, no compile cap (QEL-31).
 * - `not_run`: no sandbox for foreign code, or the sandbox failed or was interrupted; neither pass
 * nor fail, excluded from rates.
 */
export const gateStatuses = ['passed', 'failed', 'neutral', 'timeout', 'not_run'] as const;
export type GateStatus = (typeof gateStatuses)[number];

/**
 * - `in_process`: tests and code share a process. A pass counts only if mutants of the tests fail
 * (`mutants/`), which detects code that forges passes without knowing the right answers.
 * - `isolated`: each has a sandbox, and values pass between them as data.
 */
export const gateEvidence = ['in_process', 'isolated'] as const;
export type GateEvidence = (typeof gateEvidence)[number];

/** The isolation of the sandbox: namespaces and filter by bubblewrap, or none. */
export type BoxTier = 'bubblewrap' | 'none';

/** The evidence that a gate ran, and its limits. */
export interface GateReceipt {
  /** The arguments as started inside the box. */
  readonly argv: readonly string[];
  /** First line of the tool's version output; null if it was never requested. */
  readonly toolchain: string | null;
  /** The end of the sandbox: the tool's own exit, or the limit that stopped it. */
  readonly end: 'exit' | 'signal' | 'timeout' | 'memory' | 'output' | 'setup' | 'interrupted';
  readonly exitCode: number | null;
  /**
   * SHA-256 (hex) of the tool's output, standard output first; of the kept part if it was
   * truncated.
   */
  readonly outputHash: string;
  /** SHA-256 (hex) of the input files: path and content of each, in the order of paths. */
  readonly filesHash: string;
  readonly limits: {
    readonly wallMs: number;
    readonly memoryBytes: number;
    readonly tasks: number;
    readonly outputBytes: number;
    readonly diskBytes: number;
  };
  readonly box: BoxTier;
}

/** The results of the tests, if the gate is a test run. */
export interface GateTests {
  /** Ids that had to run, as listed before the run. */
  readonly expected: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** First line of each failure, the first 20. */
  readonly failures: readonly { readonly id: string; readonly message: string }[];
}

export interface GateResult {
  /** As in QEL-27, for people; `receipt.argv` has the actual command. */
  readonly command: string;
  readonly language: GateLanguage;
  readonly status: GateStatus;
  /** Null if the tool did not exit by itself. */
  readonly exitCode: number | null;
  /**
   * The tool's standard error, or its standard output if it reports there. At most 8,192
   * characters, well-formed, without NUL.
   */
  readonly stderr: string;
  readonly durationMs: number;
  /** Tier of the model, which sets the gate's deadline (QEL-23). */
  readonly tier: ModelTier;
  /** A failed `compile` caps the total, a failed `test` does not (QEL-20). */
  readonly kind: 'compile' | 'test';
  /** Why it is not `passed`: one sentence for people, or the word `unproven`; null if it is. */
  readonly reason: string | null;
  /** The observed facts, as a sentence, if the reason is `unproven`; else null. */
  readonly explanation: string | null;
  /**
   * The evidence of a test run; null for compile gates, and if tests could not be isolated as
   * requested.
   */
  readonly evidence: GateEvidence | null;
  /** Null if nothing was started. */
  readonly receipt: GateReceipt | null;
  /** Null for compile gates, and without a report. */
  readonly tests: GateTests | null;
}

/** The runner of the caller's tests (api.md, `run_tests`). */
export const testRunners = ['node', 'unittest', 'pytest', 'vitest', 'jest'] as const;
export type TestRunner = (typeof testRunners)[number];

export interface GateFile {
  /** Relative, with forward slashes; checked again before it reaches a sandbox. */
  readonly path: string;
  readonly content: string;
}

/** Tests from the caller. */
export interface TestRequest {
  readonly runner: TestRunner;
  readonly files: readonly GateFile[];
  /**
   * Requires separate sandboxes for tests and code (S-88); `neutral` if the tests cannot be run so.
   */
  readonly isolated?: boolean;
}

/** The code to prove. */
export interface GateJob {
  readonly files: readonly GateFile[];
  readonly tier: ModelTier;
  readonly runTests: TestRequest | null;
  /**
   * Same commands under a tighter deadline, and no tests: for the middle of an agent's work
   * (QEL-33).
   */
  readonly micro?: boolean;
}

/**
 * Runs all gates of a job in sequence: one for each language of the files, then the tests. Without
 * a sandbox each is `not_run`, with the reason and the fix. Never throws because of foreign code.
 */
export type RunGates = (job: GateJob, signal: AbortSignal) => Promise<readonly GateResult[]>;
