// When root starts Assay, the processes that take input (web, edge, worker, migrate) run as the
// system user `assay`, without capabilities (S-128). This file grants that user access to the code,
// to Node, and to its own part of the data folder. Sandboxes get their users from root's launcher
// (box-launcher.mjs), which the supervisor starts for the worker.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isPackage, root } from './data-dir.mjs';
import { Failure } from './failure.mjs';
import { canReach, canRead, ordinaryUser, rootsHome } from './ordinary-user.mjs';

/**
 * @typedef {import('./ordinary-user.mjs').OrdinaryUser} OrdinaryUser
 *
 * @typedef {object} Service identity of the processes that take input
 * @property {OrdinaryUser | undefined} user undefined means the user who started Assay
 * @property {string} root of the code that they run
 * @property {string} dist folder of the bundles in it
 * @property {string} node path of the Node binary
 * @property {Record<string, string>} env differences from root's environment
 */

/** Files that every process reads: if the user can read them, the checkout is used in place. */
const probesFor = (/** @type {string} */ dist) => [
  'package.json',
  `${dist}/edge.js`,
  '.next/BUILD_ID',
  'node_modules/next/package.json',
  'db/migrations/meta/_journal.json',
];
/**
 * The folder with the code and its dependencies: the checkout, or the folder in which npm installed
 * the package.
 */
const tree = isPackage ? root.slice(0, root.lastIndexOf(join('/', 'node_modules', '/'))) : root;
/** Everything that the processes read from it; a package is in `node_modules` itself. */
const partsFor = (/** @type {string} */ dist) => [
  'node_modules',
  ...(isPackage ? [] : partsOfCheckout(dist)),
];
const partsOfCheckout = (/** @type {string} */ dist) => [
  'package.json',
  'next.config.ts',
  dist,
  '.next',
  'public',
  'prompts',
  'scripts',
  join('db', 'migrations'),
];
/**
 * The processes write these in the data folder. Root owns everything else there, and the processes
 * can neither read nor replace it.
 */
const ownFolders = ['gateway'];
const ownFiles = ['deletions.jsonl'];

/**
 * @param {string} dataDir
 * @param {(line: string) => void} log
 * @param {string} [dist] folder of the bundles. With another one than `dist`, a copy of the code has
 * no other use, and the caller deletes it.
 * @returns {Service}
 */
export function prepareService(dataDir, log, dist = 'dist') {
  const user = ordinaryUser(log, 'assay');
  if (!user) return { user, root, dist, node: process.execPath, env: {} };
  chownData(dataDir, user);
  const code = canRead(root, presentProbes(dist), user) ? root : mirrorCode(user, dist);
  if (existsSync(join(code, '.next'))) {
    const cache = join(code, '.next', 'cache');
    mkdirSync(cache, { recursive: true });
    chownAll(cache, user);
  }
  const temporary = process.env.TMPDIR;
  const env = {
    HOME: '/nonexistent',
    USER: user.name,
    LOGNAME: user.name,
    ...(temporary !== undefined && !canRead(temporary, ['.'], user) && { TMPDIR: '/tmp' }),
  };
  return { user, root: code, dist, node: nodeFor(user), env };
}

/** A single process may need fewer files: files that were not built are not checked. */
const presentProbes = (/** @type {string} */ dist) =>
  probesFor(dist).filter((file) => existsSync(join(root, file)));

/**
 * @param {string} dataDir
 * @param {OrdinaryUser} user
 */
function chownData(dataDir, user) {
  if (!canReach(dataDir, user)) {
    throw new Failure(
      `The user "${user.name}", the user that runs Assay when root starts it, cannot reach the data folder ${dataDir}: let others pass through the folders above it (chmod o+x), or set ASSAY_DATA_DIR to another place.`,
    );
  }
  for (const name of ownFolders) {
    const dir = join(dataDir, name);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    chownAll(dir, user);
  }
  for (const name of ownFiles) {
    const file = join(dataDir, name);
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    chownAll(file, user);
  }
}

