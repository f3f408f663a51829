// What a proof gate came to, as verifiers, pages and the HTTP API read it (QEL-20, QEL-27 to
// QEL-34).
import type { GateLanguage, ModelTier } from '../../domain';

/**
 * - `passed`, `failed`: the tool ran to its own end and said so.
 * - `neutral`: the environment cannot tell, as with a toolchain that is missing (QEL-28, QEL-30):
 *   no points either way.
 * - `timeout`: stopped at the deadline of the tier; no points, no compile cap (QEL-31).
 * - `not_run`: no box to run foreign code in, or the box broke or was interrupted; neither pass nor
 *   fail, excluded from rates.
 */
export const gateStatuses = ['passed', 'failed', 'neutral', 'timeout', 'not_run'] as const;
export type GateStatus = (typeof gateStatuses)[number];

/**
 * - `in_process`: tests and code share a process. A pass counts only when mutants of the tests fail
 *   (`mutants/`), which detects code that forges passes without knowing the right answers.
 * - `isolated`: they have a box each, and values pass between them as data.
 */
export const gateEvidence = ['in_process', 'isolated'] as const;
export type GateEvidence = (typeof gateEvidence)[number];

/** How strong the box was: namespaces and filter by bubblewrap, or none. */
export type BoxTier = 'bubblewrap' | 'none';

/** What proves that a gate ran, and under what. */
export interface GateReceipt {
  /** The arguments as started inside the box. */
  readonly argv: readonly string[];
  /** First line of what the tool says of its version; null when it was never asked. */
  readonly toolchain: string | null;
  /** How the box ended: the tool's own exit, or what stopped it. */
  readonly end: 'exit' | 'signal' | 'timeout' | 'memory' | 'output' | 'setup' | 'interrupted';
  readonly exitCode: number | null;
  /**
   * SHA-256 (hex) of what the tool wrote, standard output first; of what was kept where the cap cut
   * it.
   */
  readonly outputHash: string;
  /** SHA-256 (hex) of the files that went in: path and content of each, in the order of paths. */
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

/** What the tests came to, where the gate is a test run. */
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
  /** As QEL-27 writes it, for people; what ran is in `receipt.argv`. */
  readonly command: string;
  readonly language: GateLanguage;
  readonly status: GateStatus;
  /** Null when the tool did not end by itself. */
  readonly exitCode: number | null;
  /**
   * What the tool said: its standard error, or its output where it uses that. At most 8,192
   * characters, well-formed, without NUL.
   */
  readonly stderr: string;
  readonly durationMs: number;
  /** Tier of the model, whose deadline the gate ran under (QEL-23). */
  readonly tier: ModelTier;
  /** A failed `compile` caps the total, a failed `test` does not (QEL-20). */
  readonly kind: 'compile' | 'test';
  /** Why it is not `passed`: one sentence for people, or the word `unproven`; null when it is. */
  readonly reason: string | null;
  /** What was seen, as a sentence, where the reason is `unproven`; else null. */
  readonly explanation: string | null;
  /**
   * What a test run rests on; null for compile gates, and where tests could not be isolated as
   * asked.
   */
  readonly evidence: GateEvidence | null;
  /** Null when nothing was started. */
  readonly receipt: GateReceipt | null;
  /** Null for compile gates, and when no report came. */
  readonly tests: GateTests | null;
}

/** Who runs the tests that a caller sent along (api.md, `run_tests`). */
export const testRunners = ['node', 'unittest', 'pytest', 'vitest', 'jest'] as const;
export type TestRunner = (typeof testRunners)[number];

export interface CodeFile {
  /** Relative, with forward slashes; checked again before it reaches a box. */
  readonly path: string;
  readonly content: string;
}

/** Tests that a caller sent along. */
export interface TestRequest {
  readonly runner: TestRunner;
  readonly files: readonly CodeFile[];
  /** Asks for a box each for tests and code (S-88); `neutral` where the tests cannot be run so. */
  readonly isolated?: boolean;
}

/** What is to be proved. */
export interface GateJob {
  readonly files: readonly CodeFile[];
  readonly tier: ModelTier;
  readonly runTests: TestRequest | null;
  /**
   * Same commands under a tighter deadline, and no tests: for the middle of an agent's work
   * (QEL-33).
   */
  readonly micro?: boolean;
}

/**
 * Runs all gates of a job, one after another: a gate for each language that the files hold, then
 * the tests. Without a box each is `not_run`, with the reason and what to do. Never throws for what
 * foreign code does.
 */
export type RunGates = (job: GateJob, signal: AbortSignal) => Promise<readonly GateResult[]>;
