import type { SourceItem } from '../source-items';
import type { NamedColumn } from './column';
import type { Grid } from './grid';
import { type Point, pointsOf } from './points';
import type { Sentence } from './sentence';
import { trendFaults } from './trend';
import type { When } from './when';

/** A sentence's claims about a series: its first and last date, and the date of its peak. */
export interface CourseFault {
  /** The dates that do not fit, as figures of the answer. */
  readonly when: When;
  /** Only one end of the span is wrong: its first or last figure. */
  readonly end: 'first' | 'last' | null;
  readonly expected: SourceItem | null;
  readonly why: string;
  readonly clue: 'span' | 'peak';
}

const WHOLE = /\b(?:chart|graph|plot|figure|table|data|dataset|series|report|records?)\b/i;
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
/** One of several: not a claim about the whole. */
const LOCAL = /\b(?:initial|first|second|third|another|local|several|peaks|smaller|new|slight)\b/i;
const NEAR = 70;

/** Faults of one sentence about one column; `columns` are those that the answer can mean. */
export function courseFaults(
  sentence: Sentence,
  whens: readonly When[],
  columns: readonly NamedColumn[],
  grid: Grid,
): readonly CourseFault[] {
  const column = columns.length === 1 ? columns[0] : undefined;
  if (column === undefined || whens.length === 0) return [];
  const faults: CourseFault[] = [];
  for (const when of whens) {
    const fault =
      spanFault(sentence, when, column, grid) ?? peakFault(sentence, when, whens, column, grid);
    if (fault !== null) faults.push(fault);
  }
  faults.push(...trendFaults(sentence, whens, column, grid));
  return faults;
}

/** "The chart shows … from March 2020 to May 2021": the ends must be those of the series. */
function spanFault(
  sentence: Sentence,
  when: When,
  column: NamedColumn,
  grid: Grid,
): CourseFault | null {
  if (when.ends === null) return null;
  const before = sentence.text.slice(0, when.from - sentence.from);
  if (!WHOLE.test(before) || !SHOWS.test(before) || TREND.test(before)) return null;
  const points = pointsOf(column, grid);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [a, b] = when.ends;
  const begins = a(first.moment, grid);
  const ends = b(last.moment, grid);
  if (begins && ends) return null;
  const point = begins ? last : first;
  return {
    when,
    end: begins ? 'last' : ends ? 'first' : null,
    expected: column.item(point.at),
    why: `the data ${begins ? 'ends' : 'begins'} at another date`,
    clue: 'span',
  };
}

/**
 * "peaked in May 2020", "the lowest was recorded in September": the row with that value must have
 * that date.
 */
function peakFault(
  sentence: Sentence,
  when: When,
  whens: readonly When[],
  column: NamedColumn,
  grid: Grid,
): CourseFault | null {
  if (when.ends !== null) return null;
  const at = when.from - sentence.from;
  const before = sentence.text.slice(Math.max(0, at - NEAR), at);
  const top = lastIndex(before, TOP);
  const bottom = lastIndex(before, BOTTOM);
  const cue = Math.max(top, bottom);
  if (cue === -1 || lastIndex(before, UP) > cue || lastIndex(before, DOWN) > cue) return null;
  if (LOCAL.test(before)) return null;
  const cueAt = Math.max(0, at - NEAR) + cue + sentence.from;
  if (whens.some((each) => each !== when && each.from > cueAt && each.to <= when.from)) return null;
  const scope = whens.findLast((each) => each.ends !== null && each.to <= cueAt) ?? null;
  const all = pointsOf(column, grid);
  const within = all.filter(({ moment }) => scope === null || scope.covers(moment, grid));
  // A date outside the named span does not belong to it.
  const own = within.some(({ moment }) => when.covers(moment, grid)) ? within : all;
  const sign = top > bottom ? 1 : -1;
  let best: Point | null = null;
  let here = -Infinity;
  let low = Infinity;
  for (const point of own) {
    if (best === null || sign * point.value > sign * best.value) best = point;
    if (when.covers(point.moment, grid)) here = Math.max(here, sign * point.value);
    low = Math.min(low, sign * point.value);
  }
  if (best === null || here === -Infinity) return null;
  const spread = sign * best.value - low;
  if (spread <= 0 || sign * best.value - here <= PEAK_TOLERANCE * spread) return null;
  return {
    when,
    end: null,
    expected: column.item(best.at),
    why: `the ${sign === 1 ? 'highest' : 'lowest'} value is of another date`,
    clue: 'peak',
  };
}

/** A date is accepted as that of a peak if its values are this near to the peak. */
const PEAK_TOLERANCE = 0.05;

function lastIndex(text: string, pattern: RegExp): number {
  let last = -1;
  for (const match of text.matchAll(pattern)) last = match.index;
  return last;
}
