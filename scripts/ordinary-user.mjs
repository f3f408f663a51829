// When root starts Assay, no process that takes input runs as root: the embedded PostgreSQL runs as
// one ordinary user; web, edge and worker run as another, which cannot read the superuser's
// password. The files that they read must be accessible to them.
import { spawnSync } from 'node:child_process';
import { Failure } from './failure.mjs';

/**
 * The files of an installation that root started; ordinary users may be unable to read the
 * checkout.
 */
export const rootsHome = '/var/lib/assay';

/** @typedef {{ uid: number, gid: number, name: string }} OrdinaryUser */

/** @returns {boolean} */
export function isRoot() {
  return process.getuid?.() === 0;
}

/**
 * @param {string} name
 * @returns {OrdinaryUser | undefined}
 */
function findUser(name) {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    spawnSync('id', [flag, name], { encoding: 'utf8' }),
  );
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout), name };
}

/**
 * The user that PostgreSQL, or a process that takes input, runs as when root starts Assay: a system
 * user with this name, created if absent. If it cannot be created, this logs that and returns
 * `nobody`.
 * @param {(line: string) => void} [log]
 * @param {'postgres' | 'assay'} [name]
 * @returns {OrdinaryUser | undefined} undefined if not root: everything then runs as the user who
 * starts it
 */
export function ordinaryUser(log = () => {}, name = 'postgres') {
  if (!isRoot()) return undefined;
  const known = findUser(name);
  if (known) return known;
  // Debian and Red Hat have useradd, Alpine has adduser.
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    name,
  ]);
  if (!findUser(name)) spawnSync('adduser', ['-S', '-D', '-H', name]);
  const created = findUser(name);
  if (created) return created;
  const processName = name === 'postgres' ? 'PostgreSQL' : 'Assay';
  const fallback = findUser('nobody');
  if (!fallback) {
    throw new Failure(
      `${processName} does not run as root and the user "${name}" could not be created: create it, or start Assay as an ordinary user.`,
    );
  }
  log(`The user "${name}" could not be created: ${processName} runs as "nobody".`);
  return fallback;
}

/**
 * @param {string} dir
 * @param {OrdinaryUser | undefined} user
 * @returns {boolean} whether the user can enter the folder
 */
export function canReach(dir, user) {
  if (!user) return true;
  const { uid, gid } = user;
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir], { uid, gid, cwd: '/' }).status === 0;
}

/**
 * @param {string} dir
 * @param {string[]} files below the folder
 * @param {OrdinaryUser | undefined} user
 * @returns {boolean} whether the user can read all of them
 */
export function canRead(dir, files, user) {
  if (!user) return true;
  const { uid, gid } = user;
  const script = 'cd -- "$1" && shift && for each do test -r "$each" || exit 1; done';
  return (
    spawnSync('/bin/sh', ['-c', script, 'sh', dir, ...files], { uid, gid, cwd: '/' }).status === 0
  );
}
