import type { Quantity } from '../decimal';
import { floatOf } from '../float-range';
import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import { ClueWord } from './clue-words';
import type { Sentence } from './sentence';

/**
 * Words that widen a figure: "over 70", "nearly 100", "about 3.5" (INT-18). A hedge allows at most
 * the precision that the figure shows, and only in its own direction: "over 70" does not cover
 * 69.8.
 */
export interface Hedge {
  readonly direction: 'over' | 'under' | 'about';
  /** The figure itself is included: "at least 70", "up to 70". */
  readonly inclusive: boolean;
  /**
   * The words may also express a comparison, a maximum or a duration, so a value that displays as
   * the figure is accepted.
   */
  readonly loose: boolean;
}

/** The values that a hedged figure can mean. */
export interface HedgeWindow {
  readonly low: number;
  readonly high: number;
  /** An end that is excluded. */
  readonly open: 'low' | 'high' | null;
}

const GAP = '\\s{1,2}';
const END = '\\s{0,2}$';
const phrase = (words: string): RegExp =>
  new RegExp(`(?:^|[^\\p{L}\\p{N}])(?:${words})(?:${GAP}(the))?${END}`, 'iu');
/** In order: a negation comes before the word that it negates. */
const BEFORE: readonly (readonly [RegExp, Hedge])[] = [
  [
    phrase(
      '(?:no|not) (?:more|greater|higher) than|at most|a maximum of|no later than|not exceeding|(?:not|never) over',
    ),
    of('under', true),
  ],
  [
    phrase(
      '(?:no|not) (?:less|fewer|lower) than|at (?:the very )?least|a minimum of|as few as|(?:not|never) under',
    ),
    of('over', true),
  ],
  [phrase('up to|as (?:much|many|high) as'), of('under', true, true)],
  [phrase('as (?:low|little) as'), of('over', true, true)],
  [phrase('over|more than|upwards? of|in excess of'), of('over', false)],
  [
    phrase(
      'under|less than|fewer than|nearly|almost|just short of|just shy of|not quite|approaching',
    ),
    of('under', false),
  ],
  [
    phrase(
      'above|exceed(?:s|ed|ing)?|greater than|higher than|surpass(?:es|ed|ing)|beyond|topp(?:ed|ing)',
    ),
    of('over', false, true),
  ],
  [phrase('below|lower than|short of'), of('under', false, true)],
  [
    phrase(
      'about|around|approximately|approx\\.?|roughly|some|circa|ca\\.|near|close to|hovering|in the region of|in the order of|an? (?:estimated|approximate)|give or take|more or less',
    ),
    of('about', true, true),
  ],
];
const SIGNS: readonly (readonly [RegExp, Hedge])[] = [
  [/(?:[~≈≃∼]|±)\s?$/u, of('about', true, true)],
  [/(?:>=|≥|⩾)\s?$/u, of('over', true)],
  [/(?:<=|≤|⩽)\s?$/u, of('under', true)],
  [/\S.*(?<![-=<])>\s?$/u, of('over', false, true)],
  [/\S.*<\s?$/u, of('under', false, true)],
];
const BEHIND: readonly (readonly [RegExp, Hedge])[] = [
  [/^(?:\+(?![\d.])|\s(?:or|and) (?:more|above|higher|over)\b)/iu, of('over', true)],
  [/^\s(?:or|and) (?:less|fewer|below|lower|under)\b/iu, of('under', true)],
  [/^(?:\s?or so\b|-ish\b|\sgive or take\b)/iu, of('about', true, true)],
];
const REACH = 40;
/** Text around a figure without meaning for it. */
const DECORATION = /[-+−$€£¥*_"'“‘(]{1,6}$/u;
/** "over 5 days" may be a duration, "above the 80% limit" a limit, "up 3% over 2023" a period. */
const DURATION =
  /^(?:h|hrs?|hours?|d|days?|weeks?|months?|years?|min|minutes?|games?|rounds?|quarters?)$/iu;
const LIMIT =
  /^\s(?:\p{L}{1,20}\s)?(?:limit|threshold|target|budget|quota|cap|baseline|mark|goal|maximum|minimum)\b/iu;

function of(direction: Hedge['direction'], inclusive: boolean, loose = false): Hedge {
  return { direction, inclusive, loose };
}

/** The hedge next to a figure, or null. */
export function hedgeAt(figure: ScannedFigure, sentence: Sentence): Hedge | null {
  const quantity = sentence.mayGive(ClueWord.hedge) ? figure.reading.quantities[0] : undefined;
  if (quantity === undefined || quantity.decimal.digits === '') return null;
  const at = figure.from - sentence.from;
  const before = sentence.text.slice(Math.max(0, at - REACH), at).replace(DECORATION, '');
  const after = sentence.text.slice(figure.to - sentence.from, figure.to - sentence.from + REACH);
  for (const [pattern, hedge] of BEFORE) {
    const match = pattern.exec(before);
    if (match === null) continue;
    const isLoose =
      match[1] !== undefined ||
      figure.reading.year !== null ||
      DURATION.test(figure.unit ?? '') ||
      LIMIT.test(after);
    return isLoose ? { ...hedge, loose: true } : hedge;
  }
  return (
    (SIGNS.find(([pattern]) => pattern.test(before)) ??
      BEHIND.find(([pattern]) => pattern.test(after)))?.[1] ?? null
  );
}

/** The window of a hedged figure, as written; null if nothing widens it. */
export function hedgeOf(figure: ScannedFigure, sentence: Sentence): HedgeWindow | null {
  const quantity = figure.reading.quantities[0];
  const hedge = quantity === undefined ? null : hedgeAt(figure, sentence);
  return quantity === undefined || hedge === null ? null : windowOf(quantity, hedge);
}

/** Maximum width to one side of a round figure of one digit, as a share of it. */
const ROUND_SHARE = 0.2;
const POWER_SHARE = 0.1;

/**
 * One unit of the last digit that is not a trailing zero (70: 10; 1,250: 10; 3.5: 0.1), but for a
 * round figure at most a fifth of it, and for a power of ten a tenth: the figure before 100 is 90.
 * "About" allows one unit of the last digit shown to either side, for a round figure (70; 3
 * million) half a unit.
 */
export function windowOf(quantity: Quantity, { direction, inclusive }: Hedge): HedgeWindow {
  const value = floatOf(quantity.decimal);
  const { digits, exponent } = quantity.decimal;
  const shown = 10 ** quantity.quantum;
  const share = Math.abs(value) * (digits === '1' ? POWER_SHARE : ROUND_SHARE);
  const unit = Math.max(shown, Math.min(10 ** exponent, share));
  if (direction === 'over')
    return { low: value, high: value + unit, open: inclusive ? null : 'low' };
  if (direction === 'under')
    return { low: value - unit, high: value, open: inclusive ? null : 'high' };
  const isRound = exponent > quantity.quantum || quantity.quantum > 0;
  const half = isRound ? Math.max(quantity.quantum > 0 ? 0 : shown, unit / 2) : unit;
  return { low: value - half, high: value + half, open: null };
}

/** Tolerance between floats of decimals. */
const SLACK = 1e-12;

export function inWindow({ low, high, open }: HedgeWindow, value: number): boolean {
  const slack = Math.max(Math.abs(low), Math.abs(high)) * SLACK;
  if (value < low - slack || value > high + slack) return false;
  return open === null || Math.abs(value - (open === 'low' ? low : high)) > slack;
}

/**
 * Whether a value that equals the figure, or displays as it, is on the side of the hedge. Words of
 * a source may hedge the same figure, so there the same number is right.
 */
export function agrees(item: SourceItem, figure: ScannedFigure, hedge: Hedge): boolean {
  const [shown, stored] = [figure.reading.quantities[0], item.reading.quantities[0]];
  if (hedge.direction === 'about' || shown === undefined || stored === undefined) return true;
  const value = Math.abs(floatOf(shown.decimal));
  const own = Math.abs(floatOf(stored.decimal));
  const difference = nearest(own, value, figure.reading.percent) - value;
  const isSame = Math.abs(difference) <= value * SLACK;
  if (isSame) return hedge.inclusive || hedge.loose || item.node === null || item.to > 0;
  if (hedge.inclusive && hedge.loose) return true;
  return hedge.direction === 'over' ? difference > 0 : difference < 0;
}

/** A share may be stored as 0.7 and shown as 70%. */
function nearest(own: number, value: number, percent: boolean): number {
  return percent && Math.abs(own * 100 - value) < Math.abs(own - value) ? own * 100 : own;
}
