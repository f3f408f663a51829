import type { TransferListItem, Worker } from 'node:worker_threads';
import type { ErrorCode, ErrorDetail } from '../platform';
import type { StartPoolThread } from './pool';
import { threadCpuMs } from './processor-time';
import { createWatchMemory, readProgress, readWatch } from './watch';

/** How a task ended. */
export type EndedTask =
  | { readonly state: 'done'; readonly result: unknown }
  | { readonly state: 'failed'; readonly error: SentError }
  | { readonly state: 'over'; readonly part: string; readonly subject: unknown }
  | { readonly state: 'lost'; readonly message: string; readonly subject: unknown };

/** An error sent by a thread; `code` is null for errors other than AssayError. */
export interface SentError {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterS: number | null;
}

/** Messages to and from a thread. */
export interface Order {
  readonly service: string;
  readonly input: unknown;
}
export type TaskReport =
  | Extract<EndedTask, { state: 'done' | 'failed' }>
  | { readonly state: 'note'; readonly note: unknown };

interface TaskExtras {
  /** Processor time of the task, or of each subject that it begins, in milliseconds. */
  readonly budgetMs: number;
  readonly transfer?: readonly TransferListItem[];
  readonly onNote?: (note: unknown) => void;
}

export interface PoolThread {
  isBusy(): boolean;
  /** Runs one task at a time; calls `settle` once. */
  run(task: Order & TaskExtras, settle: (ended: EndedTask) => void): void;
  /** Terminates the thread if its task exceeds its CPU budget or `wallMs`. */
  check(wallMs: number): void;
  end(): Promise<void>;
}

interface Running {
  readonly budgetMs: number;
  readonly settle: (ended: EndedTask) => void;
  readonly onNote: (note: unknown) => void;
  readonly startedAt: number;
  /**
   * The subject whose CPU time is counted, and the thread's CPU time when the subject was first
   * seen.
   */
  sequence: number;
  spentBeforeMs: number;
}

/** Starts a thread that runs one task after another; `onEnd` is called when it has exited. */
export function openThread(start: StartPoolThread, onEnd: () => void): PoolThread {
  const memory = createWatchMemory();
  const worker: Worker = start(memory);
  let running: Running | null = null;

  function finish(ended: EndedTask): void {
    const task = running;
    running = null;
    task?.settle(ended);
  }

  // A process that only waits for a thread may exit.
  worker.unref();
  worker.on('message', (report: TaskReport) => {
    if (report.state === 'note') running?.onNote(report.note);
    else finish(report);
  });
  worker.on('error', (error) => finish(lost(`a pool thread crashed: ${String(error)}`)));
  worker.on('exit', () => {
    onEnd();
    finish(lost('a pool thread exited'));
  });

  function lost(message: string): EndedTask {
    return { state: 'lost', message, subject: readWatch(memory).subject };
  }

  async function stop(ended: EndedTask): Promise<void> {
    const task = running;
    running = null;
    // Removes it from the pool at once; its task ends when the thread has stopped.
    onEnd();
    await worker.terminate();
    task?.settle(ended);
  }

  return {
    isBusy: () => running !== null,
    run({ service, input, budgetMs, transfer = [], onNote = () => undefined }, settle) {
      const { threadId, sequence } = readProgress(memory);
      running = {
        budgetMs,
        settle,
        onNote,
        startedAt: performance.now(),
        sequence,
        spentBeforeMs: threadCpuMs(worker, threadId),
      };
      worker.postMessage({ service, input } satisfies Order, transfer);
    },
    check(wallMs) {
      if (running === null) return;
      const { threadId, sequence } = readProgress(memory);
      // A thread that has not reported its id is still loading, which is not charged to any task.
      if (threadId === 0) return;
      const spentMs = threadCpuMs(worker, threadId);
      if (spentOn(running, sequence, spentMs) > running.budgetMs) {
        const { part, subject } = readWatch(memory);
        void stop({ state: 'over', part, subject });
      } else if (performance.now() - running.startedAt > wallMs) {
        void stop(lost(`a task took longer than ${wallMs / 1000} s`));
      }
    },
    async end() {
      await worker.terminate();
    },
  };
}

/** CPU time of the task's current subject; 0 when it is first seen. */
function spentOn(task: Running, sequence: number, spentMs: number): number {
  if (task.spentBeforeMs === 0 || sequence !== task.sequence) {
    task.sequence = sequence;
    task.spentBeforeMs = spentMs;
  }
  return spentMs - task.spentBeforeMs;
}
