import type { GateFile } from '../gate';
import { findProgram } from '../tools';
import { isNewerThan } from '../../structure';
import { type CompileEnd, type CompileGate, onlyEnvironmental, otherEndings } from './compile-gate';

/**
 * The compiler reports the position of an error, but not that the syntax is newer: the parser
 * detects that (`newer-syntax.ts`).
 */
function newerPython({ stdout, stderr, newer, version, files }: CompileEnd): string | null {
  const given = unskipped(files).map(({ path }, i) => ({ path, as: files[i]?.path ?? path }));
  return onlyEnvironmental(`${stdout}\n${stderr}`, {
    diagnostic: /^\*\*\* /,
    explain(text) {
      const compiled = /^\*\*\* Error compiling '\.\/([^\n]+)'\.\.\.$/m.exec(text)?.[1];
      const path = given.find((file) => file.path === compiled)?.as;
      const line = Number(/\n {2}File "[^\n]*", line (\d+)\n/.exec(text)?.[1]);
      const found = newer.find(
        ({ path: of, from, to, since }) =>
          of === path && line >= from && line <= to && isNewerThan(since, version),
      );
      if (found === undefined) return null;
      return `${path}, line ${line}: ${found.what} needs Python ${found.since.join('.')}, which is newer than the installed one.`;
    },
  });
}

/**
 * The compiler skips folders of this name. Nothing is imported, so renaming to an unused name has
 * no other effect.
 */
function unskipped(files: readonly GateFile[]): readonly GateFile[] {
  const parts = new Set(files.flatMap(({ path }) => path.split('/')));
  let other = 'pycache';
  while (parts.has(other)) other = `_${other}`;
  return files.map(({ path, content }) => ({
    path: path.replaceAll(/(^|\/)__pycache__(?=\/)/g, `$1${other}`),
    content,
  }));
}

/** Isolated (-I): a file of the code cannot replace a module of the compiler. */
export const pythonGates: readonly CompileGate[] = [
  {
    language: 'python',
    command: 'python -m compileall -q .',
    find: () => findProgram('python3'),
    missing: 'Python is not installed on this machine.',
    prepare: (files) => ({
      args: ['-I', '-m', 'compileall', '-q', '.'],
      files: unskipped(files),
      env: { PYTHONPYCACHEPREFIX: '/tmp/pycache' },
    }),
    readsNewer: true,
    environmentFault: newerPython,
    leftOut: ({ files }) => otherEndings(files, /\.py$/i, /\.py$/),
  },
];
