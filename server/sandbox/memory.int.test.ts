// Memory of every kind that a program can hold: each ends the run as over memory, or is refused,
// and this machine never loses more than the cap and a tenth. Sockets of every family.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startBoxRunner,
  type BoxRunner,
  otherUserFault,
  createBoxRunner,
  strangerUid,
  reportSkipped,
} from '../../testing/boxes';
import { mappedBoxes } from '../../testing/mapped-boxes';
import { until } from '../../testing/until';
import type { BoxJob } from './box-job';
import { findLauncher, isLauncher } from './launcher';
import { findCgroupRoot } from './memory-cgroup';

const launcher = findLauncher(process.getuid?.() ?? -1);
const missing = isLauncher(launcher) ? null : launcher.reason;
const mib = 1024 * 1024;
const cap = 192 * mib;
/**
 * Other programs of this machine take memory as well; a hoard that nothing stops takes several
 * times this in its 30 s.
 */
const others = 1024 * mib;

interface Hoard {
  readonly name: string;
  /** Python: takes pieces of memory until it is stopped or refused. */
  readonly script: string;
  /**
   * Whether only a memory cgroup counts it: without one the call is refused, and the program exits
   * by itself.
   */
  readonly isUncounted?: true;
}

const start = String.raw`
import ctypes, errno, mmap, os, socket, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = libc.shmat.restype = ctypes.c_long
piece = 16 << 20
block = b'x' * (1 << 20)
held = []
def must(value):
    if value == -1:
        print('refused', errno.errorcode[ctypes.get_errno()], flush=True)
        sys.exit(7)
    return value
def fill(fd):
    for _ in range(piece // len(block)):
        os.write(fd, block)
def forever():
    while True:
        time.sleep(1)
`;

const hoards: readonly Hoard[] = [
  { name: 'private memory', script: 'while True: held.append(bytearray(block * 16))' },
  {
    name: 'private memory of many processes',
    script:
      'for _ in range(40):\n if os.fork() == 0:\n  held.append(bytearray(block * 16)); forever()\nforever()',
  },
  {
    name: 'unmapped memfds',
    script: "while True:\n fd = must(libc.memfd_create(b'x', 0)); fill(fd); held.append(fd)",
    isUncounted: true,
  },
  {
    name: 'mapped memfds',
    script:
      "while True:\n fd = must(libc.memfd_create(b'x', 0)); os.ftruncate(fd, piece); m = mmap.mmap(fd, piece); m.write(block * 16); os.close(fd); held.append(m)",
    isUncounted: true,
  },
  {
    name: 'detached SysV segments',
    script:
      'while True:\n one = must(libc.shmget(0, ctypes.c_size_t(piece), 0o1600)); at = must(libc.shmat(one, None, 0)); ctypes.memset(ctypes.c_void_p(at), 1, piece); libc.shmdt(ctypes.c_void_p(at))',
    isUncounted: true,
  },
  {
    name: 'attached SysV segments',
    script:
      'while True:\n one = must(libc.shmget(0, ctypes.c_size_t(piece), 0o1600)); at = must(libc.shmat(one, None, 0)); ctypes.memset(ctypes.c_void_p(at), 1, piece)',
    isUncounted: true,
  },
  {
    name: 'SysV messages',
    script:
      "while True:\n one = must(libc.msgget(0, 0o1600))\n for _ in range(2): must(libc.msgsnd(one, ctypes.create_string_buffer(b'\\1' * 8 + b'x' * 8000), ctypes.c_size_t(8000), 0))",
    isUncounted: true,
  },
  {
    name: 'shared mappings',
    script: 'while True:\n m = mmap.mmap(-1, piece); m.write(block * 16); held.append(m)',
  },
  {
    name: 'shared mappings that were dropped from the page table',
    script:
      'while True:\n m = mmap.mmap(-1, piece); m.write(block * 16); m.madvise(mmap.MADV_DONTNEED); held.append(m)',
  },
  {
    name: 'shared mappings of which most was unmapped',
    script:
      'libc.mmap.restype = ctypes.c_void_p\nwhile True:\n at = libc.mmap(None, ctypes.c_size_t(piece), 3, 0x21, -1, ctypes.c_long(0)); ctypes.memset(at, 1, piece); libc.munmap(ctypes.c_void_p(at + 4096), ctypes.c_size_t(piece - 4096))',
  },
  {
    name: 'files of /box',
    script: "n = 0\nwhile True:\n n += 1; fd = os.open(f'/box/{n}', 66); fill(fd); os.close(fd)",
  },
  {
    name: 'files of /tmp and /dev/shm',
    script:
      "n = 0\nwhile True:\n n += 1\n try: fd = os.open(f'/tmp/{n}' if n > 1 else '/dev/shm/1', 66); fill(fd)\n except OSError: break\nwhile True: held.append(bytearray(block * 16))",
  },
  {
    name: 'deleted files that are open',
    script:
      "while True:\n fd = os.open('/box/x', 66); os.unlink('/box/x'); fill(fd); held.append(fd)",
  },
  {
    name: 'unread data of Unix sockets',
    script:
      "data = b'x' * 65536\nfor _ in range(32):\n if os.fork() == 0:\n  while True:\n   try:\n    a, b = socket.socketpair(); held.extend((a, b))\n    a.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)\n    a.setblocking(False)\n    while True: a.send(data)\n   except BlockingIOError: pass\n   except OSError: forever()\nforever()",
  },
  {
    name: 'unread datagrams',
    script:
      "data = b'x' * 32768\nfor _ in range(32):\n if os.fork() == 0:\n  while True:\n   try:\n    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); held.extend((a, b))\n    a.setblocking(False)\n    while True: a.send(data)\n   except BlockingIOError: pass\n   except OSError: forever()\nforever()",
  },
  {
    name: 'unread data of TCP connections',
    script:
      "data = b'x' * 65536\nserver = socket.create_server(('127.0.0.1', 0), backlog=900)\nfor _ in range(16):\n if os.fork() == 0:\n  while True:\n   try:\n    a = socket.create_connection(server.getsockname()); held.append(a)\n    a.setblocking(False)\n    while True: a.send(data)\n   except BlockingIOError: pass\n   except OSError: forever()\nforever()",
  },
  {
    name: 'unread data of pipes',
    script:
      'for _ in range(60):\n if os.fork() == 0:\n  while True:\n   try:\n    r, w = os.pipe(); held.extend((r, w)); os.set_blocking(w, False)\n    try: libc.fcntl(w, 1031, 1 << 20)\n    except OSError: pass\n    while True: os.write(w, block)\n   except BlockingIOError: pass\n   except OSError: forever()\nforever()',
  },
  {
    name: 'page tables of mappings that hold nothing',
    script:
      'libc.mmap.restype = ctypes.c_void_p\nwhile True:\n at = libc.mmap(None, ctypes.c_size_t(1 << 36), 1, 0x4022, -1, ctypes.c_long(0))\n for offset in range(0, 1 << 36, 2 << 20): ctypes.string_at(at + offset, 1)',
  },
];

