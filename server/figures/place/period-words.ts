import type { Moment } from '../moment';
import { months } from '../vocabulary';
import { ClueWord } from './clue-words';
import type { Grid } from './grid';
import type { Sentence } from './sentence';
import { coversParts, singlePeriod, type SentencePeriod } from './sentence-period';

/**
 * Times that a sentence names by words: "the second day", "Friday", "in July", "the next day", "the
 * previous year".
 */
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const NUMBERS = 'one two three four five six seven eight nine ten'.split(' ');
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const WORDS = new RegExp(
  `\\b(?:(${ORDINALS.join('|')}|last|final)\\s+day|day\\s+(\\d{1,2}|${NUMBERS.join('|')})|(${WEEKDAYS.join('|')})s?)\\b`,
  'gi',
);
const MONTHS = [...months.keys()]
  .map((name) => name.charAt(0).toUpperCase() + name.slice(1))
  .sort((a, b) => b.length - a.length);
/** A month on its own: "- June: 4", "(June)", "| June |". */
const APART = new RegExp(
  `(?:^\\s*(?:[-*•]\\s+)?\\**|^\\s*(?:[Tt]ake|[Cc]onsider)\\s|[|(]\\s*)(${MONTHS.join('|')})\\b(?=\\**\\s?[:|)])`,
  'gu',
);
/** A time relative to another one. */
const RELATIVE =
  /\b(?:(?:the|a|one|two|three)\s(day|night|week|month|quarter|year)s?\s(before|after|earlier|later)|(?:the\s)?(next|following|previous|preceding|prior|last)\s(day|night|morning|week|month|quarter|year)|(yesterday|tomorrow))\b(?!['’]s)/gi;
/** A month without a day or a year, after a preposition: `May` is a verb as well. */
const MONTH = new RegExp(
  `\\b(?:[Ii]n|[Bb]y|[Oo]f|[Ff]rom|[Ss]ince|[Uu]ntil|[Tt]ill|[Tt]hrough|[Tt]o|[Bb]etween|[Dd]uring|[Tt]hroughout|[Ff]or|[Aa]nd|[Aa]fter|[Bb]efore|[Ee]arly|[Ll]ate|[Mm]id)[\\s-]{1,2}(${MONTHS.join('|')})\\b\\.?(?!\\s{0,2},?\\s{0,2}(?:\\d{1,2}(?:st|nd|rd|th)?|\\d{4})\\b(?!\\.\\d))`,
  'g',
);
/** "FY2023": a year written as one word. */
const FISCAL_YEAR = /\bFY-?((?:19|20)\d\d)\b/g;
/** Relative to today as often as to the last mentioned time. */
const OF_TODAY = /^(?:last|next)\s(?!day|night|morning)/i;
const IS_BACK = new Set([
  'before',
  'earlier',
  'previous',
  'preceding',
  'prior',
  'last',
  'yesterday',
]);
const SINGLE = new Set(['the', 'a', 'one']);

export function periodsOfWords(
  sentence: Sentence,
  dated: readonly SentencePeriod[],
  before: SentencePeriod | null,
): readonly SentencePeriod[] {
  const found: SentencePeriod[] = [];
  if (sentence.mayGive(ClueWord.month)) {
    for (const match of [...sentence.text.matchAll(MONTH), ...sentence.text.matchAll(APART)]) {
      const when = monthOf(match, sentence);
      if (!dated.some((each) => each.from < when.to && each.to > when.from)) found.push(when);
    }
  }
  if (!sentence.mayGive(ClueWord.day)) return found;
  for (const match of sentence.text.matchAll(WORDS)) found.push(dayOf(match, sentence));
  for (const match of sentence.text.matchAll(FISCAL_YEAR)) found.push(yearOf(match, sentence));
  for (const match of sentence.text.matchAll(RELATIVE)) {
    const from = sentence.from + match.index;
    const earlier = [...dated, ...found]
      .filter((each) => each.to <= from)
      .sort((a, b) => a.from - b.from);
    found.push(
      relativeTo(earlier.at(-1) ?? (OF_TODAY.test(match[0]) ? null : before), match, sentence),
    );
  }
  return found;
}

function monthOf(match: RegExpExecArray, sentence: Sentence): SentencePeriod {
  const [all, name = ''] = match;
  const to = sentence.from + match.index + all.length;
  const from = to - name.length - (all.endsWith('.') ? 1 : 0);
  const parts = {
    year: null,
    month: String(months.get(name.toLowerCase()) ?? 0).padStart(2, '0'),
    day: null,
  };
  return singlePeriod({
    from,
    to,
    text: name,
    day: false,
    figures: [],
    bounds: [parts, parts],
    covers: coversParts(parts),
  });
}

function yearOf(
  { 0: text, 1: year = '', index }: RegExpExecArray,
  sentence: Sentence,
): SentencePeriod {
  const from = sentence.from + index;
  const parts = { year, month: null, day: null };
  return singlePeriod({
    from,
    to: from + text.length,
    text,
    day: false,
    figures: [],
    bounds: [parts, parts],
    covers: coversParts(parts),
  });
}

function dayOf(match: RegExpExecArray, sentence: Sentence): SentencePeriod {
  const [text, ordinal, number, weekday] = match;
  const from = sentence.from + match.index;
  const base = { from, to: from + text.length, text, day: true, figures: [], bounds: null };
  if (weekday !== undefined) {
    const wanted = WEEKDAYS.indexOf(weekday.toLowerCase());
    return singlePeriod({ ...base, covers: (row: Moment) => weekdayOf(row) === wanted });
  }
  const nth =
    ordinal === undefined
      ? NUMBERS.indexOf((number ?? '').toLowerCase()) + 1 || Number(number)
      : ORDINALS.indexOf(ordinal.toLowerCase()) + 1;
  const covers = (row: Moment, grid: Grid): boolean =>
    dayKey(row) === (nth === 0 ? grid.days().at(-1) : grid.days()[nth - 1]);
  return singlePeriod({ ...base, covers });
}

/** "The day before": the other time, shifted; if none is known it may be any. */
function relativeTo(
  other: SentencePeriod | null,
  match: RegExpExecArray,
  sentence: Sentence,
): SentencePeriod {
  const [text, unit, way, side, ofUnit, alone] = match;
  const from = sentence.from + match.index;
  const base = { from, to: from + text.length, text, figures: [], bounds: null };
  const word = (way ?? side ?? alone ?? '').toLowerCase();
  const step = (unit ?? ofUnit ?? 'day').toLowerCase();
  const counted = unit === undefined || SINGLE.has((/^\w+/u.exec(text)?.[0] ?? '').toLowerCase());
  const shift =
    other === null || alone !== undefined || !counted
      ? null
      : shiftOf(step, IS_BACK.has(word) ? -1 : 1, other);
  if (other === null || shift === null)
    return singlePeriod({ ...base, day: false, covers: () => true });
  const covers: SentencePeriod['covers'] = (row, grid) => {
    const moved = shift(row);
    return moved === null || other.covers(moved, grid);
  };
  return singlePeriod({ ...base, day: step === 'day' && other.day, covers });
}

type Shift = (row: Moment) => Moment | null;

/** Shifts a row's date back to its reference time; null if the other time is not precise enough. */
function shiftOf(step: string, way: 1 | -1, other: SentencePeriod): Shift | null {
  const parts = other.bounds?.[0];
  if (step === 'day') return other.day ? (row) => movedBy(row, -way) : null;
  if (parts === undefined || other.ends !== null) return null;
  if (step === 'year')
    return (row) =>
      row.year === null ? row : { ...row, ...parts, year: String(Number(row.year) - way) };
  if (step !== 'month' || parts.month === null) return null;
  return (row) => {
    if (row.year === null || row.month === null) return row;
    const count = Number(row.year) * 12 + Number(row.month) - 1 - way;
    return {
      ...row,
      year: String(Math.floor(count / 12)),
      month: twoDigits((count % 12) + 1),
      day: parts.day,
    };
  };
}

const DAY_MS = 86_400_000;

function movedBy(row: Moment, days: number): Moment | null {
  const key = dayKey(row);
  if (key === null) return null;
  const [year = '', month = '', day = ''] = new Date(Date.parse(`${key}T00:00:00Z`) + days * DAY_MS)
    .toISOString()
    .slice(0, 10)
    .split('-');
  return { ...row, year, month, day };
}

function dayKey({ year, month, day }: Pick<Moment, 'year' | 'month' | 'day'>): string | null {
  return year === null || month === null || day === null ? null : `${year}-${month}-${day}`;
}

function weekdayOf(moment: Moment): number | null {
  const key = dayKey(moment);
  return key === null ? null : new Date(`${key}T00:00:00Z`).getUTCDay();
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
