// The programs that create a box: found by absolute path, and trusted only if none but root can
// have changed them.
import { statSync } from 'node:fs';
import { unusedUser } from './box-users';

export interface Launcher {
  readonly bwrap: string;
  readonly prlimit: string;
  /** Switches the user, if Assay runs as root; null if it does not. */
  readonly drop: { readonly setpriv: string; readonly uid: number } | null;
  /**
   * Changes the user within a namespace whose users were mapped from outside; undefined if it is
   * not installed.
   */
  readonly setpriv?: string;
}

/** Why there is no launcher, and the fix. */
export interface NoLauncher {
  readonly reason: string;
  readonly fix: string;
}

export const launcherPaths = {
  bwrap: '/usr/bin/bwrap',
  setpriv: '/usr/bin/setpriv',
  prlimit: '/usr/bin/prlimit',
} as const;

const installFix =
  'Install bubblewrap and util-linux (Debian: apt-get install bubblewrap util-linux).';

/**
 * @param uid of this process; 0 requires the user switch, since bubblewrap started by root would
 * map the box's user to root
 */
export function findLauncher(
  uid: number,
  paths: { bwrap: string; setpriv: string; prlimit: string } = launcherPaths,
): Launcher | NoLauncher {
  for (const path of [paths.bwrap, paths.prlimit, ...(uid === 0 ? [paths.setpriv] : [])]) {
    const fault = faultOfProgram(path);
    if (fault !== null) return { reason: `${path} ${fault}`, fix: installFix };
  }
  const drop = uid === 0 ? { setpriv: paths.setpriv, uid: unusedUser() } : null;
  return {
    bwrap: paths.bwrap,
    prlimit: paths.prlimit,
    drop,
    ...(faultOfProgram(paths.setpriv) === null && { setpriv: paths.setpriv }),
  };
}

export function isLauncher(found: Launcher | NoLauncher): found is Launcher {
  return 'bwrap' in found;
}

function faultOfProgram(path: string): string | null {
  try {
    const { mode, uid } = statSync(path);
    if (uid !== 0) return 'does not belong to root';
    if ((mode & 0o6000) !== 0) return 'is setuid or setgid';
    if ((mode & 0o022) !== 0) return 'can be written to by others than root';
    return (mode & 0o111) === 0 ? 'cannot be executed' : null;
  } catch {
    return 'is not installed';
  }
}
