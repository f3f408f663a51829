// Tests that import packages no sandbox has: not a fault of the code, unless something else is
// wrong too. The names are made up, so that the results are the same on machines with packages for
// sandboxes.
import { existsSync } from 'node:fs';
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

function prove(
  runner: TestRunner,
  files: Files,
  tests: Files,
  isolated = false,
): Promise<GateResult> {
  const job = { files: list(files), tier: 'xlarge' as const, runTests: null };
  return runTests(
    monitor,
    job,
    { runner, files: list(tests), isolated },
    new AbortController().signal,
  );
}

interface Suite {
  /** Code that imports the package `from`. */
  readonly needs: (from: string) => Files;
  readonly usesIt: Files;
  readonly right: Files;
  readonly wrong: Files;
  /** A test of `right` or `wrong`, later in the order of files than the one of the package. */
  readonly other: Files;
  readonly otherName: string;
}

const addPy = (sum: string): Files => ({ 'calc.py': `def add(a, b):\n    return ${sum}\n` });
const addJs = (path: string, sum: string): Files => ({
  [path]: `exports.add = (a, b) => ${sum};\n`,
});
const addTs = (sum: string): Files => ({
  'calc.ts': `export const add = (a: number, b: number): number => ${sum};\n`,
});

const suites: Readonly<Record<TestRunner, Suite>> = {
  unittest: {
    needs: (from) => ({ 'web.py': `from ${from} import Site\n\nsite = Site()\n` }),
    usesIt: {
      'test_a.py':
        'import unittest\nfrom web import site\n\nclass SiteTest(unittest.TestCase):\n    def test_site(self):\n        self.assertEqual(site.n, 1)\n',
    },
    right: addPy('a + b'),
    wrong: addPy('a - b'),
    other: {
      'test_b.py':
        'import unittest\nfrom calc import add\n\nclass AddTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n',
    },
    otherName: 'test_adds',
  },
  pytest: {
    needs: (from) => ({ 'web.py': `import ${from} as forge\n\nsite = forge.Site()\n` }),
    usesIt: { 'test_a.py': 'from web import site\n\ndef test_site():\n    assert site.n == 1\n' },
    right: addPy('a + b'),
    wrong: addPy('a - b'),
    other: { 'test_b.py': 'from calc import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n' },
    otherName: 'test_adds',
  },
  node: {
    needs: (from) => ({ 'web.cjs': `exports.site = new (require('${from}').Site)();\n` }),
    usesIt: {
      'a.test.cjs':
        "const assert = require('node:assert');\nconst { site } = require('./web.cjs');\nassert.equal(site.n, 1);\n",
    },
    right: addJs('calc.cjs', 'a + b'),
    wrong: addJs('calc.cjs', 'a - b'),
    other: {
      'b.test.cjs':
        "const assert = require('node:assert');\nconst { add } = require('./calc.cjs');\nassert.equal(add(1, 2), 3);\n",
    },
    otherName: 'b.test.cjs',
  },
  vitest: {
    needs: (from) => ({
      'web.ts': `import { Site } from '${from}';\nexport const site = new Site();\n`,
    }),
    usesIt: {
      'a.test.ts':
        "import { expect, it } from 'vitest';\nimport { site } from './web';\nit('serves', () => { expect(site.n).toBe(1); });\n",
    },
    right: addTs('a + b'),
    wrong: addTs('a - b'),
    other: {
      'b.test.ts':
        "import { expect, it } from 'vitest';\nimport { add } from './calc';\nit('adds', () => { expect(add(1, 2)).toBe(3); });\n",
    },
    otherName: 'adds',
  },
  jest: {
    needs: (from) => ({
      'web.js': `const { Site } = require('${from}');\nexports.site = new Site();\n`,
    }),
    usesIt: {
      'a.test.js':
        "const { site } = require('./web');\ntest('serves', () => { expect(site.n).toBe(1); });\n",
    },
    right: addJs('calc.js', 'a + b'),
    wrong: addJs('calc.js', 'a - b'),
    other: {
      'b.test.js':
        "const { add } = require('./calc');\ntest('adds', () => { expect(add(1, 2)).toBe(3); });\n",
    },
    otherName: 'adds',
  },
};

const isThere = (runner: TestRunner): boolean => runnerKinds[runner].find() !== null;
const runners = Object.entries(suites).map(([runner, suite]) => ({
  runner: runner as TestRunner,
  suite,
}));

