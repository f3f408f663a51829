import { performance } from 'node:perf_hooks';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

/**
 * Work goes on so long before others get their turn, milliseconds: a call that comes meanwhile
 * waits for it.
 */
const SLICE_MS = 0.4;
/** A loop is busy beyond this share of its time. */
const BUSY_RATE = 0.7;
/** While it is, a slice of work is followed by so many slices of rest: a fifth of the time. */
const REST_SLICES = 4;
/** The share is measured over so long at least. */
const WINDOW_MS = 100;

/** What is written behind answers must not slow the answers that pass. */
export interface Pace {
  /**
   * Call between two pieces of work: gives way when a slice is over, for longer while the event
   * loop is busy.
   */
  giveWay(): Promise<void>;
}

interface Stand {
  readonly now: () => number;
  /** Share of its time that the event loop was at work lately, 0 to 1. */
  readonly busyRate: () => number;
  readonly rest: (ms: number) => Promise<unknown>;
}

export function createPace({ now, busyRate, rest }: Stand = systemStand()): Pace {
  let began = now();
  return {
    async giveWay() {
      const spent = now() - began;
      if (spent < SLICE_MS) return;
      await rest(busyRate() > BUSY_RATE ? spent * REST_SLICES : 0);
      began = now();
    },
  };
}

function systemStand(): Stand {
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
    rest: (ms) => (ms === 0 ? turn() : delay(ms)),
  };
}
