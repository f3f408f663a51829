// The self-test: checks whether this machine can create a box that isolates, with the same
// arguments as real runs.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BoxGrants, noGrants } from './box-grants';
import type { BoxJob, BoxResult } from './box-job';
import { maxSlots } from './box-users';
import { findLauncher, isLauncher, type Launcher, type NoLauncher } from './launcher';
import { nodeInBox } from './node-in-box';
import { callScript, probeChecks, type ProbeInput, probeScript } from './probe';
import { uncountedCalls } from './refused-calls';
import { runInBox } from './run-in-box';

export type FoundBox =
  | {
      readonly status: 'ready';
      readonly launcher: Launcher;
      /** The grants of the slots, proven by the self-test. */
      readonly grants?: BoxGrants;
    }
  | AbsentBox;

export interface AbsentBox extends NoLauncher {
  readonly status: 'absent';
  /** Whether the programs are missing or not trusted, as opposed to failing. */
  readonly isMissing: boolean;
}

const mib = 1024 * 1024;
const probeTasks = 40;
/** The path at which probe.ts searches for it inside; /usr of a box is this machine's. */
const perl = '/usr/bin/perl';

/** Suggested fixes by the launcher's message; the first match applies. */
const fixes: readonly { readonly pattern: RegExp; readonly fix: string }[] = [
  {
    pattern: /namespace failed.*(ENOSPC|No space left)|nesting depth|max_user_namespaces/i,
    fix: 'Raise the limit of user namespaces: sysctl user.max_user_namespaces=15000.',
  },
  {
    pattern: /mount proc/i,
    fix: 'The container hides parts of /proc: start it with an unmasked /proc, or run gates on a machine of their own.',
  },
  {
    pattern: /permissions to create (a )?new namespace|uid map|namespace|Operation not permitted/i,
    fix:
      'Allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1, on Ubuntu ' +
      'kernel.apparmor_restrict_unprivileged_userns=0, in a container a seccomp profile that permits unshare and mount.',
  },
  {
    pattern: /Can't find source path|failed to execute/i,
    fix: 'Install Node where other users can read it, such as /usr/bin.',
  },
];
const otherFix =
  'Install a current bubblewrap from the distribution, and see the log of the worker for its message.';

/** Runs a box of the self-test in a separate slot. */
type TestRun = (job: BoxJob) => Promise<BoxResult>;

/**
 * Takes about half a second; starts at most eight boxes.
 * @param options `uid` of this process and `paths` of the programs, for tests; `grants` for the
 * slots
 */
export async function findBox(
  signal: AbortSignal,
  options: {
    readonly uid?: number;
    readonly paths?: Parameters<typeof findLauncher>[1];
    readonly grants?: BoxGrants;
  } = {},
): Promise<FoundBox> {
  const uid = options.uid ?? process.getuid?.() ?? -1;
  const launcher = findLauncher(uid, options.paths);
  if (!isLauncher(launcher)) return { status: 'absent', isMissing: true, ...launcher };
  const grants = options.grants ?? noGrants;
  let slot = maxSlots;
  const run: TestRun = (job) => runInBox(launcher, job, signal, { grants, slot: (slot -= 1) });
  const fault =
    (await probe(run, grants)) ??
    (await tryLimits(run, grants)) ??
    (await tryUsers(run, uid, grants));
  return fault === null
    ? { status: 'ready', launcher, grants }
    : { status: 'absent', isMissing: false, ...fault };
}

