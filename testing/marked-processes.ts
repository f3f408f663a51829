import { readdirSync, readFileSync } from 'node:fs';

/**
 * @returns pids of the processes on this machine whose arguments contain a word, including
 * processes in sandboxes
 */
export function processesWith(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}
