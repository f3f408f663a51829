import { type ChildProcess, fork } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { builtFile } from './built';
import { findSecret, secretsIn } from './database';
import { findFreePort } from '../scripts/postgres.mjs';
import { bundleOptions } from '../scripts/bundle-options.mjs';
import { root } from '../scripts/data-dir.mjs';
import { edgeFlags, workerFlags } from '../scripts/node-flags.mjs';
import { isAlive } from '../scripts/processes.mjs';
import { runVariable } from './test-run';
import { until } from './until';

/**
 * The product's processes, and workers that a test can pause or break, as child processes. Each is
 * killed by the pid of the process that was started here.
 */

const entries = {
  edge: 'server/edge.ts',
  'gateway-thread': 'server/gateway/serve-thread.ts',
  thread: 'server/thread.ts',
  worker: 'workers/main.ts',
  'background-thread': 'workers/background-thread.ts',
  migrate: 'db/migrate-main.ts',
  'fixture-worker': 'testing/fixture-worker.ts',
  'slow-worker': 'testing/slow-worker.ts',
  'asking-process': 'testing/asking-process.ts',
  scheduler: 'testing/scheduler.ts',
  'report-worker': 'testing/report-worker.ts',
};
export type Entry = keyof typeof entries;

/** The files of the threads that a process starts. */
const threadsOf: Partial<Record<Entry, readonly Entry[]>> = {
  edge: ['gateway-thread', 'thread'],
  worker: ['thread', 'background-thread'],
};

export interface Child {
  readonly pid: number;
  /** Its output on both streams. */
  output(): string;
  /** Messages that it sent over IPC, oldest first. */
  readonly messages: readonly Record<string, unknown>[];
  send(message: Record<string, unknown>): void;
  signal(name: NodeJS.Signals): void;
  /** Exit code; 128 if a signal ended it. */
  readonly exited: Promise<number>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
}

export interface Edge extends Child {
  readonly url: string;
}

const dist = join(root, 'dist');
const watch = ['--import', join(root, 'testing', 'watch-loop.mjs')];
const running = new Set<ChildProcess>();
/** Describes the state and the last output of each process of this test. */
const describers = new Map<number, () => string>();
/** Secrets, and Node's warnings of leaked listeners, that a process wrote to its output. */
const leaks: string[] = [];
const bundles = new Map<Entry, Promise<string>>();

/**
 * Bundles an entry once for all test processes of a run, into `dist/`: the migrations are found
 * relative to it.
 */
export function bundleOf(entry: Entry): Promise<string> {
  let bundle = bundles.get(entry);
  if (bundle === undefined) {
    bundle = shareBundle(entry);
    bundles.set(entry, bundle);
  }
  return bundle;
}

/** Deletes the files of runs that ended without removing them. */
function removeLeftBundles(): void {
  for (const name of readdirSync(dist)) {
    const owner = /^test-[a-z-]+-(\d+)(-[0-9a-f]+)?\.js(\.part|\.lock)?$/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(dist, name), { force: true });
  }
}

/** The first process that needs the bundle builds it; the others wait for the file. */
async function shareBundle(entry: Entry): Promise<string> {
  const built = builtFile(entry);
  if (built !== null) return built;
  mkdirSync(dist, { recursive: true });
  removeLeftBundles();
  const file = join(dist, `test-${entry}-${process.env[runVariable] ?? process.pid}.js`);
  const lock = `${file}.lock`;
  const make = async (): Promise<string | null> => {
    if (existsSync(file)) return file;
    if (!takeLock(lock)) return null;
    try {
      await makeBundle(entry, file);
    } finally {
      rmSync(lock, { force: true });
    }
    return file;
  };
  return until(`the bundle of ${entry}`, make, 300_000);
}

/** Takes a lock file; returns false if it exists. Removes it if its process is dead. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    if (owner > 0 && !isAlive(owner)) rmSync(lock, { force: true });
    return false;
  }
}

async function makeBundle(entry: Entry, file: string): Promise<void> {
  // A process searches for its threads' files next to its own.
  await Promise.all((threadsOf[entry] ?? []).map(bundleOf));
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entries[entry]],
    ...bundleOptions,
    write: false,
  });
  writeFileSync(`${file}.part`, outputFiles[0]?.contents ?? new Uint8Array());
  renameSync(`${file}.part`, file);
}

/** Starts a process without waiting for its readiness. */
export async function startProcess(
  entry: Entry,
  variables: Readonly<Record<string, string>>,
  execArgv: readonly string[] = [],
): Promise<Child> {
  return startFile(entry, await bundleOf(entry), variables, execArgv);
}

