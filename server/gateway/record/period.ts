const dayMs = 86_400_000;

/** The start of a period of whole UTC days up to today. */
export function periodFrom(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() / dayMs) * dayMs - (days - 1) * dayMs);
}