/**
 * Makes the user the owner of a folder and everything in it. Symbolic links are changed themselves
 * and never followed.
 * @param {string} path
 * @param {OrdinaryUser} user
 */
function chownAll(path, user) {
  const found = lstatSync(path);
  if (found.uid !== user.uid || found.gid !== user.gid) lchownSync(path, user.uid, user.gid);
  if (!found.isDirectory()) return;
  for (const name of readdirSync(path)) chownAll(join(path, name), user);
}

/**
 * Hard-links the code in a folder closed to others (like /root) to where the user can read it. It
 * completes the copy under a temporary name first, and creates a new one after each build.
 * @param {OrdinaryUser} user
 * @param {string} dist
 * @returns {string} the folder of `root` in the copy
 */
function mirrorCode(user, dist) {
  const prefix = `${dist === 'dist' ? 'code' : hash(dist)}-${hash(realpathSync(root))}-`;
  const target = join(rootsHome, `${prefix}${hash(stamp())}`);
  if (!existsSync(target)) {
    mkdirSync(rootsHome, { recursive: true, mode: 0o755 });
    for (const name of readdirSync(rootsHome).filter((each) => each.startsWith(prefix))) {
      rmSync(join(rootsHome, name), { recursive: true, force: true });
    }
    linkCode(`${target}.part`, dist);
    renameSync(`${target}.part`, target);
  }
  const code = join(target, relative(tree, root));
  if (canRead(code, presentProbes(dist), user)) return code;
  throw new Failure(
    `The user "${user.name}", the user that runs Assay when root starts it, cannot read ${tree}: let others read it (chmod -R o+rX ${tree}), or start Assay as an ordinary user.`,
  );
}

/**
 * @param {string} to
 * @param {string} dist
 */
function linkCode(to, dist) {
  for (const part of partsFor(dist).filter((each) => existsSync(join(tree, each)))) {
    const target = join(to, part);
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    const from = join(tree, part);
    const linked = spawnSync('cp', ['-al', from, target], { encoding: 'utf8' });
    // Hard links do not cross file systems.
    if (linked.status !== 0) rmSync(target, { recursive: true, force: true });
    const copied =
      linked.status === 0 ? linked : spawnSync('cp', ['-a', from, target], { encoding: 'utf8' });
    if (copied.status !== 0)
      throw new Failure(
        `The code could not be copied to ${to}, where the ordinary user can read it: ${copied.stderr}`,
      );
  }
  // The processes write to the cache: it must not be shared with the original.
  rmSync(join(to, relative(tree, root), '.next', 'cache'), { recursive: true, force: true });
}

/** @returns {string} changes with each build and each installation */
function stamp() {
  const times = [
    join(root, 'package.json'),
    join(root, '.next', 'BUILD_ID'),
    join(root, 'dist', 'edge.js'),
    join(tree, 'node_modules', '.package-lock.json'),
  ].map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${found.mtimeMs}` : '';
  });
  return times.join('\n');
}

/**
 * @param {string} text
 * @returns {string}
 */
const hash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * Copies a Node installed below /root (as nvm does) to where the user can run it.
 * @param {OrdinaryUser} user
 * @returns {string}
 */
function nodeFor(user) {
  const runs = (/** @type {string} */ path) =>
    spawnSync(path, ['--version'], { uid: user.uid, gid: user.gid, cwd: '/' }).status === 0;
  if (runs(process.execPath)) return process.execPath;
  const copy = join(rootsHome, `${basename(process.execPath)}-${process.version}-${process.arch}`);
  if (!existsSync(copy)) {
    mkdirSync(rootsHome, { recursive: true, mode: 0o755 });
    copyFileSync(process.execPath, `${copy}.part-${process.pid}`);
    chmodSync(`${copy}.part-${process.pid}`, 0o755);
    renameSync(`${copy}.part-${process.pid}`, copy);
  }
  if (runs(copy)) return copy;
  throw new Failure(
    `The user "${user.name}", the user that runs Assay when root starts it, cannot run ${process.execPath}: install Node where all users can, or start Assay as an ordinary user.`,
  );
}
