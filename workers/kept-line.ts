import type { Ctx } from '../server/platform';
import type { Line, openLine } from '../server/queue';

/** A queue that is opened, watched and opened again. */
export interface KeptLine {
  /** The line, opened if it is not; null while that fails, which is tried once a second. */
  get(): Promise<Line | null>;
  /** Whether the queue was away when it was last spoken to. */
  isAway(): boolean;
  /** What the last attempt to speak to it came to; said once in the log when it changes. */
  note(away: boolean, why?: string): void;
  /** Gives the line up: the next `get` opens another. */
  leave(why: string): Promise<void>;
  /** Since when it has handed over no job, in the clock's milliseconds. */
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
