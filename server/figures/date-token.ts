import { isDigit, isGap, isLetter, skipDigits } from './characters';
import { dateOf, type Moment, momentValue, timeOf, twoDigits } from './moment';
import { NO_READING, type Token } from './reading';
import { monthOf } from './month-names';

/**
 * Dates and times: ISO; `4 January 2024`, `Jan 4, 2024`, `4th of January`, `March 2020`, the same
 * in other languages (`3. Mai`, `3 de mayo de 2024`, `2024年5月3日`); dd.mm.yyyy; mm/dd/yyyy and
 * dd/mm/yyyy, with both readings if both are dates; 14:00, 2 pm. All patterns are sticky and
 * bounded.
 */

const NAME = '(\\p{L}{3,12})(?!\\p{L})';
const GAP = '[ \\u00a0\\u202f\\u2009]{1,2}';
const ISO = /(\d{4})([-/])(\d{2})(?:\2(\d{2}))?/y;
const ISO_TIME = /[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,30})?))?(?:Z|[+-]\d{2}:?\d{2}(?![\d:]))?/y;
const NUMERIC = /(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2}(?!\d))/y;
const CJK =
  /(?:(\d{4})[ \u00a0]?[年년][ \u00a0]?)?(\d{1,2})[ \u00a0]?[月월](?:[ \u00a0]?(\d{1,2})[ \u00a0]?[日日号號일])?/y;
const CLOCK = /(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,30})?))?(?:[ \u00a0\u202f]?([ap])\.?m\b\.?)?/iy;
const HOUR = /(\d{1,2})[ \u00a0\u202f]?([ap])\.?m\b(?:\.(?=[ ,;)]|$))?/iy;
const DAY_FIRST = new RegExp(
  `(\\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?(?:${GAP}|-)((?:of|de|del)${GAP})?${NAME}(?:\\.?(?:,?${GAP}(?:(?:de|del)${GAP})?|-)(\\d{4})(?!\\d))?`,
  'iuy',
);
const RANGE_START = new RegExp(
  `(\\d{1,2})(?:st|nd|rd|th|\\.)?(?:${GAP})?(?:-|–|to|and|through|bis|al?|au|&)(?:${GAP})?(?:the )?\\d{1,2}(?:st|nd|rd|th|\\.)?${GAP}(?:(?:of|de)${GAP})?${NAME}`,
  'iuy',
);
const MONTH_BEFORE = new RegExp(`${NAME}(?:\\.?,?${GAP}|\\.?${GAP}(?:the|de|del)${GAP})$`, 'iu');
const DAY_AFTER_MONTH =
  /(\d{1,2})(?:st|nd|rd|th)?\b(?:,?[ \u00a0\u202f]{1,2}(\d{4})(?![\d%]|[.,:]\d))?/y;
const YEAR_AFTER_MONTH = /(\d{4})/y;
const LATER_DAY = /(\d{1,2})(st|nd|rd|th)?(?:,?[ \u00a0\u202f]{1,2}(\d{4})(?![\d%]|[.,:]\d))?/y;
const CARRIES = /^\s{0,2}(?:(-|–|—|to|through|until|till)|,|&|and|or|, ?and)\s{0,2}(?:the )?$/i;
/** Maximum distance between a month and its day, and between the days of one month. */
const MONTH_REACH = 18;
const CARRY_REACH = 12;
const [DASH, SLASH, POINT, COLON, AMPERSAND, EN_DASH] = [45, 47, 46, 58, 38, 0x2013];
const [YEAR_SIGN, YEAR_HANGUL, MONTH_SIGN, MONTH_HANGUL] = [0x5e74, 0xb144, 0x6708, 0xc6d4];

/**
 * A date, time or date-time whose first digit is at `at`; `floor` is the end of the previous token.
 * The characters after the digits select the patterns that can match, so that a plain number costs
 * none.
 */
