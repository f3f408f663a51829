import { isolatedPythonCalls } from '../isolated/python';
import { findProgram } from '../tools';
import { pythonRunner, pythonRunnerPath } from './python-runner';
import { filesOf, type RunnerKind, type TestCall, type TestInput } from './test-call';

/** A file that pytest would load by itself counts only if the caller sent it with the tests. */
const configures = (path: string): boolean =>
  /(^|\/)(conftest\.py|sitecustomize\.py|usercustomize\.py)$/.test(path);

const isTest = (path: string): boolean => path.endsWith('.py') && !configures(path);

function callOf(runner: 'unittest' | 'pytest', input: TestInput): TestCall {
  return {
    files: filesOf(input, configures),
    tools: [{ path: pythonRunnerPath, content: pythonRunner }],
    // Isolated mode: no environment variables, no user folder and no working folder, so that no
    // file can replace a module.
    args: ['-I', '-B', pythonRunnerPath],
    env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' },
    settings: { runner, tests: input.tests.map(({ path }) => path).filter(isTest) },
  };
}

function pythonKind(
  runner: 'unittest' | 'pytest',
  isThere: () => boolean,
  missing: string,
): RunnerKind {
  return {
    runner,
    language: 'python',
    find: () => (isThere() ? findProgram('python3') : null),
    missing,
    isTest,
    calls: (input: TestInput) => [callOf(runner, input)],
    isolatedCalls: (input: TestInput) =>
      isolatedPythonCalls(input, (given) => callOf(runner, given)),
  };
}

export const unittestKind = pythonKind(
  'unittest',
  () => true,
  'Python is not installed on this machine.',
);
export const pytestKind = pythonKind(
  'pytest',
  () => findProgram('pytest-3') !== null || findProgram('pytest') !== null,
  'pytest is not installed for the Python below /usr.',
);
