// Monitors whether boxes work: at the start, every five minutes, more often while they fail, and
// immediately after a run that could not be set up. Without a working box no foreign code is run.
import { type BoxGrants, type BoxLevel, findGrants, type GrantOptions } from './box-grants';
import { type BoxJob, type BoxResult, type BoxStream, defaultLimits } from './box-job';
import { faultOfPaths } from './box-paths';
import { type BoxSlots, boxesThatFit, createBoxSlots } from './box-slots';
import { findBox, type FoundBox } from './find-box';
import type { Launcher } from './launcher';
import { type AssignedSlot, noSlot, runInBox } from './run-in-box';

/**
 * Whether foreign code can be run: `ready`; `missing`, the programs are not installed or not
 * trusted; `failing`, they are installed but the self-test shows that the box does not isolate;
 * `unknown` before the first test has finished.
 */
export interface BoxState {
  readonly state: 'ready' | 'missing' | 'failing' | 'unknown';
  /** The fault and its fix, one sentence each; null if ready or unknown. */
  readonly reason: string | null;
  readonly fix: string | null;
  readonly tier: 'bubblewrap' | null;
  /** Isolation proven by the self-test beyond the basics; null unless ready. */
  readonly level?: (BoxLevel & { readonly atOnce: number }) | null;
  readonly checkedAt: Date | null;
}

export interface BoxMonitor {
  /** Maximum number of concurrent boxes; further jobs wait in order of arrival. */
  readonly atOnce: number;
  /** Result of the last check. */
  state(): BoxState;
  /**
   * Starts checking, now and every five minutes, or every 30 s while the box fails. A run starts it
   * too.
   */
  start(): void;
  /** Tests again, or joins a test that is already running. */
  check(): Promise<BoxState>;
  /**
   * Runs a job when a slot is free, after the first check. Without a box the end is `setup`, and
   * `fault` contains the reason and the fix.
   * @param signal ends the run
   * @param stream for a job with a report that is talked to while it runs
   */
  run(job: BoxJob, signal: AbortSignal, stream?: BoxStream): Promise<BoxResult>;
  /**
   * Runs two jobs concurrently, in boxes that share nothing but a socket, descriptor 5 of each.
   * When the first ends, the second is ended; its result is null if it was not started.
   */
  runPair(jobs: BoxPair, signal: AbortSignal): Promise<readonly [BoxResult, BoxResult | null]>;
  /** Stops checking, and ends a running check. Runs end by their own signals. */
  stop(): void;
}

export interface BoxMonitorOptions {
  readonly now?: () => Date;
  readonly everyMs?: number;
  /** Called after each check whose result differs from the previous one. */
  readonly onChange?: (state: BoxState) => void;
  /** Concurrent boxes, at most as many as fit into the machine's memory; null for that maximum. */
  readonly atOnce?: number | null;
  /**
   * Descriptor of the connection to the box launcher, and the cgroup folder that the operator
   * delegated.
   */
  readonly launcherFd?: number | null;
  readonly cgroup?: string | null;
  /** For tests: replaces the search for the box. */
  readonly find?: (signal: AbortSignal) => Promise<FoundBox>;
}

const fiveMinutesMs = 300_000;
const whileFailingMs = 30_000;
const empty = Buffer.alloc(0);

/**
 * Starts checking when `start` or `check` is called or with the first run, and then periodically.
 */
