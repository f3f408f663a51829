/**
 * Dates and times as written, down to the precision shown. Values: `2024-01-04`, `2024-01`,
 * `--01-04` (no year, as in ISO 8601:2000), `14:00`, `14:00:05.250`, `2024-01-04T14:00`. Seconds of
 * zero are dropped: 14:00:00 is 14:00. Zones and offsets are not converted: the wall clock as
 * written is compared.
 */
export interface Moment {
  readonly year: string | null;
  readonly month: string | null;
  readonly day: string | null;
  /** `14:00`, always two digits each. */
  readonly clock: string | null;
  /** `05`, or null if not shown or zero. */
  readonly second: string | null;
  /** Digits after the second's point, without trailing zeros. */
  readonly fraction: string | null;
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** A calendar date, or null if there is no such day. `year` null leaves 29 February possible. */
export function dateOf(year: string | null, month: number, day: number | null): Moment | null {
  const days = DAYS[month - 1];
  if (days === undefined || (day !== null && (day < 1 || day > days))) return null;
  if (month === 2 && day === 29 && year !== null && !isLeapYear(Number(year))) return null;
  const date = { year, month: twoDigits(month), day: day === null ? null : twoDigits(day) };
  return { ...date, clock: null, second: null, fraction: null };
}

/** The dates that `03/05/2024` may be, day first and month first; null for any other literal. */
export function eitherDate(literal: string): readonly Moment[] | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/u.exec(literal);
  if (match === null) return null;
  const [, first, second, year = ''] = match;
  return [
    dateOf(year, Number(second), Number(first)),
    dateOf(year, Number(first), Number(second)),
  ].filter((date) => date !== null);
}

/** Source formats of a whole date that can mean two dates. */
export function ambiguousForms({ year, month, day, clock }: Moment): readonly string[] {
  if (year === null || month === null || day === null || clock !== null) return [];
  return [`${day}/${month}/${year}`, `${month}/${day}/${year}`];
}

/** A time of day, or null if there is no such time. 24:00 is allowed, 12 am is 00:00. */
export function timeOf(
  hour: number,
  minute: number,
  second: string | null,
  half: 'am' | 'pm' | null,
): Moment | null {
  let hours = hour;
  // "20:00 PM" is written by people and models alike: the 24-hour reading applies.
  if (half !== null && hour <= 12) hours = (hour % 12) + (half === 'pm' ? 12 : 0);
  const seconds = second === null ? null : second.slice(0, 2);
  if (hours > 24 || (hours === 24 && minute > 0) || minute > 59 || Number(seconds ?? 0) > 60)
    return null;
  const keptDigits =
    second === null || second.length < 4 ? '' : second.slice(3).replace(/0{1,30}$/u, '');
  const clock = `${twoDigits(hours)}:${twoDigits(minute)}`;
  const shown = seconds === '00' && keptDigits === '' ? null : seconds;
  return {
    year: null,
    month: null,
    day: null,
    clock,
    second: shown,
    fraction: keptDigits === '' ? null : keptDigits,
  };
}

/** The canonical value of a moment. */
export function momentValue(moment: Moment): string {
  const date = dateText(moment);
  const time = timeText(moment);
  if (date === '') return time;
  return time === '' ? date : `${date}T${time}`;
}

function dateText({ year, month, day }: Moment): string {
  if (month === null) return year ?? '';
  if (day === null) return `${year ?? '-'}-${month}`;
  return `${year ?? '-'}-${month}-${day}`;
}

function timeText({ clock, second, fraction }: Moment): string {
  if (clock === null) return '';
  if (second === null) return clock;
  return fraction === null ? `${clock}:${second}` : `${clock}:${second}.${fraction}`;
}

/** The parts that a moment shows, as one word: the part letters in order. */
export function shape(moment: Moment): string {
  const { year, month, day, clock, second, fraction } = moment;
  const letters = [
    year && 'Y',
    month && 'M',
    day && 'D',
    clock && 'C',
    second && 'S',
    fraction && 'F',
  ];
  return letters.filter((letter) => letter !== null).join('');
}

/**
 * A source's moment cut to the parts of `shape`, as a lookup key; null if the source lacks one of
 * them.
 */
export function cutTo(moment: Moment, wanted: string): string | null {
  const parts: string[] = [];
  for (const letter of wanted) {
    const part = partOf(moment, letter);
    if (part === null) return null;
    parts.push(part);
  }
  return parts.join('|');
}

function partOf(moment: Moment, letter: string): string | null {
  if (letter === 'Y') return moment.year;
  if (letter === 'M') return moment.month;
  if (letter === 'D') return moment.day;
  if (letter === 'C') return moment.clock;
  if (letter === 'S') return moment.second;
  return moment.fraction;
}

export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
