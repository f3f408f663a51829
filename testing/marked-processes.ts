import { readdirSync, readFileSync } from 'node:fs';

/**
 * @returns pids of the processes of this machine that have a word in their arguments; those of
 * boxes are among them
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
