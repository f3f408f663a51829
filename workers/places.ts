import type { Clock } from '../server/platform';

/**
 * Room for so many pieces of work at a time, and a few more that are at hand when a place is left,
 * so that it is not left empty while the next piece comes from the queue and is claimed. A piece
 * goes through it so: `order`, then either `forgo` or `take`, and after a `take` that gave a place,
 * `leave`.
 */
export interface Places {
  free(): number;
  /** Whether a piece that came now would find a place, now or in a moment. */
  hasRoom(): boolean;
  /**
   * Waits until pieces may come, and returns how many, at most `most`; 0 when none may for `ms`, or
   * when `signal` fires.
   */
  order(most: number, signal: AbortSignal, ms: number): Promise<number>;
  /** That so many ordered pieces do not come. */
  forgo(count: number): void;
  /**
   * Gives an ordered piece a place, in the order asked; false when none was free for `ms`, or when
   * `signal` fires: it does not come.
   */
  take(signal: AbortSignal, ms: number): Promise<boolean>;
  leave(): void;
}

/** About as long as a piece takes from the queue to its claim. */
const momentMs = 50;
const aheadMost = 16;

/**
 * Pieces are ordered for each place that is free, and next to these for as many as were left in the
 * last moment, at most a twelfth of all: so many will be left in the next one too. Where pieces
 * take long hardly any waits here while another worker is idle.
 */
export function createPlaces(size: number, clock: Pick<Clock, 'monotonicMs'>): Places {
  const ahead = Math.min(aheadMost, Math.ceil(size / 12));
  const ordering = createQueue();
  const taking = createQueue();
  let free = size;
  /** Ordered, and neither in a place nor given up. */
  let coming = 0;
  /** When places were left, the latest `ahead` of them. */
  const left: number[] = [];

  function room(): number {
    const since = clock.monotonicMs() - momentMs;
    return free + left.filter((at) => at >= since).length - coming;
  }
  function callNext(): void {
    for (let more = room(); more > 0 && ordering.next(); more--);
  }

  return {
    free: () => free,
    hasRoom: () => room() > 0,
    async order(most, signal, ms) {
      if (room() <= 0 && !(await ordering.wait(signal, ms))) return 0;
      const count = Math.min(most, Math.max(1, room()));
      coming += count;
      return count;
    },
    forgo(count) {
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
    leave() {
      left.push(clock.monotonicMs());
      if (left.length > ahead) left.shift();
      if (!taking.next()) free++;
      callNext();
    },
  };
}

interface Queue {
  /** True when it was called; false when `ms` passed or `signal` fired before. */
  wait(signal: AbortSignal, ms: number): Promise<boolean>;
  /** Calls who came first; false where no one waits. */
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
