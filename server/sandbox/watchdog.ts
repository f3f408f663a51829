// Checks a box's memory from outside at least every 50 ms. RLIMIT_DATA counts neither shared
// mappings nor tmpfs. A memory cgroup counts everything and kills the box itself. Without one, the
// watchdog adds the memory of its processes in /proc and the used space of its file systems.
import { readdir, readFile, statfs } from 'node:fs/promises';
import type { BoxLimits } from './box-job';
import { countMemory, type SharedSeen } from './counted-memory';
import type { MemoryUse } from './memory-cgroup';

const everyMs = { min: 5, max: 50 };
/**
 * Approximate speed at which one processor fills memory; the next check comes before the rest of
 * the cap can be filled.
 */
const bytesPerMs = 4 * 1024 * 1024;

export interface Watchdog {
  /** Peak bytes. */
  peakBytes(): number;
  /** The user of the box on this machine; null before the first check. */
  uid(): number | null;
  stop(): void;
}

/** The box to watch. */
export interface WatchedBox {
  /** The launcher; all processes of the box descend from it. */
  readonly pid: number;
  /** Mounts inside the box. */
  readonly fileSystems: readonly string[];
  readonly limits: BoxLimits;
  /** Reads the box's memory cgroup; null if it has none. */
  readonly cgroup: (() => Promise<MemoryUse>) | null;
}

/** Checks until it is stopped or a cap is exceeded, which it reports once. */
export function watchBox(
  { pid, fileSystems, limits, cgroup }: WatchedBox,
  exceeded: () => void,
): Watchdog {
  const seen: SharedSeen = new Map();
  let peak = 0;
  let uid: number | null = null;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<void> => {
    const pids = await descendants(pid);
    uid ??= await userOf(pids[1]);
    const stored = await filling(pids, fileSystems);
    const use = cgroup === null ? null : await cgroup();
    const bytes = use?.bytes ?? stored.bytes + (await countMemory(pids, seen));
    if (stopped) return;
    const isOver = bytes > limits.memoryBytes || use?.isExceeded === true;
    // After a kill the box uses less, and an infinite count does not show how much it used.
    peak = Math.max(peak, Number.isFinite(bytes) ? bytes : 0, isOver ? limits.memoryBytes + 1 : 0);
    if (isOver || stored.files > limits.fileCount) {
      stopped = true;
      exceeded();
      return;
    }
    timer = setTimeout(() => void check(), waitMs(limits.memoryBytes - bytes));
  };
  timer = setTimeout(() => void check(), waitMs(limits.memoryBytes));
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
  return Math.min(everyMs.max, Math.max(everyMs.min, leftBytes / bytesPerMs));
}

/**
 * @returns the process and all its descendants; a box's orphans become children of its first
 *   process
 */
async function descendants(root: number): Promise<readonly number[]> {
  const found = [root];
  // The list grows while it is iterated: each process adds its children.
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

/** @returns the effective user of a process as seen on this machine; null if it has exited */
async function userOf(pid: number | undefined): Promise<number | null> {
  if (pid === undefined) return null;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const uid = /^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1];
  return uid === undefined ? null : Number(uid);
}

/** The root of a box is read-only, so these names cannot have become links to other places. */
async function filling(
  pids: readonly number[],
  fileSystems: readonly string[],
): Promise<{ bytes: number; files: number }> {
  // The launcher's root is this machine's; that of its children is the box's.
  const inside = pids[2] ?? pids[1];
  if (inside === undefined) return { bytes: 0, files: 0 };
  const systems = await Promise.all(
    fileSystems.map((path) => statfs(`/proc/${inside}/root${path}`).catch(() => null)),
  );
  return systems.reduce(
    // Linux' TMPFS_MAGIC: during setup these paths may still lead outside the box.
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
