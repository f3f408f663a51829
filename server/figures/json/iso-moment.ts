import { dateOf, isLeapYear, type Moment, timeOf } from '../moment';
import { packDate } from '../moment-index';

/**
 * Strings that are certainly one ISO date or date-time, recognized by their code units; hours end
 * at 23. The scanner reads everything else.
 */
const DAYS = Uint8Array.of(0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31);
const [DASH, COLON, POINT, PLUS, BLANK, T, Z] = [45, 58, 46, 43, 32, 84, 90] as const;
const DATE_LENGTH = 10;
const CLOCK_LENGTH = 5;
const FRACTION_MAX = 9;

export function isMoment(units: Uint16Array, from: number, to: number): boolean {
  const length = to - from;
  if (length < DATE_LENGTH || !isDate(units, from)) return false;
  if (length === DATE_LENGTH) return true;
  const joint = units[from + 10];
  if (length < 16 || (joint !== T && joint !== BLANK) || !isMinute(units, from + 11)) return false;
  const at = secondsEnd(units, from + 16, to);
  return at === to || (at > 0 && isZone(units, at, to));
}

/** Strings that are one time of day, as `15:00` and `15:00:00.5`. */
export function isClock(units: Uint16Array, from: number, to: number): boolean {
  return (
    to - from >= CLOCK_LENGTH &&
    isMinute(units, from) &&
    secondsEnd(units, from + CLOCK_LENGTH, to) === to
  );
}

/** The end of seconds that may be at `at`; 0 if there are none. */
function secondsEnd(units: Uint16Array, from: number, to: number): number {
  let at = from;
  if (at < to && units[at] === COLON) {
    if (at + 3 > to || twoAt(units, at + 1) > 59) return 0;
    at += 3;
    if (at < to && units[at] === POINT) {
      const digits = at + 1;
      for (at = digits; at < to && at - digits < FRACTION_MAX && isDigit(units[at] ?? 0); at++);
      if (at === digits) return 0;
    }
  }
  return at;
}

function isDate(units: Uint16Array, from: number): boolean {
  if (units[from + 4] !== DASH || units[from + 7] !== DASH) return false;
  if (twoAt(units, from) > 99 || twoAt(units, from + 2) > 99) return false;
  const month = twoAt(units, from + 5);
  const day = twoAt(units, from + 8);
  if (month < 1 || month > 12 || day < 1) return false;
  return (
    day <= (DAYS[month] ?? 0) ||
    (month === 2 && day === 29 && isLeapYear(twoAt(units, from) * 100 + twoAt(units, from + 2)))
  );
}

function isMinute(units: Uint16Array, from: number): boolean {
  return twoAt(units, from) <= 23 && units[from + 2] === COLON && twoAt(units, from + 3) <= 59;
}

function isZone(units: Uint16Array, at: number, to: number): boolean {
  if (units[at] === Z) return at + 1 === to;
  const signed = units[at] === PLUS || units[at] === DASH;
  return (
    signed &&
    at + 6 === to &&
    units[at + 3] === COLON &&
    twoAt(units, at + 1) <= 99 &&
    twoAt(units, at + 4) <= 99
  );
}

/** The result that the scanner would return for such a string. */
export function isoMoment(text: string): Moment | null {
  if (text[2] === ':') return timeIn(text);
  const date = dateOf(text.slice(0, 4), Number(text.slice(5, 7)), Number(text.slice(8, 10)));
  if (date === null || text.length === DATE_LENGTH) return date;
  const time = timeIn(text.slice(DATE_LENGTH + 1));
  return time === null ? date : { ...time, year: date.year, month: date.month, day: date.day };
}

function timeIn(text: string): Moment | null {
  const second =
    /^\d\d(?:\.\d+)?/u.exec(text[CLOCK_LENGTH] === ':' ? text.slice(CLOCK_LENGTH + 1) : '')?.[0] ??
    null;
  return timeOf(Number(text.slice(0, 2)), Number(text.slice(3, CLOCK_LENGTH)), second, null);
}

/** The day of such a string, packed. */
export function packedDay(units: Uint16Array, from: number): number {
  return packDate(
    twoAt(units, from) * 100 + twoAt(units, from + 2),
    twoAt(units, from + 5),
    twoAt(units, from + 8),
  );
}

/** The minute of the day plus one, from the clock in such a string at `from`. */
export function packedClock(units: Uint16Array, from: number): number {
  return twoAt(units, from) * 60 + twoAt(units, from + 3) + 1;
}

/** Two digits as a number; more than 99 if they are not digits. */
function twoAt(units: Uint16Array, at: number): number {
  const [tens, ones] = [(units[at] ?? 0) - 48, (units[at + 1] ?? 0) - 48];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 1_000;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
