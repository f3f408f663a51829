// The functions of all projects in a worker. A function has at most one process, which no other
// function and no other project shares; processes wait for a box in order, and release it in turn.
import { type FunctionBoxes, faultOfLanguage } from './box-process';
import type {
  FunctionArguments,
  FunctionOutcome,
  FunctionRunner,
  FunctionSource,
  LoadedFunction,
  LoadFault,
} from './call';
import { FunctionQueue, type WaitingCall } from './function-queue';
import { findPackages } from './packages';

export interface RunnerOptions {
  /** The operator's folder of packages; null means those that proof gates see. */
  readonly packages?: string | null;
}

interface Entry {
  readonly projectId: string;
  readonly queue: FunctionQueue;
}

/**
 * @param boxes the monitor of the sandboxes; functions use at most half of its slots
 * @throws Error if the operator's folder has no packages
 */
export function createFunctionRunner(
  boxes: FunctionBoxes,
  { packages = null }: RunnerOptions = {},
): FunctionRunner {
  const folders = findPackages(packages);
  const max = Math.max(1, Math.floor(boxes.atOnce / 2));
  const entries = new Map<string, Entry>();
  const running = new Set<Entry>();
  const requests = new Set<Entry>();

  /** The next request of the project with the fewest processes. */
  function next(): Entry | undefined {
    const countOf = ({ projectId }: Entry): number =>
      [...running].filter((entry) => entry.projectId === projectId).length;
    return [...requests].toSorted((a, b) => countOf(a) - countOf(b))[0];
  }

  function serve(): void {
    while (running.size < max) {
      const entry = next();
      if (entry === undefined) return;
      requests.delete(entry);
      running.add(entry);
      entry.queue.start();
    }
    if (requests.size > 0) for (const { queue } of running) queue.yieldIdle();
  }

  function entryOf(projectId: string, source: FunctionSource): Entry {
    const key = keyOf(projectId, source);
    const known = entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = {
      projectId,
      queue: new FunctionQueue({
        boxes,
        source,
        packages: folders,
        isWanted: () => requests.size > 0,
        request() {
          entries.set(key, entry);
          requests.add(entry);
          // This must not run within `add`: the process that just exited must have left first.
          queueMicrotask(serve);
        },
        release() {
          running.delete(entry);
          entries.delete(key);
          queueMicrotask(serve);
        },
      }),
    };
    entries.set(key, entry);
    return entry;
  }

  return {
    forProject: (projectId) => ({
      load: (source, signal) => loadIn(entryOf(projectId, source).queue, source, signal),
      run: (source, subjects, signal) =>
        runIn(entryOf(projectId, source).queue, source, subjects, signal),
    }),
    close() {
      requests.clear();
      for (const { queue } of new Set([...entries.values(), ...running])) queue.close();
    },
  };
}

/** Texts of other projects and sources differ: only the last part can have line breaks. */
const keyOf = (projectId: string, { language, source, timeoutMs }: FunctionSource): string =>
  `${projectId}\n${language}\n${timeoutMs}\n${source}`;

function loadIn(
  queue: FunctionQueue,
  { language }: FunctionSource,
  signal: AbortSignal,
): Promise<LoadedFunction | LoadFault> {
  const fault = faultOfLanguage(language);
  if (fault !== null)
    return Promise.resolve({ state: 'fault', cause: 'sandbox', message: fault, line: null });
  return whileWanted(signal, (isOver, resolve) =>
    queue.add([{ subject: null, loaded: resolve, settle: () => undefined, isOver }]),
  );
}

function runIn(
  queue: FunctionQueue,
  { language }: FunctionSource,
  subjects: readonly FunctionArguments[],
  signal: AbortSignal,
): Promise<readonly FunctionOutcome[]> {
  const fault = faultOfLanguage(language);
  if (fault !== null)
    return Promise.resolve(
      subjects.map(() => ({
        state: 'failed',
        reason: `the function was not run: ${fault}`,
        line: null,
        stdout: '',
        durationMs: null,
      })),
    );
  if (subjects.length === 0) return Promise.resolve([]);
  return whileWanted(signal, (isOver, resolve) => {
    const outcomes: FunctionOutcome[] = [];
    let left = subjects.length;
    const calls = subjects.map(
      (subject, index): WaitingCall => ({
        subject,
        loaded: () => undefined,
        settle(outcome) {
          outcomes[index] = outcome;
          left -= 1;
          if (left === 0) resolve(outcomes);
        },
        isOver,
      }),
    );
    queue.add(calls);
  });
}

/** @throws Error if the signal fires first; calls in progress are then abandoned */
function whileWanted<Value>(
  signal: AbortSignal,
  begin: (isOver: () => boolean, resolve: (value: Value) => void) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error('The run was aborted.'));
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    begin(
      () => signal.aborted,
      (value) => {
        signal.removeEventListener('abort', giveUp);
        resolve(value);
      },
    );
  });
}
