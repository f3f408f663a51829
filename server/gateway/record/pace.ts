import { performance } from 'node:perf_hooks';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

/** Time slice of background work, in milliseconds; a new call may wait that long. */
const SLICE_MS = 0.4;
/** The event loop is busy above this utilization. */
const BUSY_RATE = 0.7;
/**
 * While busy, each slice is followed by a pause of this many slices: a fifth of the time is used
 * for work.
 */
const REST_SLICES = 4;
/**
 * The longest pause, in milliseconds. The time since the last pause contains waits, which use no
 * processor time: after an idle hour, a pause of four hours would follow.
 */
const REST_MAX_MS = 50;
/** Minimum window for measuring the utilization. */
const WINDOW_MS = 100;

/** Keeps background writes from delaying answers. */
export interface Pace {
  /** Call between units of work: yields after a slice, for longer while the event loop is busy. */
  yieldToCalls(): Promise<void>;
}

interface PaceDeps {
  readonly now: () => number;
  /** Recent event loop utilization, 0 to 1. */
  readonly busyRate: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

export function createPace({ now, busyRate, pause }: PaceDeps = systemPaceDeps()): Pace {
  let began = now();
  return {
    async yieldToCalls() {
      const spent = now() - began;
      if (spent < SLICE_MS) return;
      await pause(busyRate() > BUSY_RATE ? Math.min(spent * REST_SLICES, REST_MAX_MS) : 0);
      began = now();
    },
  };
}

function systemPaceDeps(): PaceDeps {
  let from = performance.eventLoopUtilization();
  let fromAt = performance.now();
  let rate = 0;
  return {
    now: () => performance.now(),
    busyRate() {
      const now = performance.now();
      if (now - fromAt < WINDOW_MS) return rate;
      rate = performance.eventLoopUtilization(from).utilization;
      from = performance.eventLoopUtilization();
      fromAt = now;
      return rate;
    },
    pause: (ms) => (ms === 0 ? turn() : delay(ms)),
  };
}
