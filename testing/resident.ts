import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Memory of a process as the system counts it: all of it, heap and buffers and what a native
 * library took. Linux only.
 */
export const canMeasureResident = existsSync('/proc/self/clear_refs');

/**
 * Forgets the highest mark of a process, which begins again from what it holds now, and gives that.
 * In bytes.
 */
export function resetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return readStatus(pid, 'VmRSS');
}

/** The most that was resident since `resetPeak`, in bytes: exact, since the kernel keeps it. */
export function peakResident(pid: number): number {
  return readStatus(pid, 'VmHWM');
}

function readStatus(pid: number, member: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`^${member}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  );
  if (found === null) throw new Error(`no ${member} of process ${pid}`);
  return Number(found[1]) * 1024;
}
