// Tests as people write them, on correct code: each passes, and each of its mutants fails.
import { afterAll, describe, expect, it } from 'vitest';
import { reportSkipped } from '../../../../testing/boxes';
import { firstOf } from '../../../../testing/first-of';
import { createBoxMonitor } from '../../../sandbox';
import type { TestRunner } from '../gate';
import { runTests } from '../run-tests';
import { runnerKinds } from '../tests/runners';

const monitor = createBoxMonitor();
const state = await monitor.check();
afterAll(() => monitor.stop());
if (state.state !== 'ready') reportSkipped(state.reason ?? '');

const python = `import math
class NotFound(KeyError):
    pass
items = []
def add(a, b): return a + b
def divide(a, b):
    if b == 0: raise ZeroDivisionError("no")
    return a / b
def find(key):
    if key != "a": raise NotFound(key)
    return {"key": key, "list": [1, 2], "none": None}
def remember(item):
    items.append(item)
    return list(items)
class Stack:
    def __init__(self): self.items = []
    def push(self, x): self.items.append(x)
    def pop(self):
        if not self.items: raise IndexError("empty")
        return self.items.pop()
    def __len__(self): return len(self.items)
async def later(x): return x
`;

const unittest = (body: string): string =>
  `import asyncio\nimport unittest\nfrom unittest import mock\nimport calc\nfrom calc import *\n\nclass ATest(unittest.TestCase):\n${body.replaceAll(/^/gm, '    ')}\n\nif __name__ == "__main__":\n    unittest.main()\n`;
const pytest = (body: string): string =>
  `import asyncio\nimport pytest\nimport calc\nfrom calc import *\n\n${body}\n`;

