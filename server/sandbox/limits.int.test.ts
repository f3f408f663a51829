// The limits of code in a box and how they end it: each is exceeded on purpose.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startBoxRunner,
  type BoxRunner,
  boxFiles,
  otherUserFault,
  createBoxRunner,
  strangerUid,
  reportSkipped,
} from '../../testing/boxes';
import { processesWith } from '../../testing/marked-processes';
import { until } from '../../testing/until';
import { timeFactor } from '../../testing/time-factor';
import type { BoxJob, BoxLimits, BoxResult } from './box-job';
import { findLauncher, isLauncher } from './launcher';
import { findCgroupRoot } from './memory-cgroup';
import { runInBox } from './run-in-box';

const launcher = findLauncher(process.getuid?.() ?? -1);
const missing = isLauncher(launcher) ? null : launcher.reason;
const isLong = process.env.ASSAY_LONG === '1';
const mib = 1024 * 1024;

/**
 * Exact times apply only on a dedicated machine, as in the long form; this allows for other tests.
 */
const within = (ms: number): number => (isLong ? ms : ms + 750);

const variants = [
  {
    who: `user ${process.getuid?.()}, as started`,
    absent: missing,
    open: (): BoxRunner => createBoxRunner(),
  },
  {
    who: 'an ordinary user',
    absent: missing ?? otherUserFault(),
    open: (): BoxRunner => startBoxRunner({ uid: strangerUid }),
  },
];

const python = (script: string, limits: Partial<BoxLimits> = {}): BoxJob => ({
  files: [],
  command: ['/usr/bin/python3', '-I', '-c', script],
  limits,
});
const shell = (script: string, limits: Partial<BoxLimits> = {}): BoxJob => ({
  files: [],
  command: ['/bin/sh', '-c', script],
  limits,
});

/**
 * Slow enough that the cap is detected before the kernel's own limit, fast enough to exceed it
 * within a second.
 */
const hoards: readonly (readonly [string, string])[] = [
  [
    'private memory',
    'import time\nheld=[]\nwhile True:\n held.append(bytearray(b"x"*(8<<20))); time.sleep(.01)',
  ],
  [
    'shared memory',
    'import mmap,time\nheld=[]\nwhile True:\n m=mmap.mmap(-1,8<<20); m.write(b"x"*(8<<20)); held.append(m); time.sleep(.01)',
  ],
  [
    'files in memory',
    'import time\nn=0\nwhile True:\n n+=1; open(f"/box/f{n}","wb").write(b"x"*(8<<20)); time.sleep(.01)',
  ],
  [
    'many processes',
    'import os,time\nfor _ in range(24):\n if os.fork()==0:\n  held=bytearray(b"x"*(16<<20)); time.sleep(30)\n time.sleep(.02)\ntime.sleep(30)',
  ],
];

/** `yes` and its like would be killed by a pipe that closes; these are not. */
const floods: readonly (readonly [string, string])[] = [
  ['endless lines', 'yes'],
  ['one endless line', 'tr "\\\\0" x </dev/zero'],
  ['bytes that are no text', 'cat /dev/urandom'],
  ['both streams at once', 'yes & yes >&2; wait'],
];

const stubborn: readonly (readonly [string, string])[] = [
  ['a busy loop', 'while True: pass'],
  ['a sleep', 'import time; time.sleep(60)'],
  [
    'a program that ignores SIGTERM and SIGALRM',
    'import signal,time\nsignal.signal(15,signal.SIG_IGN); signal.signal(14,signal.SIG_IGN); signal.alarm(1)\nwhile True: time.sleep(1)',
  ],
  [
    'a child in a session of its own',
    'import os,time\nif os.fork()==0:\n os.setsid()\n os.fork()\ntime.sleep(60)',
  ],
];

/** Starts a 10 ms timer in this process. @returns its maximum delay so far, in milliseconds */
function watchTimer(): () => number {
  let last = performance.now();
  let late = 0;
  const timer = setInterval(() => {
    late = Math.max(late, performance.now() - last - 10);
    last = performance.now();
  }, 10);
  return () => {
    clearInterval(timer);
    return late;
  };
}

/** Mounts, which a box could leave on this machine besides processes and files. */
function mounts(): readonly string[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n');
  return lines.map((line) => line.split(' ')[4] ?? '');
}

