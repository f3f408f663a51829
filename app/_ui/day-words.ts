/** Days in the reader's own time zone and locale. */

/** Either end may be open. `to` is the last instant, included. */
export interface TimeRange {
  readonly from: Date | null;
  readonly to: Date | null;
}

export const startOfDay = (at: Date): Date =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate());

export const endOfDay = (at: Date): Date =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate(), 23, 59, 59, 999);

/** The last `days` days, today included. */
export function lastDays(days: number, now: Date): TimeRange {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
  return { from: first, to: endOfDay(now) };
}

const isSame = (a: Date, b: Date) => a.getTime() === b.getTime();

/** `10 – 12 Nov 2026`; with times where an end is within a day, as in links from charts. */
export function rangeText({ from, to }: TimeRange, locale?: string): string {
  const coversWholeDays =
    (from === null || isSame(from, startOfDay(from))) && (to === null || isSame(to, endOfDay(to)));
  const words = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(coversWholeDays ? { year: 'numeric' } : { hour: 'numeric', minute: '2-digit' }),
  });
  if (from === null) return to === null ? 'Any time' : `Until ${words.format(to)}`;
  if (to === null) return `Since ${words.format(from)}`;
  return words.formatRange(from, to);
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Of `YYYY-MM-DD`, as midnight in the reader's zone; null if there is no such day. */
export function readDay(text: string): Date | null {
  const [, year, month, day] = dayPattern.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const read = new Date(Number(year), Number(month) - 1, Number(day));
  return writeDay(read) === text ? read : null;
}

/** `YYYY-MM-DD` of the day in the reader's zone. */
export function writeDay(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
