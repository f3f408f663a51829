// The location of an instance's data, and the lock that excludes a second instance.
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, codeOf } from './failure.mjs';
import { isRoot, rootsHome } from './ordinary-user.mjs';
import { isAlive, startTimeOf } from './processes.mjs';

/** Root of the checkout, or folder of the installed package @assay/server. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether this is the installed package, which is built: npm packs no lock file. */
export const isPackage = !existsSync(join(root, 'package-lock.json'));

/**
 * An installation replaces the folder of a package, so the data of an instance belongs to the
 * folder in which it is started.
 */
const home = isPackage ? process.cwd() : root;

/**
 * ASSAY_DATA_DIR, else `.assay` in the checkout, or in the current folder if Assay is a package.
 * When root starts Assay, that may be in a folder that the ordinary user who runs PostgreSQL cannot
 * reach: the data is then in /var/lib/assay, under a name unique to that folder.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string} absolute path
 */
export function resolveDataDir(env = process.env) {
  if (env.ASSAY_DATA_DIR) return resolve(home, env.ASSAY_DATA_DIR);
  if (!isRoot()) return join(home, '.assay');
  const real = realpathSync(home);
  return join(
    rootsHome,
    `${basename(real)}-${createHash('sha256').update(real).digest('hex').slice(0, 8)}`,
  );
}

/**
 * @param {string} dataDir
 * @returns {boolean} whether Assay was started on this folder before, or runs on it with its own
 *   database (DATABASE_URL)
 */
export const hasInstallation = (dataDir) =>
  existsSync(join(dataDir, 'postgres')) || findInstance(dataDir) !== undefined;

/**
 * Creates the data folder and its log folder.
 * @param {string} dataDir
 */
export function makeDataDir(dataDir) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    // The ordinary user must pass through to its own folder inside; the other files are closed
    // individually.
    const { mode, uid } = statSync(dataDir);
    if (isRoot() && uid === 0 && (mode & 0o001) === 0) chmodSync(dataDir, (mode & 0o777) | 0o011);
    mkdirSync(join(dataDir, 'logs'), { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      `The data folder ${dataDir} cannot be used (${reason}): set ASSAY_DATA_DIR to a folder that can be written.`,
    );
  }
}

/**
 * The key that encrypts stored secrets: ASSAY_SECRET, else 32 random bytes (base64url) stored in
 * the data folder.
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string}
 */
export function readSecret(dataDir, env = process.env) {
  if (env.ASSAY_SECRET) return env.ASSAY_SECRET;
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) writeAtomically(file, randomBytes(32).toString('base64url'));
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= 32) return secret;
  throw new Failure(
    `The file ${file} does not contain a secret of 32 bytes: restore the right one, or set ASSAY_SECRET.`,
  );
}

/**
 * Writes a file atomically, readable only by its owner.
 * @param {string} file
 * @param {string} content
 * @returns {boolean} false if the file already exists; it is then left unchanged
 */
function writeAtomically(file, content) {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error;
    throw new Failure(
      `The data folder ${dirname(file)} belongs to another user: run the command as that user, or set ASSAY_DATA_DIR.`,
    );
  }
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // On file systems without hard links the write is exclusive, but a reader may briefly see an
    // empty file.
    try {
      writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
      return true;
    } catch (second) {
      if (codeOf(second) === 'EEXIST') return false;
      throw second;
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * @typedef {object} Instance content of <data folder>/instance.json
 * @property {number} pid
 * @property {string} startTime of that process, since its pid may be reused by another process
 * @property {'start' | 'command'} kind `command` uses the data only briefly
 * @property {string} [webUrl]
 * @property {string} [edgeUrl]
 * @property {string} [databaseUrl] absent until the database accepts connections
 */

/**
 * @param {string} dataDir
 * @returns {string}
 */
function instanceFile(dataDir) {
  return join(dataDir, 'instance.json');
}

/**
 * @param {string} dataDir
 * @returns {Instance | undefined} the instance that runs on this data
 */
export function findInstance(dataDir) {
  const found = readInstance(instanceFile(dataDir));
  return found && isRunning(found) ? found : undefined;
}

/**
 * @param {string} file
 * @returns {Instance | undefined}
 */
function readInstance(file) {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8'));
    return typeof read?.pid === 'number' ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Instance} instance
 * @returns {boolean}
 */
function isRunning({ pid, startTime }) {
  return isAlive(pid) && startTimeOf(pid) === startTime;
}

/**
 * @typedef {{ update: (facts: Partial<Instance>) => void, release: () => void }} Lock
 */

/**
 * Locks the data folder for this process.
 * @param {string} dataDir
 * @param {Pick<Instance, 'kind' | 'webUrl' | 'edgeUrl'>} facts
 * @returns {Lock | Instance} the other instance if there is one
 */
export function takeInstance(dataDir, facts) {
  const file = instanceFile(dataDir);
  /** @type {Instance} */
  let ownInstance = { pid: process.pid, startTime: startTimeOf(process.pid), ...facts };
  while (!writeAtomically(file, JSON.stringify(ownInstance))) {
    const other = findInstance(dataDir);
    if (other) return other;
    clearStale(file);
  }
  return {
    update(more) {
      ownInstance = { ...ownInstance, ...more };
      const temporary = `${file}.${process.pid}`;
      writeFileSync(temporary, JSON.stringify(ownInstance), { mode: 0o600 });
      renameSync(temporary, file);
    },
    release() {
      if (readInstance(file)?.pid === process.pid) rmSync(file, { force: true });
    },
  };
}

/**
 * Two processes may find the same stale file. So it is renamed first, and restored if it turns out
 * to be a new one of the other process.
 * @param {string} file
 */
function clearStale(file) {
  const stalePath = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, stalePath);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readInstance(stalePath);
  if (moved && isRunning(moved)) writeAtomically(file, readFileSync(stalePath, 'utf8'));
  rmSync(stalePath, { force: true });
}