export function readMoment(text: string, at: number, floor: number): Token | null {
  const end = skipDigits(text, at);
  const length = end - at;
  if (length > 4) return null;
  const next = text.charCodeAt(end);
  const behind = isGap(next) ? text.charCodeAt(end + 1) : next;
  if (
    behind === YEAR_SIGN ||
    behind === YEAR_HANGUL ||
    behind === MONTH_SIGN ||
    behind === MONTH_HANGUL
  )
    return readCjk(text, at);
  const date = readMonthFirst(text, at, floor);
  if (date !== null) return date;
  if (length === 4) return next === DASH || next === SLASH ? readIso(text, at) : null;
  if (length > 2) return null;
  if (next === POINT || next === SLASH || next === DASH) {
    const numeric = readNumericDate(text, at);
    if (numeric !== null) return numeric;
  }
  if (next === COLON) return readClock(text, at);
  if (next === POINT && isGap(text.charCodeAt(end + 1))) return readDayFirst(text, at);
  const half = behind | 0x20;
  if (half === 0x61 || half === 0x70) {
    const hour = readHour(text, at);
    if (hour !== null) return hour;
  }
  return isDigit(behind) ||
    !(
      isLetter(behind) ||
      isGap(behind) ||
      behind === DASH ||
      behind === EN_DASH ||
      behind === AMPERSAND
    )
    ? null
    : readDayFirst(text, at);
}

/**
 * "January 3rd, 4th and 5th", "January 3-7", "June 19 and 20.": a later day of the month in the
 * date before. A bare number after "and" or a comma counts only if no countable word follows.
 */
export function readLaterDay(text: string, at: number, before: Token): Token | null {
  const month = before.reading.moment?.month ?? null;
  if (month === null || before.reading.moment?.day == null || at - before.to > CARRY_REACH)
    return null;
  const link = CARRIES.exec(text.slice(before.to, at));
  const match = stick(LATER_DAY, text, at);
  if (link === null || match === null) return null;
  const [all, day = '', suffix, year = null] = match;
  const open =
    link[1] !== undefined ||
    /^(?:[.,;)]|$)/u.test(text.slice(at + all.length, at + all.length + 1));
  if (suffix === undefined && (!open || runsOn(text, at + day.length))) return null;
  if (isDigit(text.charCodeAt(at + all.length))) return null;
  return tokenOf(at, at + all.length, dateOf(year, Number(month), Number(day)));
}

function readIso(text: string, at: number): Token | null {
  const match = stick(ISO, text, at);
  if (match === null) return null;
  const [all, year = '', separator, month = '', day] = match;
  const end = at + all.length;
  const time = day === undefined ? null : stick(ISO_TIME, text, end);
  // 2024/01 alone may be a fraction or a path as well as a month.
  if ((time === null && continues(text, end, '-/')) || (day === undefined && separator === '/'))
    return null;
  const date = dateOf(year, Number(month), day === undefined ? null : Number(day));
  if (date === null || day === undefined) return tokenOf(at, end, date);
  const clock =
    time === null ? null : timeOf(Number(time[1]), Number(time[2]), time[3] ?? null, null);
  if (time === null || clock === null || continues(text, end + time[0].length, ':'))
    return tokenOf(at, end, date);
  return tokenOf(at, end + time[0].length, {
    ...clock,
    year: date.year,
    month: date.month,
    day: date.day,
  });
}

function readNumericDate(text: string, at: number): Token | null {
  const match = stick(NUMERIC, text, at);
  if (match === null || continues(text, at + match[0].length, './-')) return null;
  const [all, first = '', separator, second = '', digits = ''] = match;
  // "1.2.24" is a version; "03.05.24" is a date, since no part of a version begins with a zero.
  if (
    digits.length === 2 &&
    (separator === '-' || (separator === '.' && !(first.length === 2 && second.startsWith('0'))))
  )
    return null;
  const year = digits.length === 2 ? `20${digits}` : digits;
  const dayFirst = dateOf(year, Number(second), Number(first));
  const monthFirst = separator === '.' ? null : dateOf(year, Number(first), Number(second));
  const end = at + all.length;
  if (dayFirst === null || monthFirst === null || first === second)
    return tokenOf(at, end, dayFirst ?? monthFirst);
  // 04/01/2024 may be either date, and is returned as both (`eitherDate`).
  return {
    from: at,
    to: end,
    kind: 'date',
    value: all,
    unit: null,
    scale: 0,
    reading: {
      ...NO_READING,
      literal: `${twoDigits(Number(first))}/${twoDigits(Number(second))}/${year}`,
    },
  };
}

