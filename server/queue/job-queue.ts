import type { IQueueBackend, Queue } from 'bullmq';
import { cleanText, cleanValue } from '../domain';
import type { Env, Logger } from '../platform';
import { connectPostgres, connectRedis, type QueueConnection } from './connection';
import type { JobKind } from './catalogue';

/**
 * A job to be published. The queue ignores an `id` that it still contains, so each publication
 * needs a different one.
 */
export interface QueuedJob<Data> {
  readonly id: string;
  readonly data: Data;
  /** Runs before jobs that are not urgent. */
  readonly urgent: boolean;
}

export interface JobQueueOptions {
  /** Concurrency limit, read whenever a job starts or ends; at least 1 is used. */
  readonly jobsAtOnce: () => number;
  /** Handlers by job name, built with `handle`. */
  readonly handlers: ReadonlyMap<string, (data: unknown) => Promise<void>>;
  /** Called when an unavailable queue responds again: its contents may be lost. */
  readonly onReturn: () => void;
}

/** A queue and one consumer of it, on the backend that the environment selects. */
export interface JobQueue {
  readonly backend: 'postgres' | 'redis';
  /** Jobs passed to handlers since the queue was opened. */
  taken(): number;
  /**
   * Publishes jobs.
   * @throws QueueUnavailable within `deadlineMs` when the queue does not respond
   */
  enqueue<Data>(kind: JobKind<Data>, jobs: readonly QueuedJob<Data>[]): Promise<void>;
  /** Stops taking jobs; running ones continue. Never throws. */
  pause(): Promise<void>;
  /**
   * Closes immediately: running handlers are not awaited, and their jobs are abandoned. Never
   * throws.
   */
  close(): Promise<void>;
}

/**
 * The queue did not accept jobs in time. `silent`: it did not respond at all, so the connection
 * itself may be broken.
 */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';
  constructor(
    message: string,
    readonly silent: boolean,
  ) {
    super(message);
  }
}

const queueName = 'assay-judge';
const deadlineMs = 2_000;
const closeMs = 2_000;
/** BullMQ runs jobs without a priority first, so urgent jobs have none. */
const defaultPriority = 10;

/**
 * BullMQ renews its lock at half of this and returns a dead worker's job; the row's own lease
 * delays it anyway.
 */
const lockDuration = 3_000;
const stalledInterval = 2_000;
/**
 * The row counts deaths; BullMQ would move the job to its failed set after the second
 * (reliability.md 3.1).
 */
const maxStalledCount = 1_000_000;

/** Pairs a kind of job with its handler. Invalid data throws before the handler runs. */
export function handle<Data>(
  kind: JobKind<Data>,
  run: (data: Data) => Promise<void>,
): [string, (data: unknown) => Promise<void>] {
  return [kind.name, async (data) => run(kind.data.parse(data))];
}

/**
 * Opens queue and consumer.
 * @throws when the backend is unavailable or does not respond in time
 */
export async function openJobQueue(
  env: Env,
  log: Logger,
  options: JobQueueOptions,
): Promise<JobQueue> {
  // Loaded on demand: the edge and the console never open a queue.
  const { Queue, Worker } = await import('bullmq');
  const connection = await (env.redisUrl === null
    ? connectPostgres(env.databaseUrl)
    : connectRedis(env.redisUrl, env.databaseUrl));
  let taken = 0;
  let closing = false;
  const report = throttleRepeats((error: Error) => {
    if (!closing) log.warn({ why: error.message, backend: connection.backend }, 'queue fault');
  });
  const queue: AnyQueue = new Queue(
    queueName,
    { ...connection.producer, ...producing },
    connection.factory,
  );
  const atOnce = (): number => Math.max(1, options.jobsAtOnce());
  const worker = new Worker(
    queueName,
    async (job) => {
      taken++;
      worker.concurrency = atOnce();
      try {
        return await runJob(options.handlers.get(job.name), job.data);
      } finally {
        worker.concurrency = atOnce();
      }
    },
    { ...connection.consumer, ...consuming, concurrency: atOnce() },
    connection.factory,
  );
  queue.on('error', report);
  worker.on('error', report);
  connection.onError(report);
  connection.onReturn(options.onReturn);
  const jobQueue: JobQueue = {
    backend: connection.backend,
    taken: () => taken,
    enqueue: (kind, jobs) => publish(queue, connection, kind, jobs),
    pause: () => within(closeMs, worker.pause(true)).catch(() => undefined),
    async close() {
      closing = true;
      await within(closeMs, Promise.allSettled([worker.close(true), queue.close()])).catch(
        () => undefined,
      );
      // A dead connection does not respond to a close.
      await within(closeMs, connection.close()).catch(() => undefined);
    },
  };
  try {
    await within(deadlineMs * 2, Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]));
    return jobQueue;
  } catch (error) {
    await jobQueue.close();
    throw error;
  }
}

/**
 * @throws Error with a message that PostgreSQL can store: a message with a NUL could not be
 *   recorded, and the job would rerun.
 */
async function runJob(
  run: ((data: unknown) => Promise<void>) | undefined,
  data: unknown,
): Promise<'done' | 'unknown'> {
  if (run === undefined) return 'unknown';
  try {
    await run(data);
    return 'done';
  } catch (error) {
    throw new Error(
      cleanText(error instanceof Error ? error.message : String(error)).text.slice(0, 500),
    );
  }
}

/** Typed by the interface that all backends share. */
type AnyQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend>;

const producing = {
  // A kept id would block the next job with that id (reliability.md 3.1), and nothing reads
  // finished jobs.
  defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  streams: { events: { maxLen: 100 } },
};

const consuming = {
  lockDuration,
  stalledInterval,
  maxStalledCount,
  runRetryDelay: 1_000,
  drainDelay: 2,
};

/** Up to this many jobs are published one by one. */
const fewJobs = 6;

async function publish<Data>(
  queue: AnyQueue,
  connection: QueueConnection,
  kind: JobKind<Data>,
  jobs: readonly QueuedJob<Data>[],
): Promise<void> {
  if (!connection.isUp())
    throw new QueueUnavailable(`the ${connection.backend} queue is away`, false);
  const bulk = jobs.map((job) => ({
    name: kind.name,
    data: cleanValue(kind.data.parse(job.data)),
    opts: {
      jobId: job.id,
      attempts: kind.attempts,
      ...(kind.backoffMs === 0 ? {} : { backoff: { type: 'exponential', delay: kind.backoffMs } }),
      ...(job.urgent ? {} : { priority: defaultPriority }),
    },
  }));
  try {
    // On PostgreSQL a bulk costs 14 ms regardless of its size, and one job costs 2.
    const added: Promise<unknown> =
      bulk.length <= fewJobs
        ? Promise.all(bulk.map((job) => queue.add(job.name, job.data, job.opts)))
        : queue.addBulk(bulk);
    await within(deadlineMs, added);
  } catch (error) {
    throw new QueueUnavailable(
      error instanceof Error ? error.message : String(error),
      error instanceof TooLate,
    );
  }
}

/**
 * Reports repeats of a message at most once in ten seconds: an unavailable queue reports several
 * errors a second.
 */
function throttleRepeats(report: (error: Error) => void): (error: Error) => void {
  const last = { message: '', at: 0 };
  return (error) => {
    const now = performance.now();
    if (error.message === last.message && now - last.at < 10_000) return;
    Object.assign(last, { message: error.message, at: now });
    report(error);
  };
}

class TooLate extends Error {}

/** Resolves with the result, or rejects with TooLate after `ms`; a later result is ignored. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