/** Checks from inside the box that it cannot see canaries on this machine. */
async function probe(run: TestRun, { memory }: BoxGrants): Promise<NoLauncher | null> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-probe-'));
  const server = createServer((socket) => socket.destroy());
  try {
    const canary = join(folder, 'canary');
    writeFileSync(canary, 'not for the box');
    const port = await listen(server);
    const hidden = [canary, '/etc/shadow', '/root', '/home', '/var', '/run', '/sys'];
    const input: ProbeInput = { hidden, port, tasks: probeTasks, calls: callsToTry(memory) };
    const node = nodeInBox();
    const result = await run({
      files: [],
      tools: [
        { path: '/opt/assay/probe.cjs', content: probeScript },
        { path: '/opt/assay/calls.pl', content: callScript },
      ],
      binds: node.binds,
      command: [node.program, '/opt/assay/probe.cjs'],
      input: JSON.stringify(input),
      report: true,
      limits: { wallMs: 10_000, tasks: probeTasks },
    });
    return faultOfProbe(result);
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Numbers of the calls that must be refused because nothing would count their memory. */
function callsToTry(memory: BoxGrants['memory']): readonly number[] {
  const names = ['memfd_create', 'shmget', 'shmat'];
  return memory === 'cgroup' ? [] : names.flatMap((name) => numberOf(name) ?? []);
}

function numberOf(name: string): number | undefined {
  return uncountedCalls.get(name)?.[process.arch === 'arm64' ? 1 : 0];
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function faultOfProbe(result: BoxResult): NoLauncher | null {
  if (result.end === 'setup') return faultOfSetup(result.fault ?? '');
  const checks = readChecks(result.report.toString());
  if (checks === null) {
    const message = result.stderr.toString().trim().slice(-300);
    return { reason: `The self-test gave no report (${result.end}): ${message}`, fix: otherFix };
  }
  const broken = [...probeChecks]
    .filter(([name]) => checks.get(name) !== true)
    .map(([, text]) => text);
  return broken.length === 0
    ? null
    : { reason: `The self-test failed: ${broken.join('; ')}.`, fix: otherFix };
}

function readChecks(text: string): ReadonlyMap<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? new Map(Object.entries(parsed)) : null;
  } catch {
    return null;
  }
}

/** @param message the launcher's message, or the error of starting it */
export function faultOfSetup(message: string): NoLauncher {
  const first = message.split('\n')[0]?.slice(0, 300) ?? '';
  return {
    reason: `The sandbox could not be created: ${first}`,
    fix: fixes.find(({ pattern }) => pattern.test(message))?.fix ?? otherFix,
  };
}

const hoards = {
  private: (program: string): [string, ...string[]] => [
    program,
    '-e',
    'const held = []; setInterval(() => held.push(Buffer.alloc(8 << 20, 1)), 10);',
  ],
  files: [
    '/bin/sh',
    '-c',
    'for n in 1 2 3; do head -c 80000000 </dev/zero >/box/$n; done; sleep 30',
  ],
  /** Twice the cap in files that only a descriptor refers to: only a cgroup counts them. */
  nameless: [
    perl,
    '-e',
    String.raw`
my ($name, $block) = ('x', 'x' x (16 << 20));
for (1 .. 24) {
  my $fd = syscall($ARGV[0] + 0, $name, 0);
  open(my $file, '>&=', $fd) or exit 7;
  syswrite($file, $block);
  push @held, $file;
}`,
    String(numberOf('memfd_create')),
  ],
} as const;

/** Exceeds each limit once, which must end the run. */
async function tryLimits(run: TestRun, { memory }: BoxGrants): Promise<NoLauncher | null> {
  const node = nodeInBox();
  const must = async (
    end: BoxResult['end'],
    command: readonly [string, ...string[]],
    limits: Record<string, number>,
  ): Promise<string | null> => {
    const result = await run({
      files: [],
      command: [...command],
      binds: node.binds,
      limits: { wallMs: 10_000, ...limits },
    });
    return result.end === end ? null : `the limit of ${end} did not hold (${result.end})`;
  };
  const found = await Promise.all([
    must('timeout', ['/bin/sleep', '30'], { wallMs: 200 }),
    must('output', ['/usr/bin/yes'], { outputBytes: 4_096 }),
    must('memory', hoards.private(node.program), { memoryBytes: 192 * mib }),
    must('memory', hoards.files, { memoryBytes: 192 * mib }),
    // A count from outside also sees the other two; this one proves that the cgroup counts.
    memory === 'cgroup' && existsSync(perl)
      ? must('memory', hoards.nameless, { memoryBytes: 192 * mib })
      : null,
  ]);
  const broken = found.filter((fault) => fault !== null);
  return broken.length === 0
    ? null
    : { reason: `The self-test failed: ${broken.join('; ')}.`, fix: otherFix };
}

/**
 * If each box should have its own user, two boxes must have different users, and neither may be the
 * user of this process.
 */
async function tryUsers(
  run: TestRun,
  uid: number,
  { users }: BoxGrants,
): Promise<NoLauncher | null> {
  if (users === 'one') return null;
  const job: BoxJob = { files: [], command: ['/bin/sleep', '30'], limits: { wallMs: 400 } };
  const seen = (await Promise.all([run(job), run(job)])).map(({ hostUid }) => hostUid ?? null);
  if (!seen.includes(null) && new Set([...seen, uid]).size === 3) return null;
  const reason = `The self-test failed: two boxes ran as the users ${seen.join(' and ')}, the worker as ${uid}.`;
  return { reason, fix: 'Restart the worker with its box launcher, and see the log of both.' };
}
