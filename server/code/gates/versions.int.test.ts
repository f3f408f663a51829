// Code for a newer version than the installed one, and code that needs a resource which no box has:
// neutral with the reason, and failed as soon as it has another fault. If the installed version has
// the syntax, the same code passes.
import { afterAll, describe, expect, it } from 'vitest';
import { reportSkipped } from '../../../testing/boxes';
import { firstOf } from '../../../testing/first-of';
import { createBoxMonitor } from '../../sandbox';
import { isNewerThan } from '../structure';
import { compileGates } from './compile';
import type { GateResult, TestRunner } from './gate';
import { createRunGates } from './index';
import { runTests } from './run-tests';
import { runnerKinds } from './tests/runners';

const monitor = createBoxMonitor();
const state = await monitor.check();
const runGates = createRunGates(monitor);
afterAll(() => monitor.stop());
if (state.state !== 'ready') reportSkipped(state.reason ?? '');

const long = process.env.ASSAY_LONG === '1';

type Files = Readonly<Record<string, string>>;
type Language = 'java' | 'python' | 'rust';
const list = (files: Files) => Object.entries(files).map(([path, content]) => ({ path, content }));

async function compile(files: Files): Promise<GateResult> {
  const [result] = await runGates(
    { files: list(files), tier: 'xlarge', runTests: null },
    new AbortController().signal,
  );
  if (result === undefined) throw new Error('no gate ran');
  return result;
}

const fileOf: Readonly<Record<Language, string>> = {
  java: 'A.java',
  python: 'a.py',
  rust: 'main.rs',
};
/** A separate file with a fault that no version and no package excuses. */
const fault: Readonly<Record<Language, Files>> = {
  java: { 'B.java': 'class B { int x = "s"; }\n' },
  python: { 'b.py': 'def f():\n    return 1\n  x = 2\n' },
  rust: { 'b.rs': 'fn main() { let _x: i32 = "s"; }\n' },
};

/**
 * Requires an edition that an older Cargo cannot read at all, so it reports no other fault either.
 */
const letChain =
  'fn main() { let a = Some(1); if let Some(x) = a && x > 0 { println!("{x}"); } }\n';

const newer: readonly (readonly [Language, readonly number[], string])[] = [
  [
    'java',
    [21],
    'record P(int x, int y) {}\nclass A { int f(Object o) { return o instanceof P(int x, int y) ? x + y : 0; } }\n',
  ],
  [
    'java',
    [21],
    'class A { int f(Object o) { return switch (o) { case String s when s.isEmpty() -> 1; case null -> 2; default -> 3; }; } }\n',
  ],
  [
    'java',
    [21],
    'class A { void f() { Thread.startVirtualThread(() -> System.out.println(1)); } }\n',
  ],
  [
    'java',
    [21],
    'import java.util.List;\nclass A { int f(List<Integer> l) { return l.getFirst(); } }\n',
  ],
  [
    'java',
    [22],
    'class A { int f() { try { return 1; } catch (RuntimeException _) { return 2; } } }\n',
  ],
  ['python', [3, 12], 'type Pair = tuple[int, int]\n'],
  ['python', [3, 12], 'def first[T](items: list[T]) -> T:\n    return items[0]\n'],
  [
    'python',
    [3, 12],
    'class Box[T]:\n    def __init__(self, item: T):\n        self.item = item\n',
  ],
  ['python', [3, 12], 'd = {"k": 1}\nprint(f"{d["k"]}")\n'],
  ['python', [3, 14], 'try:\n    print(1)\nexcept ValueError, TypeError:\n    print(2)\n'],
  [
    'rust',
    [1, 70],
    'use std::io::IsTerminal;\nfn main() { println!("{}", std::io::stdout().is_terminal()); }\n',
  ],
  [
    'rust',
    [1, 75],
    'trait A { async fn f(&self); }\nstruct B;\nimpl A for B { async fn f(&self) {} }\nfn main() { let _ = B; }\n',
  ],
  [
    'rust',
    [1, 75],
    'trait A { fn f(&self) -> impl Fn(); }\nstruct B;\nimpl A for B { fn f(&self) -> impl Fn() { || () } }\nfn main() { let _ = B; }\n',
  ],
  [
    'rust',
    [1, 80],
    'use std::sync::LazyLock;\nstatic N: LazyLock<i32> = LazyLock::new(|| 1);\nfn main() { println!("{}", *N); }\n',
  ],
  ['rust', [1, 88], letChain],
];

