import type { Moment } from '../moment';
import type { ScannedFigure } from '../scan';
import type { Grid } from './grid';
import { ClueWord } from './clue-words';
import { months } from '../vocabulary';
import type { Sentence } from './sentence';

/** A stretch of time that a sentence names: a date, several, a span, "the second day", "Friday". */
export interface When {
  /** UTF-16 indexes of the answer; equal where it was taken over from a sentence before. */
  readonly from: number;
  readonly to: number;
  /** As the answer writes it. */
  readonly text: string;
  /** One day, which sentences that follow may go on about. */
  readonly day: boolean;
  readonly covers: (moment: Moment, grid: Grid) => boolean;
  /** What its first and last date cover, where it is a span. */
  readonly ends: readonly [When['covers'], When['covers']] | null;
  /** Figures that it is made of. */
  readonly figures: readonly ScannedFigure[];
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const WORDS = new RegExp(`\\b(?:(${ORDINALS.join('|')}|last|final)\\s+day|day\\s+(\\d{1,2})|(${WEEKDAYS.join('|')})s?)\\b`, 'gi');
const LINKS = /^\s{0,2}(?:(?:,|and|or|&|, ?and)|(to|through|thru|until|till|-|–|—))\s{0,2}(?:the\s|on\s)?$/i;
const OPENS_SPAN = /\b(?:from|between|range[ds]?|ranging|period|during)\s{1,2}(?:the\s)?(?:(?:early|late|mid)[- ])?$/i;
const PLAUSIBLE_YEAR = /^(?:1[5-9]|2[01])\d\d$/;
const YEAR_CUE =
  /\b(?:in|since|by|of|during|from|to|until|through|till|year|before|after|around|early|late|mid|and|between|for|as of|throughout)[\s-]{1,2}$/i;

/** The stretches of time in one sentence, in order. */
export function whensIn(sentence: Sentence): readonly When[] {
  const found = [...sentence.figures.flatMap((figure) => fromFigure(figure, sentence)), ...fromWords(sentence)].sort(
    (a, b) => a.from - b.from,
  );
  const joined: When[] = [];
  for (const when of found) {
    const last = joined.at(-1);
    const merged = last === undefined ? null : join(last, when, sentence);
    if (merged === null) joined.push(when);
    else joined[joined.length - 1] = merged;
  }
  return joined;
}

function fromFigure(figure: ScannedFigure, sentence: Sentence): readonly When[] {
  const { moment, year } = figure.reading;
  const base = { from: figure.from, to: figure.to, text: figure.text, figures: [figure], ends: null };
  const opened = moment === null ? null : openedMonth(figure, sentence);
  if (moment !== null && opened !== null) {
    const first = { ...moment, month: opened.month, day: null };
    const from = figure.from - opened.length;
    const starts: When['covers'] = (row) => sharesParts(first, row);
    const stops: When['covers'] = (row) => sharesParts(moment, row);
    if (!opened.spans) return [{ ...base, from, day: false, covers: (row, grid) => starts(row, grid) || stops(row, grid) }];
    const [low, high] = [keyOf(first), keyOf(moment)];
    return [{ ...base, from, day: false, ends: null, covers: (row) => within(keyOf(row, moment.year !== null), low, high) }];
  }
  if (moment !== null && moment.month !== null) return [{ ...base, day: moment.day !== null, covers: (row) => sharesParts(moment, row) }];
  if (year === null || !PLAUSIBLE_YEAR.test(year) || figure.unit !== null) return [];
  if (!YEAR_CUE.test(sentence.text.slice(Math.max(0, figure.from - sentence.from - 16), figure.from - sentence.from))) return [];
  return [{ ...base, day: false, covers: (row) => row.year === null || row.year === year }];
}

const MONTH_OPENS = new RegExp(
  `\\b(${[...months.keys()].sort((a, b) => b.length - a.length).join('|')})\\s{1,2}(to|through|until|till|and|-|–)\\s{1,2}$`,
  'i',
);

/** "July to September 2020", "October and November 2020": the month before one that has a year. */
function openedMonth(
  figure: ScannedFigure,
  sentence: Sentence,
): { readonly month: string; readonly spans: boolean; readonly length: number } | null {
  const at = figure.from - sentence.from;
  const match = MONTH_OPENS.exec(sentence.text.slice(Math.max(0, at - 24), at));
  const month = months.get((match?.[1] ?? '').toLowerCase());
  if (match === null || month === undefined) return null;
  return { month: String(month).padStart(2, '0'), spans: match[2] !== 'and', length: match[0].length };
}

function keyOf({ year, month, day }: Moment, withYear = true): string {
  return (withYear ? [year, month, day] : [month, day]).filter((part) => part !== null).join('-');
}

/** Keys compare as text, each cut to the shorter. */
function within(key: string, low: string, high: string): boolean {
  return key.slice(0, low.length) >= low && key.slice(0, high.length) <= high;
}

function fromWords(sentence: Sentence): readonly When[] {
  if (!sentence.mayGive(ClueWord.day)) return [];
  return [...sentence.text.matchAll(WORDS)].map((match) => {
    const [text, ordinal, number, weekday] = match;
    const from = sentence.from + match.index;
    const base = { from, to: from + text.length, text, day: true, figures: [], ends: null };
    if (weekday !== undefined) {
      const wanted = WEEKDAYS.indexOf(weekday.toLowerCase());
      return { ...base, covers: (row: Moment) => weekdayOf(row) === wanted };
    }
    const nth = ordinal === undefined ? Number(number) : ORDINALS.indexOf(ordinal.toLowerCase()) + 1;
    return { ...base, covers: (row: Moment, grid: Grid) => dayKey(row) === (nth === 0 ? grid.days().at(-1) : grid.days()[nth - 1]) };
  });
}

/** "January 7th and 8th", "from April 2021 to June 2021"; "Friday, January 5" is the date alone. */
function join(a: When, b: When, sentence: Sentence): When | null {
  const between = sentence.text.slice(a.to - sentence.from, b.from - sentence.from);
  const base = {
    from: a.from,
    to: b.to,
    text: sentence.text.slice(a.from - sentence.from, b.to - sentence.from),
    figures: [...a.figures, ...b.figures],
    ends: null,
  };
  if (a.figures.length === 0 && b.figures.length > 0 && /^,?\s{0,2}\(?(?:the\s)?$/u.test(between))
    return { ...base, day: b.day, covers: b.covers };
  const link = LINKS.exec(between);
  const first = a.figures[0];
  const last = b.figures.at(-1);
  if (link === null || first === undefined || last === undefined) return null;
  const opened = OPENS_SPAN.test(sentence.text.slice(Math.max(0, a.from - sentence.from - 24), a.from - sentence.from));
  const spans = link[1] !== undefined || (opened && between.includes('and'));
  if (!spans) return { ...base, day: false, covers: (row, grid) => a.covers(row, grid) || b.covers(row, grid) };
  return { ...base, day: false, ends: [a.covers, b.covers], covers: (row) => isBetween(row, first, last) };
}

/** Equal in all parts that both show. */
function sharesParts(a: Moment, b: Moment): boolean {
  return (
    (a.year === null || b.year === null || a.year === b.year) &&
    (a.month === null || b.month === null || a.month === b.month) &&
    (a.day === null || b.day === null || a.day === b.day)
  );
}

function isBetween(row: Moment, first: ScannedFigure, last: ScannedFigure): boolean {
  const withYear = yearOf(first) !== null && yearOf(last) !== null;
  return within(keyOf(row, withYear), spanKey(first, withYear), spanKey(last, withYear));
}

function yearOf({ reading }: ScannedFigure): string | null {
  return reading.moment?.year ?? reading.year;
}

function spanKey({ reading: { moment, year } }: ScannedFigure, withYear: boolean): string {
  return moment === null ? (year ?? '') : keyOf(moment, withYear);
}

function dayKey({ year, month, day }: Moment): string | null {
  return year === null || month === null || day === null ? null : `${year}-${month}-${day}`;
}

function weekdayOf(moment: Moment): number | null {
  const key = dayKey(moment);
  return key === null ? null : new Date(`${key}T00:00:00Z`).getUTCDay();
}

/** Behind the figure and bound to it: "39.54% in October 2023", "6.09 °C expected on January 5th". */
const BOUND =
  /^[^,;:()\n]{0,40}?\b(?:in|on|by|at|during|for|of|around|since|until|till|as of|throughout|before|after)\s{1,2}(?:the\s)?(?:(?:start|beginning|end|middle|early|late|mid)(?:\s(?:of|part of))?[\s-]{1,2})?$/i;

/** The stretch that a figure is about: right behind it, else the last before it, else the only one, else the one carried over. */
export function whenOf(figure: ScannedFigure, sentence: Sentence, whens: readonly When[], carried: When | null): When | null {
  const other = whens.filter((when) => !when.figures.includes(figure));
  const bound = boundBehind(figure, sentence, other);
  if (bound !== null) return bound;
  const before = other.findLast((when) => when.to <= figure.from);
  if (before === undefined && (other.length > 0 || carried === null)) return null;
  const said = sentence.text.slice(
    Math.max(0, (before?.to ?? 0) - sentence.from, figure.from - sentence.from - REACH),
    figure.from - sentence.from,
  );
  return OTHER_DAY.test(said) ? null : (before ?? carried);
}

const REACH = 160;
/** Another stretch than the one that was named, told by it: "the day before", "the next day", "a week earlier". */
const OTHER_DAY =
  /\b(?:(?:the|a|one|two|three)\s(?:day|night|week|month|year)s?\s(?:before|after|earlier|later)|(?:next|following|previous|preceding|prior)\s(?:day|night|morning|week|month|year)|yesterday|tomorrow)\b/i;

function boundBehind(figure: ScannedFigure, sentence: Sentence, whens: readonly When[]): When | null {
  const when = whens.find(({ from }) => from >= figure.to);
  if (when === undefined) return null;
  const between = (from: number, to: number): string => sentence.text.slice(from - sentence.from, to - sentence.from);
  const inner = sentence.figures.filter((each) => each.from >= figure.to && each.to <= when.from);
  const [linked] = inner;
  if (linked === undefined) return BOUND.test(between(figure.to, when.from)) ? when : null;
  // "between 5 °C and 8 °C on January 5th"
  const pair = inner.length === 1 && LINKED.test(between(figure.to, linked.from));
  return pair && BOUND.test(between(linked.to, when.from)) ? when : null;
}

const LINKED = /^[^\d,;]{0,24}?(?:to|and|-|–)\s{0,2}$/u;

const WHOLE =
  /\b(?:overall|throughout|entire|whole|over the (?:next|course|past|period|last)|forecast|during the (?:week|period)|five[- ]day|next (?:few|five|several) days|in general|generally|in summary|all days)\b/i;

/** What later sentences go on about: the one day that a sentence begins with, until another comes or the whole is spoken of. */
export function carry(sentence: Sentence, whens: readonly When[], carried: When | null): When | null {
  const only = whens[0];
  if (only === undefined) return carried === null || WHOLE.test(sentence.text) ? null : carried;
  const leads = !sentence.figures.some((figure) => figure.to <= only.from);
  return whens.length === 1 && only.day && leads ? only : null;
}
