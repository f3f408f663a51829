// PostgreSQL refuses to run as root. Started by root, the embedded server runs as an ordinary user, and what it reads
// and writes must lie where that user can go.
import { spawnSync } from 'node:child_process';
import { Failure } from './failure.mjs';

/** Where root keeps what the ordinary user must reach; a checkout may lie in a folder closed to others. */
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
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout), name };
}

/**
 * The user that the server runs as when Assay is started by root: `postgres`, made when absent; `nobody` when it cannot
 * be made, which is said.
 * @param {(line: string) => void} [say]
 * @returns {OrdinaryUser | undefined} undefined when not root: the server then runs as whoever started it
 */
export function ordinaryUser(say = () => {}) {
  if (!isRoot()) return undefined;
  const known = findUser('postgres');
  if (known) return known;
  // Debian and Red Hat have useradd, Alpine adduser.
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']);
  if (!findUser('postgres')) spawnSync('adduser', ['-S', '-D', '-H', 'postgres']);
  const made = findUser('postgres');
  if (made) return made;
  const nobody = findUser('nobody');
  if (!nobody) {
    throw new Failure('PostgreSQL does not run as root and no user "postgres" could be made: add one, or start Assay as an ordinary user.');
  }
  say('No user "postgres" could be made: PostgreSQL runs as "nobody".');
  return nobody;
}

/**
 * @param {string} dir
 * @param {OrdinaryUser | undefined} user
 * @returns {boolean} whether the user can go into the folder
 */
export function canReach(dir, user) {
  if (!user) return true;
  const { uid, gid } = user;
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir], { uid, gid, cwd: '/' }).status === 0;
}