const missing: readonly (readonly [Language, string, string])[] = [
  [
    'java',
    'org.quillforge.web',
    'import org.quillforge.web.Site;\nclass A { int f() { return new Site().n(); } }\n',
  ],
  ['rust', 'crates', 'use quillforge::Site;\nfn main() { let _site: Site = Site::new(); }\n'],
];

/** Names that only look like those of a newer version, or of a library. */
const wrong: readonly (readonly [Language, string])[] = [
  [
    'java',
    'import java.util.List;\nclass A { int f(List<Integer> l) { return l.getFirstOne(); } }\n',
  ],
  ['java', 'import java.util.Lisst;\nclass A { Lisst x; }\n'],
  ['python', 'type Pair = = int\n'],
  ['python', 'def first[T(items):\n    return items\n'],
  ['rust', 'use std::sync::LazyLok;\nfn main() { let _: LazyLok<i32>; }\n'],
  ['rust', 'fn main() { println!("{}", Some(1).is_somme_and(|x| x > 0)); }\n'],
  ['rust', 'struct Own;\nfn main() { println!("{}", Own.is_terminal()); }\n'],
  [
    'rust',
    'trait A { fn f(&self) -> i32; }\nstruct B;\nimpl A for B { fn f(&self) -> u32 { 1 } }\nfn main() { let _ = B; }\n',
  ],
];

const versions = new Map<Language, string | null>();
/** The compiler's version output; null if it is not installed. */
async function installed(language: Language): Promise<string | null> {
  const known = versions.get(language);
  if (known !== undefined) return known;
  const isThere =
    state.state === 'ready' &&
    compileGates.some((gate) => gate.language === language && gate.find() !== null);
  const sound: Files = {
    java: { 'A.java': 'class A {}\n' },
    python: { 'a.py': '' },
    rust: { 'main.rs': 'fn main() {}\n' },
  }[language];
  const version = isThere ? ((await compile(sound)).receipt?.toolchain ?? null) : null;
  if (version === null) reportSkipped(`${language} is not installed below /usr`);
  versions.set(language, version);
  return version;
}

describe('compile gates of newer code', () => {
  it.each(firstOf(1, newer, ([language]) => language))(
    'QEL-30 %s, needs %j: neutral where the installed one is older, else passed: %s',
    async (language, since, content) => {
      const version = await installed(language);
      if (version === null) return;
      const { status, reason } = await compile({ [fileOf[language]]: content });
      const isOlder = isNewerThan(since, version);
      expect([status, /newer|stable|preview/.test(reason ?? '')]).toEqual(
        isOlder ? ['neutral', true] : ['passed', false],
      );
      if (!isOlder || content === letChain) return;
      expect((await compile({ [fileOf[language]]: content, ...fault[language] })).status).toBe(
        'failed',
      );
    },
  );

  it.each(missing)(
    'QEL-30 %s, the missing part is named (%s), and excuses no other fault',
    async (language, name, content) => {
      if ((await installed(language)) === null) return;
      const alone = await compile({ [fileOf[language]]: content });
      expect([alone.status, alone.reason]).toEqual(['neutral', expect.stringContaining(name)]);
      expect((await compile({ [fileOf[language]]: content, ...fault[language] })).status).toBe(
        'failed',
      );
    },
  );

  it.each(firstOf(1, wrong, ([language]) => language))(
    'QEL-20 %s: a slip that no version explains fails: %s',
    async (language, content) => {
      if ((await installed(language)) === null) return;
      expect((await compile({ [fileOf[language]]: content })).status).toBe('failed');
    },
  );
});

