// Compile gates on real toolchains: passes, failures, and faults of the environment. A toolchain
// that is not installed is reported as skipped here; its result `neutral` has a separate test.
import { afterAll, describe, expect, it } from 'vitest';
import { reportSkipped } from '../../../testing/boxes';
import { firstOf } from '../../../testing/first-of';
import { createBoxMonitor } from '../../sandbox';
import { compileGates } from './compile';
import type { GateJob, GateResult } from './gate';
import { createRunGates, listGates, noGateNotes } from './index';
import { runCompile } from './run-compile';

const monitor = createBoxMonitor();
const state = await monitor.check();
const runGates = createRunGates(monitor);
afterAll(() => monitor.stop());
if (state.state !== 'ready') reportSkipped(state.reason ?? '');

type Files = Readonly<Record<string, string>>;
const job = (files: Files, more: Partial<GateJob> = {}): GateJob => ({
  files: Object.entries(files).map(([path, content]) => ({ path, content })),
  tier: 'medium',
  runTests: null,
  ...more,
});
const run = (given: GateJob): Promise<readonly GateResult[]> =>
  runGates(given, new AbortController().signal);
const isInstalled = (language: string): boolean =>
  state.state === 'ready' &&
  compileGates.some((gate) => gate.language === language && gate.find() !== null);

