// Queries about processes on this machine, and a helper that runs a command with its output in a
// log.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @param {number} pid
 * @returns {boolean} whether a process with this number is running (a zombie is not)
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return statFields(pid)?.[0] !== 'Z';
}

/**
 * The fields of /proc/<pid>/stat after the command's name, which may contain spaces and brackets:
 * [0] is the state (field 3 of proc(5)), [19] the start time (field 22).
 * @param {number} pid
 * @returns {string[] | undefined}
 */
function statFields(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * Start time of a process in the system's own format. Together with the pid it identifies a process
 * uniquely, since pids are reused.
 * @param {number} pid
 * @returns {string} empty if the system does not report it
 */
export function startTimeOf(pid) {
  const fields = statFields(pid);
  if (fields) return fields[19] ?? '';
  const answer = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() : '';
}

/**
 * The processes with this working folder. A PostgreSQL server and all its backends run in their
 * data folder.
 * @param {string} dir
 * @returns {number[] | undefined} undefined if the system does not report it (no /proc)
 */
export function processesIn(dir) {
  /** @type {string[]} */
  let names;
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  return names.map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === dir;
    } catch {
      return false;
    }
  });
}

/**
 * Waits until a process has exited.
 * @param {number} pid
 * @param {number} timeoutMs
 * @returns {Promise<boolean>} false if it is still running after the timeout
 */
export async function waitUntilGone(pid, timeoutMs) {
  const end = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > end) return false;
    await sleep(20);
  }
  return true;
}

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number | undefined} [uid]
 * @property {number | undefined} [gid]
 * @property {string | undefined} [log] a file for all output
 * @property {boolean} [echo] whether the output is shown as well
 * @property {string} [input] the command's standard input
 *
 * @typedef {{ code: number, output: string, stderr: string }} RunResult
 * code is 128 if a signal ended the command, 127 if it could not start; the texts are the last 64
 * KiB
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Ends the running commands, because this process received a stop signal. */
export function killRunning() {
  for (const child of running) child.kill('SIGTERM');
}

/**
 * Runs a command until it ends.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, options = {}) {
  const { log, echo = false, input, uid, gid, ...rest } = options;
  const user = uid === undefined || gid === undefined ? {} : { uid, gid };
  const file = log === undefined ? undefined : openSync(log, 'a');
  return new Promise((resolve) => {
    let output = '';
    let stderr = '';
    const child = spawn(command, args, {
      ...rest,
      ...user,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    const take = (/** @type {Buffer} */ chunk, /** @type {boolean} */ isError) => {
      output = (output + chunk.toString()).slice(-65_536);
      if (isError) stderr = (stderr + chunk.toString()).slice(-65_536);
      if (file !== undefined) writeSync(file, chunk);
      if (echo) process.stdout.write(chunk);
    };
    const end = (/** @type {number} */ code) => {
      running.delete(child);
      if (file !== undefined) closeSync(file);
      resolve({ code, output, stderr });
    };
    child.stdout?.on('data', (chunk) => take(chunk, false));
    child.stderr?.on('data', (chunk) => take(chunk, true));
    // The exit code counts, not the broken pipe of a command that ends before it has read all
    // input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    // Without a process, 'error' is the only event; with one, 'close' always follows.
    child.once('error', (error) => {
      stderr += error.message;
      if (child.pid === undefined) end(127);
    });
    child.once('close', (code) => {
      if (child.pid !== undefined) end(code ?? 128);
    });
  });
}

/**
 * @param {string} text
 * @param {RegExp} [preferred] preferred lines, if there are any
 * @returns {string} the last line with content
 */
export function lastLine(text, preferred) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return (preferred && lines.filter((line) => preferred.test(line)).at(-1)) ?? lines.at(-1) ?? '';
}
