// One run of foreign code: without network, with no files of this machine except /usr and the named
// tools, no user of this machine and no secret, and with a time limit. Results come back only
// through pipes; nothing is read from files that the code wrote.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, readFileSync, readdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { Duplex, Readable } from 'node:stream';
import { type BoxCall, boxCall, linkFd, reportFd, statusFd } from './box-arguments';
import { type BoxGrants, noGrants } from './box-grants';
import {
  type BoxEnd,
  type BoxJob,
  type BoxLimits,
  type BoxResult,
  type BoxStream,
  defaultLimits,
} from './box-job';
import { faultOfPaths } from './box-paths';
import { collectOutput } from './output-collector';
import type { Launcher } from './launcher';
import { cgroupOfProcess, type MemoryUse, readCgroup } from './memory-cgroup';
import { architectureOf, seccompFilter } from './seccomp-filter';
import { openUnnamed } from './unnamed-file';
import { watchBox, type Watchdog } from './watchdog';

/**
 * A killed box has closed its pipes by then; if not, they are destroyed, so that no run waits
 * forever.
 */
const closingMs = 2_000;
const statusBytes = 4_096;
// Next declares NODE_ENV as always set, but this environment must be empty.
const noVariables = {} as NodeJS.ProcessEnv;

/** The slot of a box, exclusive while it runs, and its grants. */
export interface AssignedSlot {
  readonly grants: BoxGrants;
  readonly slot: number;
  /** For a job that is talked to while it runs. */
  readonly stream?: BoxStream | undefined;
}

/** Without a cgroup, and with the launcher's own user. */
export const noSlot: AssignedSlot = { grants: noGrants, slot: 0 };

/**
 * Runs a command in a separate box.
 * @param signal ends the run, `interrupted`
 * @param assigned without it, `noSlot`
 * @param link for a job with a link: the socket that becomes its descriptor 5, or a callback that
 * gets the other end of a new one before anything is read from it
 * @returns how it ended; `setup` if the box could not be created, or for invalid paths
 */
export async function runInBox(
  launcher: Launcher,
  job: BoxJob,
  signal: AbortSignal,
  assigned: AssignedSlot = noSlot,
  link?: Socket | ((otherEnd: Socket) => void),
): Promise<BoxResult> {
  const limits = { ...defaultLimits, ...job.limits };
  const notRun = (end: 'setup' | 'interrupted', fault: string): BoxResult => ({
    ...nothing,
    end,
    fault,
    limits,
  });
  if (signal.aborted) return notRun('interrupted', 'The run was aborted before it started.');
  const fault = faultOfPaths(job.files.map(({ path }) => path));
  if (fault !== null) return notRun('setup', fault);
  const architecture = architectureOf(process.arch);
  if (architecture === null)
    return notRun('setup', `There is no filter of system calls for ${process.arch}.`);
  const begun = performance.now();
  const filter = seccompFilter(architecture, {
    memoryIsCounted: assigned.grants.memory === 'cgroup',
  });
  const call = boxCall(
    launcher,
    job,
    limits,
    filter,
    inheritedDescriptors(),
    assigned.grants.start(assigned.slot),
  );
  let started: ChildProcess;
  try {
    const hasInput = job.input !== undefined || assigned.stream !== undefined;
    started = startCall(call, job, hasInput, link instanceof Socket ? link : 'pipe');
    const otherEnd = Array.from(started.stdio)[linkFd];
    if (typeof link === 'function' && otherEnd instanceof Socket) link(otherEnd);
  } catch (error) {
    return notRun('setup', error instanceof Error ? error.message : String(error));
  }
  return await follow(started, { job, call, limits, begun, assigned }, signal);
}

const empty = Buffer.alloc(0);
const nothing = {
  exitCode: null,
  stdout: empty,
  stderr: empty,
  report: empty,
  durationMs: 0,
  peakBytes: 0,
} as const;

