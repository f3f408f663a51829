// Memory of a box's processes from /proc, for machines without a memory cgroup. The seccomp filter
// refuses calls whose memory /proc does not show (`uncountedCalls`). This file counts the rest:
// private memory and page tables, swapped and huge pages, shared anonymous mappings, socket
// buffers, and descriptors including pipe buffers.
import { open, readdir, readFile, stat } from 'node:fs/promises';

const kib = 1024;
const mib = 1024 * kib;

/**
 * Maximum bytes to read of /proc/<pid>/maps, about 12,000 mappings; a JVM and Node have fewer than
 * 2,000.
 */
const mapsBytes = mib;
/** Approximate kernel memory for each mapping (vm_area_struct). */
const mappingBytes = 256;
/** A pipe beyond the user's soft limit buffers two pages (pipe(7)). */
const descriptorBytes = 8 * kib;
const freeDescriptors = 256;
/**
 * The kernel's default SO_SNDBUF (net.core.wmem_default); the filter prevents a box from changing
 * it.
 */
const socketBytes = 208 * kib;
const freeSockets = 64;
/**
 * A shared mapping keeps its pages when most of it is unmapped, so a process can show less than it
 * uses. Each mapping counts with its largest size so far, and with at least this much once there
 * are more mappings than a runtime creates.
 */
const minShared = 16 * mib;
const freeShared = 8;

/** Peak bytes of each shared mapping of one box, by inode. */
export type SharedSeen = Map<string, number>;

/** @returns bytes of one process, excluding shared memory */
async function privateBytes(pid: number): Promise<number> {
  try {
    const rollup = readKib(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'));
    // Shared memory is counted with its file system or its mapping; kernels before 4.18 do not list
    // it separately.
    const resident = rollup('Pss') - rollup('Pss_Shmem');
    return (
      resident +
      rollup('SwapPss') +
      rollup('Private_Hugetlb') +
      rollup('Shared_Hugetlb') +
      (await pageTableBytes(pid))
    );
  } catch {
    return await residentBytes(pid);
  }
}

/**
 * Used if this process may read the resident size of a process but not its map; counts shared pages
 * more than once.
 */
async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return readKib(text)('VmRSS') + readKib(text)('VmPTE');
}

async function pageTableBytes(pid: number): Promise<number> {
  return readKib(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))('VmPTE');
}

function readKib(text: string): (name: string) => number {
  return (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * kib;
}

/**
 * Records the shared mappings of a process in `present`.
 * @returns kernel memory for its mappings; infinite for a process with more of them than any
 * runtime has
 */
async function mappings(pid: number, present: SharedSeen): Promise<number> {
  const text = await head(`/proc/${pid}/maps`);
  if (text === null) return 0;
  if (text.length >= mapsBytes) return Number.POSITIVE_INFINITY;
  // address perms offset device inode path; the path is the kernel's name for shared anonymous
  // memory.
  for (const match of text.matchAll(
    /^([0-9a-f]+)-([0-9a-f]+) ...s ([0-9a-f]+) \S+ (\d+) +\/dev\/zero \(deleted\)$/gm,
  )) {
    const [, from = '0', to = '0', offset = '0', inode = ''] = match;
    const end = Number.parseInt(offset, 16) + Number.parseInt(to, 16) - Number.parseInt(from, 16);
    present.set(inode, Math.max(present.get(inode) ?? 0, end));
  }
  return (text.split('\n').length - 1) * mappingBytes;
}

/**
 * @returns at least `mapsBytes` of a file in /proc, or all of it; null if its process has exited
 */
async function head(path: string): Promise<string | null> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const chunk = Buffer.allocUnsafe(64 * kib);
    let text = '';
    while (text.length < mapsBytes) {
      // A read returns about a page, regardless of the requested size.
      const { bytesRead } = await file.read(chunk, 0, chunk.length);
      if (bytesRead === 0) break;
      text += chunk.toString('latin1', 0, bytesRead);
    }
    return text;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

/** Keeps the mappings of `seen` that still exist, with their peak. */
function sharedBytes(seen: SharedSeen, present: SharedSeen): number {
  for (const inode of seen.keys()) if (!present.has(inode)) seen.delete(inode);
  for (const [inode, bytes] of present) seen.set(inode, Math.max(seen.get(inode) ?? 0, bytes));
  const sizes = [...seen.values()].toSorted((a, b) => b - a);
  return sizes.reduce(
    (sum, bytes, index) => sum + (index < freeShared ? bytes : Math.max(bytes, minShared)),
    0,
  );
}

async function openDescriptors(pid: number): Promise<number> {
  try {
    // Since Linux 6.2, the size of the folder is the number of descriptors.
    const { size } = await stat(`/proc/${pid}/fd`);
    return size > 0 ? size : (await readdir(`/proc/${pid}/fd`)).length;
  } catch {
    return 0;
  }
}

/** @param inside a process in the network namespace of the box */
async function socketMemory(inside: number): Promise<number> {
  const text = await readFile(`/proc/${inside}/net/sockstat`, 'utf8').catch(() => '');
  const sockets = Number(/^sockets: used (\d+)$/m.exec(text)?.[1] ?? 0);
  const queues =
    sockets > freeSockets
      ? await Promise.all(['tcp', 'tcp6'].map((name) => queuedBytes(`/proc/${inside}/net/${name}`)))
      : [];
  return (
    Math.max(0, sockets - freeSockets) * socketBytes + queues.reduce((sum, bytes) => sum + bytes, 0)
  );
}

/**
 * TCP enlarges its buffers automatically, so the bytes in its queues (proc(5), tx_queue:rx_queue)
 * are added.
 */
async function queuedBytes(path: string): Promise<number> {
  const text = (await head(path)) ?? '';
  let bytes = 0;
  for (const [, sent = '0', received = '0'] of text.matchAll(
    /^ *\d+: \S+ \S+ \S+ ([0-9A-F]{8}):([0-9A-F]{8}) /gm,
  ))
    bytes += Number.parseInt(sent, 16) + Number.parseInt(received, 16);
  return bytes;
}

/**
 * @param pids the launcher first, then its descendants
 * @param seen passed to each check of the same box
 * @returns their memory in bytes, excluding the box's own file systems
 */
export async function countMemory(pids: readonly number[], seen: SharedSeen): Promise<number> {
  const present: SharedSeen = new Map();
  const each = await Promise.all(
    pids.map(async (pid) => ({
      bytes: (await privateBytes(pid)) + (await mappings(pid, present)),
      descriptors: await openDescriptors(pid),
    })),
  );
  const own = each.reduce((sum, { bytes }) => sum + bytes, 0);
  const descriptors = each.reduce((sum, one) => sum + one.descriptors, 0);
  // The launcher itself has this machine's network; its first child has the box's.
  const sockets = pids[1] === undefined ? 0 : await socketMemory(pids[1]);
  return (
    own +
    sharedBytes(seen, present) +
    Math.max(0, descriptors - freeDescriptors) * descriptorBytes +
    sockets
  );
}
