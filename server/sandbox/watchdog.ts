// What a box holds in memory, looked at from outside every 50 ms. RLIMIT_DATA counts neither shared mappings nor what
// stands in a tmpfs, and groups of the kernel are not everywhere delegated; the sum of the proportional set sizes
// (proc(5), smaps_rollup) and of the filling of the box's own file systems is.
import { readdir, readFile, statfs } from 'node:fs/promises';
import type { BoxLimits } from './box-job';

const everyMs = 50;

export interface Watchdog {
  /** The most seen, in bytes. */
  peakBytes(): number;
  stop(): void;
}

/**
 * Looks until it is stopped, or until a cap is passed, of which it tells once.
 * @param pid the launcher; all of the box descends from it
 * @param fileSystems mounts inside the box
 */
export function watchBox(pid: number, fileSystems: readonly string[], limits: BoxLimits, exceeded: () => void): Watchdog {
  let peak = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const { bytes, files } = await measure(pid, fileSystems);
    if (stopped) return;
    peak = Math.max(peak, bytes);
    if (bytes > limits.memoryBytes || files > limits.fileCount) {
      stopped = true;
      exceeded();
      return;
    }
    timer = setTimeout(() => void look(), everyMs);
  };
  timer = setTimeout(() => void look(), everyMs);
  return {
    peakBytes: () => peak,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function measure(pid: number, fileSystems: readonly string[]): Promise<{ bytes: number; files: number }> {
  const pids = await descendants(pid);
  const sizes = await Promise.all(pids.map(memoryOf));
  const stored = await filling(pids, fileSystems);
  return { bytes: sizes.reduce((sum, size) => sum + size, 0) + stored.bytes, files: stored.files };
}

/** @returns the process and all that descend from it; a box's orphans are children of its own first process */
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
    const lists = await Promise.all(threads.map((thread) => readFile(`${folder}/${thread}/children`, 'utf8').catch(() => '')));
    return lists.flatMap((list) => list.split(' ').filter((text) => text !== '')).map(Number);
  } catch {
    return [];
  }
}

/** @returns bytes; 0 for a process that has ended */
async function memoryOf(pid: number): Promise<number> {
  try {
    const pss = /^Pss:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return Number(pss?.[1] ?? 0) * 1024;
  } catch {
    return await residentOf(pid);
  }
}

/** Where the map of a process may not be read, its resident size may; it counts shared pages more than once. */
async function residentOf(pid: number): Promise<number> {
  try {
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
    return Number(resident?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The root of a box is read-only, so none of these names can have become a link to elsewhere. */
async function filling(pids: readonly number[], fileSystems: readonly string[]): Promise<{ bytes: number; files: number }> {
  // The launcher itself stands in this machine's root, its children in the box's.
  const inside = pids[2] ?? pids[1];
  if (inside === undefined) return { bytes: 0, files: 0 };
  const systems = await Promise.all(fileSystems.map((path) => statfs(`/proc/${inside}/root${path}`).catch(() => null)));
  return systems.reduce(
    // Linux' TMPFS_MAGIC: while the box is being set up these paths may still lead elsewhere.
    (sum, system) =>
      system?.type === 0x0102_1994
        ? { bytes: sum.bytes + (system.blocks - system.bfree) * system.bsize, files: sum.files + system.files - system.ffree }
        : sum,
    { bytes: 0, files: 0 },
  );
}