const pythonRows: readonly (readonly ['unittest' | 'pytest', string])[] = [
  [
    'unittest',
    'def test_a(self):\n    self.assertEqual(add(1, 2), 3, "adds")\n    self.assertEqual(3, add(1, 2))',
  ],
  [
    'unittest',
    'def test_a(self):\n    for x in range(3):\n        with self.subTest(x=x):\n            self.assertEqual(add(x, 1), x + 1)',
  ],
  [
    'unittest',
    'def test_a(self):\n    with self.assertRaises(NotFound) as caught:\n        find("b")\n    self.assertIn("b", str(caught.exception))',
  ],
  [
    'unittest',
    'def test_a(self):\n    self.assertRaises(ZeroDivisionError, divide, 1, 0)\n    self.assertAlmostEqual(divide(1, 3), 0.3333, places=3)',
  ],
  [
    'unittest',
    'def setUp(self):\n    self.stack = Stack()\ndef test_a(self):\n    self.assertEqual(len(self.stack), 0)\n    self.stack.push(5)\n    self.assertTrue(len(self.stack) == 1)\n    self.assertEqual(self.stack.pop(), 5)\n    self.assertFalse(self.stack.items)\n    try:\n        self.stack.pop()\n        self.fail("no error")\n    except IndexError:\n        self.assertTrue(True)',
  ],
  [
    'unittest',
    'def test_a(self):\n    found = find("a")\n    self.assertDictEqual(found, {"key": "a", "list": [1, 2], "none": None})\n    self.assertIsNone(found["none"])\n    self.assertListEqual([1, 2], found["list"])\n    self.assertIsInstance(found, dict)\n    self.assertGreater(len(found), 2)\n    self.assertNotEqual(found, {})\n    self.assertNotIn("z", found)\n    item = 1\n    self.assertIn(item, found["list"])',
  ],
  [
    'unittest',
    '@mock.patch("calc.add", return_value=7)\ndef test_a(self, fake):\n    self.assertEqual(calc.add(1, 1), 7)\n    fake.assert_called_once_with(1, 1)',
  ],
  [
    'unittest',
    'def check(self, a, b, c):\n    self.assertEqual(add(a, b), c)\ndef test_a(self):\n    self.check(1, 2, 3)',
  ],
  [
    'unittest',
    '@unittest.expectedFailure\ndef test_a(self):\n    self.assertEqual(add(1, 1), 3)\ndef test_b(self):\n    self.assertIs(add(1, 1) == 2, True)',
  ],
  [
    'pytest',
    'def test_a():\n    assert add(1, 2) == 3\n    assert add("a", "b") == "ab", "joins"\n    assert add([1], []) == [1]\n    assert add(-1, 0) == -1',
  ],
  [
    'pytest',
    '@pytest.mark.parametrize("a, b, c", [(1, 2, 3), (0, 0, 0), ("x", "y", "xy")])\ndef test_a(a, b, c):\n    assert add(a, b) == c',
  ],
  [
    'pytest',
    'def test_a():\n    with pytest.raises(ZeroDivisionError, match="no"):\n        divide(1, 0)\n        assert False, "not reached"',
  ],
  [
    'pytest',
    'def test_a():\n    try:\n        divide(1, 0)\n        assert False\n    except ZeroDivisionError:\n        assert True',
  ],
  [
    'pytest',
    '@pytest.fixture\ndef stack():\n    return Stack()\n\nclass TestStack:\n    def test_a(self, stack):\n        stack.push(1)\n        assert len(stack) == 1 and stack.pop() == 1\n        assert not stack.items\n        assert stack is not None',
  ],
  [
    'pytest',
    'def test_a():\n    assert divide(1, 3) == pytest.approx(0.333, rel=1e-2)\n    assert 0 < divide(1, 3) < 1\n    assert divide(4, 2) > 1\n    assert divide(4, 2) <= 2',
  ],
  [
    'pytest',
    'def test_a():\n    assert asyncio.run(later(5)) == 5\n    assert "key" in find("a")\n    assert "zzz" not in find("a")\n    assert find("a")["none"] is None\n    assert isinstance(find("a"), dict)',
  ],
  [
    'pytest',
    'def test_first():\n    assert remember("a") == ["a"]\n\ndef test_second():\n    assert remember("b") == ["a", "b"]',
  ],
  [
    'pytest',
    'def test_a():\n    assert all(add(x, 1) == x + 1 for x in range(5))\n    assert any(add(x, 1) == 3 for x in range(5))\n    assert {1, 2} == set(find("a")["list"])',
  ],
  [
    'pytest',
    'def helper(x):\n    assert add(x, 1) == x + 1\n\ndef test_a():\n    helper(1)\n\ndef test_b():\n    if add(1, 1) == 3:\n        assert add(1, 1) == 3\n    assert add(1, 1) == 2',
  ],
  [
    'pytest',
    'def test_a(capsys):\n    print(add(1, 2))\n    assert capsys.readouterr().out == "3\\n"\n\ndef test_b(tmp_path):\n    (tmp_path / "a").write_text("ä\\u00fc")\n    assert (tmp_path / "a").read_text() == "ä\\u00fc"',
  ],
  [
    'pytest',
    'class Helper:\n    def test_connection(self):\n        assert add(1, 1) == 2\n\ndef test_a():\n    assert add(1e300, 1e300) == 2e300 * 1\n    assert add(-1e300, 0) == -1e300 * 1\n    assert add(float("inf"), 1) == math.inf',
  ],
  [
    'unittest',
    'def test_a(self):\n    self.assertAlmostEqual(add(0.1, 0.2), 0.3)\n    self.assertAlmostEqual(add(1.0, 2.0), 3.0, delta=5000)\n    self.assertAlmostEqual(add(1, 2), 3, places=-6)\n    self.assertIn(3, range(10))\n    self.assertEqual(add(1e300, 1e300), 2e300 * 1)',
  ],
  [
    'pytest',
    'import unittest\n\nclass BTest(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(1, 2), 3)\n',
  ],
];

const script = `
class NotFound extends Error {}
const add = (a, b) => a + b;
const divide = (a, b) => { if (b === 0) throw new RangeError('no'); return a / b; };
const find = (key) => { if (key !== 'a') throw new NotFound(key); return { key, list: [1, 2], none: null, at: new Date(0) }; };
const later = async (x) => x;
const fails = async () => { throw new TypeError('late'); };
`;
const commonJs = `${script}\nmodule.exports = { NotFound, add, divide, find, later, fails };\n`;
const moduleCode = `// @ts-nocheck\n${script}\nexport { NotFound, add, divide, find, later, fails };\n`;

