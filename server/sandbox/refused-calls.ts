// System calls that the filter refuses to code in a box, by number. Numbers: Linux, asm/unistd_64.h
// (x86_64) and asm-generic/unistd.h (arm64); -1 if the architecture has no such call. Each of them
// grants access to a namespace, a file system, another process, the kernel's own memory, or a large
// part of the kernel that no compiler needs.

export type Architecture = 'x64' | 'arm64';

/** Name → number on x86_64, number on arm64. */
export const refusedCalls: ReadonlyMap<string, readonly [x64: number, arm64: number]> = new Map([
  ['unshare', [272, 97]],
  ['setns', [308, 268]],
  ['mount', [165, 40]],
  ['umount2', [166, 39]],
  ['pivot_root', [155, 41]],
  ['chroot', [161, 51]],
  ['open_tree', [428, 428]],
  ['move_mount', [429, 429]],
  ['fsopen', [430, 430]],
  ['fsconfig', [431, 431]],
  ['fsmount', [432, 432]],
  ['fspick', [433, 433]],
  ['mount_setattr', [442, 442]],
  ['ptrace', [101, 117]],
  ['process_vm_readv', [310, 270]],
  ['process_vm_writev', [311, 271]],
  ['process_madvise', [440, 440]],
  ['pidfd_getfd', [438, 438]],
  ['kcmp', [312, 272]],
  ['bpf', [321, 280]],
  ['perf_event_open', [298, 241]],
  ['userfaultfd', [323, 282]],
  ['memfd_secret', [447, 447]],
  ['keyctl', [250, 219]],
  ['add_key', [248, 217]],
  ['request_key', [249, 218]],
  ['io_uring_setup', [425, 425]],
  ['io_uring_enter', [426, 426]],
  ['io_uring_register', [427, 427]],
  // One box could use up all asynchronous requests of the machine (fs.aio-max-nr).
  ['io_setup', [206, 0]],
  ['init_module', [175, 105]],
  ['finit_module', [313, 273]],
  ['delete_module', [176, 106]],
  ['create_module', [174, -1]],
  ['kexec_load', [246, 104]],
  ['kexec_file_load', [320, 294]],
  ['swapon', [167, 224]],
  ['swapoff', [168, 225]],
  ['reboot', [169, 142]],
  ['open_by_handle_at', [304, 265]],
  ['name_to_handle_at', [303, 264]],
  ['iopl', [172, -1]],
  ['ioperm', [173, -1]],
  ['mbind', [237, 235]],
  ['set_mempolicy', [238, 237]],
  ['get_mempolicy', [239, 236]],
  ['migrate_pages', [256, 238]],
  ['move_pages', [279, 239]],
  ['set_mempolicy_home_node', [450, 450]],
  ['personality', [135, 92]],
  ['modify_ldt', [154, -1]],
  ['sethostname', [170, 161]],
  ['setdomainname', [171, 162]],
  ['syslog', [103, 116]],
  ['acct', [163, 89]],
  ['quotactl', [179, 60]],
  ['quotactl_fd', [443, 443]],
  ['settimeofday', [164, 170]],
  ['clock_settime', [227, 112]],
  ['clock_adjtime', [305, 266]],
  ['adjtimex', [159, 171]],
  ['lookup_dcookie', [212, 18]],
  ['nfsservctl', [180, 42]],
  ['vhangup', [153, 58]],
  ['fanotify_init', [300, 262]],
  ['uselib', [134, -1]],
  ['ustat', [136, -1]],
  ['sysfs', [139, -1]],
  ['_sysctl', [156, -1]],
]);

const EPERM = 1;
const EINVAL = 22;
const EMFILE = 24;

/**
 * Name → number on x86_64, number on arm64, error. Each of these allocates memory that belongs to
 * no process and to no file system of the box, or pins deleted pages, so the watchdog cannot count
 * it. Refused if no memory cgroup counts it (S-115). After EINVAL, programs copy with read and
 * write; EMFILE is the error of a machine without free inotify instances.
 */
export const uncountedCalls: ReadonlyMap<
  string,
  readonly [x64: number, arm64: number, error: number]
> = new Map([
  ['memfd_create', [319, 279, EPERM]],
  ['shmget', [29, 194, EPERM]],
  ['shmat', [30, 196, EPERM]],
  ['shmctl', [31, 195, EPERM]],
  ['shmdt', [67, 197, EPERM]],
  ['msgget', [68, 186, EPERM]],
  ['msgsnd', [69, 189, EPERM]],
  ['msgrcv', [70, 188, EPERM]],
  ['msgctl', [71, 187, EPERM]],
  ['semget', [64, 190, EPERM]],
  ['semop', [65, 193, EPERM]],
  ['semctl', [66, 191, EPERM]],
  ['semtimedop', [220, 192, EPERM]],
  ['mq_open', [240, 180, EPERM]],
  ['splice', [275, 76, EINVAL]],
  ['tee', [276, 77, EINVAL]],
  ['vmsplice', [278, 75, EINVAL]],
  ['sendfile', [40, 71, EINVAL]],
  ['inotify_init', [253, -1, EMFILE]],
  ['inotify_init1', [294, 26, EMFILE]],
]);

/** Calls that the filter also checks by their arguments. */
export interface WatchedCalls {
  readonly clone: number;
  readonly clone3: number;
  readonly ioctl: number;
  readonly socket: number;
  readonly socketpair: number;
  readonly setsockopt: number;
  readonly fcntl: number;
}

export const watchedCalls: Readonly<Record<Architecture, WatchedCalls>> = {
  x64: { clone: 56, clone3: 435, ioctl: 16, socket: 41, socketpair: 53, setsockopt: 54, fcntl: 72 },
  arm64: {
    clone: 220,
    clone3: 435,
    ioctl: 29,
    socket: 198,
    socketpair: 199,
    setsockopt: 208,
    fcntl: 25,
  },
};
