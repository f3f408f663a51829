import type { CompileGate } from './compile-gate';
import { csharpGates } from './csharp';
import { goGates } from './go';
import { javaGates } from './java';
import { pythonGates } from './python';
import { rustGates } from './rust';
import { typescriptGates } from './typescript';

export type { CompileCall, CompileEnd, CompileGate } from './compile-gate';

/** A language's gate is one file and one entry here. */
export const compileGates: readonly CompileGate[] = [
  ...typescriptGates,
  ...pythonGates,
  ...goGates,
  ...rustGates,
  ...javaGates,
  ...csharpGates,
];
