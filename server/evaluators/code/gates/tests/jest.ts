import { jestRunner, jestRunnerPath } from './jest-runner';
import { filesOf, onlyInProcess, type RunnerKind } from './test-call';
import { testTitles } from './titles';
import { isOwnSetting, withPackages } from './vitest';

const isTest = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path) && !isOwnSetting(path);

export const jestKind: RunnerKind = {
  runner: 'jest',
  language: 'typescript',
  find: () => withPackages('jest'),
  missing: 'Jest is not installed beside Assay.',
  isTest,
  calls(input) {
    const tests = input.tests.filter(({ path }) => isTest(path));
    if (tests.length === 0) return [];
    return [
      {
        files: filesOf(input, isOwnSetting),
        tools: [{ path: jestRunnerPath, content: jestRunner }],
        args: [jestRunnerPath],
        env: { NODE_ENV: 'test', CI: 'true', NO_COLOR: '1' },
        settings: {
          tests: tests.map(({ path }) => path),
          expected: tests.flatMap(({ path, content }) => testTitles(content).map((title) => `${path}::${title}`)),
        },
      },
    ];
  },
  isolatedCall: () => onlyInProcess,
};
