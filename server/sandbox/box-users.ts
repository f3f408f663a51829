// Users that no account has, for boxes: each slot of a worker gets one of its own, so that two
// boxes share no limit and no right that the kernel gives by user.
import { readFileSync } from 'node:fs';

/** Debian leaves 60,000 to 64,999 free (base-passwd, users-and-groups). */
const firstFree = 60_100;
const firstOfDrop = 62_120;
/**
 * Slots of one process, and how many processes get users of their own before the numbers begin
 * again.
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

/** @returns the user of a process that gives all its boxes one */
export function unusedUser(): number {
  const accounts = taken();
  let uid = firstOfDrop;
  while (accounts.has(String(uid))) uid += 1;
  return uid;
}

/**
 * @param worker the user that starts the boxes, which none of them may be
 * @returns the user of each slot, `maxSlots` of them; different ones for processes that run next to
 * each other
 */
export function usersOfSlots(pid: number, worker = 0): readonly number[] {
  const accounts = new Set([...taken(), String(worker)]);
  const users: number[] = [];
  for (let uid = firstFree + (pid % processes) * maxSlots; users.length < maxSlots; uid += 1) {
    if (!accounts.has(String(uid))) users.push(uid);
  }
  return users;
}