/** The same for a bundle of another release. */
export function startFile(
  entry: Entry,
  file: string,
  variables: Readonly<Record<string, string>>,
  execArgv: readonly string[] = [],
): Child {
  const child = fork(file, [], {
    // A process that aborts may leave a core file in this folder without harm.
    cwd: tmpdir(),
    execArgv: [...(entry === 'edge' ? edgeFlags : workerFlags), ...execArgv],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', TZ: 'UTC', ...variables },
  });
  running.add(child);
  let output = '';
  const messages: Record<string, unknown>[] = [];
  const secrets = secretsIn(variables);
  const collectOutput = (chunk: Buffer): void => {
    const text = chunk.toString();
    // A secret may be split between two chunks.
    const leak = findSecret(output.slice(-1_000) + text, secrets);
    if (leak !== null) leaks.push(`S-101: a secret in the output of ${entry}: ${leak}`);
    if (text.includes('MaxListenersExceededWarning'))
      leaks.push(`too many listeners in ${entry}: ${text}`);
    output = (output + text).slice(-1_000_000);
  };
  child.stdout?.on('data', collectOutput);
  child.stderr?.on('data', collectOutput);
  child.on('message', (message) => messages.push(message as Record<string, unknown>));
  child.on('error', (error) => {
    output += error.message;
  });
  const exited = new Promise<number>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve(code ?? 128);
    });
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${entry} did not start: ${output}`);
  describers.set(
    pid,
    () =>
      `${entry} ${pid} ${running.has(child) ? 'runs' : `ended with ${child.exitCode ?? child.signalCode}`}: ${output.slice(-1_500)}`,
  );
  return {
    pid,
    messages,
    exited,
    output: () => output,
    send(message) {
      if (child.connected) child.send(message);
    },
    signal(name) {
      if (running.has(child)) process.kill(pid, name);
    },
    async kill() {
      if (running.has(child)) process.kill(pid, 'SIGKILL');
      await exited;
    },
  };
}

/**
 * Waits for a message with this member.
 * @throws Error with the child's last output if it exits first
 */
export async function waitForMessage(
  child: Child,
  member: string,
  timeoutMs = 180_000,
): Promise<Record<string, unknown>> {
  const end = child.exited.then((code) => ({ code }));
  let over: { code: number } | null = null;
  void end.then((result) => {
    over = result;
  });
  return until(
    `message "${member}" of process ${child.pid}`,
    () => {
      const found = child.messages.find((message) => member in message);
      if (found === undefined && over !== null)
        throw new Error(`it ended before "${member}": ${child.output().slice(-2000)}`);
      return found ?? null;
    },
    timeoutMs,
  );
}

export async function startWorker(
  variables: Readonly<Record<string, string>>,
  entry: 'worker' | 'fixture-worker' | 'slow-worker' = 'worker',
  watched = false,
): Promise<Child> {
  const child = await startProcess(entry, variables, watched ? watch : []);
  await waitForMessage(child, 'ready');
  return child;
}

export async function startEdge(
  variables: Readonly<Record<string, string>>,
  watched = false,
): Promise<Edge> {
  const port = await findFreePort();
  const child = await startProcess(
    'edge',
    { ASSAY_EDGE_PORT: String(port), ...variables },
    watched ? watch : [],
  );
  await waitForMessage(child, 'ready');
  return { ...child, url: `http://127.0.0.1:${port}` };
}

let loadRequests = 0;

/**
 * A watched process's longest event loop stall (caused by its own work, watch-loop.mjs) and its
 * processor time since the last request, and its heap size, with `collect` after a garbage collection.
 */
export async function readLoad(
  child: Child,
  collect = false,
): Promise<{ readonly stallMs: number; readonly cpuMs: number; readonly heapBytes: number }> {
  const name = `answer${++loadRequests}`;
  child.send({ ask: loadRequests, collect });
  const { stallMs, cpuMs, heapBytes } = await waitForMessage(child, name);
  return { stallMs: Number(stallMs), cpuMs: Number(cpuMs), heapBytes: Number(heapBytes) };
}

/**
 * Each process started since the last `endAll`: whether it runs, its exit, its last output. For the
 * messages of failed tests.
 */
export function describeProcesses(): string {
  return [...describers.values()].map((describe) => describe()).join('\n');
}

/**
 * Ends all living processes; for `afterAll`.
 * @throws Error if one of them has printed a secret (S-101) or a warning of leaked listeners
 */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
      child.kill('SIGKILL');
      return closed;
    }),
  );
  describers.clear();
  const [leak] = leaks.splice(0);
  if (leak !== undefined) throw new Error(leak);
}
