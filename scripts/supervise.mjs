// Keeps child processes running: starts them, waits until they are ready, restarts those that die,
// and stops them.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { Failure } from './failure.mjs';
import { lastLine } from './processes.mjs';

/**
 * @typedef {object} ChildSpec
 * @property {string} name
 * @property {string[]} args arguments of Node
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {string} log file for its output
 * @property {string} [node] path of the Node binary; by default that of this process
 * @property {import('./ordinary-user.mjs').OrdinaryUser | undefined} [user] identity of the child,
 * if this process is root
 * @property {string | undefined} [readyUrl] ready when this URL responds with a status below 500;
 * without a URL, ready when the child sends {ready: true}
 * @property {number} [readyTimeoutMs]
 * @property {number} [stopTimeoutMs] between SIGTERM and SIGKILL
 * @property {(() => import('node:net').Socket) | undefined} [launcher] starts a process that gives
 * the child's sandboxes their users and cgroups; called at each start of the child, which gets the
 * socket as `ASSAY_BOX_LAUNCHER_FD`
 *
 * @typedef {object} Child
 * @property {string} name
 * @property {Promise<void>} ready rejects with a Failure if the child does not become ready
 * @property {() => Promise<void>} stop sends SIGTERM, then SIGKILL after `stopTimeoutMs` (ten
 * seconds), without a restart
 * @property {() => void} kill ends it at once
 * @property {() => void} restart sends SIGTERM, then SIGKILL after a second, and starts it again at
 * once
 */

const maxLogBytes = 10 * 1024 * 1024;
const quickDeathMs = 10_000;
const backOffMs = [200, 1000, 5000];
/** The number after that of the IPC channel. */
export const launcherFd = 4;

/**
 * @param {string} file
 */
export function rotateLog(file) {
  if (existsSync(file) && statSync(file).size > maxLogBytes) renameSync(file, `${file}.1`);
}

/**
 * A child runs in its own process group with a channel to this process: Ctrl+C reaches only the
 * supervisor, and a child whose supervisor was killed notices the closed channel.
 * @param {ChildSpec} spec
 * @param {(line: string) => void} say
 * @returns {Child}
 */
export function supervise(spec, say) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  /** @type {NodeJS.Timeout | undefined} */
  let restartTimer;
  let isStopping = false;
  let isRestarting = false;
  let quickDeaths = 0;
  const { ready, cannot, markReady, wasReady } = createReadiness(spec);
  const { promise: exited, resolve: markExited } = withResolvers();

  const start = () => {
    const begun = Date.now();
    child = spawnLogged(spec);
    awaitReady(spec, child, () => isStopping, markReady);
    child.once('error', () => {});
    child.once('exit', (code, signal) => {
      if (isStopping) return markExited();
      if (isRestarting) {
        isRestarting = false;
        return start();
      }
      quickDeaths = Date.now() - begun < quickDeathMs ? quickDeaths + 1 : 0;
      const exitText = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      if (!wasReady() && quickDeaths >= 3) {
        return cannot(
          new Failure(
            `The ${spec.name} process does not start: ${lastErrorLine(spec.log) || exitText} (log: ${spec.log})`,
          ),
        );
      }
      const waitMs = backOffMs[Math.min(quickDeaths, backOffMs.length) - 1] ?? 200;
      say(`! ${spec.name} ${exitText}; starting it again in ${waitMs / 1000} s (log: ${spec.log})`);
      restartTimer = setTimeout(start, waitMs);
    });
  };
  start();

  const send = (/** @type {NodeJS.Signals} */ signal) => signalChild(child, signal);
  return {
    name: spec.name,
    ready,
    kill: () => {
      isStopping = true;
      clearTimeout(restartTimer);
      send('SIGKILL');
    },
    restart: () => {
      if (isRestarting || isStopping) return;
      clearTimeout(restartTimer);
      quickDeaths = 0;
      const old = child;
      // Starts a dead child that is waiting for its restart.
      if (!old || hasEnded(old)) return start();
      isRestarting = true;
      signalChild(old, 'SIGTERM');
      setTimeout(() => signalChild(old, 'SIGKILL'), 1000);
    },
    stop: async () => {
      isStopping = true;
      clearTimeout(restartTimer);
      cannot(new Failure(`The ${spec.name} process was stopped.`));
      if (!child || hasEnded(child)) return;
      send('SIGTERM');
      const force = setTimeout(() => send('SIGKILL'), spec.stopTimeoutMs ?? 10_000);
      await exited;
      clearTimeout(force);
    },
  };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 */
