// Test runs: honest ones, and a corpus of code that tries to pass without being correct. None of it
// may pass.
import { afterAll, describe, expect, it } from 'vitest';
import { reportSkipped } from '../../../testing/boxes';
import { firstOf } from '../../../testing/first-of';
import { createBoxMonitor } from '../../sandbox';
import type { GateResult, TestRunner } from './gate';
import { runTests } from './run-tests';
import { runnerKinds } from './tests/runners';

const monitor = createBoxMonitor();
const state = await monitor.check();
afterAll(() => monitor.stop());
if (state.state !== 'ready') reportSkipped(state.reason ?? '');

type Files = Readonly<Record<string, string>>;
const list = (files: Files) => Object.entries(files).map(([path, content]) => ({ path, content }));

function prove(runner: TestRunner, files: Files, tests: Files): Promise<GateResult> {
  const job = { files: list(files), tier: 'small' as const, runTests: null };
  return runTests(monitor, job, { runner, files: list(tests) }, new AbortController().signal);
}

const suites: Readonly<
  Record<
    Exclude<TestRunner, 'jest'>,
    { readonly tests: Files; readonly good: Files; readonly bad: Files }
  >
> = {
  unittest: {
    tests: {
      'tests/test_calc.py':
        'import unittest\nfrom calc import add\n\nclass AddTest(unittest.TestCase):\n    def test_small(self):\n        self.assertEqual(add(1, 2), 3)\n    def test_more(self):\n        self.assertEqual(add(2, 2), 4)\n',
    },
    good: { 'calc.py': 'def add(a, b): return a + b\n' },
    bad: { 'calc.py': 'def add(a, b): return 3\n' },
  },
  pytest: {
    tests: {
      'tests/test_calc.py':
        'import pytest\nfrom calc import add\n\ndef test_small():\n    assert add(1, 2) == 3\n\n@pytest.mark.parametrize("x", [1, 2])\ndef test_more(x):\n    assert add(x, 2) == x + 2\n',
    },
    good: { 'calc.py': 'def add(a, b): return a + b\n' },
    bad: { 'calc.py': 'def add(a, b): return 3\n' },
  },
  node: {
    tests: {
      'calc.test.cjs':
        "const { add } = require('./calc.cjs');\nconst assert = require('node:assert');\nassert.equal(add(1, 2), 3);\nconsole.assert(add(2, 2) === 4);\n",
    },
    good: { 'calc.cjs': 'exports.add = (a, b) => a + b;\n' },
    bad: { 'calc.cjs': 'exports.add = () => 3;\n' },
  },
  vitest: {
    tests: {
      'calc.test.ts':
        "import { describe, expect, it } from 'vitest';\nimport { add } from './calc';\n\ndescribe('add', () => {\n  it('adds', () => { expect(add(1, 2)).toBe(3); });\n  it('adds more', () => { expect(add(2, 2)).toEqual(4); });\n});\n",
    },
    good: { 'calc.ts': 'export const add = (a: number, b: number): number => a + b;\n' },
    bad: { 'calc.ts': 'export const add = (_a: number, _b: number): number => 3;\n' },
  },
};

/**
 * Wrong code, and the way in which it tries to pass. `add` is missing or wrong in all of it.
 */
