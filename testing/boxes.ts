// Ways to run sandboxes in tests: in this process, and in a process of an ordinary user.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BoxJob, type BoxResult, type BoxState, createBoxMonitor } from '../server/sandbox';
import { root } from '../scripts/data-dir.mjs';
import { canReach, isRoot } from '../scripts/ordinary-user.mjs';

export interface BoxRunner {
  run(job: BoxJob): Promise<BoxResult & { readonly state?: BoxState }>;
  /** Guarantees that the self-test has proven for these sandboxes; null if it failed. */
  level(): Promise<BoxState['level']>;
  /** The process that starts the sandboxes. */
  readonly pid: number;
  close(): Promise<void>;
}

/** A user id without an account; nothing owned by it remains once its processes have exited. */
export const strangerUid = 61_999;

/** Sandboxes started by this process; if it is root, it drops to another user. */
export function createBoxRunner(): BoxRunner {
  const monitor = createBoxMonitor();
  return {
    run: (job) => monitor.run(job, new AbortController().signal),
    pid: process.pid,
    level: async () => (await monitor.check()).level,
    async close() {
      monitor.stop();
    },
  };
}

/**
 * Files that a sandbox or its launcher could have left behind. Other files may appear and
 * disappear, but do not stay.
 */
export function boxFiles(): readonly string[] {
  return [tmpdir(), '/dev/shm', '/tmp'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^(assay-probe-|\.?bubblewrap|bwrap)/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** A skipped test must be visible: it must be distinguishable from one that passed. */
export function reportSkipped(reason: string): void {
  process.stderr.write(`skipped: ${reason}\n`);
}

/** The reason why sandboxes of another user are unavailable; null if they are available. */
export function otherUserFault(): string | null {
  if (!isRoot()) return 'only root can start processes of another user';
  return canReach(root, { uid: strangerUid, gid: strangerUid, name: 'stranger' })
    ? null
    : `the checkout ${root} is closed to other users`;
}

interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

function withResolvers<Value>(): Deferred<Value> {
  let settle: Pick<Deferred<Value>, 'resolve' | 'reject'> = {
    resolve: () => undefined,
    reject: () => undefined,
  };
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

interface ChildOptions {
  readonly uid?: number;
  /** The user whose home the child gets, if `under` changes the user. */
  readonly homeOf?: number;
  readonly inherited?: readonly (number | Socket)[];
  readonly env?: Readonly<Record<string, string>>;
  readonly under?: readonly [string, ...string[]];
}

interface RunnerReply {
  readonly id: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: string;
  readonly state: BoxState;
}

/**
 * Sandboxes started by a child process.
 * @param options `uid` of the child; `inherited`, additional file descriptors, from 3 on; `env`,
 * its environment; `under`, a program with arguments that starts it
 */
export function startBoxRunner(options: ChildOptions = {}): BoxRunner & { child: ChildProcess } {
  const home = mkdtempSync(join(tmpdir(), 'assay-boxes-'));
  const owner = options.homeOf ?? options.uid;
  if (owner !== undefined) chownSync(home, owner, owner);
  chmodSync(home, 0o755);
  const node = [
    process.execPath,
    '--import',
    'tsx',
    join(root, 'testing', 'box-runner.ts'),
  ] as const;
  const [program, ...args] = [...(options.under ?? []), ...node];
  const child = spawn(program ?? process.execPath, args, {
    cwd: root,
    env: { ...process.env, HOME: home, TMPDIR: home, ...options.env },
    stdio: ['pipe', 'pipe', 'inherit', ...(options.inherited ?? [])],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const waiting = new Map<number, Deferred<BoxResult & { readonly state?: BoxState }>>();
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('the child has no pipes');
  createInterface({ input: stdout }).on('line', (text) => {
    // Written by box-runner.ts.
    const line = JSON.parse(text) as RunnerReply & Omit<BoxResult, 'stdout' | 'stderr' | 'report'>;
    const bytes = (name: 'stdout' | 'stderr' | 'report'): Buffer =>
      Buffer.from(line[name], 'base64');
    waiting.get(line.id)?.resolve({
      ...line,
      stdout: bytes('stdout'),
      stderr: bytes('stderr'),
      report: bytes('report'),
    });
    waiting.delete(line.id);
  });
  stdin.on('error', () => undefined);
  let last = 0;
  const run: BoxRunner['run'] = (job) => {
    last += 1;
    const id = last;
    stdin.write(`${JSON.stringify({ id, job })}\n`);
    const answer = withResolvers<BoxResult & { readonly state?: BoxState }>();
    // A killed process does not answer.
    answer.promise.catch(() => undefined);
    waiting.set(id, answer);
    return answer.promise;
  };
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      for (const { reject } of waiting.values())
        reject(new Error('the process that runs boxes has ended'));
      resolve();
    }),
  );
  return {
    child,
    pid: child.pid ?? 0,
    run,
    level: async () => (await run({ files: [], command: ['/bin/true'] })).state?.level,
    async close() {
      stdin.end();
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
