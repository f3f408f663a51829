import { createHash } from 'node:crypto';
import type { BoxResult } from '../../sandbox';
import type { GateFile, GateReceipt } from './gate';

/** @param argv as started inside the sandbox */
export function receiptOf(
  argv: readonly string[],
  files: readonly GateFile[],
  result: BoxResult,
  toolchain: string | null,
): GateReceipt {
  const { wallMs, memoryBytes, tasks, outputBytes, diskBytes } = result.limits;
  return {
    argv,
    toolchain,
    end: result.end,
    exitCode: result.exitCode,
    outputHash: createHash('sha256').update(result.stdout).update(result.stderr).digest('hex'),
    filesHash: hashOfFiles(files),
    limits: { wallMs, memoryBytes, tasks, outputBytes, diskBytes },
    box: result.end === 'setup' ? 'none' : 'bubblewrap',
  };
}

/** @returns SHA-256 over path and content of each file with their lengths, in the order of paths */
function hashOfFiles(files: readonly GateFile[]): string {
  const hash = createHash('sha256');
  for (const { path, content } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    for (const text of [path, content]) hash.update(`${Buffer.byteLength(text)}:`).update(text);
  }
  return hash.digest('hex');
}
