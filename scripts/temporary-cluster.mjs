// Temporary clusters for tests: in a folder that the ordinary user can reach, created quickly, and
// killable as a whole.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ordinaryUser, canReach, rootsHome } from './ordinary-user.mjs';
import { ensureCluster } from './postgres.mjs';
import { isAlive, processesIn, waitUntilGone } from './processes.mjs';

/**
 * @typedef {object} TestCluster
 * @property {string} url stays the same when the server is restarted
 * @property {number} port
 * @property {string} dataDir
 * @property {() => number} pid of the current postmaster
 * @property {() => Promise<void>} kill sends SIGKILL to the postmaster and all its backends, like a
 * machine failure
 * @property {() => Promise<void>} start restarts it on the same port and data
 * @property {() => Promise<void>} restart a fast shutdown, then a start on the same port and data
 * @property {() => Promise<void>} stop stops it and removes the data
 */

const prefix = 'assay-test-';

/**
 * A file system in memory, on Linux. A database consists of a thousand files, which it creates in a
 * tenth of the time.
 */
const memoryDir = '/dev/shm';
const memoryNeeded = 8 * 2 ** 30;

/**
 * @param {{ fsync?: boolean, inMemory?: boolean, dir?: string, settings?: Record<string, string> }}
 * [options] fsync: on for tests of durability; inMemory: puts the data in memory if there is enough
 * of it; dir: the folder to put it into instead
 * @returns {Promise<TestCluster>}
 */
export async function startTestCluster({
  fsync = false,
  inMemory = false,
  dir,
  settings = {},
} = {}) {
  const base = dir ?? (inMemory && hasMemory() ? memoryDir : reachableFolder());
  await removeOrphans(base);
  const dataDir = mkdtempSync(join(base, `${prefix}${process.pid}-`));
  chmodSync(dataDir, 0o711);
  const fastSettings = fsync
    ? {}
    : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
  const all = { shared_buffers: '64MB', ...fastSettings, ...settings };
  let server = await ensureCluster({ dataDir, settings: all });
  const { url, port } = server;
  const start = async () => {
    server = await ensureCluster({ dataDir, port, settings: all });
  };
  return {
    url,
    port,
    dataDir,
    pid: () => server.pid,
    kill: () => killAll(dataDir, server.pid),
    start,
    restart: async () => {
      await server.stop();
      await start();
    },
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** @returns {boolean} whether twice the clusters of one test run fit in memory */
function hasMemory() {
  if (!existsSync(memoryDir) || !canReach(memoryDir, ordinaryUser())) return false;
  const { bavail, bsize } = statfsSync(memoryDir);
  return bavail * bsize >= memoryNeeded && freemem() >= memoryNeeded;
}

/** @returns {string} */
function reachableFolder() {
  const user = ordinaryUser();
  const found = [tmpdir(), '/tmp', '/var/tmp'].find(
    (dir) => existsSync(dir) && canReach(dir, user),
  );
  if (found) return found;
  mkdirSync(rootsHome, { recursive: true, mode: 0o755 });
  return rootsHome;
}

/**
 * @param {string} dataDir
 * @param {number} postmaster
 */
async function killAll(dataDir, postmaster) {
  const pids = new Set([postmaster, ...(processesIn(join(dataDir, 'postgres')) ?? [])]);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended between the check and the signal.
    }
  }
  for (const pid of pids) await waitUntilGone(pid, 5000);
}

/**
 * Removes the clusters of killed test runs, whose pid is in the folder's name.
 * @param {string} base
 */
async function removeOrphans(base) {
  for (const name of readdirSync(base).filter((entry) => entry.startsWith(prefix))) {
    const owner = Number.parseInt(name.slice(prefix.length), 10);
    const dataDir = join(base, name);
    if (!owner || isAlive(owner)) continue;
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0;
    const pids = processesIn(join(dataDir, 'postgres')) ?? [];
    if (pid && pids.includes(pid)) await killAll(dataDir, pid);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
