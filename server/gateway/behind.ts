import type { Logger } from '../platform';

/**
 * What is done behind the calls: again and again, never twice at once, and never failing anyone.
 */
export interface SingleFlight {
  /**
   * Whoever asks while it runs gets the run after it, since the one under way may have looked
   * already.
   */
  (): Promise<void>;
  /** Resolves when what is under way has ended. */
  idle(): Promise<void>;
}

/** @param run must not throw */
export function createSingleFlight(run: () => Promise<void>): SingleFlight {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    if (running === null) {
      running = run().finally(() => {
        running = null;
      });
      return running;
    }
    next ??= running.then(() => {
      next = null;
      return start();
    });
    return next;
  };
  return Object.assign(start, { idle: () => next ?? running ?? Promise.resolve() });
}

/** The same work, its faults in the log: each when it begins, and not again until it worked. */
export function tellingFaults(
  log: Logger,
  fault: string,
  run: () => Promise<void>,
): () => Promise<void> {
  let verification = false;
  return async () => {
    try {
      await run();
      verification = false;
    } catch (error) {
      if (!verification) log.warn({ err: error }, fault);
      verification = true;
    }
  };
}

/** Waits for `work`, and no longer than so many milliseconds. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  await Promise.race([work, end]);
  clearTimeout(timer);
}