describe.runIf(state.state === 'ready')('tests that import what no box has', () => {
  for (const { runner, suite } of runners) {
    const { needs, usesIt, right, wrong, other, otherName } = suite;
    describe.runIf(isThere(runner))(`by ${runner}`, () => {
      // Those two take longest to start.
      const isSlow = runner === 'vitest' || runner === 'jest';
      it.each(firstOf(isSlow ? 1 : 2, [false, true]))(
        'QEL-30 a package that is missing is neutral, and named (isolated: %s)',
        async (isolated) => {
          const result = await prove(
            runner,
            { ...needs('quillforge'), ...right },
            { ...usesIt, ...other },
            isolated,
          );
          expect(result).toMatchObject({
            status: 'neutral',
            reason: expect.stringContaining('not in the box: quillforge.'),
            tests: null,
          });
        },
      );

      it('QEL-30 a failure in another file counts, and is named', async () => {
        const result = await prove(
          runner,
          { ...needs('quillforge'), ...wrong },
          { ...usesIt, ...other },
        );
        expect(result.status).toBe('failed');
        expect(result.tests?.failures.map(({ id }) => id).join(' ')).toContain(otherName);
      });

      it('QEL-30 a file of the code that was never written is a failure', async () => {
        const from = runner === 'pytest' || runner === 'unittest' ? 'utils' : './quillforge';
        const result = await prove(runner, { ...needs(from), ...right }, { ...usesIt, ...other });
        expect(result.status).toBe('failed');
      });
    });
  }
});

const asyncTest = (mark: string, sum: number): Files => ({
  'test_a.py': `import pytest\nfrom calc import add\n\n${mark}\nasync def test_adds():\n    assert add(1, 2) == ${sum}\n`,
});
const plain: Files = {
  'test_b.py': 'from calc import add\n\ndef test_more():\n    assert add(2, 2) == 4\n',
};

/** Whether the box's Python has it, at Debian's path. */
const hasPlugin = existsSync('/usr/lib/python3/dist-packages/pytest_asyncio');

describe.runIf(state.state === 'ready' && isThere('pytest'))('pytest', () => {
  it.each(['@pytest.mark.asyncio', '@pytest.mark.slow'])(
    'QEL-30 asynchronous tests (%s) run where the plugin is installed, and are neutral where it is not',
    async (mark) => {
      const right = await prove('pytest', addPy('a + b'), { ...asyncTest(mark, 3), ...plain });
      const wrong = await prove('pytest', addPy('a * b'), { ...asyncTest(mark, 3), ...plain });
      const other = await prove('pytest', addPy('a - b'), { ...asyncTest(mark, -1), ...plain });
      expect([right.status, wrong.status, other.status]).toEqual(
        hasPlugin ? ['passed', 'failed', 'failed'] : ['neutral', 'neutral', 'failed'],
      );
      expect(right.reason ?? '').toMatch(hasPlugin ? /^$/ : /not in the box: pytest_asyncio\./);
    },
  );

  it.each([
    [
      'for a whole file',
      'import pytest\nforge = pytest.importorskip("quillforge")\n\ndef test_site():\n    assert forge.n == 1\n',
    ],
    [
      'for one test',
      'import pytest\n\ndef test_site():\n    assert pytest.importorskip("quillforge").n == 1\n',
    ],
  ])('QEL-30 a package that is only asked for, %s, is neutral', async (_what, content) => {
    const result = await prove('pytest', addPy('a + b'), { 'test_a.py': content, ...plain });
    expect([result.status, result.reason]).toEqual([
      'neutral',
      expect.stringContaining('quillforge'),
    ]);
  });

  it.each([
    [
      'words of a missing plugin',
      'import pytest\ndef add(a, b):\n    pytest.fail("async def functions are not natively supported.")\n',
    ],
    [
      'a skip in words of a missing plugin',
      'import pytest\ndef add(a, b):\n    pytest.skip("async def function and no async plugin installed")\n',
    ],
    [
      'words of a package that nothing imports',
      'def add(a, b):\n    raise ModuleNotFoundError("No module named \'quillforge\'")\n',
    ],
    [
      'words of a package that is there',
      'import json\ndef add(a, b):\n    raise ModuleNotFoundError("No module named \'json\'")\n',
    ],
  ])('QEL-30 code that fails in the %s is no less wrong', async (_what, content) => {
    expect((await prove('pytest', { 'calc.py': content }, plain)).status).toBe('failed');
  });

  it('QEL-30 more failures than are shown count too', async () => {
    const missing = Array.from(
      { length: 25 },
      (_, n) => `def test_${n}():\n    import quillforge\n`,
    ).join('\n');
    const tests = { 'test_a.py': missing, ...plain };
    expect((await prove('pytest', addPy('a + b'), tests)).status).toBe('neutral');
    expect((await prove('pytest', addPy('a - b'), tests)).status).toBe('failed');
  });

  it('QEL-20 a test file that cannot be read hides no failure of another', async () => {
    const result = await prove('pytest', addPy('a - b'), {
      'test_a.py': 'def test_a(:\n',
      ...plain,
    });
    expect(result.tests?.failures.map(({ id }) => id)).toEqual([
      'test_a.py',
      'test_b.py::test_more',
    ]);
  });
});
