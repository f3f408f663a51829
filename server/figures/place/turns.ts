import type { ScannedFigure } from '../scan';
import type { Sentence } from './sentence';
import type { SentencePeriod } from './sentence-period';

const NONE: ReadonlyMap<ScannedFigure, SentencePeriod> = new Map();
/** Separators between a value and the date of the next one. */
const BREAK = /[,;:(\n–—]|\b(?:and|while|whereas|but|then)\b/i;

/**
 * The date of each value of a sentence if values and dates alternate: "2.5% in 2022 and 3.1% in
 * 2023" (the date follows), "on Monday 21.4 and on Tuesday 24.1" (the date precedes). Empty if the
 * order is ambiguous. Linear in the figures.
 */
export function dateTurns(
  sentence: Sentence,
  periods: readonly SentencePeriod[],
): ReadonlyMap<ScannedFigure, SentencePeriod> {
  if (periods.flatMap(({ listed }) => listed).length < 2) return NONE;
  const parts = new Set(periods.flatMap(({ figures }) => figures));
  const values = sentence.figures.filter(
    (figure) => !parts.has(figure) && figure.reading.quantities.length > 0,
  );
  const [first, last, opening, closing] = [values[0], values.at(-1), periods[0], periods.at(-1)];
  if (first === undefined || last === undefined || opening === undefined || closing === undefined)
    return NONE;
  if (last.to <= opening.from || closing.to <= first.from)
    return respective(values, periods, sentence);
  if (first.to <= opening.from && last.to <= closing.from) return datesBehind(values, periods);
  if (opening.to <= first.from && closing.to <= last.from)
    return datesBefore(values, periods, sentence);
  return NONE;
}

/**
 * "21.9% and 52.8% in 2018 and in 2020", "between May and July it moved from 9 to 7": as many dates
 * as values, in the same order.
 */
function respective(
  values: readonly ScannedFigure[],
  periods: readonly SentencePeriod[],
  { text, from }: Sentence,
): ReadonlyMap<ScannedFigure, SentencePeriod> {
  const dates = periods.flatMap(({ listed }) => listed);
  const [first, second] = values;
  const spans = periods.some(({ ends }) => ends !== null);
  if (spans && dates.length === 2 && values.length > 2) return pairs(values, dates, text, from);
  if (dates.length !== values.length || first === undefined || second === undefined) return NONE;
  const gaps = values
    .slice(1)
    .map((value, i) => text.slice((values[i]?.to ?? 0) - from, value.from - from));
  const opening = text.slice(Math.max(0, first.from - from - OPENING), first.from - from);
  if (
    spans
      ? !MOVES.test(opening) || !gaps.every((gap) => TO.test(gap)) || RANGES.test(text)
      : !gaps.every((gap) => LISTED.test(gap))
  )
    return NONE;
  return new Map(values.flatMap((value, i) => (dates[i] === undefined ? [] : [[value, dates[i]]])));
}

/**
 * "From May to July rain went from 9 to 7, while wind went from 3 to 4": each pair belongs to the
 * two ends.
 */
function pairs(
  values: readonly ScannedFigure[],
  dates: readonly SentencePeriod[],
  text: string,
  from: number,
): ReadonlyMap<ScannedFigure, SentencePeriod> {
  const turns = new Map<ScannedFigure, SentencePeriod>();
  const [begin, end] = dates;
  if (values.length % 2 !== 0 || begin === undefined || end === undefined || RANGES.test(text))
    return NONE;
  for (let i = 0; i + 1 < values.length; i += 2) {
    const [a, b] = [values[i], values[i + 1]];
    if (a === undefined || b === undefined) return NONE;
    if (
      !MOVES.test(text.slice(Math.max(0, a.from - from - OPENING), a.from - from)) ||
      !TO.test(text.slice(a.to - from, b.from - from))
    )
      return NONE;
    turns.set(a, begin);
    turns.set(b, end);
  }
  return turns;
}

const OPENING = 12;
const MOVES = /\bfrom\s[$€£¥]?$/i;
const TO = /\bto\s[$€£¥]?$/i;
const RANGES = /\b(?:rang\w{1,3}|vari\w{1,3}|vary\w{0,3}|fluctuat\w{1,3}|oscillat\w{1,3})\b/i;
/** Between the values of a list: a unit and what joins them. */
const LISTED = /^[%°]?\s?[\p{L}/°%]{0,14}\s?(?:,|;|and|, ?and|&)\s{0,2}[$€£¥]?$/u;

function datesBehind(
  values: readonly ScannedFigure[],
  periods: readonly SentencePeriod[],
): ReadonlyMap<ScannedFigure, SentencePeriod> {
  const turns = new Map<ScannedFigure, SentencePeriod>();
  let next = 0;
  for (const when of periods) {
    const start = next;
    for (
      let value = values[next];
      value !== undefined && value.to <= when.from;
      value = values[++next]
    )
      turns.set(value, when);
    if (next === start) return NONE;
  }
  return turns;
}

function datesBefore(
  values: readonly ScannedFigure[],
  periods: readonly SentencePeriod[],
  { text, from }: Sentence,
): ReadonlyMap<ScannedFigure, SentencePeriod> {
  const turns = new Map<ScannedFigure, SentencePeriod>();
  let next = 0;
  for (const [i, when] of periods.entries()) {
    const following = periods[i + 1];
    const start = next;
    for (
      let value = values[next];
      value !== undefined && value.from < (following?.from ?? Infinity);
      value = values[++next]
    ) {
      turns.set(value, when);
    }
    const last = values[next - 1];
    if (next === start || last === undefined) return NONE;
    if (following !== undefined && !BREAK.test(text.slice(last.to - from, following.from - from)))
      return NONE;
  }
  return turns;
}