describe('tests of newer code', () => {
  const test = (name: string): string =>
    `from ${name} import first\n\ndef test_first():\n    assert first([1]) == 1\n`;
  const generic = 'def first[T](items: list[T]) -> T:\n    return items[0]\n';

  it.each(['unittest', 'pytest'] as const)(
    'QEL-30 %s: neutral where the installed Python is older',
    async (runner) => {
      const version = await installed('python');
      if (version === null) return;
      const asCase = (name: string): string =>
        `import unittest\nfrom ${name} import first\n\nclass FirstTest(unittest.TestCase):\n    def test_first(self):\n        self.assertEqual(first([1]), 1)\n`;
      const write = runner === 'pytest' ? test : asCase;
      const prove = (files: Files, tests: Files) =>
        runTests(
          monitor,
          { files: list(files), tier: 'xlarge', runTests: null },
          { runner, files: list(tests) },
          new AbortController().signal,
        );
      const isOlder = isNewerThan([3, 12], version);
      const sound = { 'a.py': generic, 'b.py': 'def first(items):\n    return items[0]\n' };
      const tests = { 'test_a.py': write('a'), 'test_b.py': write('b') };
      expect((await prove(sound, tests)).status).toBe(isOlder ? 'neutral' : 'passed');
      expect(
        (await prove({ ...sound, 'b.py': 'def first(items):\n    return items[-2]\n' }, tests))
          .status,
      ).toBe('failed');
      expect((await prove({ ...sound, 'b.py': 'def first(items:\n' }, tests)).status).toBe(
        'failed',
      );
    },
  );
});