function startCall(
  call: BoxCall,
  job: BoxJob,
  hasInput: boolean,
  link: Socket | 'pipe',
): ChildProcess {
  const stdio: ('ignore' | 'pipe' | number | Socket)[] = [
    hasInput ? 'pipe' : 'ignore',
    'pipe',
    'pipe',
    job.report ? 'pipe' : 'ignore',
    'pipe',
  ];
  if (job.link) stdio[linkFd] = link;
  const fds: number[] = [];
  try {
    for (const { fd, content } of call.contents) {
      const opened = openUnnamed(typeof content === 'string' ? Buffer.from(content) : content);
      fds.push(opened);
      while (stdio.length < fd) stdio.push('ignore');
      stdio[fd] = opened;
    }
    // Empty, since bubblewrap is the box's first process and the box can read its environment in
    // /proc.
    return spawn(call.program, call.args, {
      env: noVariables,
      cwd: '/',
      detached: true,
      stdio,
    });
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

interface Run {
  readonly job: BoxJob;
  readonly call: BoxCall;
  readonly limits: BoxLimits;
  readonly begun: number;
  readonly assigned: AssignedSlot;
}

/** Waits for the end, and stops the box early if a limit, a fault or the signal requires it. */
async function follow(
  child: ChildProcess,
  { job, call, limits, begun, assigned }: Run,
  signal: AbortSignal,
): Promise<BoxResult> {
  let stoppedBy: BoxEnd | null = null;
  const stop = (end: BoxEnd): void => {
    stoppedBy ??= end;
    killBox(child);
  };
  const output = collectOutput(limits.outputBytes, () => stop('output'));
  const stdout = output.take(readable(child, 1));
  const stderr = output.take(readable(child, 2));
  const { stream } = assigned;
  const report =
    job.report && stream === undefined
      ? collectOutput(limits.outputBytes, () => stop('output')).take(readable(child, reportFd))
      : null;
  const status = collectOutput(statusBytes, () => undefined).take(readable(child, statusFd));
  // The program may end without reading its input; its exit code shows how it ended.
  child.stdin?.on('error', () => undefined);
  if (stream === undefined) child.stdin?.end(job.input);
  else openStream(child, stream);
  const deadline = setTimeout(() => stop('timeout'), limits.wallMs);
  const giveUp = (): void => stop('interrupted');
  signal.addEventListener('abort', giveUp, { once: true });
  const ending = closed(child);
  const entry = await enter(child, assigned, limits, ending);
  if (entry.fault !== null) stop('setup');
  const { cgroup } = entry;
  const { pid } = child;
  const watchdog =
    pid === undefined
      ? null
      : watchBox({ pid, fileSystems: call.fileSystems, limits, cgroup }, () => stop('memory'));
  const ended = await ending;
  watchdog?.stop();
  clearTimeout(deadline);
  signal.removeEventListener('abort', giveUp);
  const exitCode = exitCodeOf(status.text().toString());
  // The kernel may have killed the program and the box between two checks.
  const isOver = stoppedBy === null && (await cgroup?.())?.isExceeded === true;
  const end = isOver ? 'memory' : (stoppedBy ?? endOf(exitCode, ended));
  return {
    end,
    exitCode: end === 'exit' || end === 'signal' ? exitCode : null,
    stdout: stdout.text(),
    stderr: stderr.text(),
    report: report?.text() ?? empty,
    durationMs: performance.now() - begun,
    peakBytes: peakOf(watchdog, isOver ? limits : null),
    hostUid: watchdog?.uid() ?? null,
    fault:
      end === 'setup'
        ? (entry.fault ??
          ended.error ??
          (stderr.text().toString().trim() || 'The launcher ended without a word.'))
        : null,
    limits,
  };
}

function openStream(child: ChildProcess, stream: BoxStream): void {
  readable(child, reportFd)
    .on('data', (part: Buffer) => stream.report(part))
    .on('error', () => undefined);
  // A program that could not be started has no input; its result reports that.
  if (child.stdin !== null) stream.started(child.stdin);
}

/** If the kernel killed it, the peak is above the cap, regardless of the measured value. */
function peakOf(watchdog: Watchdog | null, passed: BoxLimits | null): number {
  return Math.max(watchdog?.peakBytes() ?? 0, passed === null ? 0 : passed.memoryBytes + 1);
}

interface Entry {
  readonly cgroup: (() => Promise<MemoryUse>) | null;
  /** Why the box did not get the grants of its slot; null if it did, or if it ended first. */
  readonly fault: string | null;
}

const notEntered: Entry = { cgroup: null, fault: null };

/** Assigns a user and a cgroup to a launcher that waits at its gate, and lets it continue. */
async function enter(
  child: ChildProcess,
  { grants, slot }: AssignedSlot,
  limits: BoxLimits,
  ending: Promise<Ended>,
): Promise<Entry> {
  const gate = child.stdio[statusFd];
  if (!grants.start(slot).gate || child.pid === undefined || !(gate instanceof Duplex))
    return notEntered;
  const waits = new Promise<boolean>((resolve) => gate.once('data', () => resolve(true)));
  if (!(await Promise.race([waits, ending.then(() => false)]))) return notEntered;
  try {
    await grants.admit(child.pid, slot, limits.memoryBytes);
    const found = grants.memory === 'cgroup' ? cgroupOfProcess(child.pid) : null;
    if (grants.memory === 'cgroup' && found === null)
      throw new Error('The box is in no memory cgroup.');
    const cgroup = found === null ? null : readCgroup(found);
    // The launcher may have exited in the meantime.
    gate.on('error', () => undefined);
    gate.write('\n');
    return { cgroup, fault: null };
  } catch (error) {
    return { cgroup: null, fault: error instanceof Error ? error.message : String(error) };
  }
}

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly error: string | null;
}

/**
 * Only a command that ran has an exit code on the status descriptor; the launcher's own exit code
 * is 1 in both cases. A launcher terminated by a signal was killed from outside, or with the thread
 * that started it.
 */
function endOf(exitCode: number | null, { signal }: Ended): BoxEnd {
  if (exitCode === null) return signal === null ? 'setup' : 'interrupted';
  return exitCode > 128 && exitCode <= 128 + 64 ? 'signal' : 'exit';
}

/** @param status lines of JSON, one of which may contain the exit code */
function exitCodeOf(status: string): number | null {
  const found = /"exit-code":\s*(\d+)/.exec(status)?.[1];
  return found === undefined ? null : Number(found);
}

function closed(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => {
    let cut: NodeJS.Timeout | undefined;
    child.once('error', (error) => {
      // Without a process there is no 'close' event.
      if (child.pid === undefined) resolve({ signal: null, error: error.message });
    });
    child.once('exit', () => {
      cut = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
      }, closingMs);
    });
    child.once('close', (_code, signal) => {
      clearTimeout(cut);
      resolve({ signal, error: null });
    });
  });
}

