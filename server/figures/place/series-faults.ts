import type { SourceItem } from '../source-items';
import type { NamedColumn } from './column';
import type { Grid } from './grid';
import { type Point, pointsOf } from './points';
import type { Sentence } from './sentence';
import { trendFaults } from './trend';
import type { SentencePeriod } from './sentence-period';

/**
 * A wrong claim of a sentence about a series: its first or last date, or the date of its peak or
 * low.
 */
export interface SeriesFault {
  /** The period of the answer that does not match the data. */
  readonly when: SentencePeriod;
  /** The wrong end of the span; null if both are wrong, or if the claim is about a peak. */
  readonly end: 'first' | 'last' | null;
  readonly expected: SourceItem | null;
  readonly why: string;
  readonly clue: 'span' | 'peak';
}

const WHOLE_SERIES = /\b(?:chart|graph|plot|figure|table|data|dataset|series|report|records?)\b/i;
const SHOWS =
  /\b(?:shows?|displays?|depicts?|illustrates?|presents?|covers?|spans?|tracks?|represents?|provides?|visuali[sz]es?|describes?)\b/i;
const TREND =
  /\b(?:increas\w*|decreas\w*|declin\w*|rose|rise|rising|fell|fall|falling|drop\w*|grew|grow\w*|surg\w*|spik\w*|dip\w*|fluctuat\w*|stable|peak\w*|steady|steadily|gradual\w*|trend)\b/i;
const UP =
  /\b(?:increas\w{0,4}|rose|rises?|risen|rising|grew|grow\w{0,3}|climb\w{0,3}|surg\w{1,3}|spik\w{1,3}|jump\w{0,3}|upward)\b/gi;
const DOWN =
  /\b(?:decreas\w{0,4}|declin\w{1,3}|fell|falls?|fallen|falling|drop\w{0,4}|dip\w{0,4}|downward|reduc\w{1,4}|diminish\w{0,3})\b/gi;
const TOP = /\b(?:(?:high|great|larg|warm|strong)est|peak(?:ed|ing)?|maximum|high)\b/gi;
const BOTTOM = /\b(?:(?:low|small|cold)est|trough|minimum|low)\b/gi;
/** Words for one of several peaks: a sentence with one claims nothing about the whole series. */
const LOCAL = /\b(?:initial|first|second|third|another|local|several|peaks|smaller|new|slight)\b/i;
const CUE_CHARS_MAX = 70;

/**
 * The wrong claims of a sentence about its column; none unless `columns`, those that it may refer
 * to, has exactly one.
 */
export function seriesFaults(
  sentence: Sentence,
  periods: readonly SentencePeriod[],
  columns: readonly NamedColumn[],
  grid: Grid,
): readonly SeriesFault[] {
  const column = columns.length === 1 ? columns[0] : undefined;
  if (column === undefined || periods.length === 0) return [];
  const faults: SeriesFault[] = [];
  for (const when of periods) {
    const fault =
      spanFault(sentence, when, column, grid) ?? peakFault(sentence, when, periods, column, grid);
    if (fault !== null) faults.push(fault);
  }
  faults.push(...trendFaults(sentence, periods, column, grid));
  return faults;
}

/**
 * "The chart shows … from March 2020 to May 2021": these must be the first and last date of the
 * series.
 */
function spanFault(
  sentence: Sentence,
  when: SentencePeriod,
  column: NamedColumn,
  grid: Grid,
): SeriesFault | null {
  if (when.ends === null) return null;
  const before = sentence.text.slice(0, when.from - sentence.from);
  if (!WHOLE_SERIES.test(before) || !SHOWS.test(before) || TREND.test(before)) return null;
  const points = pointsOf(column, grid);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [coversStart, coversEnd] = when.ends;
  const startIsRight = coversStart(first.moment, grid);
  const endIsRight = coversEnd(last.moment, grid);
  if (startIsRight && endIsRight) return null;
  const point = startIsRight ? last : first;
  return {
    when,
    end: startIsRight ? 'last' : endIsRight ? 'first' : null,
    expected: column.item(point.at),
    why: `the data ${startIsRight ? 'ends' : 'begins'} on another date`,
    clue: 'span',
  };
}

/**
 * "peaked in May 2020", "the lowest was recorded in September": the row with that value must have
 * that date.
 */
function peakFault(
  sentence: Sentence,
  when: SentencePeriod,
  periods: readonly SentencePeriod[],
  column: NamedColumn,
  grid: Grid,
): SeriesFault | null {
  if (when.ends !== null) return null;
  const at = when.from - sentence.from;
  const before = sentence.text.slice(Math.max(0, at - CUE_CHARS_MAX), at);
  const top = lastIndex(before, TOP);
  const bottom = lastIndex(before, BOTTOM);
  const cue = Math.max(top, bottom);
  if (cue === -1 || lastIndex(before, UP) > cue || lastIndex(before, DOWN) > cue) return null;
  if (LOCAL.test(before)) return null;
  const cueAt = Math.max(0, at - CUE_CHARS_MAX) + cue + sentence.from;
  if (periods.some((each) => each !== when && each.from > cueAt && each.to <= when.from))
    return null;
  const scope = periods.findLast((each) => each.ends !== null && each.to <= cueAt) ?? null;
  const all = pointsOf(column, grid);
  const within = all.filter(({ moment }) => scope === null || scope.covers(moment, grid));
  // If the date is outside the named span, the claim is about the whole series.
  const points = within.some(({ moment }) => when.covers(moment, grid)) ? within : all;
  const sign = top > bottom ? 1 : -1;
  let best: Point | null = null;
  let bestAtDate = -Infinity;
  let lowest = Infinity;
  for (const point of points) {
    if (best === null || sign * point.value > sign * best.value) best = point;
    if (when.covers(point.moment, grid)) bestAtDate = Math.max(bestAtDate, sign * point.value);
    lowest = Math.min(lowest, sign * point.value);
  }
  if (best === null || bestAtDate === -Infinity) return null;
  const spread = sign * best.value - lowest;
  if (spread <= 0 || sign * best.value - bestAtDate <= PEAK_TOLERANCE * spread) return null;
  return {
    when,
    end: null,
    expected: column.item(best.at),
    why: `the ${sign === 1 ? 'highest' : 'lowest'} value is on another date`,
    clue: 'peak',
  };
}

/**
 * A date is accepted as that of the peak if one of its values is this close to it, as a share of
 * the spread.
 */
const PEAK_TOLERANCE = 0.05;

function lastIndex(text: string, pattern: RegExp): number {
  let last = -1;
  for (const match of text.matchAll(pattern)) last = match.index;
  return last;
}