describe('declared versions that the box cannot meet', () => {
  const cargo = (more: string): string => `[package]\nname = "a"\nversion = "0.1.0"\n${more}\n`;
  const tsconfig = (options: string): string => `{"compilerOptions":{${options}}}`;
  const ts = 'export const names: string[] = ["a"];\n';
  const wrongTs = 'export const size: string = 1;\n';
  const declared: readonly (readonly [string, Files, RegExp, Files | null])[] = [
    [
      'rust-version',
      {
        'Cargo.toml': cargo('edition = "2021"\nrust-version = "1.999"'),
        'src/main.rs': 'fn main() {}\n',
      },
      /newer Rust/,
      null,
    ],
    [
      'edition',
      { 'Cargo.toml': cargo('edition = "2099"'), 'src/main.rs': 'fn main() {}\n' },
      /newer Rust/,
      null,
    ],
    [
      'go',
      {
        'go.mod': 'module a\n\ngo 1.999\n',
        'main.go': 'package main\n\nimport _ "no/longer"\n\nfunc main() {}\n',
      },
      /newer Go/,
      null,
    ],
    [
      'target',
      { 'tsconfig.json': tsconfig('"target":"es2099"'), 'a.ts': ts },
      /es2099 \(target\)/,
      { 'b.ts': wrongTs },
    ],
    [
      'lib',
      { 'tsconfig.json': tsconfig('"lib": ["dom", "es2099.array"]'), 'a.ts': ts },
      /es2099\.array \(lib\)/,
      long ? { 'b.ts': wrongTs } : null,
    ],
    [
      'module',
      { 'tsconfig.json': tsconfig('\n"module": "node99"\n'), 'a.ts': ts },
      /node99 \(module\)/,
      long ? { 'b.ts': wrongTs } : null,
    ],
  ];
  it.each(declared)('QEL-30 %s: neutral with the reason', async (_what, files, reason, more) => {
    if (state.state !== 'ready') return;
    const result = await compile(files);
    if (result.receipt === null) return reportSkipped(result.reason ?? '');
    expect([result.status, result.reason]).toEqual(['neutral', expect.stringMatching(reason)]);
    const withFault = more === null ? 'failed' : (await compile({ ...files, ...more })).status;
    expect(withFault).toBe('failed');
  });

  it('QEL-20 Cargo.toml, an edition that never was fails', async () => {
    if ((await installed('rust')) === null) return;
    expect(
      (await compile({ 'Cargo.toml': cargo('edition = "2020"'), 'src/main.rs': 'fn main() {}\n' }))
        .status,
    ).toBe('failed');
  });

  it.each(firstOf(1, ['"target":"es2o23"', '"lib":["es2015.colection"]', '"module":"nod20"']))(
    'QEL-20 tsconfig.json, a slip fails: %s',
    async (options) => {
      if (state.state !== 'ready') return;
      expect((await compile({ 'tsconfig.json': tsconfig(options), 'a.ts': ts })).status).toBe(
        'failed',
      );
    },
  );

  it('QEL-22 the receipt of Rust names the compiler, not Cargo', async () => {
    const version = await installed('rust');
    if (version === null) return;
    expect(version).toMatch(/^rustc \d/);
  });

  const python = (line: string): Files => ({
    'a.py': `${line}\n\ndef first(items):\n    return items[0]\n`,
  });
  const pyTest: Files = {
    'test_a.py': 'from a import first\n\ndef test_first():\n    assert first([1]) == 1\n',
  };
  const stated = (files: Files): readonly Files[] =>
    [
      { 'pyproject.toml': '[project]\nname = "a"\nrequires-python = ">=3.99"\n' },
      { 'setup.cfg': '[options]\npython_requires = >=3.99\n' },
      { 'setup.py': "from setuptools import setup\n\nsetup(name='a', python_requires='>=3.99')\n" },
    ].map((declares) => ({ ...files, ...declares }));
  const node = (line: string, version = '>=99'): Files => ({
    'a.js': `${line}\nexports.first = (items) => items[0];\n`,
    'package.json': JSON.stringify({ name: 'a', engines: { node: version } }),
  });
  const nodeTest: Files = {
    'a.test.js':
      "const test = require('node:test');\nconst assert = require('node:assert');\ntest('first', () => {\n  assert.equal(require('./a.js').first([1]), 1);\n});\n",
  };
  const bad = (files: Files): Files =>
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, text.replace('items[0]', 'items[1]')]),
    );

  type Proved = readonly [TestRunner, string, Files, GateResult['status']];
  const proved: readonly Proved[] = [
    ...stated(python('from typing import later_name')).map(
      (files): Proved => ['pytest', 'a name of typing', files, 'neutral'],
    ),
    ...stated(python('import itertools\n\nitertools.later_name')).map(
      (files): Proved => ['pytest', 'a name of itertools', files, 'neutral'],
    ),
    ...stated(python('')).map((files): Proved => ['pytest', 'nothing newer', files, 'passed']),
    ...stated(bad(python(''))).map(
      (files): Proved => ['pytest', 'a wrong result', files, 'failed'],
    ),
    ['pytest', 'undeclared', python('from typing import later_name'), 'failed'],
    [
      'pytest',
      'a version that the box has',
      {
        ...python('from typing import later_name'),
        'setup.cfg': '[options]\npython_requires = >=3.8\n',
      },
      'failed',
    ],
    [
      'pytest',
      'an own module',
      { ...python('from tools import later_name'), 'tools.py': '', ...stated({})[0] },
      'failed',
    ],
    ['node', 'a built-in module', node("require('node:later');"), 'neutral'],
    ['node', 'a function of Object', node('Object.laterName({});'), 'neutral'],
    ['node', 'nothing newer', node(''), 'passed'],
    ['node', 'a wrong result', bad(node('')), 'failed'],
    ['node', 'an own function', node('const own = {};\nown.laterName();'), 'failed'],
    ['node', 'a version that the box has', node('Object.laterName({});', '>=18'), 'failed'],
  ];
  /**
   * Each way of declaring a version with one use of a newer name, and once with each of the other
   * uses.
   */
  const groupOf = ([runner, what, files]: Proved): unknown =>
    what === 'a name of typing' ? files : `${runner} ${what}`;
  it.each(firstOf(1, proved, groupOf))(
    'QEL-30 tests with %s, %s: %j: %s',
    async (runner, _what, files, status) => {
      if (state.state !== 'ready' || (runner === 'pytest' && runnerKinds.pytest.find() === null))
        return;
      const tests = runner === 'node' ? nodeTest : pyTest;
      const job = { files: list(files), tier: 'xlarge' as const, runTests: null };
      const result = await runTests(
        monitor,
        job,
        { runner, files: list(tests) },
        new AbortController().signal,
      );
      expect(result.status).toBe(status);
      expect((result.reason ?? '').includes('99')).toBe(status === 'neutral');
    },
  );
});
