import { findProgram } from '../tools';
import type { CompileGate } from './compile-gate';

/** Isolated (-I): a file of the code cannot stand in for a module of the compiler. */
export const pythonGates: readonly CompileGate[] = [
  {
    language: 'python',
    command: 'python -m compileall -q .',
    find: () => findProgram('python3'),
    missing: 'Python is not installed on this machine.',
    // Folders of this name are passed over; nothing is imported, so that another name changes nothing.
    prepare: (files) => ({
      args: ['-I', '-m', 'compileall', '-q', '.'],
      files: files.map(({ path, content }) => ({ path: path.replaceAll(/(^|\/)__pycache__(?=\/)/g, '$1pycache'), content })),
      env: { PYTHONPYCACHEPREFIX: '/tmp/pycache' },
    }),
    environmentFault: () => null,
  },
];
