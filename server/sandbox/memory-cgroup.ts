// Memory cgroups for boxes (kernel documentation: cgroup-v1/memory.rst, cgroup-v2.rst), one for
// each slot, reused by the next box of the slot. The kernel counts all memory of a box, including
// unnamed files and its own memory.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A folder in which cgroups for boxes can be created. */
export interface CgroupRoot {
  readonly version: 1 | 2;
  readonly path: string;
}

/** Memory use of a box according to its cgroup. */
export interface MemoryUse {
  /** Bytes, excluding the file cache, which the kernel can drop. */
  readonly bytes: number;
  /** Whether the kernel killed a process of this box because the limit was reached. */
  readonly isExceeded: boolean;
}

/** File names by cgroup version. */
const files = {
  1: {
    limit: 'memory.limit_in_bytes',
    usage: 'memory.usage_in_bytes',
    events: 'memory.oom_control',
  },
  2: { limit: 'memory.max', usage: 'memory.current', events: 'memory.events' },
} as const;

/**
 * The watchdog enforces the cap; the kernel's limit is a twentieth higher, for growth between
 * checks.
 */
const margin = 1.05;
/**
 * Version 1 counts buffers of network sockets separately, and only once they have a limit; version
 * 2 includes them.
 */
const socketUsage = 'memory.kmem.tcp.usage_in_bytes';

const namePrefix = 'assay-box-';

/**
 * Finds a folder in which this process may create cgroups.
 * @param given a folder that the operator delegated; null to search next to the cgroup of this
 * process
 * @param proc for tests: replaces /proc/self
 * @returns null if none is delegated
 */
export function findCgroupRoot(given: string | null, proc = '/proc/self'): CgroupRoot | null {
  const candidates =
    given === null
      ? ownCgroups(proc)
      : ([1, 2] as const).map((version) => ({ version, path: given }));
  return candidates.find(isUsable) ?? null;
}

/**
 * The memory cgroups of this process, and for version 2 also the parent: a cgroup with processes
 * can have no controlled children.
 */
function ownCgroups(proc: string, mounts = proc): readonly CgroupRoot[] {
  const lines = readLines(join(proc, 'cgroup'));
  const found: CgroupRoot[] = [];
  for (const line of readLines(join(mounts, 'mountinfo'))) {
    // 36 35 98:0 /root /mount/point rw,noatime - cgroup source rw,memory
    const match = /^\S+ \S+ \S+ (\S+) (\S+) .* - (cgroup2?) \S+ (\S+)$/.exec(line);
    if (match === null) continue;
    const [, root = '', mount = '', type = '', options = ''] = match;
    const own = pathOf(lines, type === 'cgroup2' ? '' : 'memory');
    if (own === null || (type === 'cgroup' && !options.split(',').includes('memory'))) continue;
    const below =
      own === root
        ? '/'
        : own.startsWith(root === '/' ? '/' : `${root}/`)
          ? own.slice(root === '/' ? 0 : root.length)
          : null;
    if (below === null) continue;
    const path = join(mount, below);
    if (type === 'cgroup') found.push({ version: 1, path });
    else
      found.push(
        { version: 2, path },
        ...(below === '/' ? [] : [{ version: 2 as const, path: join(path, '..') }]),
      );
  }
  return found;
}