/**
 * Processes in the memory cgroups of a worker's boxes; the cgroups themselves are reused, and are
 * removed with the worker.
 */
function processesInCgroups(worker: number): readonly string[] {
  const root = findCgroupRoot(null);
  if (root === null) return [];
  const names = readdirSync(root.path).filter((name) => name.startsWith(`assay-box-${worker}-`));
  return names.flatMap((name) =>
    readFileSync(join(root.path, name, 'cgroup.procs'), 'utf8')
      .split('\n')
      .filter(Boolean),
  );
}

describe.each(variants)('limits in a box of $who', ({ absent, open }) => {
  let boxes: BoxRunner;
  beforeAll(async () => {
    if (absent !== null) {
      reportSkipped(absent);
      return;
    }
    boxes = open();
    await boxes.run(shell('true'));
  });
  afterAll(async () => absent ?? (await boxes.close()));

  it.runIf(absent === null).each(hoards)(
    'S-69 %s beyond the cap ends the run with `memory`',
    async (_name, script) => {
      const result = await boxes.run(python(script, { memoryBytes: 128 * mib, wallMs: 20_000 }));
      expect([result.end, result.exitCode]).toEqual(['memory', null]);
      expect(result.peakBytes).toBeGreaterThan(128 * mib);
      expect(result.peakBytes).toBeLessThan(512 * mib);
    },
  );

  it.runIf(absent === null)(
    'S-70 forks stop at the limit of tasks, for processes and threads',
    async () => {
      const forks =
        'import os,time\nn=0\nwhile n<400:\n try:\n  p=os.fork()\n except OSError: break\n if p==0: time.sleep(60)\n n+=1\nprint(n, flush=True)\nos._exit(0)';
      const threads =
        'import threading,time\nn=0\ntry:\n while n<400:\n  threading.Thread(target=time.sleep,args=(60,),daemon=True).start(); n+=1\nexcept RuntimeError: pass\nprint(n,flush=True)\nimport os; os._exit(0)';
      const late = watchTimer();
      const results = await Promise.all(
        [forks, threads].map((script) => boxes.run(python(script))),
      );
      expect(late()).toBeLessThanOrEqual(within(50));
      for (const result of results) {
        expect(result.end).toBe('exit');
        expect(Number(result.stdout.toString())).toBeGreaterThan(20);
        expect(Number(result.stdout.toString())).toBeLessThanOrEqual(128);
      }
    },
  );

  it.runIf(absent === null).each(stubborn)(
    'S-71 %s is ended at the deadline',
    async (_name, script) => {
      const result = await boxes.run(python(script, { wallMs: 700 }));
      expect(result.end).toBe('timeout');
      expect(result.durationMs).toBeLessThan(timeFactor * (700 + within(250)));
    },
  );

  it.runIf(absent === null).each(floods)(
    'S-72 %s are cut at the cap, and are the end',
    async (_name, script) => {
      const result = await boxes.run(shell(script, { wallMs: 15_000 }));
      expect(result.end).toBe('output');
      expect(result.stdout.length + result.stderr.length).toBeLessThanOrEqual(mib);
    },
  );

  it.runIf(absent === null)(
    'S-73 a full disk is the code’s own trouble, and this machine keeps its space',
    async () => {
      const before = statfsSync('/tmp').bavail;
      const small = { diskBytes: 32 * mib };
      const fill = (folder: string): BoxJob =>
        python(`open("${folder}/f","wb").write(b"x"*(600<<20))`, small);
      for (const folder of ['/box', '/tmp', '/dev/shm']) {
        const result = await boxes.run(fill(folder));
        expect([folder, result.end === 'memory' || result.exitCode !== 0]).toEqual([folder, true]);
      }
      const sparse = await boxes.run(shell('truncate -s 1T /box/sparse', small));
      expect(sparse.exitCode).not.toBe(0);
      const many = await boxes.run(
        python('import os\nfor n in range(1000000): os.close(os.open(f"/tmp/{n}",os.O_CREAT))', {
          fileCount: 20_000,
        }),
      );
      expect(many.end).toBe('memory');
      expect(Math.abs(statfsSync('/tmp').bavail - before) * statfsSync('/tmp').bsize).toBeLessThan(
        600 * mib,
      );
    },
  );

  it.runIf(absent === null)(
    'S-75 a grandchild that keeps the output open in another session does not outlive the run',
    async () => {
      const mark = `assay-leftover-${process.pid}-${Math.trunc(performance.now())}`;
      const script = `import os,sys,time\nif os.fork()==0:\n os.setsid()\n if os.fork()==0:\n  os.execv("/usr/bin/python3",["python3","-c","import time; time.sleep(60)","${mark}"])\n os._exit(0)\nos.wait()\nprint("ok",flush=True)\nos._exit(0)`;
      const result = await boxes.run(python(script));
      expect([result.end, result.stdout.toString()]).toEqual(['exit', 'ok\n']);
      expect(result.durationMs).toBeLessThan(timeFactor * 3_000);
      await until('no survivor', () => (processesWith(mark).length === 0 ? true : null), 15_000);
    },
  );

  it.runIf(absent === null)('S-92 distinguishes six ends', async () => {
    const runs: readonly BoxJob[] = [
      shell('exit 3'),
      shell('kill -SEGV $$'),
      shell('kill -KILL $$'),
      shell('sleep 30', { wallMs: 200 }),
      shell('yes', { outputBytes: 1_000 }),
      { ...shell('true'), binds: [{ from: '/no/such/folder', to: '/opt/x' }] },
    ];
    const ends = await Promise.all(runs.map((job) => boxes.run(job)));
    expect(ends.map(({ end, exitCode }) => [end, exitCode])).toEqual([
      ['exit', 3],
      ['signal', 139],
      ['signal', 137],
      ['timeout', null],
      ['output', null],
      ['setup', null],
    ]);
  });

  it.runIf(absent === null)(
    'S-93 leaves no process, mount or file behind, a third of the runs killed half-way',
    async () => {
      const mark = `assay-many-${process.pid}-${Math.trunc(performance.now())}`;
      const runs = isLong ? 201 : 45;
      const files = boxFiles();
      const before = mounts();
      const ends: BoxResult[] = [];
      for (let done = 0; done < runs; done += 3) {
        const some = Array.from({ length: 3 }, (_none, index) => (done + index) % 3);
        ends.push(
          ...(await Promise.all(
            some.map((kind) =>
              boxes.run(
                shell(`: ${mark}; ${kind === 0 ? 'sleep 30' : 'true'}`, {
                  wallMs: kind === 0 ? 100 : 10_000,
                }),
              ),
            ),
          )),
        );
      }
      expect(ends.filter(({ end }) => end === 'timeout')).toHaveLength(runs / 3);
      expect(ends.filter(({ end }) => end === 'exit')).toHaveLength((runs / 3) * 2);
      await until(
        'no process left',
        () => (processesWith(mark).length === 0 ? true : null),
        15_000,
      );
      await until(
        'no file left',
        () => (boxFiles().every((name) => files.includes(name)) ? true : null),
        15_000,
      );
      expect(mounts()).toEqual(before);
      expect(processesInCgroups(boxes.pid)).toEqual([]);
    },
  );
});

describe('a launcher that is ended while it starts', () => {
  it.runIf(missing === null)(
    'S-71 S-93 ends its child too, which has left its group and does not yet end with it',
    async () => {
      if (!isLauncher(launcher)) return;
      const folder = mkdtempSync(join(tmpdir(), 'assay-early-'));
      const mark = `assay-early-${process.pid}-${Math.trunc(performance.now())}`;
      // bubblewrap between its setsid() and its PR_SET_PDEATHSIG, for as long as the test needs.
      const bwrap = join(folder, 'bwrap');
      writeFileSync(
        bwrap,
        `#!/bin/sh\n/usr/bin/setsid /usr/bin/python3 -c 'import time; time.sleep(60)' ${mark}\n`,
        { mode: 0o755 },
      );
      const giveUp = new AbortController();
      try {
        const running = runInBox({ ...launcher, bwrap, drop: null }, shell('true'), giveUp.signal);
        await until(
          'the child runs',
          () => (processesWith(mark).length === 1 ? true : null),
          15_000,
        );
        giveUp.abort();
        expect((await running).end).toBe('interrupted');
        await until(
          'no child left',
          () => (processesWith(mark).length === 0 ? true : null),
          15_000,
        );
      } finally {
        for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
