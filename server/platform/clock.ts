/**
 * `monotonicMs` measures durations, `now` returns the time; leases and schedules use the database's
 * clock (reliability.md section 6).
 */
export interface Clock {
  now(): Date;
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