/** Bytes that this machine has left for programs. */
function available(): number {
  return (
    Number(/^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) *
    1024
  );
}

/**
 * Samples every 10 ms. @returns a function that stops it and returns the largest drop of this
 * machine's free memory
 */
function watchMachine(): () => number {
  const before = available();
  let lowest = before;
  const timer = setInterval(() => {
    lowest = Math.min(lowest, available());
  }, 10);
  return () => {
    clearInterval(timer);
    return before - lowest;
  };
}

const variants = [
  {
    who: `user ${process.getuid?.()}, as started`,
    absent: missing,
    users: process.getuid?.() === 0 ? 'per_box' : 'one',
    open: createBoxRunner,
  },
  {
    who: 'an ordinary user',
    absent: missing ?? otherUserFault(),
    users: 'one',
    open: (): BoxRunner => startBoxRunner({ uid: strangerUid }),
  },
  {
    who: 'an ordinary user with a box launcher',
    absent: missing ?? otherUserFault(),
    users: 'per_box',
    open: mappedBoxes,
  },
];

describe.each(variants)('memory in a box of $who', ({ absent, users, open }) => {
  let boxes: BoxRunner;
  let isCounted = false;
  beforeAll(async () => {
    if (absent !== null) return reportSkipped(absent);
    boxes = open();
    isCounted = (await boxes.level())?.memory === 'cgroup';
  });
  afterAll(async () => absent ?? (await boxes.close()));

  it.runIf(absent === null)(
    'S-84 runs boxes that run at the same time as different users where root or its launcher lets it',
    async () => {
      expect((await boxes.level())?.users).toBe(users);
      const job: BoxJob = { files: [], command: ['/bin/sleep', '30'], limits: { wallMs: 1_000 } };
      const seen = (await Promise.all([boxes.run(job), boxes.run(job), boxes.run(job)])).map(
        ({ hostUid }) => hostUid,
      );
      expect(new Set(seen).size).toBe(users === 'per_box' ? 3 : 1);
      const isOwn = seen.map(
        (uid) => uid != null && uid !== strangerUid && uid >= 60_100 && uid < 65_000,
      );
      expect(isOwn).toEqual(seen.map(() => users === 'per_box'));
    },
  );

  it.runIf(absent === null).each(hoards)(
    'S-115 $name: the run ends as over memory, this machine keeps its own',
    async (hoard) => {
      const fallen = watchMachine();
      const result = await boxes.run({
        files: [],
        command: ['/usr/bin/python3', '-I', '-c', start + hoard.script],
        limits: { memoryBytes: cap, wallMs: 30_000, diskBytes: 1024 * mib },
      });
      const fallenBytes = fallen();
      const output =
        `${result.stdout.toString().trim()} ${result.stderr.toString().slice(-300)}`.trim();
      const isRefused = hoard.isUncounted === true && !isCounted;
      expect([result.end, result.exitCode, output]).toEqual(
        isRefused ? ['exit', 7, 'refused EPERM'] : ['memory', null, ''],
      );
      expect(fallenBytes).toBeLessThan(cap * 1.1 + others);
    },
  );

  it.runIf(absent === null)('S-115 is never in the way of a program below its cap', async () => {
    const script = `${start}m = mmap.mmap(-1, piece); m.write(block * 16)\nheld = bytearray(block * 32)\nfd = os.open('/box/x', 66); fill(fd)\npairs = [socket.socketpair() for _ in range(100)]\ntime.sleep(.3)\nprint('done')`;
    const result = await boxes.run({
      files: [],
      command: ['/usr/bin/python3', '-I', '-c', script],
      limits: { memoryBytes: cap },
    });
    expect([result.end, result.exitCode, result.stdout.toString()]).toEqual(['exit', 0, 'done\n']);
  });
});

