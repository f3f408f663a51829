// The access of code in a box: one set of checks, run under root with the drop of the user and
// under an ordinary user, side by side.
import { createSocket } from 'node:dgram';
import {
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  chmodSync,
  closeSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  startBoxRunner,
  type BoxRunner,
  otherUserFault,
  createBoxRunner,
  strangerUid,
  reportSkipped,
} from '../../testing/boxes';
import { boxProbe } from '../../testing/box-probe';
import { findLauncher, isLauncher } from './launcher';

const Names = z.record(z.string(), z.string());
const Seen = z.object({
  identity: z.object({
    ids: z.array(z.number()),
    groups: z.array(z.number()),
    caps: z.array(z.string()),
    nnp: z.string(),
    seccomp: z.string(),
    fds: z.array(z.number()),
  }),
  texts: z.string(),
  interfaces: z.array(z.string()),
  network: Names,
  reading: Names,
  writing: Names,
  kernel: Names,
  calls: Names,
  clone3: z.string(),
  cloneNewUser: z.string(),
  nested: z.number(),
  terminal: Names,
  hostKill: z.string(),
  processes: z.array(z.number()),
  zombies: z.number(),
  marks: z.record(z.string(), z.boolean()),
});
type Seen = z.infer<typeof Seen>;

const canary = `canary-${process.pid}-9f2c41`;
const folder = mkdtempSync(join(tmpdir(), 'assay-walls-'));
const launcher = findLauncher(process.getuid?.() ?? -1);
const missing = isLauncher(launcher) ? null : launcher.reason;

/** Servers of this machine that a box must not reach. */
const reached: string[] = [];
const servers: Server[] = [];
const datagrams = createSocket('udp4', () => reached.push('udp'));

function listen(
  name: string,
  address: { port: number; host: string } | { path: string },
): Promise<Server> {
  const server = createServer((socket) => {
    reached.push(name);
    socket.destroy();
  });
  servers.push(server);
  return new Promise((resolve, reject) =>
    server.once('error', reject).listen(address, () => resolve(server)),
  );
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

let given = '';

beforeAll(async () => {
  const tcp = await listen('tcp', { port: 0, host: '127.0.0.1' });
  await listen('path', { path: join(folder, 'socket') });
  await listen('abstract', { path: `\0${canary}` });
  await new Promise<void>((resolve) => datagrams.bind(0, '127.0.0.1', resolve));
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'socket'), 0o777);
  writeFileSync(join(folder, 'secret'), canary);
  const hidden = [
    join(folder, 'secret'),
    '/etc/shadow',
    '/root',
    '/home',
    '/var',
    '/run',
    '/srv',
    '/sys',
    '/work',
    '/boot',
    '/proc/kcore',
  ];
  given = JSON.stringify({
    tcp: portOf(tcp),
    udp: datagrams.address().port,
    path: join(folder, 'socket'),
    abstract: canary,
    hidden,
    pid: process.pid,
  });
});

afterAll(() => {
  for (const server of servers) server.close();
  datagrams.close();
  rmSync(folder, { recursive: true, force: true });
});

const probeJob = {
  files: [{ path: 'probe.py', content: boxProbe }],
  command: ['/usr/bin/python3', '-I', 'probe.py'] as [string, ...string[]],
};

async function probe(boxes: BoxRunner): Promise<Seen> {
  const result = await boxes.run({ ...probeJob, input: given });
  if (result.end !== 'exit') throw new Error(`${result.end}: ${result.fault ?? ''}`);
  const text = result.stdout.toString();
  if (text === '') throw new Error(result.stderr.toString());
  return Seen.parse(JSON.parse(text));
}

const variants = [
  { who: `user ${process.getuid?.()}, as started`, absent: missing, open: () => createBoxRunner() },
  {
    who: 'an ordinary user, with descriptors and secrets that it was started with',
    absent: missing ?? otherUserFault(),
    open() {
      const inherited = [
        openSync(join(folder, 'secret'), 'r'),
        openSync('/dev/null', 'w'),
        openSync('/dev/zero', 'r'),
      ];
      const boxes = startBoxRunner({ uid: strangerUid, inherited, env: { ASSAY_SECRET: canary } });
      for (const fd of inherited) closeSync(fd);
      return boxes;
    },
  },
];