const rows: readonly (readonly [string, string, GateResult['status'], Files, RegExp?])[] = [
  [
    'python',
    'good code',
    'passed',
    { 'app.py': 'print(1)\n', 'models/task.py': 'class Task:\n    pass\n' },
  ],
  ['python', 'a broken file', 'failed', { 'app.py': 'def f(:\n' }, /SyntaxError/],
  [
    'python',
    'a file that poses as the compiler',
    'failed',
    { 'compileall.py': 'import sys; sys.exit(0)', 'py_compile.py': '', 'app.py': 'def f(:\n' },
  ],
  [
    'go',
    'good code without a module',
    'passed',
    { 'main.go': 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(1) }\n' },
  ],
  [
    'go',
    'an unused variable',
    'failed',
    { 'main.go': 'package main\n\nfunc main() { x := 1 }\n' },
    /declared/,
  ],
  [
    'go',
    'an external library',
    'neutral',
    {
      'main.go':
        'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc main() { gin.Default() }\n',
    },
  ],
  [
    'rust',
    'good code without a manifest',
    'passed',
    { 'main.rs': 'mod task;\nfn main() { task::run(); }\n', 'task.rs': 'pub fn run() {}\n' },
  ],
  [
    'rust',
    'a wrong type',
    'failed',
    {
      'src/lib.rs': 'pub fn a() -> i32 { "x" }\n',
      'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
    },
    /mismatched types/,
  ],
  [
    'rust',
    'an external crate',
    'neutral',
    { 'main.rs': 'use axum::Router;\nfn main() { let _r: Router = Router::new(); }\n' },
  ],
  [
    'rust',
    'settings that put another program in the compiler’s place',
    'failed',
    {
      'src/lib.rs': 'pub fn a() -> i32 { "x" }\n',
      'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\n',
      '.cargo/config.toml': '[build]\nrustc = "/bin/true"\nrustc-wrapper = "/bin/true"\n',
    },
  ],
  [
    'java',
    'good code',
    'passed',
    {
      'src/main/java/app/Main.java':
        'package app;\npublic class Main { public static void main(String[] a) { System.out.println(1); } }\n',
    },
  ],
  [
    'java',
    'a wrong type',
    'failed',
    { 'A.java': 'public class A { int x = "s"; }\n' },
    /incompatible types/,
  ],
  [
    'java',
    'an external library',
    'neutral',
    {
      'A.java':
        'import org.springframework.boot.SpringApplication;\npublic class A { void f() { SpringApplication.run(A.class); } }\n',
    },
  ],
  [
    'typescript',
    'good code of two files',
    'passed',
    {
      'a.ts': "import { b } from './b';\nexport const x: number = b;\n",
      'b.ts': 'export const b = 1;\n',
    },
  ],
  ['typescript', 'a wrong type', 'failed', { 'a.ts': 'export const x: number = "s";\n' }, /TS2322/],
  [
    'typescript',
    'a file that was never written',
    'failed',
    { 'a.ts': "import { b } from './b';\nb();\n" },
    /TS2307/,
  ],
  [
    'typescript',
    'an external framework',
    'passed',
    {
      'server.ts':
        "import express, { Request, Response } from 'express';\nimport fs from 'node:fs';\nconst app = express();\napp.get('/', (req: Request, res: Response) => { res.send(fs.readFileSync(req.path)); });\napp.listen(process.env.PORT);\n",
      'view.tsx':
        "import React, { useState } from 'react';\nexport const View: React.FC<{ x: string }> = ({ x }) => { const [s, set] = useState<string>(''); return <div onClick={() => set('a')}>{s}{x}</div>; };\n",
    },
  ],
  [
    'typescript',
    'a wrong call next to a framework',
    'failed',
    {
      'a.ts':
        "import { z } from 'zod';\nexport function f(n: number): string { return n; }\nf(z.string());\n",
    },
    /TS2322/,
  ],
  ['typescript', 'broken JavaScript', 'failed', { 'a.js': 'function ( {\n' }],
  [
    'typescript',
    'settings of its own',
    'failed',
    {
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"plugins":[{"name":"./evil.js"}],"outDir":"/etc"}}',
      'a.ts': 'export function f(x: string | null): number { return x.length; }\n',
    },
    /TS18047/,
  ],
  [
    'typescript',
    'settings that switch the checks off',
    'failed',
    {
      'tsconfig.json': '{"compilerOptions":{"noCheck":true}}',
      'a.ts': 'export const x: number = "s";\n',
    },
    /TS2322/,
  ],
  [
    'typescript',
    'a file that asks not to be checked',
    'failed',
    { 'a.ts': '// @ts-nocheck\nexport const x: number = "s";\n' },
    /TS2322/,
  ],
  [
    'python',
    'a broken file where compiled ones are kept',
    'failed',
    { '__pycache__/calc.py': 'def add(a, b:\n  return\n' },
    /SyntaxError/,
  ],
  [
    'python',
    'a broken file that a sound one from there could take the place of',
    'failed',
    { 'pycache/calc.py': 'def add(a, b:\n', '__pycache__/calc.py': 'x = 1\n' },
    /SyntaxError/,
  ],
  [
    'go',
    'only files that their tags leave out',
    'failed',
    { 'a.go': '//go:build never\n\npackage a\n\nvar x int = "s"\n' },
  ],
];

const named = rows.map(([language, what, status, files, says]) => ({
  language,
  what,
  status,
  files,
  says,
}));

