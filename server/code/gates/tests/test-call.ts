import type { BoxFile } from '../../../sandbox';
import type { GateLanguage } from '../../../domain';
import type { GateFile, TestRunner } from '../gate';
import type { Tool } from '../tools';

export interface TestInput {
  /** The code under test. */
  readonly files: readonly GateFile[];
  /** The caller's files: the only files that may configure the runner. */
  readonly tests: readonly GateFile[];
}

/** One run in one sandbox. */
export interface TestCall {
  readonly files: readonly BoxFile[];
  readonly tools: readonly { readonly path: string; readonly content: string }[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Passed to the runner as JSON on standard input, with the nonce: `{"nonce", …}`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** One run in two sandboxes: the tests in one, the code that they call in the other. */
export interface IsolatedCall {
  readonly tests: TestCall;
  readonly code: TestCall;
}

export interface RunnerKind {
  readonly runner: TestRunner;
  readonly language: GateLanguage;
  find(): Tool | null;
  readonly missing: string;
  /** Whether a file of the caller is run as a test. */
  readonly isTest: (path: string) => boolean;
  /** One call for all files, or one for each. */
  calls(input: TestInput): readonly TestCall[];
  /** The same for tests isolated from the code; a sentence if these cannot be isolated. */
  isolatedCalls(input: TestInput): readonly IsolatedCall[] | string;
}

/**
 * Tests are in the sandbox unchanged, and can be neither changed nor replaced there; they override
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
