import type { Moment } from '../moment';

const DATES_MAX = 4;
const YEAR = /^[12]\d{3}$/;

/** The values that date the lines of a source, by line. */
export class LineDates {
  readonly held = new Map<number, number[]>();

  /** At most four per line. */
  add(line: number, row: number): void {
    const held = this.held.get(line);
    if (held === undefined) this.held.set(line, [row]);
    else if (held.length < DATES_MAX) held.push(row);
  }
}

/** Whether a moment gives the day, month or year of a line. */
export function datesLine(moment: Moment | null): boolean {
  return moment !== null && (moment.year !== null || moment.month !== null);
}

/** Names of values that are years if written as one. */
export const YEAR_NAMES: readonly string[] = ['year', 'date', 'period', 'yr'];

/** Whether a value is the year of its line: it looks like one, under a name for years. */
export function isLineYear(name: string, text: string): boolean {
  return YEAR_NAMES.includes(name.trim().toLowerCase()) && YEAR.test(text);
}
