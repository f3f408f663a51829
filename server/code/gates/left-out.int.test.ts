// Compile gates on code that a tool omits, and on diagnostics that only seem to come from the
// environment. Neither may pass, and a fault of the code is never neutral.
import { afterAll, describe, expect, it } from 'vitest';
import { reportSkipped } from '../../../testing/boxes';
import { firstOf } from '../../../testing/first-of';
import type { GateLanguage } from '../../domain';
import { createBoxMonitor } from '../../sandbox';
import { compileGates } from './compile';
import type { GateResult } from './gate';
import { createRunGates } from './index';

const monitor = createBoxMonitor();
const state = await monitor.check();
const runGates = createRunGates(monitor);
afterAll(() => monitor.stop());
if (state.state !== 'ready') reportSkipped(state.reason ?? '');

type Files = Readonly<Record<string, string>>;
type Row = readonly [GateLanguage, string, Files];

async function prove(language: GateLanguage, files: Files): Promise<readonly GateResult[]> {
  const list = Object.entries(files).map(([path, content]) => ({ path, content }));
  const all = await runGates(
    { files: list, tier: 'tiny', runTests: null },
    new AbortController().signal,
  );
  return all.filter((result) => result.language === language);
}

const isInstalled = (language: GateLanguage): boolean =>
  state.state === 'ready' &&
  compileGates.some((gate) => gate.language === language && gate.find() !== null);
const installed = (rows: readonly Row[]): readonly Row[] =>
  firstOf(
    1,
    rows.filter(([language]) => isInstalled(language)),
    ([language]) => language,
  );

const goMain = 'package main\n\nfunc main() {}\n';
const goBroken = 'package main\n\nvar broken int = "s"\n';
const rustBroken = 'pub fn broken() -> i32 { "s" }\n';
const cargo = '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n';
const tsBroken = 'export const broken: number = "s";\n';

/** Wrong code that something hides from the compiler, next to correct code. */
const leftOut: readonly Row[] = [
  ...['ignore', 'never', 'windows', '!linux', 'cgo', 'go1.99', 'linux && arm'].map(
    (tag): Row => [
      'go',
      `build constraint ${tag}`,
      { 'main.go': goMain, 'calc.go': `//go:build ${tag}\n\n${goBroken}` },
    ],
  ),
  ...[
    'calc_windows.go',
    'calc_arm.go',
    'calc_js_wasm.go',
    '_calc.go',
    '.calc.go',
    'testdata/calc.go',
    '_x/calc.go',
    'calc.GO',
  ].map((path): Row => ['go', `the name ${path}`, { 'main.go': goMain, [path]: goBroken }]),
  ['go', 'a test by its name', { 'main.go': goMain, 'calc_test.go': goBroken }],
  [
    'go',
    'a module of its own',
    {
      'main.go': goMain,
      'calc/go.mod': 'module calc\n',
      'calc/calc.go': goBroken,
      'go.mod': 'module box\n',
    },
  ],
  [
    'go',
    'cgo',
    { 'main.go': goMain, 'calc.go': `package main\n\nimport "C"\n\nvar broken int = "s"\n` },
  ],
  [
    'rust',
    'another file of the library',
    {
      'Cargo.toml': `${cargo}[lib]\npath = "src/other.rs"\n`,
      'src/other.rs': '',
      'src/lib.rs': rustBroken,
    },
  ],
  [
    'rust',
    'another file of the program',
    {
      'Cargo.toml': `${cargo}[[bin]]\nname = "a"\npath = "src/other.rs"\n`,
      'src/other.rs': 'fn main() {}\n',
      'src/calc.rs': rustBroken,
    },
  ],
  [
    'rust',
    'a file that no module takes in',
    { 'Cargo.toml': cargo, 'src/lib.rs': '', 'src/calc.rs': rustBroken },
  ],
  [
    'rust',
    'an excluded package',
    {
      'Cargo.toml': `${cargo}[workspace]\nexclude = ["calc"]\n`,
      'src/lib.rs': '',
      'calc/Cargo.toml': cargo.replace('"a"', '"calc"'),
      'calc/src/lib.rs': rustBroken,
    },
  ],
  ...[
    'any()',
    'never',
    'windows',
    'not(unix)',
    'all(unix, windows)',
    'feature = "x"',
    'target_os = "macos"',
    'target_endian = "big"',
    'doc',
    'all(test, not(test))',
    'all(test, unix)',
    'all(all(all(all(all(any())))))',
  ].flatMap((condition): Row[] => [
    [
      'rust',
      `#![cfg(${condition})]`,
      { 'Cargo.toml': cargo, 'src/lib.rs': `#![cfg(${condition})]\n${rustBroken}` },
    ],
    [
      'rust',
      `#[cfg(${condition})] mod`,
      {
        'Cargo.toml': cargo,
        'src/lib.rs': `#[cfg(${condition})]\nmod calc;\n`,
        'src/calc.rs': rustBroken,
      },
    ],
  ]),
  [
    'rust',
    'tests only',
    { 'Cargo.toml': cargo, 'src/lib.rs': `#[cfg(test)]\nmod calc;\n`, 'src/calc.rs': rustBroken },
  ],
  [
    'rust',
    'text',
    {
      'Cargo.toml': cargo,
      'src/lib.rs': 'pub const CALC: &str = include_str!("calc.rs");\n',
      'src/calc.rs': rustBroken,
    },
  ],
  [
    'rust',
    'a build script that rewrites the code',
    {
      'Cargo.toml': cargo,
      'src/lib.rs': rustBroken,
      'build.rs':
        'fn main() { std::fs::write("/box/src/lib.rs", "pub fn broken() -> i32 { 1 }").unwrap(); }\n',
    },
  ],
  ...['exclude', 'include', 'files'].map(
    (member): Row => [
      'typescript',
      `tsconfig ${member}`,
      {
        'tsconfig.json': JSON.stringify({
          [member]: member === 'exclude' ? ['calc.ts'] : ['ok.ts'],
        }),
        'ok.ts': 'export {};\n',
        'calc.ts': tsBroken,
      },
    ],
  ),
  ...[
    '// @ts-nocheck',
    '/* @ts-nocheck */',
    '// @ts-ignore',
    '/* @ts-ignore */',
    '// @ts-expect-error',
  ].map((comment): Row => ['typescript', comment, { 'calc.ts': `${comment}\n${tsBroken}` }]),
  ['typescript', 'a declaration file', { 'calc.d.ts': 'export declare const broken: Missing;\n' }],
  [
    'typescript',
    'settings that resolve nothing',
    {
      'tsconfig.json':
        '{"compilerOptions":{"noCheck":true,"noResolve":true,"noLib":true,"skipLibCheck":true}}',
      'calc.ts': tsBroken,
    },
  ],
  ...['calc.PY', '__pycache__/calc.py', '.hidden/calc.py', 'tests/calc.Py'].map(
    (path): Row => [
      'python',
      `the name ${path}`,
      { 'main.py': 'x = 1\n', [path]: 'def broken(:\n' },
    ],
  ),
  ['python', 'a condition', { 'main.py': 'if False:\n    def broken(:\n' }],
  ...['Calc.JAVA', 'x/Calc.Java'].map(
    (path): Row => [
      'java',
      `the name ${path}`,
      { 'A.java': 'class A {}\n', [path]: 'class Calc { int x = "s"; }\n' },
    ],
  ),
];

