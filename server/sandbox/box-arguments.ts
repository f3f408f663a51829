// The arguments of bubblewrap (bwrap(1), 0.8), in the order in which it applies them: nothing can
// be mounted after the root becomes read-only.
import type { BoxFile, BoxJob, BoxLimits } from './box-job';
import { foldersOf } from './box-paths';
import { type BoxStart, directStart, startedBy } from './box-start';
import type { Launcher } from './launcher';

/** The folder of the files inside a box, and the commands' working directory. */
const boxFolder = '/box';

/**
 * Descriptors of a box: 0 to 2 as usual, 3 the report, 4 the launcher's own, 5 the link, then the
 * contents.
 */
export const reportFd = 3;
export const statusFd = 4;
export const linkFd = 5;

const shmBytes = 16 * 1024 * 1024;
const aboveTheCap = 512 * 1024 * 1024;

/** A synthetic /etc: enough for name lookups of localhost and of the box's own user. */
const etcFiles: readonly { path: string; content: string }[] = [
  { path: '/etc/hosts', content: '127.0.0.1 localhost box\n::1 localhost\n' },
  { path: '/etc/passwd', content: 'box:x:65534:65534:box:/tmp:/bin/sh\n' },
  { path: '/etc/group', content: 'box:x:65534:\n' },
  { path: '/etc/nsswitch.conf', content: 'passwd: files\ngroup: files\nhosts: files\n' },
];

/** Replaces /proc/1/stat (proc(5)), so that programs that list all processes find the first one. */
const firstProcess = `1 (box) S 0 1 1${' 0'.repeat(46)}\n`;

export interface BoxCall {
  readonly program: string;
  readonly args: readonly string[];
  /**
   * Descriptors that bubblewrap reads and closes before it starts the command: the filter and the
   * files.
   */
  readonly contents: readonly { readonly fd: number; readonly content: string | Uint8Array }[];
  /** Mounts of tmpfs inside the box whose content counts as memory. */
  readonly fileSystems: readonly string[];
}

/**
 * @param filter from `seccompFilter`
 * @param inherited descriptors that the box would otherwise inherit: contents take their numbers,
 * and are closed inside
 * @param start how the launcher gets its user and its cgroup
 */