/**
 * Ends the launcher and the whole box. The launcher's child is the first process of the box, and
 * the kernel ends the rest with it. While bubblewrap starts, there is a moment in which that child
 * has left the launcher's group (`--new-session`) and does not yet end with it
 * (`--die-with-parent`), so it is killed separately. The launcher is stopped before its list of
 * children is read, because a stopped process starts no others.
 */
function killBox(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    send(pid, 'SIGSTOP');
    for (const inside of childrenOf(pid)) send(inside, 'SIGKILL');
  }
  send(-pid, 'SIGKILL');
}

function childrenOf(pid: number): readonly number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return list
      .split(' ')
      .filter((text) => text !== '')
      .map(Number);
  } catch {
    return [];
  }
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}

function readable(child: ChildProcess, fd: number): Readable {
  const stream = child.stdio[fd];
  if (stream instanceof Readable) return stream;
  // A process that could not be started has no pipes.
  return Readable.from([]);
}

const closedOnExec = 0o2_000_000;

let known: readonly number[] | undefined;

/**
 * Descriptors with which this process was started, beyond the usual three, would reach every child:
 * Node sets close-on-exec for those that it opens itself, not for inherited ones. They are closed
 * for boxes.
 * @returns their numbers; determined once, since no more are added later
 */
function inheritedDescriptors(): readonly number[] {
  known ??= readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > 2 && isInherited(fd));
  return known;
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    // The folder's own descriptor, closed by now.
    return false;
  }
}
