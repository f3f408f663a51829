import { availableParallelism } from 'node:os';
import type { TransferListItem, Worker } from 'node:worker_threads';
import { AssayError, type Logger } from '../platform';
import { createFairQueue, type QueueLimits } from './fair-queue';
import { type EndedTask, openThread, type PoolThread } from './pool-thread';

/** Starts a pool thread; `memory` receives its progress. */
export type StartPoolThread = (memory: SharedArrayBuffer) => Worker;

export interface PoolOptions {
  readonly start: StartPoolThread;
  /** Maximum number of threads, started on demand. One project gets at most all but one. */
  readonly size?: number;
  /** Processor time of one request or subject, in milliseconds. */
  readonly budgetMs?: number;
  /** Wall-clock limit of a task, in milliseconds, including any waiting. */
  readonly wallMs?: number;
  readonly queue?: Partial<QueueLimits>;
}

export interface PoolTask {
  /** Name of a service in the thread's file (`servePool`). */
  readonly service: string;
  readonly input: unknown;
  readonly transfer?: readonly TransferListItem[];
  /** The project to whose share the task counts. */
  readonly projectId: string;
  /** Estimated work, in bytes of input. */
  readonly work: number;
  /**
   * Multiple of the pool's budget; 1 unless the work is known to grow at most linearly with its
   * limited input.
   */
  readonly budgetFactor?: number;
  /** Receives the service's notes while it runs. */
  readonly onNote?: (note: unknown) => void;
}

/** Runs tasks in threads, so that work sized by a caller does not block the event loop. */
export interface Pool {
  /**
   * Resolves with the service's result.
   * @throws OverBudget, AssayError (thrown by the service, or rate_limited: over the project's
   * share), ThreadLost
   */
  run<Result>(task: PoolTask): Promise<Result>;
  close(): Promise<void>;
}

/** A request or a subject exceeded its CPU budget and was terminated. */
export class OverBudget extends Error {
  constructor(
    readonly budgetMs: number,
    /** The check, or the step of the request, that was running. */
    readonly part: string,
    /** The current subject, as given to `begin`; null before the first. */
    readonly subject: unknown,
  ) {
    super(
      `over budget: ${part === '' ? 'the request' : part} used up the ${budgetMs} ms of processor time of one request`,
    );
  }
}

/** The thread ended during a task, by itself or because the task took too long. */
export class ThreadLost extends Error {
  constructor(
    message: string,
    /** As in `OverBudget`. */
    readonly subject: unknown,
  ) {
    super(message);
  }
}

/** one second for all checks of a request together. */
const BUDGET_MS = 1_000;
const WALL_MS = 120_000;
/** Interval at which busy threads are checked, and so the maximum excess over a budget. */
const WATCH_MS = 20;
const QUEUE: QueueLimits = { workMax: 64 * 1024 * 1024, tasksMax: 128, waitMs: 20_000 };

export function createPool({ log }: { readonly log: Logger }, options: PoolOptions): Pool {
  const size = options.size ?? Math.max(2, availableParallelism() + 1);
  const budgetMs = options.budgetMs ?? BUDGET_MS;
  const wallMs = options.wallMs ?? WALL_MS;
  const queue = createFairQueue({ ...QUEUE, ...options.queue });
  const threads = new Set<PoolThread>();
  const shares = createShares();
  let watching: NodeJS.Timeout | null = null;
  let closed = false;

  const mayRun = (projectId: string): boolean => shares.of(projectId) < Math.max(1, size - 1);

  function watch(): void {
    const busy = [...threads].filter((thread) => thread.isBusy());
    for (const thread of busy) thread.check(wallMs);
    if (busy.length > 0 || watching === null) return;
    clearInterval(watching);
    watching = null;
  }

  function freeThread(): PoolThread | null {
    for (const thread of threads) if (!thread.isBusy()) return thread;
    if (threads.size >= size) return null;
    const thread = openThread(options.start, () => void threads.delete(thread));
    threads.add(thread);
    return thread;
  }

  function dispatch(): void {
    while (queue.size > 0 && !closed) {
      const isFree = threads.size < size || [...threads].some((thread) => !thread.isBusy());
      const next = isFree ? queue.take(mayRun) : null;
      if (next === null) return;
      next.start();
    }
  }

  function begin(task: PoolTask, settle: (ended: EndedTask) => void): void {
    const thread = freeThread();
    if (thread === null) throw new Error('the pool has no free thread');
    shares.add(task.projectId, 1);
    watching ??= setInterval(watch, WATCH_MS).unref();
    thread.run({ ...task, budgetMs: budgetMs * (task.budgetFactor ?? 1) }, (ended) => {
      shares.add(task.projectId, -1);
      settle(ended);
      dispatch();
    });
  }

  return {
    run<Result>(task: PoolTask) {
      return new Promise<Result>((resolve, reject) => {
        const settle = (ended: EndedTask): void => {
          if (ended.state === 'done') return resolve(ended.result as Result);
          if (ended.state === 'over') logOverBudget(log, task.projectId, ended.part);
          reject(errorOf(ended, budgetMs * (task.budgetFactor ?? 1)));
        };
        const start = (): void => begin(task, settle);
        queue.push({ projectId: task.projectId, work: task.work, start, refuse: reject });
        dispatch();
      });
    },
    async close() {
      closed = true;
      if (watching !== null) clearInterval(watching);
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

function logOverBudget(log: Logger, project: string, part: string): void {
  log.warn({ project, part }, 'a request used up its processor time');
}

/** Threads in use by each project. */
function createShares(): {
  of(projectId: string): number;
  add(projectId: string, threads: 1 | -1): void;
} {
  const running = new Map<string, number>();
  const of = (projectId: string): number => running.get(projectId) ?? 0;
  return {
    of,
    add(projectId, threads) {
      const now = of(projectId) + threads;
      if (now === 0) running.delete(projectId);
      else running.set(projectId, now);
    },
  };
}

function errorOf(ended: Exclude<EndedTask, { state: 'done' }>, budgetMs: number): Error {
  if (ended.state === 'over') return new OverBudget(budgetMs, ended.part, ended.subject);
  if (ended.state === 'lost') return new ThreadLost(ended.message, ended.subject);
  const { code, message, details, retryAfterS } = ended.error;
  if (code === null) return new Error(message);
  return new AssayError(code, message, details, retryAfterS);
}
