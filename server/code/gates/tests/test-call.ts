import type { BoxFile } from '../../../sandbox';
import type { GateLanguage } from '../../../domain';
import type { CodeFile, TestRunner } from '../gate';
import type { Tool } from '../tools';

export interface TestInput {
  /** The code under test. */
  readonly files: readonly CodeFile[];
  /** What the caller sent along: the only files that may configure the runner. */
  readonly tests: readonly CodeFile[];
}

/** One run in a box of its own. */
export interface TestCall {
  readonly files: readonly BoxFile[];
  readonly tools: readonly { readonly path: string; readonly content: string }[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Given to the runner as JSON by standard input, with the nonce: `{"nonce", …}`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** One run in two boxes: the tests in one, the code that they call in the other. */
export interface IsolatedCall {
  readonly tests: TestCall;
  readonly code: TestCall;
}

export interface RunnerKind {
  readonly runner: TestRunner;
  readonly language: GateLanguage;
  find(): Tool | null;
  readonly missing: string;
  /** Whether a file that came with the tests is run as a test. */
  readonly isTest: (path: string) => boolean;
  /** One call for all files, or one for each. */
  calls(input: TestInput): readonly TestCall[];
  /**
   * For tests that are isolated from the code, in the same way; a sentence where these cannot be.
   */
  isolatedCalls(input: TestInput): readonly IsolatedCall[] | string;
}

/**
 * Tests are in the box as they came, and can be neither changed nor replaced there; they win over
 * a file of the same name.
 */
export function filesOf(
  { files, tests }: TestInput,
  leaveOut: (path: string) => boolean = () => false,
): readonly BoxFile[] {
  const taken = new Set(tests.map(({ path }) => path));
  const code = files.filter(({ path }) => !taken.has(path) && !leaveOut(path));
  return [...code, ...tests.map((file) => ({ ...file, locked: true }))];
}
