import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, regardless of the kernel's own clock. */
const ticksPerSecond = 100;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

/**
 * Processor seconds used by a process, its living descendants and all ended children. Linux only.
 */
export function treeCpuSeconds(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : [],
  );
  const inTree = new Set([pid]);
  // A child may have a lower pid than its parent: repeat until nothing is added.
  for (let before = 0; before < inTree.size; ) {
    before = inTree.size;
    for (const stat of all) if (inTree.has(stat.parent)) inTree.add(stat.pid);
  }
  return (
    all.reduce((sum, stat) => sum + (inTree.has(stat.pid) ? stat.ticks : 0), 0) / ticksPerSecond
  );
}

/** Null if it ended between listing and reading; its parent then includes its time. */
function readStat(pid: number): Stat | null {
  try {
    // The name in brackets may itself contain spaces and brackets.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    return { pid, parent: Number(fields[1]), ticks };
  } catch {
    return null;
  }
}

/** Resident memory in MiB. */
export function residentMiB(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * 4096) / 1024 / 1024;
}
