import { type Ctx, sha256 } from '../server/platform';
import {
  forgetHints,
  freeLostSlowWork,
  type Hint,
  hintSlowWork,
  judgeJob,
  type Line,
  LineAway,
  openLine,
  unhintWork,
} from '../server/queue';
import { keepLine, type KeptLine } from './kept-line';

export interface PublisherOptions {
  readonly concurrency: number;
  /** As in `LineOptions`. */
  readonly jobsAtOnce?: () => number;
  /** A job that no consumer has taken for this long is published again. */
  readonly staleMs: number;
  readonly handlers: ReadonlyMap<string, (data: unknown) => Promise<void>>;
  /** Whether this process could take another job at once. */
  readonly idle: () => boolean;
  /** Called when the queue has returned and there may be work to publish. */
  readonly onReturn: () => void;
  /** Replaced by tests. */
  readonly open?: typeof openLine;
}

/** Keeps the queue in step with the rows that are due, and reopens a broken queue. */
export interface Publisher {
  /**
   * Publishes what is due; `more` when rows are left. Faults of the queue are logged.
   *
   * @throws on faults of storage
   */
  look(): Promise<'more' | 'enough'>;
  /** Takes no more jobs. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Most rows of one job, next to an eighth of a worker's concurrency: a queue takes about a
 * millisecond per job.
 */
const rowsMost = 8;
/** Rows published at once; one while the queue is unavailable, as a probe. */
const bulk = 200;
/** How often expired leases are released. */
const freeEveryMs = 1_000;

export function createPublisher(ctx: Ctx, options: PublisherOptions): Publisher {
  const { clock, log, env } = ctx;
  /** The queue may have lost everything published: set when it was just opened or has returned. */
  let forgotten = true;
  let freedAt = -freeEveryMs;
  const forget = (): void => {
    forgotten = true;
    options.onReturn();
  };
  const kept = keepLine(ctx, () => {
    forgotten = true;
    const { concurrency, jobsAtOnce = () => concurrency, handlers } = options;
    return (options.open ?? openLine)(env, log, { jobsAtOnce, handlers, onReturn: forget });
  });

  /**
   * Replaces a consumer that has room but takes no job while jobs wait, even if its connection
   * looks healthy.
   */
  async function watch(hints: readonly Hint[]): Promise<void> {
    const silentMs = clock.monotonicMs() - kept.silentSince();
    if (
      kept.isAway() ||
      !options.idle() ||
      silentMs < options.staleMs ||
      !hints.some((hint) => hint.again)
    )
      return;
    await kept.leave('jobs wait and none was taken');
  }

  return {
    async look() {
      const now = clock.monotonicMs();
      if (now - freedAt >= freeEveryMs) {
        freedAt = now;
        await freeLostSlowWork(ctx);
      }
      const line = await kept.get();
      if (line === null) return 'enough';
      if (forgotten) {
        forgotten = false;
        await forgetHints(ctx);
      }
      const limit = kept.isAway() ? 1 : bulk;
      const hints = await hintSlowWork(ctx, {
        limit,
        perProject: options.concurrency,
        staleMs: options.staleMs,
      });
      if (hints.length > 0) await publish(ctx, kept, line, hints, options.concurrency >> 3);
      await watch(hints);
      return !kept.isAway() && hints.length >= limit ? 'more' : 'enough';
    },
    async pause() {
      await kept.pause();
    },
    close: () => kept.close(),
  };
}

/** A row that cannot be published is tried again in the next pass. */
async function publish(
  ctx: Ctx,
  kept: KeptLine,
  line: Line,
  hints: readonly Hint[],
  most: number,
): Promise<void> {
  try {
    const rows = Math.max(1, Math.min(rowsMost, most));
    await line.enqueue(judgeJob, inJobs(hints, rows).map(asJob));
    kept.note(false);
  } catch (error) {
    if (!(error instanceof LineAway)) throw error;
    kept.note(true, error.message);
    await unhintWork(ctx, hints);
    if (error.silent) await kept.leave(error.message);
  }
}

/**
 * In the given order. A row whose worker was lost has a job of its own, and so has one whose job
 * may be lost, so that the next copy has the same id.
 */
function inJobs(hints: readonly Hint[], most: number): readonly [Hint, ...Hint[]][] {
  const jobs: [Hint, ...Hint[]][] = [];
  for (const hint of hints) {
    const last = jobs.at(-1);
    const joins =
      last !== undefined &&
      last.length < most &&
      isShared(hint) &&
      isShared(last[0]) &&
      hint.priority === last[0].priority;
    if (joins) last.push(hint);
    else jobs.push([hint]);
  }
  return jobs;
}

const isShared = (hint: Hint): boolean => hint.priority < 2 && !hint.again;

function asJob(hints: readonly [Hint, ...Hint[]]) {
  // Project and work name the row, the fence names the claim: a job for an earlier claim cannot
  // replace this one.
  const ids = hints.map((hint) => `${hint.projectId}.${hint.id}.${hint.fence}`);
  const { priority } = hints[0];
  return {
    id: ids.length === 1 ? ids.join() : sha256(ids.join()),
    data: {
      rows: hints.map((hint) => ({
        project_id: hint.projectId,
        work_id: hint.id,
        revision: hint.revision,
        fence: hint.fence,
      })),
      priority,
    },
    urgent: priority === 0,
  };
}