const nodeRows: readonly string[] = [
  "assert.equal(add(1, 2), 3);\nassert.deepStrictEqual(find('a').list, [1, 2]);\nassert.strictEqual(find('a').none, null);",
  "assert(add(1, 2) === 3, 'adds');\nassert.ok(find('a'));\nassert.notEqual(add(1, 1), 3);",
  'assert.throws(() => divide(1, 0), RangeError);\nassert.doesNotThrow(() => divide(1, 1));\nassert.match(String(add(1, 2)), /3/);',
  "const test = require('node:test');\ntest('adds', () => { assert.strictEqual(add(1, 2), 3); });\ntest('later', async () => { assert.equal(await later(2), 2); await assert.rejects(fails()); });",
  "const { describe, it } = require('node:test');\ndescribe('add', () => { it('adds', () => { assert.equal(add(1, 2), 3); }); });",
  'async function main() { assert.equal(await later(2), 2); }\nmain();',
  '(async () => { assert.equal(await later(2), 2); await assert.rejects(fails(), TypeError); })();',
  "console.assert(add(1, 2) === 3, 'adds');\ntry { divide(1, 0); console.assert(false); } catch (e) { console.assert(e instanceof RangeError); }",
  'for (const [a, b, c] of [[1, 2, 3], [0, 0, 0]]) assert.equal(add(a, b), c);',
  'for (const [a, b, c] of [[1, 2, 3], [0, 0, 0]]) {\n  assert.equal(add(a, b), c);\n}',
  'if (add(1, 2) !== 3) throw new Error("wrong");\nassert.ok(true);',
];

const vitestRows: readonly string[] = [
  "it('adds', () => { expect(add(1, 2)).toBe(3); expect(add('a', 'b')).toEqual('ab'); });",
  "describe('add', () => { test.each([[1, 2, 3], [0, 0, 0]])('%i + %i = %i', (a, b, c) => { expect(add(a, b)).toBe(c); }); });",
  "it('throws', () => { expect(() => divide(1, 0)).toThrow(RangeError); expect(() => divide(1, 1)).not.toThrow(); });",
  "it('waits', async () => { await expect(later(2)).resolves.toBe(2); await expect(fails()).rejects.toThrow('late'); expect(await later(3)).toBe(3); });",
  "it('finds', () => { expect(find('a')).toMatchObject({ key: 'a' }); expect(find('a').none).toBeNull(); expect(find('a').list).toHaveLength(2); expect(find('a')).toHaveProperty('key', 'a'); expect(find('a').at).toEqual(new Date(0)); });",
  "it('any', () => { expect(find('a')).toEqual({ key: expect.any(String), list: expect.arrayContaining([1]), none: null, at: expect.anything() }); expect.assertions(1); });",
  "it('close', () => { expect(divide(1, 3)).toBeCloseTo(0.333, 2); expect(divide(4, 2)).toBeGreaterThan(1); expect(divide(4, 2)).not.toBe(3); });",
  "it('large', () => { expect(add(1e300, 1e300)).toBe(2e300 * 1); expect(add(-1e300, 0)).toBe(-1e300 * 1); expect(add(Infinity, 1)).toBe(Infinity); expect(add(1, 2)).toBeCloseTo(3.0, -3); expect(add(1, 2)).toBeCloseTo(3, -9); expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).toContain(add(2, 2)); expect([1, 2, 3, 4, 5, 6]).toContain(3); expect(add(NaN, 1)).toBe(NaN); });",
  "const check = (a: number) => expect(add(a, 1)).toBe(a + 1);\nit('helper', () => { check(1); });",
  "it('branches', () => { try { divide(1, 0); expect(true).toBe(false); } catch (e) { expect(e).toBeInstanceOf(RangeError); } });",
  "it('calls', () => { const f = vi.fn(() => 3); expect(f()).toBe(3); expect(f).toHaveBeenCalledTimes(1); });",
  "it.skipIf(false)('conditional', () => { expect(add(1, 1)).toBe(2); });\nit(`adds ${1}`, () => expect(add(1, 1)).toBe(2));",
  "beforeEach(() => { expect(add(1, 1)).toBe(2); });\nit('assert', () => { assert.equal(add(1, 2), 3); assert.isTrue(true); expect(add(1, 2)).to.equal(3); });",
];

interface Row {
  readonly runner: TestRunner;
  readonly code: { readonly path: string; readonly content: string };
  readonly test: { readonly path: string; readonly content: string };
}