it.runIf(missing === null)('S-93 a worker that stops leaves no cgroup', async () => {
  const boxes = createBoxRunner();
  await boxes.run({ files: [], command: ['/bin/true'] });
  const root = findCgroupRoot(null);
  const left = (): readonly string[] =>
    root === null
      ? []
      : readdirSync(root.path).filter((name) => name.startsWith(`assay-box-${process.pid}-`));
  const made = left().length;
  await boxes.close();
  await until('no cgroup left', () => (left().length === 0 ? true : null), 15_000);
  expect(made > 0).toBe(root !== null);
});

it.runIf(missing === null)(
  'S-115 the memory of a box does not count for the next one',
  async () => {
    const boxes = createBoxRunner();
    const fill = 'for n in 1 2 3 4; do head -c 100000000 </dev/zero >/box/$n; done';
    const limits = { memoryBytes: 600 * mib, diskBytes: 512 * mib };
    const ends: string[] = [];
    // One after another, in the same slot.
    for (let run = 0; run < 8; run += 1)
      ends.push((await boxes.run({ files: [], command: ['/bin/sh', '-c', fill], limits })).end);
    await boxes.close();
    expect(ends).toEqual(ends.map(() => 'exit'));
  },
);

const sockets = String.raw`
import ctypes, errno, json, os
libc = ctypes.CDLL(None, use_errno=True)
def tried(call, family, kind):
    ctypes.set_errno(0)
    pair = (ctypes.c_int * 2)()
    value = libc.socket(family, kind, 0) if call == 'socket' else libc.socketpair(family, kind, 0, pair)
    return 'ok' if value >= 0 else errno.errorcode.get(ctypes.get_errno(), '?')
families = list(range(46))
# The kernel reads the low half of the register: the same families by a raw call with the high half set.
high = [libc.syscall(ctypes.c_long(41 if os.uname().machine == 'x86_64' else 198), ctypes.c_long((1 << 32) | f), ctypes.c_long(1), ctypes.c_long(0)) for f in families]
print(json.dumps({
    **{call: {f: sorted({tried(call, f, kind) for kind in range(1, 11)}) for f in families} for call in ('socket', 'socketpair')},
    'high': [f for f in families if high[f] >= 0],
}))
`;

describe.each(variants)('sockets in a box of $who', ({ absent, open }) => {
  let boxes: BoxRunner;
  beforeAll(() => {
    if (absent === null) boxes = open();
    else reportSkipped(absent);
  });
  afterAll(async () => absent ?? (await boxes.close()));

  it.runIf(absent === null)(
    'S-117 of the families 0 to 45 only AF_UNIX, AF_INET and AF_INET6 are there, by socket and socketpair',
    async () => {
      const result = await boxes.run({
        files: [],
        command: ['/usr/bin/python3', '-I', '-c', sockets],
      });
      // Printed by the script above.
      const seen = JSON.parse(result.stdout.toString()) as Record<
        'socket' | 'socketpair',
        Record<string, string[]>
      > & { high: number[] };
      const open = (call: 'socket' | 'socketpair'): string[] =>
        Object.keys(seen[call]).filter((family) => seen[call][family]?.includes('ok'));
      expect([open('socket'), open('socketpair')]).toEqual([['1', '2', '10'], ['1']]);
      const refused = Object.entries({ ...seen.socket, ...seen.socketpair }).filter(
        ([family]) => !['1', '2', '10'].includes(family),
      );
      expect(new Set(refused.flatMap(([, how]) => how))).toEqual(new Set(['EAFNOSUPPORT']));
      expect(seen.high).toEqual([1, 2, 10]);
    },
  );

  it.runIf(absent === null)('S-117 neither reads nor writes the memory of process 1', async () => {
    const script =
      'import os,json\nseen={}\nfor p in ("/proc/1/","/proc/self/root/proc/1/","/proc/1/task/1/","/proc/thread-self/../../../1/"):\n for n in ("mem","maps","environ","root","fd","cwd"):\n  for m in (os.O_RDONLY,os.O_RDWR):\n   try: os.close(os.open(p+n,m)); seen[p+n]=m\n   except OSError: pass\nprint(json.dumps(seen))';
    const result = await boxes.run({
      files: [],
      command: ['/usr/bin/python3', '-I', '-c', script],
    });
    expect(JSON.parse(result.stdout.toString())).toEqual({});
  });
});
