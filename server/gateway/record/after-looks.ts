import type { Captured } from '../proxy/captured';

/** Looks behind answers that are under way at once; a call beyond them is recorded without. */
const LOOKS_MAX = 32;

/**
 * Second looks at answers that were delivered: each ends in the record of its call, and not before.
 */
export interface AfterLooks {
  /** Whether the call has a look to come: then `done` gets it, once, with what was found. */
  take(captured: Captured, done: (captured: Captured) => void): boolean;
  /** Resolves when no look is under way. Never throws. */
  settled(): Promise<void>;
  /** Ends the waiting: calls whose look is still under way are done as they are. */
  release(): void;
}

export function createAfterLooks(): AfterLooks {
  const pending = new Map<
    Captured,
    { readonly look: Promise<void>; readonly end: (captured: Captured) => void }
  >();
  return {
    take(captured, done) {
      const { settled } = captured;
      if (settled === null || settled.after === null || pending.size >= LOOKS_MAX) return false;
      const end = (found: Captured): void => {
        if (pending.delete(captured)) done(found);
      };
      const look = settled.after().then(
        (episode) => end({ ...captured, settled: { ...settled, episode } }),
        () => end(captured),
      );
      pending.set(captured, { look, end });
      return true;
    },
    async settled() {
      await Promise.all([...pending.values()].map(({ look }) => look));
    },
    release() {
      for (const [captured, { end }] of pending) end(captured);
    },
  };
}
