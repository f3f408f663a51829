const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/**
 * Where a window begins that ends now. From a day up with the UTC day that it reaches back to, so
 * that rates are added up from what is counted by day; the window is then up to a day longer.
 */
export function windowStart(now: Date, minutes: number): Date {
  const from = now.getTime() - minutes * minuteMs;
  return new Date(minutes < 1440 ? from : Math.floor(from / dayMs) * dayMs);
}

/** `2026-01-31` in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
