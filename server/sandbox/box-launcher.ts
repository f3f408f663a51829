// The box launcher: the one process that keeps root's rights when the worker drops them (S-128). It
// starts nothing and reads nothing that a tenant wrote. A request has twelve bytes: a process of
// the worker that waits at its gate, a slot, and a number of MiB. The process gets the slot's user
// in its own user namespace, and the slot's memory cgroup.
//
// Started as `node dist/box-launcher.js <uid of the worker>` with one end of a Unix socket pair as
// descriptor 3. Only the process that inherited the other end can send requests. It ends with the
// worker.
import { readFileSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { mappedUser } from './box-start';
import { maxSlots, usersOfSlots } from './box-users';
import {
  hasCgroup,
  hasUser,
  type LauncherRequest,
  readRequest,
  requestBytes,
} from './launcher-wire';
import {
  cgroupOfSlot,
  type CgroupRoot,
  enterCgroup,
  findCgroupRoot,
  removeCgroups,
} from './memory-cgroup';

const socketFd = 3;
const maxMemoryBytes = 2 ** 40;
const endingMs = 2_000;

export interface BoxLauncher {
  /** @returns the bits of the answer; 0 if the request is refused */
  answer(request: LauncherRequest): number;
  end(): void;
}

/** @param workerUid the only user whose processes may be mapped */
export function createBoxLauncher(workerUid: number, root: CgroupRoot | null): BoxLauncher {
  const users = usersOfSlots(process.pid, workerUid);
  const can = hasUser | (root === null ? 0 : hasCgroup);
  if (root !== null) removeCgroups(root, process.pid);
  return {
    answer({ pid, slot, memoryBytes }) {
      if (pid === 0) return can;
      const user = users[slot];
      if (
        user === undefined ||
        slot >= maxSlots ||
        memoryBytes > maxMemoryBytes ||
        userOf(pid) !== workerUid
      )
        return 0;
      try {
        if (root !== null) enterCgroup(cgroupOfSlot(root, process.pid, slot), pid, memoryBytes);
        // The kernel accepts a map only once, and none for a process outside a new namespace.
        writeFileSync(`/proc/${pid}/gid_map`, `${mappedUser} ${user} 1\n`);
        writeFileSync(`/proc/${pid}/uid_map`, `${mappedUser} ${user} 1\n`);
        return can;
      } catch {
        return 0;
      }
    },
    end() {
      if (root === null) return;
      removeCgroups(root, process.pid);
      // Boxes of a killed worker may still be ending.
      setTimeout(() => removeCgroups(root, process.pid), endingMs);
    },
  };
}

function userOf(pid: number): number | null {
  try {
    const uid = /^Uid:\s+(\d+)\s/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return uid === undefined ? null : Number(uid);
  } catch {
    return null;
  }
}

/** Answers requests until the other end closes. */
export function serveBoxLauncher(launcher: BoxLauncher, socket: Socket): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (; pending.length >= requestBytes; pending = pending.subarray(requestBytes)) {
      socket.write(Buffer.of(launcher.answer(readRequest(pending.subarray(0, requestBytes)))));
    }
  });
  const over = (): void => {
    socket.destroy();
    launcher.end();
  };
  socket.once('error', over).once('close', over);
}

/**
 * @param uid of the worker
 * @param cgroup folder that the operator delegated; null to search for one
 * @throws Error naming the missing part
 */
export function startBoxLauncher(uid: number, cgroup: string | null): void {
  if (!Number.isInteger(uid) || uid <= 0)
    throw new Error('box launcher: the first argument must be the uid of the worker, above 0');
  if (process.getuid?.() !== 0)
    throw new Error('box launcher: only root can give boxes users of their own');
  // A signal to the whole process group must not take users and cgroups from a worker that is still
  // ending its boxes.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  serveBoxLauncher(createBoxLauncher(uid, findCgroupRoot(cgroup)), new Socket({ fd: socketFd }));
}