const python: readonly (readonly [string, Files])[] = [
  ['leaves with success', { 'calc.py': 'import os\nprint("OK\\n2 passed")\nos._exit(0)\n' }],
  ['asks to leave', { 'calc.py': 'import sys\nsys.exit(0)\n' }],
  ['leaves from within a test', { 'calc.py': 'import os\ndef add(a, b): os._exit(0)\n' }],
  [
    'leaves at the end',
    {
      'calc.py':
        'import atexit, os\natexit.register(lambda: os._exit(0))\ndef add(a, b): return 0\n',
    },
  ],
  [
    'changes the assertion',
    {
      'calc.py':
        'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef add(a, b): return 0\n',
    },
  ],
  [
    'changes how a test is run',
    {
      'calc.py':
        'import unittest\nunittest.TestCase.run = lambda self, result: result.addSuccess(self)\ndef add(a, b): return 0\n',
    },
  ],
  [
    'changes how a test of pytest is run',
    {
      'calc.py':
        'import sys\nfor name in ("_pytest.python", "_pytest.runner"):\n  m = sys.modules.get(name)\n  if m:\n    if hasattr(m, "Function"): m.Function.runtest = lambda self: None\n    if hasattr(m, "pytest_runtest_call"): m.pytest_runtest_call = lambda item: None\ndef add(a, b): return 0\n',
    },
  ],
  [
    'writes a report of its own',
    {
      'calc.py':
        'import os\nopen("report.xml", "w").write("<testsuite tests=\'2\' failures=\'0\'/>")\nos.write(3, b"0 pass 74\\n0 end  31\\n")\nos._exit(0)\n',
    },
  ],
  [
    'rewrites the tests',
    {
      'calc.py':
        'import os\nfor f in ("/box/tests/test_calc.py",):\n  for work in (lambda: open(f, "w").write(""), lambda: os.unlink(f), lambda: os.rename("/box/tests", "/box/t2")):\n    try: work()\n    except OSError: pass\ndef add(a, b): return 0\n',
    },
  ],
  ['skips everything', { 'calc.py': 'import unittest\nraise unittest.SkipTest("later")\n' }],
  [
    'skips each test',
    { 'calc.py': 'import unittest\ndef add(a, b): raise unittest.SkipTest("later")\n' },
  ],
  [
    'hides the tests from the loader',
    {
      'calc.py':
        'import sys, unittest\nfor m in list(sys.modules.values()):\n  if "test_calc" in getattr(m, "__name__", ""): m.load_tests = lambda *a: unittest.TestSuite()\ndef add(a, b): return 0\n',
    },
  ],
  [
    'configures pytest to collect only',
    {
      'calc.py': 'def add(a, b): return 0\n',
      'pytest.ini': '[pytest]\naddopts = --collect-only\n',
      'tox.ini': '[pytest]\naddopts = --collect-only\n',
    },
  ],
  [
    'brings a conftest',
    {
      'calc.py': 'def add(a, b): return 0\n',
      'conftest.py': 'import os\nos._exit(0)\n',
      'tests/conftest.py': 'def pytest_collection_modifyitems(items): items[:] = []\n',
    },
  ],
  [
    'poses as the test framework',
    {
      'calc.py': 'def add(a, b): return 0\n',
      'unittest.py': 'class TestCase: pass\ndef main(): pass\n',
      'pytest.py': 'def main(*a, **k): return 0\n',
      'sitecustomize.py': 'import os; os._exit(0)\n',
    },
  ],
  [
    'joins the hooks of the runner',
    {
      'calc.py':
        'import gc\nclass P:\n  @staticmethod\n  def pytest_pyfunc_call(pyfuncitem): return True\nfor o in gc.get_objects():\n  if type(o).__name__ == "PytestPluginManager": o.register(P())\ndef add(a, b): return 99\n',
    },
  ],
  [
    'returns what equals everything',
    {
      'calc.py':
        'class Any(int):\n  def __eq__(self, other): return True\n  def __ne__(self, other): return False\n  __hash__ = int.__hash__\ndef add(a, b): return Any(99)\n',
    },
  ],
  [
    'returns what equals any whole number',
    {
      'calc.py':
        'class Any(int):\n  def __eq__(self, other): return type(other) is int\n  __hash__ = int.__hash__\ndef add(a, b): return Any(99)\n',
    },
  ],
  [
    'returns what equals any small number',
    {
      'calc.py':
        'class Any(int):\n  def __eq__(self, other): return 0 <= other < 1000\n  __hash__ = int.__hash__\ndef add(a, b): return Any(99)\n',
    },
  ],
  [
    'clears the results of the runner through its frames',
    {
      'calc.py':
        'import sys\ndef add(a, b):\n  frame = sys._getframe()\n  while frame:\n    for value in list(frame.f_locals.values()):\n      if hasattr(value, "addFailure"):\n        type(value).addFailure = lambda self, test, error: None\n      if isinstance(value, dict) and "failed" in frame.f_locals: frame.f_locals["failed"].clear()\n    frame = frame.f_back\n  return 99\n',
    },
  ],
  [
    'counts each failure as a pass',
    {
      'calc.py':
        'import sys\ndef add(a, b):\n  frame = sys._getframe()\n  while frame:\n    for value in list(frame.f_locals.values()):\n      if hasattr(value, "addFailure") and hasattr(value, "addSuccess"):\n        value.addFailure = value.addError = lambda test, error, v=value: v.addSuccess(test)\n    frame = frame.f_back\n  return 99\n',
    },
  ],
  [
    'reads the answer from its tests',
    {
      'calc.py':
        'import re, sys\ndef add(a, b):\n  frame = sys._getframe(1)\n  while frame and "test_calc" not in frame.f_code.co_filename: frame = frame.f_back\n  line = open(frame.f_code.co_filename).read().split("\\n")[frame.f_lineno - 1]\n  found = re.search(r"(?:==|,) (\\d+)\\)?$", line)\n  return int(found.group(1)) if found else eval(line.split("==")[1], {}, frame.f_locals)\n',
    },
  ],
  ['kills the run', { 'calc.py': 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n' }],
];

const node: readonly (readonly [string, Files])[] = [
  ['leaves with success', { 'calc.cjs': 'process.stdout.write("ok 1"); process.exit(0);\n' }],
  ['leaves by the inner way', { 'calc.cjs': 'process.reallyExit(0);\n' }],
  [
    'replaces assertions',
    {
      'calc.cjs':
        'const a = require("assert"); for (const k of Object.keys(a)) try { a[k] = () => {}; } catch {}\nconsole.assert = () => {};\nexports.add = () => 0;\n',
    },
  ],
  [
    'replaces the module',
    {
      'calc.cjs':
        'const m = require("module"); try { m._load = () => new Proxy(() => {}, { get: () => () => {} }); } catch {}\ntry { m.prototype.require = m._load; } catch {}\nexports.add = () => 0;\n',
    },
  ],
  [
    'catches what is thrown',
    {
      'calc.cjs':
        'process.on("uncaughtException", () => {}); process.on("unhandledRejection", () => {});\ntry { process.setUncaughtExceptionCaptureCallback(null); } catch {}\nexports.add = () => 0;\n',
    },
  ],
  [
    'pretends the end',
    {
      'calc.cjs':
        'let n = 0; exports.add = () => { n += 1; if (n === 2) { process.emit("beforeExit", 0); process.emit("exit", 0); } return 3; };\n',
    },
  ],
  [
    'takes the ends’ listeners away',
    {
      'calc.cjs':
        'process.removeAllListeners("exit"); process.removeAllListeners("beforeExit"); exports.add = () => 0;\n',
    },
  ],
  [
    'writes a report of its own',
    {
      'calc.cjs':
        'require("fs").writeSync(3, "0 pass 74\\n0 end  31\\n"); exports.add = () => 0;\n',
    },
  ],
  [
    'takes lists apart',
    {
      'calc.cjs':
        'Array.prototype.push = () => 0; Object.defineProperty(Array.prototype, "0", { set() {}, get() {} }); exports.add = () => 0;\n',
    },
  ],
  [
    'changes how text is made',
    {
      'calc.cjs':
        'Buffer.prototype.toString = () => "70617373"; String.prototype.slice = () => ""; Buffer.prototype.subarray = function () { return this; };\nexports.add = () => 0;\n',
    },
  ],
  [
    'inspects the runner',
    {
      'calc.cjs':
        'for (const get of [() => require("inspector"), () => process.getBuiltinModule("inspector"), () => require("node:inspector/promises")]) try {\n  const session = new (get().Session)(); session.connect();\n  session.post("Debugger.enable");\n  session.post("Runtime.evaluate", { expression: "console.assert = () => {}" });\n} catch {}\nexports.add = () => 0;\n',
    },
  ],
  [
    'writes the whole report by itself',
    {
      'calc.cjs':
        'const fs = require("fs"); const hex = (t) => Buffer.from(t).toString("hex");\nlet nonce = ""; try {\n  const maps = fs.readFileSync("/proc/self/maps", "latin1").split("\\n").filter((l) => l.includes("rw-p")); const fd = fs.openSync("/proc/self/mem");\n  for (const line of maps) { const [a, b] = line.split(" ")[0].split("-").map((x) => parseInt(x, 16)); if (b - a > 64e6) continue; const m = Buffer.alloc(b - a); try { fs.readSync(fd, m, 0, b - a, a); } catch { continue; }\n    const f = /"nonce":"([0-9a-f]{32})"/.exec(m.toString("latin1")); if (f) { nonce = f[1]; break; } }\n} catch {}\nif (nonce) { fs.writeSync(3, nonce + " pass " + hex("calc.test.cjs") + " \\n" + nonce + " end  " + hex("2") + "\\n"); process.kill(process.pid, "SIGKILL"); }\nexports.add = () => 0;\n',
    },
  ],
  [
    'sets the exit code',
    { 'calc.cjs': 'process.on("exit", () => { process.exitCode = 0; }); exports.add = () => 0;\n' },
  ],
];

const vitest: readonly (readonly [string, Files])[] = [
  [
    'teaches expect',
    {
      'calc.ts':
        "import { expect, chai } from 'vitest';\nconst yes = () => ({ pass: true, message: () => '' });\ntry { expect.extend({ toBe: yes, toEqual: yes }); } catch {}\ntry { (chai.Assertion.prototype as any).toBe = () => {}; } catch {}\nexport const add = () => 0;\n",
    },
  ],
  [
    'is equal to whatever is asked',
    {
      'calc.ts':
        "export const add = () => ({ asymmetricMatch: () => true, valueOf: () => 3, toString: () => '3' }) as any;\n",
    },
  ],
  [
    'takes lists apart',
    { 'calc.ts': 'Array.prototype.push = () => 0;\nexport const add = () => 0;\n' },
  ],
  [
    'reports to the parent process that all passed',
    {
      'calc.ts':
        'const send = process.send; process.send = function (message: any, ...rest: any[]) { try { const text = JSON.stringify(message); if (text?.includes(\'"fail"\')) message = JSON.parse(text.replaceAll(\'"fail"\', \'"pass"\').replaceAll(/"errors":\\[.*?\\],?/g, "")); } catch {} return send!.call(process, message, ...(rest as [])); } as any;\nexport const add = () => 0;\n',
    },
  ],
  [
    'leaves, and configures the runner',
    {
      'calc.ts': 'process.exit(0);\nexport const add = () => 0;\n',
      'vitest.config.ts':
        'export default { test: { passWithNoTests: true, include: [], reporters: [] } };\n',
      'package.json': '{"scripts":{"test":"true"}}',
    },
  ],
];

const corpus = [
  ...python.flatMap(([what, files]) =>
    (['unittest', 'pytest'] as const).map((runner) => ({ runner, what, files })),
  ),
  ...node.map(([what, files]) => ({ runner: 'node' as const, what, files })),
  ...vitest.map(([what, files]) => ({ runner: 'vitest' as const, what, files })),
];

/** Tests that prove nothing. */
const hollow: readonly (readonly [Exclude<TestRunner, 'jest'>, string, Files])[] = [
  ['unittest', 'no test', { 'test_a.py': 'import unittest\n' }],
  [
    'unittest',
    'only skipped tests',
    {
      'test_a.py':
        'import unittest\nclass A(unittest.TestCase):\n    @unittest.skip("later")\n    def test_a(self): pass\n',
    },
  ],
  ['pytest', 'no test', { 'test_a.py': 'x = 1\n' }],
  [
    'pytest',
    'only skipped tests',
    { 'test_a.py': 'import pytest\n@pytest.mark.skip\ndef test_a(): pass\n' },
  ],
  ['node', 'no assertion', { 'a.js': 'process.stdout.write("all tests passed");\n' }],
  [
    'vitest',
    'only skipped tests',
    { 'a.test.ts': "import { it } from 'vitest';\nit.skip('a', () => {});\n" },
  ],
];
const isThere = (runner: TestRunner): boolean => runnerKinds[runner].find() !== null;

describe('test runs', () => {
  it
    .runIf(state.state === 'ready')
    .each(Object.entries(suites) as [keyof typeof suites, (typeof suites)['node']][])(
    'S-87 QEL-27 %s: right code passes, wrong code fails',
    async (runner, { tests, good, bad }) => {
      if (!isThere(runner)) {
        reportSkipped(runnerKinds[runner].missing);
        return;
      }
      const passed = await prove(runner, good, tests);
      expect([passed.status, passed.exitCode, passed.reason, passed.tests?.failed]).toEqual([
        'passed',
        0,
        null,
        0,
      ]);
      expect(passed.tests?.passed).toBe(passed.tests?.expected);
      expect(passed.receipt?.filesHash).toMatch(/^[0-9a-f]{64}$/);
      const failed = await prove(runner, bad, tests);
      expect([failed.status, failed.tests?.failures.length]).toEqual(['failed', 1]);
    },
  );

  it.runIf(state.state === 'ready').each(firstOf(2, corpus, ({ runner }) => runner))(
    'S-86 S-87 S-118 $runner: code that $what does not pass',
    async ({ runner, files }) => {
      if (!isThere(runner)) return;
      const result = await prove(runner, files, suites[runner].tests);
      expect(result.reason).not.toBeNull();
      const outcome = [
        result.status,
        result.status === 'neutral' ? result.reason : '',
        result.explanation !== null,
      ];
      expect(
        [
          ['failed', '', false],
          ['timeout', '', false],
          ['neutral', 'unproven', true],
        ],
        JSON.stringify(result),
      ).toContainEqual(outcome);
    },
  );

  it.runIf(state.state === 'ready').each(hollow)(
    'S-87 %s: %s is no proof',
    async (runner, _what, tests) => {
      if (!isThere(runner)) return;
      expect((await prove(runner, {}, tests)).status).toBe('failed');
    },
  );

  it.runIf(state.state === 'ready')('S-72 the output of a test run is shown safely', async () => {
    const result = await prove(
      'unittest',
      {
        'calc.py':
          'import sys\nsys.stdout.buffer.write(b"\\x1b[31mred\\x00\\xff\\xfe" + b"a" * 20000)\ndef add(a, b): return 0\n',
      },
      suites.unittest.tests,
    );
    expect(result.status).toBe('failed');
    expect(result.stderr.length).toBeLessThanOrEqual(8_192);
    expect(result.stderr.isWellFormed()).toBe(true);
    // oxlint-disable-next-line no-control-regex -- none may be left
    expect(result.stderr).not.toMatch(/[\u0000\u001b]/);
  });

  it('QEL-28 a runner that is not installed is neutral', async () => {
    if (isThere('jest') || state.state !== 'ready') return;
    const result = await prove('jest', {}, { 'a.test.js': '' });
    expect([result.status, result.reason]).toEqual([
      'neutral',
      'Jest is not installed next to Assay.',
    ]);
  });
});
