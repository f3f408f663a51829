import { type Ctx, sha256 } from '../server/platform';
import {
  republishAll,
  freeLostSlowWork,
  type RowToPublish,
  markPublished,
  judgeJob,
  type JudgeJobData,
  type JobQueue,
  QueueUnavailable,
  openJobQueue,
  unpublishWork,
} from '../server/queue';
import { keepQueueOpen, type ReopeningQueue } from './reopening-queue';

export interface PublisherOptions {
  readonly concurrency: number;
  /** As in `openJobQueue`. */
  readonly jobsAtOnce?: () => number;
  /** Time after which a job that no consumer has taken is published again. */
  readonly staleMs: number;
  readonly handlers: ReadonlyMap<string, (data: unknown) => Promise<void>>;
  /**
   * Takes rows that this process has room for, in the given order; returns the rest, for which jobs
   * are published. Omitted: every row gets a job.
   */
  readonly takeLocally?: (rows: readonly RowToPublish[]) => readonly RowToPublish[];
  /** Whether this process could take another job at once. */
  readonly idle: () => boolean;
  /** Called when the queue is available again and there may be work to publish. */
  readonly onReturn: () => void;
  /** Replaced by tests. */
  readonly open?: typeof openJobQueue;
}

/** Publishes jobs for rows that are ready, and reopens a broken queue. */
export interface Publisher {
  /**
   * Publishes ready rows; `more` if rows are left. Queue faults are logged.
   *
   * @throws on storage faults
   */
  runPass(): Promise<'more' | 'enough'>;
  /** Takes no more jobs. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Maximum number of rows in a job, which is also limited to an eighth of a worker's concurrency: a
 * queue takes about a millisecond per job.
 */
const maxRows = 8;
/** Rows published per pass; one while the queue is unavailable, as a probe. */
const bulk = 200;
/** Interval at which expired leases are released. */
const freeEveryMs = 1_000;

export function createPublisher(ctx: Ctx, options: PublisherOptions): Publisher {
  const { clock, log, env } = ctx;
  /**
   * Whether the queue may have lost everything published: set when it was just opened or is
   * available again.
   */
  let forgotten = true;
  let freedAt = -freeEveryMs;
  const forget = (): void => {
    forgotten = true;
    options.onReturn();
  };
  const queueClient = keepQueueOpen(ctx, () => {
    forgotten = true;
    const { concurrency, jobsAtOnce = () => concurrency, handlers } = options;
    return (options.open ?? openJobQueue)(env, log, { jobsAtOnce, handlers, onReturn: forget });
  });

  /**
   * Replaces a consumer that has room but takes no job while jobs wait, even if its connection
   * seems healthy.
   */
  async function watch(rows: readonly RowToPublish[]): Promise<void> {
    const silentMs = clock.monotonicMs() - queueClient.silentSince();
    if (
      queueClient.isUnavailable() ||
      !options.idle() ||
      silentMs < options.staleMs ||
      !rows.some((row) => row.again)
    )
      return;
    await queueClient.leave('jobs are waiting, but none was consumed');
  }

  return {
    async runPass() {
      const now = clock.monotonicMs();
      if (now - freedAt >= freeEveryMs) {
        freedAt = now;
        await freeLostSlowWork(ctx);
      }
      const queue = await queueClient.get();
      if (queue === null) return 'enough';
      if (forgotten) {
        forgotten = false;
        await republishAll(ctx);
      }
      const limit = queueClient.isUnavailable() ? 1 : bulk;
      const rows = await markPublished(ctx, {
        limit,
        perProject: options.concurrency,
        staleMs: options.staleMs,
      });
      const unclaimed = options.takeLocally?.(rows) ?? rows;
      if (unclaimed.length > 0)
        await publish(ctx, queueClient, queue, unclaimed, options.concurrency >> 3);
      await watch(rows);
      return !queueClient.isUnavailable() && rows.length >= limit ? 'more' : 'enough';
    },
    async pause() {
      await queueClient.pause();
    },
    close: () => queueClient.close(),
  };
}

/** A row that cannot be published is retried in the next pass. */
async function publish(
  ctx: Ctx,
  queueClient: ReopeningQueue,
  queue: JobQueue,
  rows: readonly RowToPublish[],
  max: number,
): Promise<void> {
  try {
    const perJob = Math.max(1, Math.min(maxRows, max));
    await queue.enqueue(judgeJob, inJobs(rows, perJob).map(asJob));
    queueClient.note(false);
  } catch (error) {
    if (!(error instanceof QueueUnavailable)) throw error;
    queueClient.note(true, error.message);
    await unpublishWork(ctx, rows);
    if (error.silent) await queueClient.leave(error.message);
  }
}

/**
 * In the given order. A row whose worker was lost gets a separate job, and so does one whose job
 * may be lost, so that the next copy has the same id.
 */
function inJobs(
  rows: readonly RowToPublish[],
  max: number,
): readonly [RowToPublish, ...RowToPublish[]][] {
  const jobs: [RowToPublish, ...RowToPublish[]][] = [];
  for (const row of rows) {
    const last = jobs.at(-1);
    const joins =
      last !== undefined &&
      last.length < max &&
      isShared(row) &&
      isShared(last[0]) &&
      row.priority === last[0].priority;
    if (joins) last.push(row);
    else jobs.push([row]);
  }
  return jobs;
}

/** Whether the row may share a job with others: neither it nor its job was lost before. */
export const isShared = (row: RowToPublish): boolean => row.priority < 2 && !row.again;

/** A published row as its job names it. */
export const asJobRow = (row: RowToPublish): JudgeJobData['rows'][number] => ({
  project_id: row.projectId,
  work_id: row.id,
  revision: row.revision,
  fence: row.fence,
});

function asJob(rows: readonly [RowToPublish, ...RowToPublish[]]) {
  // Project and work identify the row, the fence identifies the claim: a job for an earlier claim
  // cannot replace this one.
  const ids = rows.map((row) => `${row.projectId}.${row.id}.${row.fence}`);
  const { priority } = rows[0];
  return {
    id: ids.length === 1 ? ids.join() : sha256(ids.join()),
    data: {
      rows: rows.map(asJobRow),
      priority,
    },
    urgent: priority === 0,
  };
}
