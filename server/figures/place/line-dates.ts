import type { Moment } from '../moment';

const DATES_MAX = 4;
const YEAR = /^[12]\d{3}$/;

/** The values that date the lines of a source, by line. */
export class LineDates {
  readonly byLine = new Map<number, number[]>();

  /** At most four per line. */
  add(line: number, row: number): void {
    const positions = this.byLine.get(line);
    if (positions === undefined) this.byLine.set(line, [row]);
    else if (positions.length < DATES_MAX) positions.push(row);
  }
}

/** Whether a moment contains the day, month or year of a line. */
export function datesLine(moment: Moment | null): boolean {
  return moment !== null && (moment.year !== null || moment.month !== null);
}

/** Names of values that are years if they have the form of a year. */
export const YEAR_NAMES: readonly string[] = ['year', 'date', 'period', 'yr'];

/** Whether a value is the year of its line: it has the form of a year, under a name for years. */
export function isLineYear(name: string, text: string): boolean {
  return YEAR_NAMES.includes(name.trim().toLowerCase()) && YEAR.test(text);
}
