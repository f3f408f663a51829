import { nodeInBox } from '../../../sandbox';
import type { GateFile } from '../gate';
import { isolatedScriptCalls } from '../isolated/script';
import { boxPackageBinds } from '../tools';
import { nodeRunner, nodeRunnerPath } from './node-runner';
import { filesOf, type RunnerKind, type TestCall, type TestInput } from './test-call';

/** A module that imports `assert` as a function bypasses the count. */
function callsUncounted({ content }: GateFile): boolean {
  return (
    /^\s*import\s[^;]{0,300}\bfrom\s*['"](?:node:)?assert(?:\/strict)?['"]/m.test(content) &&
    /\bassert\s*\(/.test(content)
  );
}

const isTest = (path: string): boolean => /\.[cm]?js$/.test(path);

function callOf(input: TestInput, test: GateFile): TestCall {
  return {
    files: filesOf(input),
    tools: [{ path: nodeRunnerPath, content: nodeRunner }],
    args: [
      '--no-warnings',
      '--unhandled-rejections=strict',
      '--require',
      nodeRunnerPath,
      `./${test.path}`,
    ],
    env: {},
    settings: { test: test.path, mayCountNothing: callsUncounted(test) },
  };
}

/** Each test file is a script that runs to its end in a separate sandbox. */
export const nodeKind: RunnerKind = {
  runner: 'node',
  language: 'typescript',
  find() {
    const { program, binds } = nodeInBox();
    return {
      program,
      args: [],
      binds: [...binds, ...boxPackageBinds()],
      versionArgs: ['--version'],
    };
  },
  missing: 'Node is not there.',
  isTest,
  calls: (input) =>
    input.tests.filter(({ path }) => isTest(path)).map((test) => callOf(input, test)),
  isolatedCalls: (input) =>
    isolatedScriptCalls(input, { runner: 'node', isTest, leaveOut: () => false, callOf }),
};
