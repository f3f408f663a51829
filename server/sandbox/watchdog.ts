// What a box holds in memory, checked from outside at least every 50 ms. RLIMIT_DATA counts neither
// shared mappings nor a tmpfs. A memory cgroup counts everything and stops the box by itself;
// without one, the sum of what its processes show in /proc and of the used space of its file
// systems decides.
import { readdir, readFile, statfs } from 'node:fs/promises';
import type { BoxLimits } from './box-job';
import { countMemory, type SharedSeen } from './counted-memory';
import type { MemoryUse } from './memory-cgroup';

const everyMs = { least: 5, most: 50 };
/**
 * About as fast as one processor fills memory: a look is never later than what is left of the cap
 * could last.
 */
const bytesPerMs = 4 * 1024 * 1024;

export interface Watchdog {
  /** The most seen, in bytes. */
  peakBytes(): number;
  /** The user that the box runs as on this machine; null before the first look. */
  uid(): number | null;
  stop(): void;
}

/** What is watched. */
export interface Watched {
  /** The launcher; all of the box descends from it. */
  readonly pid: number;
  /** Mounts inside the box. */
  readonly fileSystems: readonly string[];
  readonly limits: BoxLimits;
  /** Reads the box's memory cgroup; null where it has none. */
  readonly cgroup: (() => Promise<MemoryUse>) | null;
}

/** Looks until it is stopped, or until a cap is passed, which it reports once. */
export function watchBox(
  { pid, fileSystems, limits, cgroup }: Watched,
  exceeded: () => void,
): Watchdog {
  const seen: SharedSeen = new Map();
  let peak = 0;
  let uid: number | null = null;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const pids = await descendants(pid);
    uid ??= await userOf(pids[1]);
    const stored = await filling(pids, fileSystems);
    const use = cgroup === null ? null : await cgroup();
    const bytes = use?.bytes ?? stored.bytes + (await countMemory(pids, seen));
    if (stopped) return;
    const isOver = bytes > limits.memoryBytes || use?.isExceeded === true;
    // What the kernel has ended holds less by now, and a count that is infinite does not say how
    // much was held.
    peak = Math.max(peak, Number.isFinite(bytes) ? bytes : 0, isOver ? limits.memoryBytes + 1 : 0);
    if (isOver || stored.files > limits.fileCount) {
      stopped = true;
      exceeded();
      return;
    }
    timer = setTimeout(() => void look(), waitMs(limits.memoryBytes - bytes));
  };
  timer = setTimeout(() => void look(), waitMs(limits.memoryBytes));
  return {
    peakBytes: () => peak,
    uid: () => uid,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function waitMs(leftBytes: number): number {
  return Math.min(everyMs.most, Math.max(everyMs.least, leftBytes / bytesPerMs));
}

/**
 * @returns the process and all that descend from it; a box's orphans are children of its own first
 * process
 */
async function descendants(root: number): Promise<readonly number[]> {
  const found = [root];
  // Grows while it is walked: each process adds its children.
  for (const pid of found) found.push(...(await childrenOf(pid)));
  return found;
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const folder = `/proc/${pid}/task`;
  try {
    const threads = await readdir(folder);
    const lists = await Promise.all(
      threads.map((thread) => readFile(`${folder}/${thread}/children`, 'utf8').catch(() => '')),
    );
    return lists.flatMap((list) => list.split(' ').filter((text) => text !== '')).map(Number);
  } catch {
    return [];
  }
}

/** @returns the effective user of a process as this machine sees it; null when it has ended */
async function userOf(pid: number | undefined): Promise<number | null> {
  if (pid === undefined) return null;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const uid = /^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1];
  return uid === undefined ? null : Number(uid);
}

/** The root of a box is read-only, so none of these names can have become a link to elsewhere. */
async function filling(
  pids: readonly number[],
  fileSystems: readonly string[],
): Promise<{ bytes: number; files: number }> {
  // The launcher itself is in this machine's root, its children in the box's.
  const inside = pids[2] ?? pids[1];
  if (inside === undefined) return { bytes: 0, files: 0 };
  const systems = await Promise.all(
    fileSystems.map((path) => statfs(`/proc/${inside}/root${path}`).catch(() => null)),
  );
  return systems.reduce(
    // Linux' TMPFS_MAGIC: while the box is being set up these paths may still lead elsewhere.
    (sum, system) =>
      system?.type === 0x0102_1994
        ? {
            bytes: sum.bytes + (system.blocks - system.bfree) * system.bsize,
            files: sum.files + system.files - system.ffree,
          }
        : sum,
    { bytes: 0, files: 0 },
  );
}
