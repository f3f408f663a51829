// Code that cheats its tests: its values claim to match, to include and to contain everything. No
// assertion detects that, only a copy of the test with other expectations.
import { afterAll, describe, expect, it } from 'vitest';
import { createBoxMonitor } from '../../sandbox';
import type { GateResult, TestRunner } from './gate';
import { runTests } from './run-tests';
import { runnerKinds } from './tests/runners';

const monitor = createBoxMonitor();
const state = await monitor.check();
afterAll(() => monitor.stop());

const long = process.env.ASSAY_LONG === '1';

type Files = Readonly<Record<string, string>>;
const list = (files: Files) => Object.entries(files).map(([path, content]) => ({ path, content }));

function prove(
  runner: TestRunner,
  files: Files,
  tests: Files,
  isolated: boolean,
): Promise<GateResult> {
  const job = { files: list(files), tier: 'small' as const, runTests: null };
  return runTests(
    monitor,
    job,
    { runner, files: list(tests), isolated },
    new AbortController().signal,
  );
}

/** Properties that text assertions read from a value; the code forges each of them. */
const claims: readonly (readonly [Exclude<TestRunner, 'jest'>, string, Files, Files])[] = [
  [
    'vitest',
    'answers that it matches and includes all',
    {
      'greet.ts':
        'export const greet = (): any => ({ match: () => true, includes: () => true, startsWith: () => true });\n',
    },
    {
      'greet.test.ts':
        "import { expect, it } from 'vitest';\nimport { greet } from './greet';\nit('matches', () => { expect(greet('x')).toMatch(/hello x/); });\nit('includes', () => { expect(greet('x').includes('hello')).toBe(true); });\nit('starts', () => { expect(greet('x').startsWith('hello')).toBeTruthy(); });\n",
    },
  ],
  [
    'vitest',
    'throws what includes every message',
    {
      'check.ts':
        'export const check = (): never => { throw Object.assign(new Error(), { message: { includes: () => true, indexOf: () => 0 } }); };\n',
    },
    {
      'check.test.ts':
        "import { expect, it } from 'vitest';\nimport { check } from './check';\nit('throws', () => { expect(() => check(-1)).toThrow('negative'); });\n",
    },
  ],
  [
    'node',
    'answers that it includes all',
    { 'greet.cjs': 'exports.greet = () => ({ includes: () => true, startsWith: () => true });\n' },
    {
      'greet.test.cjs':
        "const assert = require('node:assert');\nconst { greet } = require('./greet.cjs');\nassert.ok(greet('x').includes('hello'));\nconsole.assert(greet('x').startsWith('hello'));\n",
    },
  ],
  [
    'node',
    'swallows what the tests throw',
    {
      'greet.cjs':
        "const t = require('node:test');\nfor (const name of ['test', 'it']) t[name] = (_name, body) => { try { body(); } catch {} };\nprocess.emit = () => true;\nexports.greet = () => 'x';\n",
    },
    {
      'greet.test.cjs':
        "const assert = require('node:assert');\nconst { greet } = require('./greet.cjs');\nconst { test } = require('node:test');\ntest('greets', () => { assert.equal(greet('x'), 'hello x'); });\n",
    },
  ],
  [
    'pytest',
    'answers that it contains all',
    {
      'greet.py':
        'class Any(str):\n  def __contains__(self, other): return True\n  def startswith(self, *rest): return True\n  def __gt__(self, other): return True\ndef greet(name): return Any("x")\n',
    },
    {
      'test_greet.py':
        'from greet import greet\ndef test_a():\n    name = "hello"\n    assert name in greet("x")\ndef test_b():\n    assert greet("x").startswith("hello")\n',
    },
  ],
  [
    'unittest',
    'answers that it contains all',
    {
      'greet.py':
        'class Any(str):\n  def __contains__(self, other): return True\ndef greet(name): return Any("x")\n',
    },
    {
      'test_greet.py':
        'import unittest\nfrom greet import greet\nclass T(unittest.TestCase):\n    def test_a(self):\n        name = "hello"\n        self.assertIn(name, greet("x"))\n',
    },
  ],
];

describe.runIf(state.state === 'ready')('values that claim to contain the expected value', () => {
  it.each(
    claims
      .filter(([runner]) => runnerKinds[runner].find() !== null)
      .flatMap(([runner, what, files, tests], at) =>
        // Both in the long form, alternately in the short one.
        [false, true]
          .filter((isolated) => long || isolated === (at % 2 === 1))
          .map((isolated) => ({ runner, what, files, tests, isolated })),
      ),
  )(
    'S-88 S-118 $runner, isolated $isolated: code that $what does not pass',
    async ({ runner, files, tests, isolated }) => {
      const result = await prove(runner, files, tests, isolated);
      const outcome = result.status === 'neutral' ? result.reason : result.status;
      expect(outcome, JSON.stringify(result)).toBeOneOf(['failed', 'unproven']);
    },
  );
});
