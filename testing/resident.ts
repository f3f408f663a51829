import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Resident memory of a process as counted by the system: heap, buffers and native libraries. Linux
 * only.
 */
export const canMeasureResident = existsSync('/proc/self/clear_refs');

/** Resets the peak of a process to its current memory, and returns that in bytes. */
export function resetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return readStatus(pid, 'VmRSS');
}

/** The peak resident memory since `resetPeak`, in bytes; exact, since the kernel records it. */
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