export function createBoxMonitor(options: BoxMonitorOptions = {}): BoxMonitor {
  const { atOnce: requested = null, launcherFd, cgroup } = options;
  const atOnce = boxesThatFit(defaultLimits.memoryBytes, requested);
  const slots = createBoxSlots(atOnce);
  const strongest = findStrongest({
    uid: process.getuid?.() ?? -1,
    launcherFd: launcherFd ?? null,
    cgroup: cgroup ?? null,
  });
  const tests = createSelfTests({ ...options, find: options.find ?? strongest.find, atOnce });

  const inSlots: InSlots = async (jobs, signal, run) => {
    if (tests.found() === null) await tests.check();
    const results = await runInSlots({ found: tests.found(), slots, atOnce }, jobs, signal, run);
    // An invalid path is not a fault of the box.
    const isSetUp =
      tests.found()?.status !== 'ready' || results.every((result) => result?.end !== 'setup');
    if (
      !isSetUp &&
      jobs.length <= atOnce &&
      jobs.every(({ files }) => faultOfPaths(files.map(({ path }) => path)) === null)
    )
      await tests.check();
    return results;
  };

  return {
    state: () => tests.state(),
    start: () => void tests.check(),
    check: () => tests.check(),
    atOnce,
    async run(job, signal, stream) {
      const [result] = await inSlots(
        [job],
        signal,
        async ({ launcher }, [assigned]) =>
          [await runInBox(launcher, job, signal, withStream(assigned, stream))] as const,
      );
      return result;
    },
    async runPair(jobs, signal) {
      const [first, second = null] = await inSlots(jobs, signal, ({ launcher }, assignedSlots) =>
        runPairOfBoxes(launcher, jobs, signal, assignedSlots),
      );
      return [first, second];
    },
    stop() {
      tests.stop();
      strongest.end();
    },
  };
}

const withStream = (
  assigned: AssignedSlot = noSlot,
  stream: BoxStream | undefined,
): AssignedSlot => ({ ...assigned, stream });

interface SelfTests {
  /** Result of the last test; null before the first has finished. */
  found(): FoundBox | null;
  state(): BoxState;
  /** Joins a test that is already running. */
  check(): Promise<BoxState>;
  stop(): void;
}

/** Tests the box when `check` is first called, and then periodically. */
function createSelfTests({
  now = () => new Date(),
  everyMs = fiveMinutesMs,
  onChange,
  find,
  atOnce,
}: Pick<BoxMonitorOptions, 'now' | 'everyMs' | 'onChange'> & {
  readonly find: (signal: AbortSignal) => Promise<FoundBox>;
  readonly atOnce: number;
}): SelfTests {
  const ending = new AbortController();
  let found: FoundBox | null = null;
  let state: BoxState = { state: 'unknown', reason: null, fix: null, tier: null, checkedAt: null };
  let running: Promise<BoxState> | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** On a busy machine a working box may time out, so a failure is confirmed by a second test. */
  const findTwice = async (): Promise<FoundBox> => {
    const first = await find(ending.signal).catch(brokenTest);
    const isFailing = first.status === 'absent' && !first.isMissing;
    return isFailing && !ending.signal.aborted ? find(ending.signal).catch(brokenTest) : first;
  };
  const runTest = async (): Promise<BoxState> => {
    found = await findTwice();
    const before = state;
    state = stateOf(found, atOnce, now());
    if (!ending.signal.aborted) {
      if (before.state !== state.state || before.reason !== state.reason) onChange?.(state);
      clearTimeout(timer);
      timer = setTimeout(
        () => void check(),
        state.state === 'failing' ? Math.min(whileFailingMs, everyMs) : everyMs,
      ).unref();
    }
    return state;
  };
  const check = (): Promise<BoxState> => {
    running ??= runTest().finally(() => {
      running = null;
    });
    return running;
  };
  return {
    found: () => found,
    state: () => state,
    check,
    stop() {
      ending.abort();
      clearTimeout(timer);
    },
  };
}

type Results = readonly [BoxResult, (BoxResult | null)?];
type ReadyBox = FoundBox & { readonly status: 'ready' };
type InSlots = <T extends Results>(
  jobs: readonly BoxJob[],
  signal: AbortSignal,
  run: (ready: ReadyBox, assignedSlots: readonly (AssignedSlot | undefined)[]) => Promise<T>,
) => Promise<T | readonly [BoxResult]>;

