import type { Captured } from '../proxy/captured';

/** Maximum concurrent rechecks; beyond this limit, calls are recorded without one. */
const RECHECKS_MAX = 32;

/** Rechecks of delivered answers. A call is recorded only after its recheck. */
export interface Rechecks {
  /** Whether the call has a recheck; then `done` is called once with its result. */
  take(captured: Captured, done: (captured: Captured) => void): boolean;
  /** Resolves when no recheck is in progress. Never throws. */
  idle(): Promise<void>;
  /** Stops waiting: calls with a recheck in progress are finished without it. */
  release(): void;
}

export function createRechecks(): Rechecks {
  const pending = new Map<
    Captured,
    { readonly recheck: Promise<void>; readonly end: (captured: Captured) => void }
  >();
  return {
    take(captured, done) {
      const { finished } = captured;
      if (finished === null || finished.recheck === null || pending.size >= RECHECKS_MAX)
        return false;
      const end = (found: Captured): void => {
        if (pending.delete(captured)) done(found);
      };
      const recheck = finished.recheck().then(
        (episode) => end({ ...captured, finished: { ...finished, episode } }),
        () => end(captured),
      );
      pending.set(captured, { recheck, end });
      return true;
    },
    async idle() {
      await Promise.all([...pending.values()].map(({ recheck }) => recheck));
    },
    release() {
      for (const [captured, { end }] of pending) end(captured);
    },
  };
}
