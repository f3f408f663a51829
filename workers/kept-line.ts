import type { Ctx } from '../server/platform';
import type { Line, openLine } from '../server/queue';

/** A queue client that is opened, watched and reopened. */
export interface KeptLine {
  /** The client, opened if necessary; null while that fails. Tried once a second. */
  get(): Promise<Line | null>;
  /** Whether the last request to the queue failed. */
  isAway(): boolean;
  /** Records the outcome of a request to the queue; logs once when it changes. */
  note(away: boolean, why?: string): void;
  /** Drops the client: the next `get` opens another. */
  leave(why: string): Promise<void>;
  /** Time since which it has delivered no job, in the clock's milliseconds. */
  silentSince(): number;
  /** Takes no more jobs. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

const tryEveryMs = 1_000;

export function keepLine(
  ctx: Pick<Ctx, 'clock' | 'log'>,
  open: () => ReturnType<typeof openLine>,
): KeptLine {
  const { clock, log } = ctx;
  let line: Line | null = null;
  let away = false;
  let triedAt = -tryEveryMs;
  let taken = 0;
  let takenAt = 0;

  const note = (isAway: boolean, why = ''): void => {
    if (isAway && !away)
      log.warn({ why }, 'the queue is away: work of the slow lane waits in its rows');
    if (!isAway && away) log.info('the queue is back');
    away = isAway;
  };

  return {
    async get() {
      const now = clock.monotonicMs();
      if (line !== null || now - triedAt < tryEveryMs) return line;
      triedAt = now;
      try {
        line = await open();
        taken = 0;
        takenAt = clock.monotonicMs();
        note(false);
      } catch (error) {
        note(true, error instanceof Error ? error.message : String(error));
      }
      return line;
    },
    isAway: () => away,
    note,
    async leave(why) {
      const old = line;
      line = null;
      log.warn({ backend: old?.backend, why }, 'the queue is opened anew');
      await old?.close();
    },
    silentSince() {
      if (line !== null && line.taken() !== taken) {
        taken = line.taken();
        takenAt = clock.monotonicMs();
      }
      return takenAt;
    },
    async pause() {
      await line?.pause();
    },
    async close() {
      await line?.close();
      line = null;
    },
  };
}