describe('compile gates', () => {
  it.each(firstOf(1, named, ({ language, status }) => `${language} ${status}`))(
    'QEL-20 QEL-27 QEL-30 $language, $what: $status',
    async ({ language, status, files, says }) => {
      if (!isInstalled(language)) {
        reportSkipped(`${language} is not installed below /usr`);
        return;
      }
      const results = await run(job(files, { tier: 'tiny' }));
      expect(
        results.map((result) => [result.language, result.status, result.reason === null]),
      ).toEqual(results.map(() => [language, status, status === 'passed']));
      for (const result of results) {
        expect(result.stderr).toMatch(says ?? /^/);
        expect(result.receipt?.toolchain).toMatch(/\d/);
        expect(result.receipt?.outputHash).toMatch(/^[0-9a-f]{64}$/);
      }
    },
  );

  it.runIf(state.state === 'ready')(
    'QEL-28 a toolchain that is missing is neutral, and says so',
    async () => {
      const [gate] = compileGates;
      if (gate === undefined) throw new Error('there are no gates');
      const absent = { ...gate, find: () => null };
      const result = await runCompile(
        monitor,
        absent,
        { ...job({ 'a.ts': '' }), micro: false },
        new AbortController().signal,
      );
      expect([result.status, result.reason, result.receipt]).toEqual([
        'neutral',
        gate.missing,
        null,
      ]);
      const gone = {
        ...gate,
        find: () => ({ program: '/usr/bin/no-such-tool', args: [], binds: [], versionArgs: [] }),
      };
      const exit127 = await runCompile(
        monitor,
        gone,
        { ...job({ 'a.ts': '' }), micro: false },
        new AbortController().signal,
      );
      expect([exit127.status, exit127.exitCode]).toEqual(['neutral', 127]);
      expect(exit127.stderr).toContain('No such file');
    },
  );

  it.runIf(isInstalled('python'))(
    'QEL-31 QEL-33 a gate that outlasts its deadline is a timeout, and a micro-gate has a shorter one',
    async () => {
      const gate = compileGates.find(({ language }) => language === 'python');
      if (gate === undefined) throw new Error('there is no gate');
      const slow = {
        ...gate,
        prepare: () => ({ args: ['-c', 'import time; time.sleep(60)'], files: [], env: {} }),
      };
      const result = await runCompile(
        monitor,
        slow,
        { files: [], tier: 'xlarge', micro: true },
        new AbortController().signal,
      );
      expect([result.status, result.exitCode, result.reason]).toEqual([
        'timeout',
        null,
        'Stopped after 5 s.',
      ]);
      expect(result.receipt?.end).toBe('timeout');
    },
  );

  it('S-85 without a box each gate is not run, with the reason and what to do', async () => {
    const nothing = createBoxMonitor({
      find: async () => ({
        status: 'absent',
        isMissing: true,
        reason: 'There is no bwrap.',
        fix: 'Install it.',
      }),
    });
    const results = await createRunGates(nothing)(
      job({ 'a.ts': 'export {};\n', 'a.py': '' }),
      new AbortController().signal,
    );
    expect(
      results.map(({ language, status, reason, receipt }) => [language, status, reason, receipt]),
    ).toEqual([
      ['typescript', 'not_run', 'There is no bwrap. Install it.', null],
      ['python', 'not_run', 'There is no bwrap. Install it.', null],
    ]);
    nothing.stop();
  });

  it('QEL-27 QEL-32 names the gates of the files, and the extensions that have none', () => {
    expect(listGates(['a.tsx', 'b.js', 'c.py', 'd.go', 'e.css'])).toEqual([
      'npx tsc --noEmit --skipLibCheck',
      'python -m compileall -q .',
      'go build ./...',
      'go vet ./...',
    ]);
    expect(noGateNotes(['a.rb', 'b.swift', 'c.rb', 'd.md', 'e.ts'])).toEqual([
      'No proof gate available for .rb. Code was not verified.',
      'No proof gate available for .swift. Code was not verified.',
    ]);
  });

  it.runIf(isInstalled('rust'))(
    'S-86 code that runs while it is compiled reaches nothing, and is bounded as all else',
    async () => {
      const build =
        'fn main() { let seen = [std::fs::read("/etc/shadow").is_ok(), std::fs::read_dir("/root").is_ok(), std::net::TcpStream::connect("127.0.0.1:5432").is_ok(), std::fs::write("/usr/x", "").is_ok()]; println!("cargo:warning={:?}", seen); }';
      const [result] = await run(
        job(
          {
            'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
            'src/lib.rs': '',
            'build.rs': build,
          },
          { tier: 'tiny' },
        ),
      );
      expect(result?.stderr).toContain('[false, false, false, false]');
      const forever = await run(
        job(
          {
            'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\n',
            'src/lib.rs': '',
            'build.rs': 'fn main() { loop {} }',
          },
          { tier: 'xlarge', micro: true },
        ),
      );
      expect(forever.map(({ status }) => status)).toEqual(['timeout']);
    },
  );
});
