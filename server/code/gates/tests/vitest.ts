import { nodeInBox } from '../../../sandbox';
import type { GateFile } from '../gate';
import { isolatedScriptCalls } from '../isolated/script';
import { boxPackageBinds, findPackage, type Tool } from '../tools';
import { filesOf, type RunnerKind, type TestCall, type TestInput } from './test-call';
import { testTitles } from './titles';
import { vitestRunner, vitestRunnerPath, vitestSetup, vitestSetupPath } from './vitest-runner';

/**
 * Assay's own packages are bound under the name that module resolution expects; a link with another
 * name would break it.
 */
export function withPackages(name: string): Tool | null {
  const found = findPackage(name);
  if (found === null) return null;
  const node = nodeInBox();
  const packages = found.slice(0, found.lastIndexOf('/node_modules/') + '/node_modules'.length);
  return {
    program: node.program,
    args: [],
    binds: [...node.binds, { from: packages, to: '/box/node_modules' }, ...boxPackageBinds()],
    versionArgs: ['--version'],
  };
}

/**
 * Settings of the code that would be loaded, and packages of the code that would replace the bound
 * ones.
 */
export const isOwnSetting = (path: string): boolean =>
  /(^|\/)(node_modules\/|(vite|vitest|jest)\.(config|workspace|setup)\.|\.env|\.npmrc$|babel\.config\.|\.babelrc)/.test(
    path,
  );

const isTest = (path: string): boolean =>
  /\.[cm]?[jt]sx?$/.test(path) && /(^|[./_-])(test|spec)s?[./_-]/.test(path);

function callOf(input: TestInput, tests: readonly GateFile[]): TestCall {
  return {
    files: filesOf(input, isOwnSetting),
    tools: [
      { path: vitestRunnerPath, content: vitestRunner },
      { path: vitestSetupPath, content: vitestSetup },
    ],
    args: [vitestRunnerPath],
    env: { NODE_ENV: 'test', CI: 'true', NO_COLOR: '1', VITE_CJS_IGNORE_WARNING: '1' },
    settings: settingsOf(tests),
  };
}

/** The test files to run, and their expected tests. */
export const settingsOf = (tests: readonly GateFile[]): TestCall['settings'] => ({
  tests: tests.map(({ path }) => path),
  expected: tests.flatMap(({ path, content }) =>
    testTitles(content).map((title) => `${path}::${title}`),
  ),
});

export const vitestKind: RunnerKind = {
  runner: 'vitest',
  language: 'typescript',
  find: () => withPackages('vitest'),
  missing: 'Vitest is not installed next to Assay.',
  isTest,
  calls(input) {
    const tests = input.tests.filter(({ path }) => isTest(path));
    if (tests.length === 0) return [];
    return [callOf(input, tests)];
  },
  isolatedCalls: (input) =>
    isolatedScriptCalls(input, {
      runner: 'vitest',
      isTest,
      leaveOut: isOwnSetting,
      callOf: (given, test) => callOf(given, [test]),
    }),
};
