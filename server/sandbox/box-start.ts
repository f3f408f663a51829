// How the launcher is started: directly, or behind a gate at which its process waits for its user
// and its cgroup.
import type { Launcher } from './launcher';

/** The only user of the namespace in which a mapped launcher starts. */
export const mappedUser = 1;

export interface BoxStart {
  /**
   * Whether the process waits before the launcher starts: it writes a byte to the status descriptor
   * when it is waiting, and continues when it reads a line.
   */
  readonly gate: boolean;
  /** The user to switch to, if this process is root; null leaves that to `Launcher.drop`. */
  readonly uid: number | null;
  /** Whether the launcher gets a user namespace that another process maps while it waits. */
  readonly isMapped: boolean;
}

export const directStart: BoxStart = { gate: false, uid: null, isMapped: false };

export const startPrograms = { unshare: '/usr/bin/unshare', sh: '/bin/sh' } as const;

/**
 * @param statusFd number of the descriptor that serves as the gate, and afterwards for bubblewrap's
 * reports
 */
export function startedBy(
  { bwrap, drop, setpriv }: Launcher,
  { gate, uid, isMapped }: BoxStart,
  args: readonly string[],
  statusFd: number,
): { program: string; args: readonly string[] } {
  const command = [...dropped(drop, setpriv, uid, isMapped), bwrap, ...args];
  const waiting = [
    startPrograms.sh,
    '-c',
    `echo >&${statusFd} && read -r _ <&${statusFd} && exec "$@"`,
    'sh',
  ];
  // Without --keep-caps the namespace's rights would end with the next program, which must still
  // change its user.
  const namespace = isMapped ? [startPrograms.unshare, '--user', '--keep-caps', '--'] : [];
  const [program = bwrap, ...rest] = [
    ...namespace,
    ...(gate || isMapped ? waiting : []),
    ...command,
  ];
  return { program, args: rest };
}

function dropped(
  drop: Launcher['drop'],
  setpriv: string | undefined,
  uid: number | null,
  isMapped: boolean,
): readonly string[] {
  if (isMapped && setpriv !== undefined) {
    const noRights = ['--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs', '--'];
    return [
      setpriv,
      `--reuid=${mappedUser}`,
      `--regid=${mappedUser}`,
      '--clear-groups',
      ...noRights,
    ];
  }
  if (drop === null) return [];
  const user = uid ?? drop.uid;
  return [
    drop.setpriv,
    `--reuid=${user}`,
    `--regid=${user}`,
    '--clear-groups',
    '--no-new-privs',
    '--',
  ];
}
