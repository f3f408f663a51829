// Assigns each slot a user and a memory cgroup. Root can do both itself. An unprivileged worker
// uses the box launcher started by root (`box-launcher.ts`) or newuidmap (shadow-utils), or has
// neither.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { userInfo } from 'node:os';
import { type BoxStart, directStart, mappedUser, startPrograms } from './box-start';
import { maxSlots, usersOfSlots } from './box-users';
import { answerBytes, hasCgroup, hasUser, requestOf } from './launcher-wire';
import {
  cgroupOfSlot,
  type CgroupRoot,
  enterCgroup,
  findCgroupRoot,
  removeCgroups,
} from './memory-cgroup';

/** The isolation that the self-test has proven on this machine. */
export interface BoxLevel {
  /**
   * `cgroup`: the kernel counts all memory of a box. `watchdog`: Assay adds up the numbers in
   * /proc, and the filter refuses calls whose memory /proc does not show.
   */
  readonly memory: 'cgroup' | 'watchdog';
  /** `per_box`: concurrent boxes have different users. `one`: all boxes have the same user. */
  readonly users: 'per_box' | 'one';
}

export interface BoxGrants extends BoxLevel {
  start(slot: number): BoxStart;
  /**
   * Called while the launcher of a box waits at its gate.
   * @throws Error if the user or the cgroup cannot be assigned
   */
  admit(pid: number, slot: number, memoryBytes: number): Promise<void>;
  /** Removes everything created on this machine. */
  end(): void;
}

export const noGrants: BoxGrants = {
  memory: 'watchdog',
  users: 'one',
  start: () => directStart,
  admit: () => Promise.resolve(),
  end: () => undefined,
};

export interface GrantOptions {
  readonly uid: number;
  /** Descriptor of the connection to the box launcher; null if there is none. */
  readonly launcherFd?: number | null;
  /** Folder of cgroups that the operator delegated; null to search for one. */
  readonly cgroup?: string | null;
}

/** @returns the strongest grants that this process can get; determined once per process */
export async function findGrants({
  uid,
  launcherFd = null,
  cgroup = null,
}: GrantOptions): Promise<BoxGrants> {
  const root = findCgroupRoot(cgroup);
  if (uid === 0) return rootGrants(root);
  const launched = launcherFd === null ? null : await askLauncher(launcherFd);
  return launched ?? newuidmapGrants(root) ?? withCgroup(noGrants, root);
}

function rootGrants(root: CgroupRoot | null): BoxGrants {
  const users = usersOfSlots(process.pid);
  const start = (slot: number): BoxStart => ({
    gate: false,
    uid: users[slot] ?? null,
    isMapped: false,
  });
  return withCgroup({ ...noGrants, users: 'per_box', start }, root);
}

/** Adds a cgroup that this process creates. */
function withCgroup(grants: BoxGrants, root: CgroupRoot | null): BoxGrants {
  if (root === null) return grants;
  const end = (): void => removeCgroups(root, process.pid);
  // A worker that ends normally removes its cgroups; the next worker removes those of a killed one.
  process.once('exit', end);
  removeCgroups(root, process.pid);
  return {
    ...grants,
    memory: 'cgroup',
    start: (slot) => ({ ...grants.start(slot), gate: true }),
    async admit(pid, slot, memoryBytes) {
      enterCgroup(cgroupOfSlot(root, process.pid, slot), pid, memoryBytes);
      await grants.admit(pid, slot, memoryBytes);
    },
    end() {
      process.off('exit', end);
      end();
      grants.end();
    },
  };
}

const mappedStart: BoxStart = { gate: true, uid: null, isMapped: true };

/** @returns null if the launcher does not answer, or cannot assign anything */
async function askLauncher(fd: number): Promise<BoxGrants | null> {
  if (!existsSync(startPrograms.unshare)) return null;
  const ask = connectLauncher(fd);
  const can = await ask(0, 0, 0).catch(() => 0);
  if ((can & hasUser) === 0) return null;
  return {
    memory: (can & hasCgroup) === 0 ? 'watchdog' : 'cgroup',
    users: 'per_box',
    start: () => mappedStart,
    async admit(pid, slot, memoryBytes) {
      if ((await ask(pid, slot, memoryBytes)) !== can)
        throw new Error('The box launcher did not give the box its user and cgroup.');
    },
    end: () => undefined,
  };
}

type Ask = (pid: number, slot: number, memoryBytes: number) => Promise<number>;

const connections = new Map<number, Ask>();

/** One request at a time, in order of arrival. The connection lasts as long as the process. */
function connectLauncher(fd: number): Ask {
  const known = connections.get(fd);
  if (known !== undefined) return known;
  const socket = new Socket({ fd });
  socket.unref();
  const waiting: { resolve: (answer: number) => void; reject: (error: Error) => void }[] = [];
  let isOver = false;
  const over = (): void => {
    isOver = true;
    for (const { reject } of waiting.splice(0)) reject(new Error('The box launcher has ended.'));
  };
  socket.on('error', over).on('close', over);
  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += answerBytes)
      waiting.shift()?.resolve(chunk.readUInt8(at));
  });
  const ask: Ask = (pid, slot, memoryBytes) =>
    new Promise((resolve, reject) => {
      if (isOver) return reject(new Error('The box launcher has ended.'));
      waiting.push({ resolve, reject });
      socket.write(requestOf(pid, slot, memoryBytes));
    });
  connections.set(fd, ask);
  return ask;
}

const mapPrograms = { uid: '/usr/bin/newuidmap', gid: '/usr/bin/newgidmap' } as const;

/**
 * @returns null if newuidmap is not installed, or grants this user fewer ids than there are slots
 */
function newuidmapGrants(root: CgroupRoot | null): BoxGrants | null {
  const first = { uid: firstSubordinate('/etc/subuid'), gid: firstSubordinate('/etc/subgid') };
  const isThere = [mapPrograms.uid, mapPrograms.gid, startPrograms.unshare].every((path) =>
    existsSync(path),
  );
  const { uid, gid } = first;
  if (!isThere || uid === null || gid === null) return null;
  const grants: BoxGrants = {
    ...noGrants,
    users: 'per_box',
    start: () => mappedStart,
    async admit(pid, slot) {
      await runMap(mapPrograms.gid, pid, gid + slot);
      await runMap(mapPrograms.uid, pid, uid + slot);
    },
  };
  return withCgroup(grants, root);
}

function runMap(program: string, pid: number, outside: number): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, [String(pid), String(mappedUser), String(outside), '1'], (error) =>
      error === null ? resolve() : reject(error),
    );
  });
}

/** @param path a file in the format of subuid(5): `name-or-number:first:count` */
function firstSubordinate(path: string): number | null {
  try {
    const { username, uid } = userInfo();
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const [who, first, count] = line.split(':');
      if ((who === username || who === String(uid)) && Number(count) >= maxSlots)
        return Number(first);
    }
  } catch {
    // No such file, or a user without an account, so nothing can be granted.
  }
  return null;
}
