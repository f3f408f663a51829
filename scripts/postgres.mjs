// The embedded PostgreSQL: a real server on 127.0.0.1, with its data in <data folder>/postgres. The
// server is a separate process and outlives a killed parent; the next start finds it running and
// adopts it.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.mjs';
import { canReach, isRoot, ordinaryUser } from './ordinary-user.mjs';
import { findBinaries } from './postgres-binaries.mjs';
import { initCluster, passwordFile, reasonIn, serverEnv } from './postgres-init.mjs';
import { isAlive, processesIn, waitUntilGone } from './processes.mjs';

/**
 * @typedef {import('./ordinary-user.mjs').OrdinaryUser} OrdinaryUser
 *
 * @typedef {object} ClusterOptions
 * @property {string} dataDir Assay's data folder; the cluster is in its folder `postgres`
 * @property {number | undefined} [port] a free one by default
 * @property {Record<string, string>} [settings] server settings that override the usual ones
 * @property {(line: string) => void} [log] receives messages for the operator
 *
 * @typedef {object} Cluster
 * @property {string} url of the database `assay`, as its superuser
 * @property {number} port
 * @property {number} pid of the postmaster
 * @property {boolean} started false if a running server was adopted
 * @property {() => Promise<void>} stop fast shutdown: ends the sessions and writes everything;
 * harmless if repeated
 */

/** @type {Record<string, string>} */
const defaultSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

const startTimeoutMs = 60_000;

/**
 * Creates the cluster if there is none, starts its server if it is not running, and waits until it
 * accepts connections.
 * @param {ClusterOptions} options
 * @returns {Promise<Cluster>}
 */
export async function ensureCluster({ dataDir, port, settings = {}, log = () => {} }) {
  const binaries = await findBinaries();
  const clusterDir = join(dataDir, 'postgres');
  const user = ownerOf(clusterDir) ?? ordinaryUser(log);
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  if (!canReach(dataDir, user)) {
    throw new Failure(
      `The user "${user?.name}", the user that runs PostgreSQL, cannot reach the data folder ${dataDir}: let others pass through the folders above it (chmod o+x), or set ASSAY_DATA_DIR to another place.`,
    );
  }
  if (isEmpty(clusterDir)) {
    await initCluster({ clusterDir, binaries, user, isDurable: settings.fsync !== 'off' });
  } else {
    refuseForeign(clusterDir, binaries.major);
  }
  const real = realpathSync(clusterDir);
  const running = await findRunning(real);
  const { pid, port: at } =
    running ??
    (await startServer({
      postgres: binaries.postgres,
      clusterDir: real,
      logFile: join(dataDir, 'logs', 'postgres.log'),
      user,
      port,
      settings,
    }));
  const password = readPassword(clusterDir);
  const url = `postgres://assay:${password}@127.0.0.1:${at}/assay`;
  return { url, port: at, pid, started: running === undefined, stop: () => stopServer(pid) };
}

/**
 * @param {string} dir
 * @returns {boolean}
 */
function isEmpty(dir) {
  return !existsSync(dir) || readdirSync(dir).length === 0;
}

/**
 * Data created by an ordinary user keeps that owner when root starts Assay.
 * @param {string} clusterDir
 * @returns {OrdinaryUser | undefined}
 */
function ownerOf(clusterDir) {
  if (!isRoot() || isEmpty(clusterDir)) return undefined;
  const { uid, gid } = statSync(clusterDir);
  return uid === 0 ? undefined : { uid, gid, name: `uid ${uid}` };
}

const wayOut =
  'Assay does not touch it: move it away to start again, or restore a backup in its place.';

/**
 * @param {string} clusterDir
 * @param {string} major
 */
function refuseForeign(clusterDir, major) {
  const versionFile = join(clusterDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new Failure(
      `The data folder ${clusterDir} is damaged (it contains files, but no PG_VERSION). ${wayOut}`,
    );
  }
  const found = readFileSync(versionFile, 'utf8').trim();
  if (found !== major) {
    throw new Failure(
      `The data folder ${clusterDir} was created by PostgreSQL ${found || '(empty PG_VERSION)'}, and this Assay includes ${major}. Start the Assay that created it and dump its data, or move the folder away to start again.`,
    );
  }
}

/**
 * @param {string} clusterDir
 * @returns {string}
 */
function readPassword(clusterDir) {
  try {
    return readFileSync(join(clusterDir, passwordFile), 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      `The database password in ${join(clusterDir, passwordFile)} cannot be read (${reason}). ${wayOut}`,
    );
  }
}

/**
 * The server that already runs on this folder. postmaster.pid contains its pid (line 1) and port
 * (line 4). The file remains after a crash, and its pid may have been reused: only a process whose
 * working folder is this one counts.
 * @param {string} clusterDir real path
 * @returns {Promise<{ pid: number, port: number } | undefined>}
 */
async function findRunning(clusterDir) {
  const pidFile = join(clusterDir, 'postmaster.pid');
  if (!existsSync(pidFile)) return undefined;
  const lines = readFileSync(pidFile, 'utf8').split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  const pids = processesIn(clusterDir);
  const isServerProcess =
    pid > 0 && isAlive(pid) && (pids?.includes(pid) ?? lines[1] === clusterDir);
  if (!isServerProcess) return undefined;
  for (const end = Date.now() + startTimeoutMs; Date.now() < end && isAlive(pid); await sleep(50)) {
    if (port > 0 && (await answers(port))) return { pid, port };
  }
  if (!isAlive(pid)) return undefined;
  throw new Failure(
    `A PostgreSQL server (process ${pid}) uses ${clusterDir} but does not answer on port ${port}: stop it (kill ${pid}) and start again.`,
  );
}

