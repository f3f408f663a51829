import type { ScannedFigure } from '../scan';
import { continuesPrevious, type Sentence } from './sentence';
import type { SentencePeriod } from './sentence-period';

/**
 * After the figure and bound to it: "39.54% in October 2023", "6.09 °C expected on January 5th".
 */
const BOUND =
  /^[^,;:()\n]{0,40}?\b(?:in|on|by|at|during|for|of|around|since|until|till|as of|throughout|before|after)\s{1,2}(?:the\s)?(?:(?:start|beginning|end|middle|early|late|mid)(?:\s(?:of|part of))?[\s-]{1,2})?$/i;
/** "8 the day before", "3.1% the previous year": a time without a preposition. */
const BARE = /^[%°]?\w{0,3}\s{0,2}(?:in\s|on\s)?$/u;

/**
 * The period of a figure: right after it, else the last before it, else the only one, else the one
 * carried over.
 */
export function sentencePeriodOf(
  figure: ScannedFigure,
  sentence: Sentence,
  periods: readonly SentencePeriod[],
  carried: SentencePeriod | null,
): SentencePeriod | null {
  const other = periods.filter((when) => !when.figures.includes(figure));
  const bound = boundBehind(figure, sentence, other);
  if (bound !== null) return bound;
  const before = other.findLast((when) => when.to <= figure.from);
  if (before === undefined && (other.length > 0 || carried === null)) return null;
  return before ?? carried;
}

function boundBehind(
  figure: ScannedFigure,
  sentence: Sentence,
  periods: readonly SentencePeriod[],
): SentencePeriod | null {
  const when = periods.find(({ from }) => from >= figure.to);
  if (when === undefined) return null;
  const between = (from: number, to: number): string =>
    sentence.text.slice(from - sentence.from, to - sentence.from);
  const inner = sentence.figures.filter((each) => each.from >= figure.to && each.to <= when.from);
  const [linked] = inner;
  if (linked === undefined) {
    const gap = between(figure.to, when.from);
    return BOUND.test(gap) || (when.figures.length === 0 && BARE.test(gap)) ? when : null;
  }
  // "between 5 °C and 8 °C on January 5th"
  const pair = inner.length === 1 && LINKED.test(between(figure.to, linked.from));
  return pair && BOUND.test(between(linked.to, when.from)) ? when : null;
}

const LINKED =
  /^[^\d,;]{0,24}?(?:to|and|-|–)\s{0,2}(?:an?\s[a-z]{1,12}\s(?:[a-z]{1,12}\s)?of\s)?$/u;

const WHOLE_PERIOD =
  /\b(?:overall|throughout(?!\s(?:the|that|this)\s(?:day|night|morning|afternoon|evening))|entire(?!\sday)|whole(?!\sday)|over the (?:next|course|past|period|last)|forecast|during the (?:week|period)|five[- ]day|next (?:few|five|several) days|in general|generally|in summary|all days)\b/i;

/** A month or a year is carried over only by explicit words. */
const SAME = /\b(?:that|the same)\s(?:month|year|quarter|period|time)\b/i;

/**
 * The period that later sentences continue with: the only day that a sentence begins with, until
 * another day or the whole period is mentioned.
 */
export function carry(
  sentence: Sentence,
  periods: readonly SentencePeriod[],
  carried: SentencePeriod | null,
): SentencePeriod | null {
  const only = periods[0];
  if (only === undefined) {
    if (carried === null || WHOLE_PERIOD.test(sentence.text)) return null;
    return carried.day || SAME.test(sentence.text) || continuesPrevious(sentence) ? carried : null;
  }
  const leads = !sentence.figures.some((figure) => figure.to <= only.from);
  const isTime = only.day || (only.ends === null && only.bounds !== null);
  return periods.length === 1 && isTime && leads ? only : null;
}
