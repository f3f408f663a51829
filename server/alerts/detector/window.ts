import { dayOf } from '../window-start';

export const dayMs = 86_400_000;
/** The days that are compared, today included. */
export const windowDays = 56;
/** The latest days, which are searched for a change: an earlier one is not news. */
export const recentDays = 28;
/** The index of the first day of a change that is reported. */
export const firstRecent = windowDays - recentDays;

/** The UTC days of a check; days are counted from 0. */
export interface DetectorWindow {
  /** The first day and today, as dates. */
  readonly first: string;
  readonly today: string;
  readonly startOf: (day: number) => Date;
}

export function detectorWindow(now: Date): DetectorWindow {
  const start = (Math.floor(now.getTime() / dayMs) - (windowDays - 1)) * dayMs;
  const startOf = (day: number): Date => new Date(start + day * dayMs);
  return { first: dayOf(startOf(0)), today: dayOf(now), startOf };
}

/** A list with a value per day of the window. */
export function dailyOf<Value>(value: () => Value): Value[] {
  return Array.from({ length: windowDays }, value);
}