/** Takes a slot for each job and runs them. */
async function runInSlots<T extends Results>(
  {
    found,
    slots,
    atOnce,
  }: { readonly found: FoundBox | null; readonly slots: BoxSlots; readonly atOnce: number },
  jobs: readonly BoxJob[],
  signal: AbortSignal,
  run: (ready: ReadyBox, assignedSlots: readonly (AssignedSlot | undefined)[]) => Promise<T>,
): Promise<T | readonly [BoxResult]> {
  if (found === null || found.status === 'absent') return [notRun(found)];
  if (jobs.length > atOnce)
    return [
      { ...notRun(found), fault: `This machine has no room for ${jobs.length} boxes at once.` },
    ];
  const taken = await slots.take(jobs.length, signal);
  if (taken === null)
    return [
      { ...notRun(found), end: 'interrupted', fault: 'The run was aborted before it started.' },
    ];
  const { grants } = found;
  const assignedSlots = taken.map((slot) => (grants === undefined ? undefined : { grants, slot }));
  return await run(found, assignedSlots).finally(() => slots.leave(taken));
}

/** Finds the box with the strongest available grants, which are determined once. */
function findStrongest(options: GrantOptions): {
  readonly find: (signal: AbortSignal) => Promise<FoundBox>;
  readonly end: () => void;
} {
  let grants: Promise<BoxGrants> | null = null;
  return {
    async find(signal) {
      grants ??= findGrants(options);
      const strong = await findBox(signal, { grants: await grants });
      if (strong.status === 'ready' || strong.isMissing) return strong;
      // If granting users or cgroups fails, a box without them is still isolated, and its level
      // shows that they are missing.
      return findBox(signal);
    },
    end: () => void grants?.then((given) => given.end()),
  };
}

function brokenTest(error: unknown): FoundBox {
  const reason = `The self-test broke: ${error instanceof Error ? error.message : String(error)}`;
  return { status: 'absent', isMissing: false, reason, fix: 'See the log of the worker.' };
}

function stateOf(found: FoundBox, atOnce: number, checkedAt: Date): BoxState {
  if (found.status === 'ready') {
    const level =
      found.grants === undefined
        ? null
        : { memory: found.grants.memory, users: found.grants.users, atOnce };
    return { state: 'ready', reason: null, fix: null, tier: 'bubblewrap', level, checkedAt };
  }
  return {
    state: found.isMissing ? 'missing' : 'failing',
    reason: found.reason,
    fix: found.fix,
    tier: null,
    checkedAt,
  };
}

function notRun(found: FoundBox | null): BoxResult {
  const fault =
    found === null || found.status === 'ready'
      ? 'There is no box.'
      : `${found.reason} ${found.fix}`.trim();
  return {
    end: 'setup',
    exitCode: null,
    stdout: empty,
    stderr: empty,
    report: empty,
    durationMs: 0,
    peakBytes: 0,
    fault,
    limits: defaultLimits,
  };
}

/** Jobs for two boxes that share nothing but a socket, descriptor 5 of each. */
type BoxPair = readonly [BoxJob, BoxJob];

/**
 * The second box is terminated when the first has exited.
 * @returns how each ended; null for a second box that was never started
 */
async function runPairOfBoxes(
  launcher: Launcher,
  [first, second]: BoxPair,
  signal: AbortSignal,
  [assigned, secondSlot]: readonly (AssignedSlot | undefined)[],
): Promise<readonly [BoxResult, BoxResult | null]> {
  const ending = new AbortController();
  const other: { result: Promise<BoxResult> | null } = { result: null };
  const result = await runInBox(launcher, { ...first, link: true }, signal, assigned, (socket) => {
    other.result = runInBox(
      launcher,
      { ...second, link: true },
      AbortSignal.any([signal, ending.signal]),
      secondSlot,
      socket,
    );
    // Now each box has one end, and notices when the other box has exited.
    socket.destroy();
  });
  ending.abort();
  return [result, await other.result];
}
