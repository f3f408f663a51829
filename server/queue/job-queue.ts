import type { IQueueBackend, Queue } from 'bullmq';
import { cleanText, cleanValue } from '../domain';
import type { Env, Logger } from '../platform';
import { connectPostgres, connectRedis, type QueueConnection } from './connection';
import type { JobKind } from './catalogue';

/**
 * A job to be published. `id` must be one that no other occasion of work has: the queue ignores an
 * id that it still knows.
 */
export interface NewJob<Data> {
  readonly id: string;
  readonly data: Data;
  /** Overtakes the others. */
  readonly urgent: boolean;
}

export interface JobQueueOptions {
  /** How many jobs may be in hand, asked whenever one is taken or done; at least one is. */
  readonly jobsAtOnce: () => number;
  /** Job name to what does it; made by `handle`. */
  readonly handlers: ReadonlyMap<string, (data: unknown) => Promise<void>>;
  /** The queue answers again after it was away: what it held may be gone. */
  readonly onReturn: () => void;
}

/** A queue and one consumer of it, on the backend that the environment names. */
export interface JobQueue {
  readonly backend: 'postgres' | 'redis';
  /** How many jobs it has handed to their handlers since it was opened. */
  taken(): number;
  /** Publishes. @throws LineAway within `deadlineMs` when the queue does not answer */
  enqueue<Data>(kind: JobKind<Data>, jobs: readonly NewJob<Data>[]): Promise<void>;
  /** Takes no more jobs; those in hand go on. Never throws. */
  pause(): Promise<void>;
  /**
   * Leaves at once: handlers that still run are not waited for, and their jobs are forgotten. Never
   * throws.
   */
  close(): Promise<void>;
}

/**
 * The queue did not take jobs in time. `silent`: no answer at all, so that the connection itself is
 * in doubt.
 */
export class QueueUnavailable extends Error {
  override readonly name = 'LineAway';
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
/** What the queue calls urgent has no priority number at all. */
const usualPriority = 10;

/**
 * BullMQ's lock is renewed at half of this; it returns the job of a dead worker, whose row is held
 * back by its own lease anyway.
 */
const lockDuration = 3_000;
const stalledInterval = 2_000;
/**
 * The row counts deaths; BullMQ would move the job to its failed set after the second
 * (reliability.md 3.1).
 */
const maxStalledCount = 1_000_000;

/**
 * What does a kind of job. Data that is not of the kind's shape throws, and so is never looked at.
 */
export function handle<Data>(
  kind: JobKind<Data>,
  run: (data: Data) => Promise<void>,
): [string, (data: unknown) => Promise<void>] {
  return [kind.name, async (data) => run(kind.data.parse(data))];
}

/** Opens queue and consumer. @throws when the backend is not there, or does not answer in time */
export async function openJobQueue(
  env: Env,
  log: Logger,
  options: JobQueueOptions,
): Promise<JobQueue> {
  // The drivers are loaded by whoever opens a line: the edge and the console never do.
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
      // A link that is dead answers no good-bye.
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
 * @throws Error whose message can be recorded: one with a NUL cannot on PostgreSQL, and the job
 * would run again.
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

/** Typed by what all backends have in common. */
type AnyQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend>;

const producing = {
  // A kept id would swallow the next job of that id (reliability.md 3.1); nothing is read from
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

async function publish<Data>(
  queue: AnyQueue,
  connection: QueueConnection,
  kind: JobKind<Data>,
  jobs: readonly NewJob<Data>[],
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
      ...(job.urgent ? {} : { priority: usualPriority }),
    },
  }));
  try {
    await within(deadlineMs, queue.addBulk(bulk));
  } catch (error) {
    throw new QueueUnavailable(
      error instanceof Error ? error.message : String(error),
      error instanceof TooLate,
    );
  }
}

/**
 * A queue that is away says so several times a second: of one message after another only the first
 * is told, and then one in ten seconds.
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

/** The result, or TooLate after `ms`; what comes later than that is dropped. */
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
