const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/**
 * The start of a window that ends now. Windows of a day or more are aligned to the start of a UTC
 * day, to sum rates from daily counts; they are then up to a day longer.
 */
export function windowStart(now: Date, minutes: number): Date {
  const from = now.getTime() - minutes * minuteMs;
  return new Date(minutes < 1440 ? from : Math.floor(from / dayMs) * dayMs);
}

/** `2026-01-31` in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
