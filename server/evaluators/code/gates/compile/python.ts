import type { CodeFile } from '../gate';
import { findProgram } from '../tools';
import { type CompileGate, otherEndings } from './compile-gate';

/** The compiler passes folders of this name over. Nothing is imported, so that another name, which no file has, changes nothing else. */
function unskipped(files: readonly CodeFile[]): readonly CodeFile[] {
  const parts = new Set(files.flatMap(({ path }) => path.split('/')));
  let other = 'pycache';
  while (parts.has(other)) other = `_${other}`;
  return files.map(({ path, content }) => ({ path: path.replaceAll(/(^|\/)__pycache__(?=\/)/g, `$1${other}`), content }));
}

/** Isolated (-I): a file of the code cannot stand in for a module of the compiler. */
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
    environmentFault: () => null,
    leftOut: ({ files }) => otherEndings(files, /\.py$/i, /\.py$/),
  },
];
