// Descriptors that this process was started with, beyond the usual three, reach every child: Node
// marks what it opens itself as closed on exec, not what it inherited. A box gets none of them.
import { readdirSync, readFileSync } from 'node:fs';

const closedOnExec = 0o2_000_000;

let known: readonly number[] | undefined;

/**
 * @returns numbers of the descriptors that a child would get unasked; looked up once, since none
 * comes later
 */
export function inheritedDescriptors(): readonly number[] {
  known ??= readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > 2 && isInherited(fd));
  return known;
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    // The folder's own descriptor, closed by now.
    return false;
  }
}
