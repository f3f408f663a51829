import type { Clock } from '../server/platform';

/**
 * Slots for work in progress, plus a few pieces fetched ahead, so that a released slot is not idle
 * while the next piece arrives from the queue and is claimed. The lifecycle of a piece: `order`,
 * then `cancel` or `take`, and `release` after a `take` that returned true.
 */
export interface Slots {
  free(): number;
  /** How many pieces that arrived now would get a slot, now or shortly; may be negative. */
  available(): number;
  /**
   * Waits until pieces may arrive, and returns how many, at most `max`; 0 if none may within `ms`,
   * or if `signal` fires.
   */
  order(max: number, signal: AbortSignal, ms: number): Promise<number>;
  /** Cancels `count` ordered pieces. */
  cancel(count: number): void;
  /**
   * Assigns a slot to an ordered piece, in order of arrival; false if none became free within `ms`,
   * or if `signal` fires: the piece is then cancelled.
   */
  take(signal: AbortSignal, ms: number): Promise<boolean>;
  release(): void;
}

/** Approximate time that a piece takes from the queue to its claim. */
const momentMs = 50;
const maxAhead = 16;

/**
 * Pieces are ordered for each free slot, and ahead for as many slots as were released in the last
 * moment, at most a twelfth of all: about as many will be released in the next one. If pieces take
 * long, hardly any wait here while another worker is idle.
 */
export function createSlots(size: number, clock: Pick<Clock, 'monotonicMs'>): Slots {
  const ahead = Math.min(maxAhead, Math.ceil(size / 12));
  const ordering = createQueue();
  const taking = createQueue();
  let free = size;
  /** Ordered, and neither in a slot nor cancelled. */
  let coming = 0;
  /** Times at which slots were released, only the latest `ahead` of them. */
  const left: number[] = [];

  function available(): number {
    const since = clock.monotonicMs() - momentMs;
    return free + left.filter((at) => at >= since).length - coming;
  }
  function callNext(): void {
    for (let more = available(); more > 0 && ordering.next(); more--);
  }

  return {
    free: () => free,
    available,
    async order(max, signal, ms) {
      if (available() <= 0 && !(await ordering.wait(signal, ms))) return 0;
      const count = Math.min(max, Math.max(1, available()));
      coming += count;
      return count;
    },
    cancel(count) {
      coming -= count;
      callNext();
    },
    async take(signal, ms) {
      if (free > 0) free--;
      else if (!(await taking.wait(signal, ms))) {
        coming--;
        callNext();
        return false;
      }
      coming--;
      return true;
    },
    release() {
      left.push(clock.monotonicMs());
      if (left.length > ahead) left.shift();
      if (!taking.next()) free++;
      callNext();
    },
  };
}

interface Queue {
  /** True if it was signalled; false if `ms` passed or `signal` fired first. */
  wait(signal: AbortSignal, ms: number): Promise<boolean>;
  /** Signals the first waiter; false if there is none. */
  next(): boolean;
}

function createQueue(): Queue {
  const waiting = new Set<(called: boolean) => void>();
  return {
    wait(signal, ms) {
      if (signal.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const end = (called: boolean): void => {
          waiting.delete(end);
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          resolve(called);
        };
        const giveUp = (): void => end(false);
        const timer = setTimeout(giveUp, ms);
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(end);
      });
    },
    next() {
      const [first] = waiting;
      first?.(true);
      return first !== undefined;
    },
  };
}
