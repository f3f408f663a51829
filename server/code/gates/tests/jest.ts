import type { GateFile } from '../gate';
import { isolatedScriptCalls } from '../isolated/script';
import { jestRunner, jestRunnerPath } from './jest-runner';
import { filesOf, type RunnerKind, type TestCall, type TestInput } from './test-call';
import { isOwnSetting, settingsOf, withPackages } from './vitest';

const isTest = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path) && !isOwnSetting(path);

function callOf(input: TestInput, tests: readonly GateFile[]): TestCall {
  return {
    files: filesOf(input, isOwnSetting),
    tools: [{ path: jestRunnerPath, content: jestRunner }],
    args: [jestRunnerPath],
    env: { NODE_ENV: 'test', CI: 'true', NO_COLOR: '1' },
    settings: settingsOf(tests),
  };
}

export const jestKind: RunnerKind = {
  runner: 'jest',
  language: 'typescript',
  find: () => withPackages('jest'),
  missing: 'Jest is not installed next to Assay.',
  isTest,
  calls(input) {
    const tests = input.tests.filter(({ path }) => isTest(path));
    if (tests.length === 0) return [];
    return [callOf(input, tests)];
  },
  isolatedCalls: (input) =>
    isolatedScriptCalls(input, {
      runner: 'jest',
      isTest,
      leaveOut: isOwnSetting,
      callOf: (given, test) => callOf(given, [test]),
    }),
};