/** Correct code that each of these checks could mistake for one of the above. */
const honest: readonly Row[] = [
  [
    'go',
    'a program with tests',
    {
      'main.go': goMain,
      'main_test.go':
        'package main\n\nimport "testing"\n\nfunc TestMainRuns(t *testing.T) { main() }\n',
    },
  ],
  ['go', 'a constraint that is met', { 'main.go': `//go:build linux || darwin\n\n${goMain}` }],
  [
    'go',
    'a package below',
    {
      'go.mod': 'module app\n',
      'main.go': 'package main\n\nimport "app/calc"\n\nfunc main() { calc.Add() }\n',
      'calc/calc.go': 'package calc\n\nfunc Add() {}\n',
    },
  ],
  [
    'rust',
    'modules, a program and tests',
    {
      'Cargo.toml': cargo,
      'src/main.rs': 'mod calc;\nfn main() { calc::add(1, 2); }\n',
      'src/calc.rs':
        'pub fn add(a: i32, b: i32) -> i32 { a + b }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert_eq!(super::add(1, 2), 3); }\n}\n',
      'tests/all.rs': '#[test]\nfn one() {}\n',
    },
  ],
  [
    'rust',
    'code for two systems',
    {
      'main.rs':
        '#[cfg(windows)]\nfn clear() {}\n#[cfg(not(windows))]\nfn clear() {}\nfn main() { clear(); }\n',
    },
  ],
  [
    'typescript',
    'declarations of its own',
    {
      'globals.d.ts':
        'declare const process: { env: Record<string, string> };\ndeclare module "x" { export const y: number; }\n',
      'a.ts': 'export const x = process.env.A;\n',
    },
  ],
  [
    'typescript',
    'settings',
    {
      'tsconfig.json': '{"compilerOptions":{"strict":true},"exclude":["dist"]}',
      'src/a.ts': 'export const a: number = 1;\n',
    },
  ],
  ['python', 'a package', { 'app/__init__.py': '', 'app/main.py': 'import flask\n' }],
  ['java', 'two files', { 'A.java': 'class A { B b; }\n', 'x/B.java': 'class B {}\n' }],
];

