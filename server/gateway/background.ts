import type { Logger } from '../platform';

/** A background task that never runs twice at once. */
export interface SingleFlight {
  /**
   * A request during a run gets the next run, since the current one may already have read its
   * input.
   */
  (): Promise<void>;
  /** Resolves when no run is in progress. */
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

/** Logs an error when it first occurs, and not again until a run succeeds. */
export function createFaultLog(
  log: Logger,
  fault: string,
  run: () => Promise<void>,
): () => Promise<void> {
  let logged = false;
  return async () => {
    try {
      await run();
      logged = false;
    } catch (error) {
      if (!logged) log.warn({ err: error }, fault);
      logged = true;
    }
  };
}

/** Waits for `work`, for at most `ms` milliseconds. */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  await Promise.race([work, end]);
  clearTimeout(timer);
}