const rows: readonly Row[] = [
  ...pythonRows.map(([runner, body]) => ({
    runner,
    code: { path: 'calc.py', content: python },
    test: { path: 'test_calc.py', content: runner === 'unittest' ? unittest(body) : pytest(body) },
  })),
  ...nodeRows.map((body) => ({
    runner: 'node' as const,
    code: { path: 'calc.cjs', content: commonJs },
    test: {
      path: 'calc.test.cjs',
      content: `const assert = require('node:assert');\nconst { add, divide, find, later, fails } = require('./calc.cjs');\n${body}\n`,
    },
  })),
  ...vitestRows.map((body) => ({
    runner: 'vitest' as const,
    code: { path: 'calc.ts', content: moduleCode },
    test: {
      path: 'calc.test.ts',
      content: `import { assert, beforeEach, describe, expect, it, test, vi } from 'vitest';\nimport { add, divide, find, later, fails } from './calc';\n${body}\n`,
    },
  })),
];

/** Files next to the tests, and tests that are not plain functions. */
const layouts: readonly (readonly [TestRunner, string, Readonly<Record<string, string>>])[] = [
  [
    'pytest',
    'a package with helpers',
    {
      'tests/__init__.py': '',
      'tests/conftest.py': 'import pytest\n\n@pytest.fixture\ndef two():\n    return 2\n',
      'tests/helpers.py': 'def three():\n    return 3\n',
      'tests/test_a.py':
        'from calc import add\nfrom tests.helpers import three\n\ndef test_a(two):\n    assert add(1, two) == three()\n',
    },
  ],
  [
    'unittest',
    'a package with helpers',
    {
      'tests/__init__.py': '',
      'tests/test_a.py':
        'import unittest\nfrom calc import add\n\nclass Base(unittest.TestCase):\n\tdef setUp(self):\n\t\tself.two = 2\n\nclass ATest(Base):\n\tdef test_a(self):\n\t\tself.assertEqual(add(1, self.two), 3)\n\t\tself.assertTrue(add(1, 1) == 2)\n',
    },
  ],
  [
    'pytest',
    'tests that are made in a loop',
    {
      'test_a.py':
        'from calc import add\n\ndef make(n):\n    def check():\n        assert add(n, 1) == n + 1\n    return check\n\nfor n in range(3):\n    globals()[f"test_{n}"] = make(n)\n\ndef test_z():\n    pass\n',
    },
  ],
  [
    'vitest',
    'tests that are made in a loop, and a fixture',
    {
      'fixture.ts': 'export const rows = [[1, 2, 3]];\n',
      'a.test.ts':
        "import { expect, it } from 'vitest';\nimport { rows } from './fixture';\nimport { add } from './calc';\nfor (const [a, b, c] of rows) it(`adds ${a}`, () => { expect(add(a, b)).toBe(c); });\n",
    },
  ],
  [
    'node',
    'two scripts and a fixture',
    {
      'rows.json': '[[1, 2, 3]]',
      'a.test.cjs':
        "const assert = require('assert');\nconst { add } = require('./calc.cjs');\nfor (const [a, b, c] of require('./rows.json')) assert.equal(add(a, b), c);\n",
      'b.test.mjs':
        "import assert from 'node:assert/strict';\nimport { add } from './calc.cjs';\nassert.equal(await add(1, 2), 3);\n",
    },
  ],
];

describe.runIf(state.state === 'ready')('mutants of honest tests', () => {
  it.each(
    firstOf(2, rows, ({ runner }) => runner).map((row) => ({
      ...row,
      text: row.test.content.slice(-90),
    })),
  )('S-118 $runner: correct code passes: $text', async ({ runner, code, test }) => {
    if (runnerKinds[runner].find() === null) return reportSkipped(runnerKinds[runner].missing);
    const job = { files: [code], tier: 'small' as const, runTests: null };
    const result = await runTests(
      monitor,
      job,
      { runner, files: [test] },
      new AbortController().signal,
    );
    expect(
      [result.status, result.reason, result.explanation],
      JSON.stringify(result.tests),
    ).toEqual(['passed', null, null]);
  });

  it.each(layouts)('S-118 %s: %s: correct code passes', async (runner, _what, files) => {
    if (runnerKinds[runner].find() === null) return reportSkipped(runnerKinds[runner].missing);
    const code = [
      { path: 'calc.py', content: python },
      { path: 'calc.cjs', content: commonJs },
      { path: 'calc.ts', content: moduleCode },
    ];
    const tests = Object.entries(files).map(([path, content]) => ({ path, content }));
    const job = { files: code, tier: 'small' as const, runTests: null };
    const result = await runTests(
      monitor,
      job,
      { runner, files: tests },
      new AbortController().signal,
    );
    expect(
      [result.status, result.reason, result.explanation],
      JSON.stringify(result.tests),
    ).toEqual(['passed', null, null]);
  });
});