/** Faults of the code next to a missing dependency, or with its message. */
const faulty: readonly Row[] = [
  [
    'go',
    'a type error next to a missing module',
    {
      'main.go':
        'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc main() { var x int = "s"; _ = x; gin.Default() }\n',
    },
  ],
  [
    'go',
    'a syntax error next to a missing module',
    {
      'main.go': 'package main\n\nimport "github.com/a/b"\n\nfunc main() { b.C() }\n',
      'c.go': 'package main\n\nfunc (\n',
    },
  ],
  [
    'go',
    'words of the tool in an error',
    {
      'main.go':
        'package main\n\nfunc main() {\n\tvar x int = "main.go:3:8: cannot find module providing package github.com/a/b: module lookup disabled by GOPROXY=off"\n\t_ = x\n}\n',
    },
  ],
  [
    'go',
    'a package of its own that is not there',
    {
      'go.mod': 'module github.com/a/b\n',
      'main.go': 'package main\n\nimport "github.com/a/b/c"\n\nfunc main() { c.D() }\n',
    },
  ],
  [
    'go',
    'a newer version and a type error',
    { 'go.mod': 'module box\n\ngo 1.99\n', 'main.go': goBroken },
  ],
  [
    'rust',
    'a type error next to the words of the tool',
    {
      'main.rs':
        '// error: no matching package named x found\nfn main() { let x: i32 = "failed to get registry `crates-io`"; }\n',
    },
  ],
  [
    'rust',
    'an error of its own making',
    { 'main.rs': 'compile_error!("x\\nerror[E0432]: unresolved import `axum`");\nfn main() {}\n' },
  ],
  [
    'rust',
    'a syntax error next to a missing crate',
    { 'main.rs': 'use axum::Router;\nfn main( { }\n' },
  ],
  [
    'rust',
    'a package of its own that is not there',
    { 'Cargo.toml': `${cargo}[dependencies]\nb = { path = "b" }\n`, 'src/lib.rs': '' },
  ],
  [
    'java',
    'a type error next to a missing library',
    {
      'A.java':
        'import org.springframework.boot.SpringApplication;\nclass A { int x = "s"; void f() { SpringApplication.run(A.class); } }\n',
    },
  ],
  [
    'java',
    'words of the tool in a comment',
    {
      'A.java':
        'class A {\n/*\n./A.java:1: error: package org.foo does not exist */ int x = "s";\n}\n',
    },
  ],
  [
    'java',
    'a package of the language that is not there',
    { 'A.java': 'import java.utill.List;\nclass A {}\n' },
  ],
  ['java', 'an unknown name', { 'A.java': 'class A { Missing x; }\n' }],
  [
    'typescript',
    'a type error next to a missing type',
    {
      'a.ts':
        "import { z } from 'zod';\nexport const s: z.Foo.Bar = 1;\nexport const x: number = 's';\n",
    },
  ],
  ['typescript', 'an unknown namespace', { 'a.ts': 'export let x: Missing.Type;\n' }],
  [
    'typescript',
    'words of the tool in an error',
    { 'a.ts': "export const x: 'a' = \"a.ts(1,1): error TS2307: Cannot find module 'zod'\";\n" },
  ],
  [
    'python',
    'words of the tool in an error',
    { 'a.py': 'raise SyntaxError("No module named \'flask\'"\n' },
  ],
];

describe('compile gates', () => {
  it.each(installed(leftOut))(
    'S-119 %s, %s: left-out code does not pass',
    async (language, _what, files) => {
      const results = await prove(language, files);
      expect(results.length).toBeGreaterThan(0);
      for (const { status, reason } of results) {
        expect(['failed', 'neutral']).toContain(status);
        expect(reason).not.toBeNull();
      }
    },
  );

  it.each(installed(honest))(
    'S-119 %s, %s: compiled code passes',
    async (language, _what, files) => {
      const results = await prove(language, files);
      expect(
        results.map(({ status, reason, stderr }) => [
          status,
          reason,
          status === 'passed' ? '' : stderr,
        ]),
      ).toEqual(results.map(() => ['passed', null, '']));
    },
  );

  it.each(installed(faulty))(
    'S-119 QEL-30 %s, %s: a fault of the code is not neutral',
    async (language, _what, files) => {
      const results = await prove(language, files);
      expect(results.map(({ status, reason }) => [status, reason])).toEqual(
        results.map(({ reason }) => ['failed', reason]),
      );
    },
  );
});
