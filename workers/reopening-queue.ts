import type { Ctx } from '../server/platform';
import type { JobQueue, openJobQueue } from '../server/queue';

/** A queue client that is opened, monitored and reopened. */
export interface ReopeningQueue {
  /** The client, opened if necessary; null while that fails. Retried once a second. */
  get(): Promise<JobQueue | null>;
  /** Whether the last request to the queue failed. */
  isUnavailable(): boolean;
  /** Records the outcome of a queue request; logs once when it changes. */
  note(unavailable: boolean, why?: string): void;
  /** Closes the client; the next `get` opens another. */
  leave(why: string): Promise<void>;
  /** Time of the last job that it delivered, in the clock's milliseconds. */
  silentSince(): number;
  /** Takes no more jobs. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

const tryEveryMs = 1_000;

export function keepQueueOpen(
  ctx: Pick<Ctx, 'clock' | 'log'>,
  open: () => ReturnType<typeof openJobQueue>,
): ReopeningQueue {
  const { clock, log } = ctx;
  let queue: JobQueue | null = null;
  let unavailable = false;
  let triedAt = -tryEveryMs;
  let taken = 0;
  let takenAt = 0;

  const note = (isUnavailable: boolean, why = ''): void => {
    if (isUnavailable && !unavailable)
      log.warn({ why }, 'the queue is away: work of the slow lane waits in its rows');
    if (!isUnavailable && unavailable) log.info('the queue is back');
    unavailable = isUnavailable;
  };

  return {
    async get() {
      const now = clock.monotonicMs();
      if (queue !== null || now - triedAt < tryEveryMs) return queue;
      triedAt = now;
      try {
        queue = await open();
        taken = 0;
        takenAt = clock.monotonicMs();
        note(false);
      } catch (error) {
        note(true, error instanceof Error ? error.message : String(error));
      }
      return queue;
    },
    isUnavailable: () => unavailable,
    note,
    async leave(why) {
      const old = queue;
      queue = null;
      log.warn({ backend: old?.backend, why }, 'the queue is opened again');
      await old?.close();
    },
    silentSince() {
      if (queue !== null && queue.taken() !== taken) {
        taken = queue.taken();
        takenAt = clock.monotonicMs();
      }
      return takenAt;
    },
    async pause() {
      await queue?.pause();
    },
    async close() {
      await queue?.close();
      queue = null;
    },
  };
}
