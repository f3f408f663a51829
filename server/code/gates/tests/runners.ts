import type { TestRunner } from '../gate';
import { jestKind } from './jest';
import { nodeKind } from './node';
import { pytestKind, unittestKind } from './python';
import type { RunnerKind } from './test-call';
import { vitestKind } from './vitest';

/** A runner is one file of its folder and one entry here. */
export const runnerKinds: Readonly<Record<TestRunner, RunnerKind>> = {
  node: nodeKind,
  unittest: unittestKind,
  pytest: pytestKind,
  vitest: vitestKind,
  jest: jestKind,
};