/** @param lines of /proc/self/cgroup: `4:memory:/path`, and `0::/path` for version 2 */
function pathOf(lines: readonly string[], controller: string): string | null {
  for (const line of lines) {
    const [, controllers = '', path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (path !== undefined && controllers.split(',').includes(controller)) return path;
  }
  return null;
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Checks by creating a cgroup with a limit, and removes it. */
function isUsable(root: CgroupRoot): boolean {
  const path = join(root.path, `${namePrefix}${process.pid}-try`);
  try {
    if (root.version === 2) enableMemory(root.path);
    mkdirSync(path);
    try {
      writeFileSync(join(path, files[root.version].limit), String(64 * 1024 * 1024));
      return true;
    } finally {
      rmdirSync(path);
    }
  } catch {
    return false;
  }
}

function enableMemory(path: string): void {
  const control = join(path, 'cgroup.subtree_control');
  if (!readFileSync(control, 'utf8').split(/\s+/).includes('memory'))
    writeFileSync(control, '+memory');
}

export interface BoxCgroup {
  readonly version: 1 | 2;
  readonly path: string;
}

/**
 * The kernel frees the memory of a box shortly after its end; a cgroup is reused once it has less
 * than this left.
 */
const reserveBytes = 16 * 1024 * 1024;
const sparesOfSlot = 16;

/** @returns a cgroup of a slot without memory of the previous box; it may not exist yet */
export function cgroupOfSlot(
  { version, path }: CgroupRoot,
  owner: number,
  slot: number,
): BoxCgroup {
  for (let spare = 0; ; spare += 1) {
    const cgroup: BoxCgroup = {
      version,
      path: join(path, `${namePrefix}${owner}-${slot}${spare === 0 ? '' : `.${spare}`}`),
    };
    if (spare === sparesOfSlot || chargedBytes(cgroup) < reserveBytes) return cgroup;
  }
}

/** @returns bytes charged to a cgroup, excluding the file cache; 0 for one that does not exist */
function chargedBytes({ version, path }: BoxCgroup): number {
  const text = (name: string): string => readLines(join(path, name)).join('\n');
  return Number(text(files[version].usage)) - cacheOf(text('memory.stat'));
}

/**
 * Puts a process, and those that it starts from then on, under a limit.
 * @param memoryBytes the cap of the box; the kernel's limit is a twentieth above it
 * @throws Error if the kernel refuses
 */
export function enterCgroup({ version, path }: BoxCgroup, pid: number, memoryBytes: number): void {
  mkdirSync(path, { recursive: true });
  const limit = String(Math.floor(memoryBytes * margin));
  if (version === 1) {
    // In this order: the limit with swap must never be below the one without.
    attempt(() => writeFileSync(join(path, 'memory.memsw.limit_in_bytes'), '-1'));
    writeFileSync(join(path, 'memory.limit_in_bytes'), limit);
    attempt(() => writeFileSync(join(path, 'memory.memsw.limit_in_bytes'), limit));
    attempt(() => writeFileSync(join(path, 'memory.kmem.tcp.limit_in_bytes'), limit));
  } else {
    writeFileSync(join(path, 'memory.max'), limit);
    attempt(() => writeFileSync(join(path, 'memory.swap.max'), '0'));
    attempt(() => writeFileSync(join(path, 'memory.oom.group'), '1'));
  }
  writeFileSync(join(path, 'cgroup.procs'), String(pid));
}

/** Sets a limit for swap or sockets, which some kernels lack. */
function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // The memory limit itself still applies.
  }
}

/** @returns the cgroup into which `enterCgroup` put a process; null if it is in another one */
export function cgroupOfProcess(pid: number): BoxCgroup | null {
  const found = ownCgroups(`/proc/${pid}`, '/proc/self').find(({ path }) =>
    basename(path).startsWith(namePrefix),
  );
  return found ?? null;
}

/**
 * @returns a function that reads the use of the box that enters now, ignoring kills of earlier
 * boxes
 */
export function readCgroup(cgroup: BoxCgroup): () => Promise<MemoryUse> {
  const before = kills(readLines(join(cgroup.path, files[cgroup.version].events)).join('\n'));
  const read = (name: string): Promise<string> =>
    readFile(join(cgroup.path, name), 'utf8').catch(() => '');
  return async () => {
    const [usage, sockets, stat, events] = await Promise.all([
      read(files[cgroup.version].usage),
      cgroup.version === 1 ? read(socketUsage) : '',
      read('memory.stat'),
      read(files[cgroup.version].events),
    ]);
    return {
      bytes: Math.max(0, Number(usage) + Number(sockets) - cacheOf(stat)),
      isExceeded: kills(events) > before,
    };
  };
}

const cacheOf = (stat: string): number => field(stat, 'inactive_file') + field(stat, 'active_file');

const kills = (events: string): number => field(events, 'oom_kill');

function field(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

/**
 * Removes the cgroups of an owner that has exited, and of owners that no longer run. A cgroup that
 * contains a process stays.
 */
export function removeCgroups({ version, path }: CgroupRoot, owner: number): void {
  let names: readonly string[];
  try {
    names = readdirSync(path).filter((name) => name.startsWith(namePrefix));
  } catch {
    return;
  }
  for (const name of names) {
    const its = Number(name.slice(namePrefix.length).split('-')[0]);
    if (its !== owner && isRunning(its)) continue;
    // Frees the rest, the cache of files that boxes read, so that the kernel can remove the cgroup.
    if (version === 1) attempt(() => writeFileSync(join(path, name, 'memory.force_empty'), '0'));
    attempt(() => rmdirSync(join(path, name)));
  }
}

function isRunning(pid: number): boolean {
  return readLines(`/proc/${pid}/stat`).length > 0;
}