/**
 * PostgreSQL removes a stale postmaster.pid itself, unless its pid is in use again, by another
 * process of the same user or by an unreaped zombie. Removing it is safe only if no process of the
 * old server is left in the folder.
 * @param {string} clusterDir real path
 */
function clearStale(clusterDir) {
  if (processesIn(clusterDir)?.length === 0)
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
}

/**
 * Whether a server on the port accepts connections: it answers a startup message (length, protocol
 * 3.0, names and values terminated by NUL) with a request to authenticate, `R`. While it starts or
 * recovers, it answers with an error, `E`.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function answers(port) {
  const body = Buffer.from('\0\x03\0\0user\0assay\0database\0assay\0\0', 'latin1');
  const head = Buffer.alloc(4);
  head.writeInt32BE(body.length + 4);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () =>
      socket.write(Buffer.concat([head, body])),
    );
    const end = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2000, () => end(false));
    socket.once('data', (data) => end(data[0] === 0x52));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}

/**
 * Below the ephemeral ports of operating systems, so that no other process takes a free port before
 * it is used.
 */
const ports = { first: 15_000, count: 15_000 };

/**
 * @param {string} [host]
 * @returns {Promise<number>} a port on which no process listens
 */
export async function findFreePort(host = '127.0.0.1') {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    const port = ports.first + randomInt(ports.count);
    if (await isFree(port, host)) return port;
  }
  throw new Failure(
    `No port on ${host} is free: 100 between ${ports.first} and ${ports.first + ports.count} were tried.`,
  );
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>}
 */
function isFree(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/**
 * Temporary start failures: another process took the free port, or backends of a killed
 * server have not ended yet.
 */
const passing =
  /could not bind|could not create any TCP\/IP sockets|lock file "postmaster.pid" already exists|pre-existing shared memory block/;

/**
 * @typedef {{ postgres: string, clusterDir: string, logFile: string, user: OrdinaryUser |
 * undefined, port: number | undefined, settings: Record<string, string> }} StartInput
 * @param {StartInput} input
 * @returns {Promise<{ pid: number, port: number }>}
 */
async function startServer(input) {
  const end = Date.now() + 15_000;
  for (;;) {
    const port = input.port ?? (await findFreePort());
    clearStale(input.clusterDir);
    const outcome = await tryToStart(input, port);
    if ('pid' in outcome) return { pid: outcome.pid, port };
    if (!passing.test(outcome.said) || Date.now() > end)
      throw new Failure(startFailureText(input, port, outcome.said));
    await sleep(300);
  }
}

/**
 * @param {StartInput} input
 * @param {number} port
 * @param {string} logText
 * @returns {string}
 */
function startFailureText({ clusterDir, logFile }, port, logText) {
  const reason = reasonIn(logText) || 'it ended without a message';
  if (/could not bind|TCP\/IP sockets/.test(logText))
    return `PostgreSQL could not take port ${port}: ${reason} (log: ${logFile})`;
  return `PostgreSQL does not start on the data folder ${clusterDir}: ${reason} (log: ${logFile}). ${wayOut}`;
}

/**
 * @param {StartInput} input
 * @param {number} port
 * @returns {Promise<{ pid: number } | { said: string }>} said: the server's log output before it
 *   exited
 */
async function tryToStart({ postgres, clusterDir, logFile, user, settings }, port) {
  const pairs = Object.entries({ ...defaultSettings, ...settings, port: String(port) });
  const args = ['-D', clusterDir, ...pairs.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const file = openSync(logFile, 'a');
  const begin = statSync(logFile).size;
  // In its own process group: Ctrl+C in the terminal must reach only the supervisor, which stops
  // the server last.
  const child = spawn(postgres, args, {
    cwd: clusterDir,
    env: serverEnv(),
    detached: true,
    stdio: ['ignore', file, file],
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  closeSync(file);
  let failure = '';
  let hasEnded = false;
  child.once('error', (error) => {
    failure = `FATAL: ${error.message}`;
    hasEnded = true;
  });
  child.once('exit', () => {
    hasEnded = true;
  });
  for (const end = Date.now() + startTimeoutMs; !hasEnded && Date.now() < end; await sleep(15)) {
    if (child.pid !== undefined && (await answers(port)) && !hasEnded) {
      child.unref();
      return { pid: child.pid };
    }
  }
  if (!hasEnded) child.kill('SIGQUIT');
  return { said: failure || readFileSync(logFile).subarray(begin).toString() };
}

/**
 * SIGINT is PostgreSQL's fast shutdown. SIGQUIT, the immediate one, loses nothing that was
 * committed but requires a recovery at the next start.
 * @param {number} pid
 */
async function stopServer(pid) {
  for (const { signal, waitMs } of /** @type {const} */ ([
    { signal: 'SIGINT', waitMs: 20_000 },
    { signal: 'SIGQUIT', waitMs: 5000 },
    { signal: 'SIGKILL', waitMs: 5000 },
  ])) {
    if (!isAlive(pid)) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await waitUntilGone(pid, waitMs)) return;
  }
}
