// Users without an account, for boxes: each slot of a worker gets a separate one, so that two boxes
// share no limit and no right that the kernel grants per user.
import { readFileSync } from 'node:fs';

/** Debian leaves 60,000 to 64,999 unassigned (base-passwd, users-and-groups). */
const firstFree = 60_100;
const firstOfDrop = 62_120;
/**
 * Slots of one process, and the number of processes that get separate users before the numbers
 * repeat.
 */
export const maxSlots = 64;
const processes = 75;

function taken(): ReadonlySet<string | undefined> {
  try {
    return new Set(
      readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .map((line) => line.split(':')[2]),
    );
  } catch {
    return new Set();
  }
}

/** @returns the user of a process whose boxes all have the same one */
export function unusedUser(): number {
  const accounts = taken();
  let uid = firstOfDrop;
  while (accounts.has(String(uid))) uid += 1;
  return uid;
}

/**
 * @param worker the user that starts the boxes; no box may have it
 * @returns the user of each slot, `maxSlots` of them; different ones for concurrent processes
 */
export function usersOfSlots(pid: number, worker = 0): readonly number[] {
  const accounts = new Set([...taken(), String(worker)]);
  const users: number[] = [];
  for (let uid = firstFree + (pid % processes) * maxSlots; users.length < maxSlots; uid += 1) {
    if (!accounts.has(String(uid))) users.push(uid);
  }
  return users;
}