describe.each(variants)('a box of $who', ({ absent, open }) => {
  let boxes: BoxRunner | undefined;
  let seen: Seen;

  beforeAll(async () => {
    if (absent !== null) {
      reportSkipped(absent);
      return;
    }
    boxes = open();
    process.env.ASSAY_TEST_CANARY = canary;
    seen = await probe(boxes);
  });
  afterAll(async () => {
    delete process.env.ASSAY_TEST_CANARY;
    await boxes?.close();
  });

  it.runIf(absent === null)(
    'S-64 S-82 runs as 65534 without capabilities or further descriptors, whatever its launcher holds open',
    () => {
      expect(seen.identity).toEqual({
        ids: [65_534, 65_534, 65_534, 65_534, 65_534, 65_534],
        groups: expect.toSatisfy((groups: number[]) => groups.every((group) => group === 65_534)),
        caps: [
          '0000000000000000',
          '0000000000000000',
          '0000000000000000',
          '0000000000000000',
          '0000000000000000',
        ],
        nnp: '1',
        seccomp: '2',
        fds: [0, 1, 2],
      });
    },
  );

  it.runIf(absent === null)(
    'S-65 finds no secret of its launcher in any environment or command line',
    () => {
      expect(seen.texts).not.toContain(canary);
    },
  );

  it.runIf(absent === null)(
    'S-66 has a loopback of its own, and reaches no server of this machine by address, path or abstract name',
    () => {
      expect(seen.interfaces).toEqual(['lo']);
      expect(Object.values(seen.network)).not.toContain('ok');
      expect(reached).toEqual([]);
    },
  );

  it.runIf(absent === null)('S-67 reads nothing of this machine but /usr', () => {
    const readable = Object.entries(seen.reading).filter(([, how]) => how === 'ok');
    expect(readable).toEqual([]);
  });

  it.runIf(absent === null)(
    'S-68 writes to /box, /tmp and /dev/shm only, and to no switch of the kernel',
    () => {
      const writable = Object.entries(seen.writing).filter(([, how]) => how === 'ok');
      expect(writable.map(([path]) => path).toSorted()).toEqual(['/box', '/dev/shm', '/tmp']);
      expect(
        Object.entries(seen.kernel).filter(([path, how]) => how === 'ok' && path !== '/proc/1/mem'),
      ).toEqual([]);
    },
  );

  it.runIf(absent === null)('S-78 types nothing into a terminal', () => {
    expect(seen.terminal).toEqual({ TIOCSTI: 'EPERM', high: 'EPERM', TIOCLINUX: 'EPERM' });
  });

  it.runIf(absent === null && process.arch === 'x64')(
    'S-79 S-95 is refused each system call of the list',
    () => {
      expect(Object.entries(seen.calls).filter(([, how]) => how !== 'EPERM')).toEqual([]);
      expect(seen.clone3).toBe('ENOSYS');
    },
  );

  it.runIf(absent === null)('S-80 makes no namespace and no box of its own', () => {
    expect(seen.cloneNewUser).toBe('EPERM');
    expect(seen.nested).toBe(0);
  });

  it.runIf(absent === null)('S-81 sees no process of this machine', () => {
    expect(seen.hostKill).toBe('ESRCH');
    expect(seen.processes.length).toBeLessThan(6);
  });

  it.runIf(absent === null)('S-83 leaves no zombie of 200 orphans', () => {
    expect(seen.zombies).toBe(0);
  });

  it.runIf(absent === null)(
    'S-89 S-90 finds nothing of the box before it, or of the one beside it',
    async () => {
      if (boxes === undefined) return;
      const others = await Promise.all([probe(boxes), probe(boxes)]);
      for (const other of others) {
        expect(other.marks).toEqual({
          '/tmp/mark': false,
          '/dev/shm/mark': false,
          '/box/mark': false,
        });
        expect(other.processes.length).toBeLessThan(6);
      }
    },
  );

  it.runIf(absent === null)(
    'S-91 S-96 keeps files of any name inside, and this machine as it was',
    async () => {
      const names = [
        '-rf',
        'etc/passwd',
        'proc/self/x',
        'usr/bin/python3',
        'tmp/x',
        `${'n'.repeat(255)}`,
        'with space/"quoted"',
        'box/box',
        '$(touch x)',
      ];
      const before = readdirSync(tmpdir()).filter((name) => name.startsWith('assay-walls')).length;
      const result = await boxes?.run({
        files: names.map((path) => ({ path, content: path })),
        command: ['/usr/bin/find', '.', '-type', 'f', '-printf', '%P\\n'],
      });
      expect(result?.stdout.toString().trim().split('\n').toSorted()).toEqual(names.toSorted());
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith('assay-walls'))).toHaveLength(
        before,
      );
      for (const path of ['../x', '/etc/x', 'a/../../x', 'a\0b', 'a\nb', `${'n'.repeat(256)}`]) {
        const refused = await boxes?.run({
          files: [{ path, content: '' }],
          command: ['/bin/true'],
        });
        expect([path, refused?.end]).toEqual([path, 'setup']);
      }
    },
  );

  it.runIf(absent === null)(
    'S-74 has nothing read from it: links that it leaves lead nowhere',
    async () => {
      const script =
        'ln -s /etc/shadow report.xml; ln -s / dir; mkfifo pipe; ln report.xml hard; ' +
        'python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'s\')"; echo done >&3';
      const result = await boxes?.run({
        files: [],
        command: ['/bin/sh', '-c', script],
        report: true,
      });
      expect([result?.end, result?.report.toString(), result?.stdout.length]).toEqual([
        'exit',
        'done\n',
        0,
      ]);
    },
  );

  it.runIf(absent === null)('S-94 dumps no core', async () => {
    const before = readdirSync(process.cwd()).length;
    const result = await boxes?.run({ files: [], command: ['/bin/sh', '-c', 'kill -SEGV $$'] });
    expect([result?.end, result?.exitCode]).toEqual(['signal', 139]);
    expect(readdirSync(process.cwd())).toHaveLength(before);
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(canary);
  });
});
