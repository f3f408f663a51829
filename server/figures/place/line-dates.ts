import type { Moment } from '../moment';

const DATES_MAX = 4;
const YEAR = /^[12]\d{3}$/;

/** The values that date the lines of a source, by line. */
export class LineDates {
  readonly held = new Map<number, number[]>();

  /** At most four to a line. */
  add(line: number, row: number): void {
    const held = this.held.get(line);
    if (held === undefined) this.held.set(line, [row]);
    else if (held.length < DATES_MAX) held.push(row);
  }
}

/** Whether a moment says which day, month or year a line is of. */
export function datesLine(moment: Moment | null): boolean {
  return moment !== null && (moment.year !== null || moment.month !== null);
}

/** Names of what is a year where it is written as one. */
export const YEAR_NAMES: readonly string[] = ['year', 'date', 'period', 'yr'];

/** Whether a value is the year of its line: it is one, under a name that says so. */
export function isLineYear(name: string, text: string): boolean {
  return YEAR_NAMES.includes(name.trim().toLowerCase()) && YEAR.test(text);
}