function readClock(text: string, at: number): Token | null {
  const clock = stick(CLOCK, text, at);
  if (clock === null) return null;
  const end = at + clock[0].length;
  if (continues(text, end, ':')) return null;
  return tokenOf(
    at,
    end,
    timeOf(Number(clock[1]), Number(clock[2]), clock[3] ?? null, halfOf(clock[4])),
  );
}

function readHour(text: string, at: number): Token | null {
  const hour = stick(HOUR, text, at);
  if (hour === null || Number(hour[1]) > 12) return null;
  return tokenOf(at, at + hour[0].length, timeOf(Number(hour[1]), 0, null, halfOf(hour[2])));
}

function readMonthFirst(text: string, at: number, floor: number): Token | null {
  const gap = text.charCodeAt(at - 1);
  if (at === 0 || (gap !== 32 && gap !== 0xa0 && gap !== 0x202f)) return null;
  const word = text.charCodeAt(at - 2);
  if (at - 2 < floor || !(isLetter(word) || word === POINT || word === 44 || isGap(word)))
    return null;
  const left = Math.max(floor, at - MONTH_REACH);
  const before = MONTH_BEFORE.exec(text.slice(left, at));
  const name = before?.[1];
  if (before === null || name === undefined) return null;
  const from = left + before.index;
  const after = isDigit(text.charCodeAt(at + 3)) && isDigit(text.charCodeAt(at + 2));
  const month =
    (from > 0 && isLetter(text.charCodeAt(from - 1))) || from < floor ? null : monthOf(name, after);
  if (month === null) return null;
  const year = stick(YEAR_AFTER_MONTH, text, at);
  if (year !== null && !runsOn(text, at + 4))
    return tokenOf(from, at + 4, dateOf(year[0], month, null));
  const day = stick(DAY_AFTER_MONTH, text, at);
  if (day === null || (day[2] === undefined && runsOn(text, at + day[0].length))) return null;
  return tokenOf(from, at + day[0].length, dateOf(day[2] ?? null, month, Number(day[1])));
}

function readDayFirst(text: string, at: number): Token | null {
  const match = stick(DAY_FIRST, text, at);
  const month =
    match === null
      ? null
      : monthOf(match[3] ?? '', match[2] !== undefined || match[4] !== undefined);
  if (match !== null && month !== null)
    return tokenOf(at, at + match[0].length, dateOf(match[4] ?? null, month, Number(match[1])));
  const range = stick(RANGE_START, text, at);
  const later = range === null ? null : monthOf(range[2] ?? '', true);
  if (range === null || later === null) return null;
  const digits = (range[1] ?? '').length;
  const suffix = isLetter(text.charCodeAt(at + digits)) ? 2 : 0;
  return tokenOf(at, at + digits + suffix, dateOf(null, later, Number(range[1])));
}

/** `2024年5月3日`, `5月3日`, `2024년 5월`; a month alone is a number. */
function readCjk(text: string, at: number): Token | null {
  const match = stick(CJK, text, at);
  if (match === null || (match[1] === undefined && match[3] === undefined)) return null;
  const [all, year = null, month, day] = match;
  return tokenOf(
    at,
    at + all.length,
    dateOf(year, Number(month), day === undefined ? null : Number(day)),
  );
}

function halfOf(letter: string | undefined): 'am' | 'pm' | null {
  if (letter === undefined) return null;
  return letter.toLowerCase() === 'a' ? 'am' : 'pm';
}

function tokenOf(from: number, to: number, moment: Moment | null): Token | null {
  if (moment === null) return null;
  const kind = moment.clock === null ? 'date' : moment.month === null ? 'time' : 'datetime';
  return {
    from,
    to,
    kind,
    value: momentValue(moment),
    unit: null,
    scale: 0,
    reading: { ...NO_READING, moment },
  };
}

/** The token continues after `at`: a digit, a letter, or one of `joints` followed by a digit. */
function continues(text: string, at: number, joints: string): boolean {
  const next = text.charCodeAt(at);
  if (isDigit(next) || isLetter(next)) return true;
  return at < text.length && joints.includes(text.charAt(at)) && isDigit(text.charCodeAt(at + 1));
}

/** The next characters indicate a number, not a day or year: `5%`, `5.5`, `1,200`, `5:30`. */
function runsOn(text: string, at: number): boolean {
  const next = text.charAt(at);
  return continues(text, at, '.,:') || next === '%' || next === '°';
}

function stick(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
