import { readdirSync, readFileSync } from 'node:fs';

/**
 * @returns pids of the processes of this machine with a word in their arguments, including those in
 * sandboxes
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