export function boxCall(
  launcher: Launcher,
  job: BoxJob,
  limits: BoxLimits,
  filter: Uint8Array,
  inherited: readonly number[],
  start: BoxStart = directStart,
): BoxCall {
  const { contents, pass } = collectContents(inherited, job);
  const place = (
    option: '--file' | '--ro-bind-data',
    to: string,
    content: string | Uint8Array,
  ): readonly string[] => {
    return ['--perms', '0644', option, pass(content), to];
  };
  const filterFd = pass(filter);
  const lockedFolders = foldersToLock(job.files);
  const half = Math.max(Math.floor(limits.diskBytes / 2), 4096);
  const fileSystems = [
    '/dev/shm',
    '/tmp',
    boxFolder,
    ...lockedFolders.map((folder) => `${boxFolder}/${folder}`),
  ];
  const args = [
    identity,
    environment(job),
    ['--ro-bind', '/usr', '/usr'],
    ['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    [...etcFiles, ...fillers(inherited), ...(job.tools ?? [])].flatMap(({ path, content }) =>
      place('--file', path, content),
    ),
    // Debian's links from /usr/bin to the selected compiler; all existing targets are in /usr.
    ['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
    bindsOf(job, (to) => !isInside(to)),
    // bubblewrap itself is process 1 and runs as the user of the guest, who could otherwise rewrite
    // its memory. The process lives as long as the box, so a mount over its entry hides it for
    // good.
    ['--proc', '/proc', '--perms', '0555', '--size', '8192', '--tmpfs', '/proc/1'],
    place('--file', '/proc/1/stat', firstProcess),
    ['--remount-ro', '/proc/1'],
    devices,
    ['--size', String(half), '--tmpfs', '/tmp'],
    ['--size', String(limits.diskBytes), '--tmpfs', boxFolder],
    lockedFolders.flatMap((folder) => [
      '--size',
      String(half),
      '--tmpfs',
      `${boxFolder}/${folder}`,
    ]),
    bindsOf(job, isInside),
    job.files.flatMap(({ path, content, locked }) =>
      place(locked ? '--ro-bind-data' : '--file', `${boxFolder}/${path}`, content),
    ),
    ['--chdir', boxFolder, '--remount-ro', '/'],
    ['--seccomp', filterFd, '--json-status-fd', String(statusFd), '--'],
    [launcher.prlimit, ...resourceLimits(limits), '--', ...job.command],
  ].flat();
  return { ...startedBy(launcher, start, args, statusFd), contents, fileSystems };
}

/** `pass` takes a content and returns the number of its descriptor. */
function collectContents(inherited: readonly number[], { report, link }: BoxJob) {
  const contents: { fd: number; content: string | Uint8Array }[] = [];
  const numbers = contentNumbers(inherited, [
    statusFd,
    ...(report ? [reportFd] : []),
    ...(link ? [linkFd] : []),
  ]);
  const pass = (content: string | Uint8Array): string => {
    const fd = numbers.next().value;
    contents.push({ fd, content });
    return String(fd);
  };
  return { contents, pass };
}

const bindsOf = ({ binds = [] }: BoxJob, isMeant: (to: string) => boolean): readonly string[] =>
  binds.filter(({ to }) => isMeant(to)).flatMap(({ from, to }) => ['--ro-bind', from, to]);

/** First the numbers that must be used, then all others in ascending order. */
function* contentNumbers(
  inherited: readonly number[],
  used: readonly number[],
): Generator<number, never> {
  const taken = new Set(inherited.filter((fd) => !used.includes(fd)));
  yield* taken;
  for (let fd = statusFd + 1; ; fd += 1) if (!taken.has(fd) && !used.includes(fd)) yield fd;
}

/** Empty files, so that there are at least as many contents as numbers that must be used. */
function fillers(inherited: readonly number[]): readonly { path: string; content: string }[] {
  return inherited
    .slice(etcFiles.length)
    .map((fd) => ({ path: `/etc/.descriptor-${fd}`, content: '' }));
}

/**
 * A shared mapping of /dev/zero is memory that no count includes. /dev/full also reads as zeros,
 * and cannot be mapped.
 */
const devices = [
  ['--dev', '/dev', '--dev-bind', '/dev/full', '/dev/zero'],
  ['--size', String(shmBytes), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
].flat();

const identity = [
  [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
  ],
  [
    '--disable-userns',
    '--uid',
    '65534',
    '--gid',
    '65534',
    '--hostname',
    'box',
    '--cap-drop',
    'ALL',
  ],
  ['--new-session', '--die-with-parent', '--clearenv'],
].flat();

function environment({ path = [], env = {} }: BoxJob): readonly string[] {
  const variables = {
    PATH: [...path, '/usr/bin', '/bin'].join(':'),
    HOME: '/tmp',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    ...env,
  };
  return Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
}

/** Set inside the box, where the kernel counts them for the box's own user. */
function resourceLimits({ wallMs, memoryBytes, tasks, diskBytes }: BoxLimits): readonly string[] {
  return [
    `--nproc=${tasks}`,
    `--fsize=${Math.max(Math.floor(diskBytes / 2), 4096)}`,
    '--nofile=1024',
    '--core=0',
    // Two cores' worth of the wall time: the deadline applies first, and this one if the deadline
    // cannot.
    `--cpu=${Math.ceil(wallMs / 1000) * 2 + 1}`,
    // Above the watched cap, so that the run ends with `memory` instead of a failed allocation.
    `--data=${memoryBytes + aboveTheCap}`,
    '--memlock=65536',
    '--msgqueue=0',
  ];
}

/**
 * A locked file cannot be moved away with its folder if each folder on its path is a mount: the
 * kernel refuses that (EBUSY).
 */
function foldersToLock(files: readonly BoxFile[]): readonly string[] {
  const folders = new Set(
    files.filter(({ locked }) => locked === true).flatMap(({ path }) => foldersOf(path)),
  );
  return [...folders].toSorted((a, b) => a.split('/').length - b.split('/').length);
}

function isInside(to: string): boolean {
  return to.startsWith(`${boxFolder}/`);
}