const hasEnded = (child) => child.exitCode !== null || child.signalCode !== null;

/**
 * @param {ChildSpec} spec
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => boolean} isStopping
 * @param {() => void} markReady
 */
function awaitReady(spec, child, isStopping, markReady) {
  child.on('message', (message) => {
    if (message && typeof message === 'object' && 'ready' in message && message.ready === true)
      markReady();
  });
  if (spec.readyUrl)
    pollUntilReady(spec.readyUrl, () => hasEnded(child) || isStopping(), markReady);
}

/**
 * Whether a child became ready; a timeout means that it did not.
 * @param {ChildSpec} spec
 */
function createReadiness({ name, log, readyTimeoutMs = 60_000 }) {
  const { promise: ready, resolve, reject: cannot } = withResolvers();
  let isReady = false;
  const deadline = setTimeout(() => {
    cannot(
      new Failure(
        `The ${name} process is not ready after ${readyTimeoutMs / 1000} s (log: ${log})`,
      ),
    );
  }, readyTimeoutMs);
  ready.then(() => clearTimeout(deadline)).catch(() => clearTimeout(deadline));
  const markReady = () => {
    isReady = true;
    resolve();
  };
  return { ready, cannot, markReady, wasReady: () => isReady };
}

/**
 * SIGKILL goes to the child's whole group, so that none of its processes survive.
 * @param {import('node:child_process').ChildProcess | undefined} child
 * @param {NodeJS.Signals} signal
 */
function signalChild(child, signal) {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal);
  } catch {
    // It has just ended.
  }
}

/**
 * @param {ChildSpec} spec
 */
function spawnLogged(spec) {
  const file = openSync(spec.log, 'a');
  const launcher = spec.launcher?.();
  // With a uid, libuv also drops root's groups, and the kernel drops all capabilities.
  const child = spawn(spec.node ?? process.execPath, spec.args, {
    cwd: spec.cwd,
    env: launcher ? { ...spec.env, ASSAY_BOX_LAUNCHER_FD: String(launcherFd) } : spec.env,
    ...(spec.user ? { uid: spec.user.uid, gid: spec.user.gid } : {}),
    detached: true,
    stdio: ['ignore', file, file, 'ipc', ...(launcher ? [launcher] : [])],
  });
  closeSync(file);
  // The child has its own copy; the launcher ends when the child ends.
  launcher?.destroy();
  return child;
}

/**
 * @param {string} url
 * @param {() => boolean} isOver
 * @param {() => void} onReady
 */
function pollUntilReady(url, isOver, onReady) {
  const poll = async () => {
    if (isOver()) return;
    const isAnswered = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    }).then(
      (response) => response.status < 500,
      () => false,
    );
    if (isAnswered && !isOver()) return onReady();
    setTimeout(() => void poll(), 100);
  };
  void poll();
}

/**
 * @param {string} log
 * @returns {string} the last line of the log that names an error
 */
function lastErrorLine(log) {
  try {
    return lastLine(readFileSync(log, 'utf8').slice(-8192), /error/i).slice(0, 300);
  } catch {
    return '';
  }
}

/** Promise.withResolvers requires Node 22. */
function withResolvers() {
  /** @type {() => void} */
  let resolve = () => {};
  /** @type {(reason: unknown) => void} */
  let reject = () => {};
  /** @type {Promise<void>} */
  const promise = new Promise((onDone, onFail) => {
    resolve = () => onDone();
    reject = onFail;
  });
  return { promise, resolve, reject };
}
