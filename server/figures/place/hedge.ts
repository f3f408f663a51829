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
  /** Whether the figure itself is included: "at least 70", "up to 70". */
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
  /** The end that is excluded; null if both ends are included. */
  readonly open: 'low' | 'high' | null;
}

const GAP = '\\s{1,2}';
const END = '\\s{0,2}$';
const phrase = (words: string): RegExp =>
  new RegExp(`(?:^|[^\\p{L}\\p{N}])(?:${words})(?:${GAP}(the))?${END}`, 'iu');
/** Tried in order: a negated phrase comes before the phrase that it contains. */
const BEFORE: readonly (readonly [RegExp, Hedge])[] = [
  [
    phrase(
      '(?:no|not) (?:more|greater|higher) than|at most|a maximum of|no later than|not exceeding|(?:not|never) over',
    ),
    hedgeFrom('under', true),
  ],
  [
    phrase(
      '(?:no|not) (?:less|fewer|lower) than|at (?:the very )?least|a minimum of|as few as|(?:not|never) under',
    ),
    hedgeFrom('over', true),
  ],
  [phrase('up to|as (?:much|many|high) as'), hedgeFrom('under', true, true)],
  [phrase('as (?:low|little) as'), hedgeFrom('over', true, true)],
  [phrase('over|more than|upwards? of|in excess of'), hedgeFrom('over', false)],
  [
    phrase(
      'under|less than|fewer than|nearly|almost|just short of|just shy of|not quite|approaching',
    ),
    hedgeFrom('under', false),
  ],
  [
    phrase(
      'above|exceed(?:s|ed|ing)?|greater than|higher than|surpass(?:es|ed|ing)|beyond|topp(?:ed|ing)',
    ),
    hedgeFrom('over', false, true),
  ],
  [phrase('below|lower than|short of'), hedgeFrom('under', false, true)],
  [
    phrase(
      'about|around|approximately|approx\\.?|roughly|some|circa|ca\\.|near|close to|hovering|in the region of|in the order of|an? (?:estimated|approximate)|give or take|more or less',
    ),
    hedgeFrom('about', true, true),
  ],
];
const SIGNS: readonly (readonly [RegExp, Hedge])[] = [
  [/(?:[~≈≃∼]|±)\s?$/u, hedgeFrom('about', true, true)],
  [/(?:>=|≥|⩾)\s?$/u, hedgeFrom('over', true)],
  [/(?:<=|≤|⩽)\s?$/u, hedgeFrom('under', true)],
  [/\S.*(?<![-=<])>\s?$/u, hedgeFrom('over', false, true)],
  [/\S.*<\s?$/u, hedgeFrom('under', false, true)],
];
const AFTER: readonly (readonly [RegExp, Hedge])[] = [
  [/^(?:\+(?![\d.])|\s(?:or|and) (?:more|above|higher|over)\b)/iu, hedgeFrom('over', true)],
  [/^\s(?:or|and) (?:less|fewer|below|lower|under)\b/iu, hedgeFrom('under', true)],
  [/^(?:\s?or so\b|-ish\b|\sgive or take\b)/iu, hedgeFrom('about', true, true)],
];
/** Number of characters that are searched on either side of a figure. */
const CONTEXT_CHARS = 40;
/** Characters before a figure that do not change its meaning. */
const DECORATION = /[-+−$€£¥*_"'“‘(]{1,6}$/u;
/** "over 5 days" may express a duration. */
const DURATION =
  /^(?:h|hrs?|hours?|d|days?|weeks?|months?|years?|min|minutes?|games?|rounds?|quarters?)$/iu;
/** "above the 80% limit" refers to a limit. */
const LIMIT =
  /^\s(?:\p{L}{1,20}\s)?(?:limit|threshold|target|budget|quota|cap|baseline|mark|goal|maximum|minimum)\b/iu;

function hedgeFrom(direction: Hedge['direction'], inclusive: boolean, loose = false): Hedge {
  return { direction, inclusive, loose };
}

/** The hedge next to a figure, or null. */
export function hedgeAt(figure: ScannedFigure, sentence: Sentence): Hedge | null {
  const quantity = sentence.mayGive(ClueWord.hedge) ? figure.reading.quantities[0] : undefined;
  if (quantity === undefined || quantity.decimal.digits === '') return null;
  const at = figure.from - sentence.from;
  const before = sentence.text.slice(Math.max(0, at - CONTEXT_CHARS), at).replace(DECORATION, '');
  const after = sentence.text.slice(
    figure.to - sentence.from,
    figure.to - sentence.from + CONTEXT_CHARS,
  );
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
      AFTER.find(([pattern]) => pattern.test(after)))?.[1] ?? null
  );
}

/** The window of a figure as written; null if no words hedge it. */
export function hedgeOf(figure: ScannedFigure, sentence: Sentence): HedgeWindow | null {
  const quantity = figure.reading.quantities[0];
  const hedge = quantity === undefined ? null : hedgeAt(figure, sentence);
  return quantity === undefined || hedge === null ? null : windowOf(quantity, hedge);
}

/** Maximum width of a window to one side of the figure, as a share of the figure. */
const MAX_SHARE = 0.2;
const MAX_SHARE_OF_POWER_OF_TEN = 0.1;

/**
 * The window extends by one unit of the figure's last non-zero digit: 10 for 70, 10 for 1,250 and
 * 0.1 for 3.5. This is at most a fifth of the figure. For a power of ten it is at most a tenth,
 * since the round figure before 100 is 90. "About" extends the window to both sides. If the figure
 * is round, such as 70 or 3 million, each side then has half the width.
 */
export function windowOf(quantity: Quantity, { direction, inclusive }: Hedge): HedgeWindow {
  const value = floatOf(quantity.decimal);
  const { digits, exponent } = quantity.decimal;
  const shown = 10 ** quantity.quantum;
  const share = Math.abs(value) * (digits === '1' ? MAX_SHARE_OF_POWER_OF_TEN : MAX_SHARE);
  const unit = Math.max(shown, Math.min(10 ** exponent, share));
  if (direction === 'over')
    return { low: value, high: value + unit, open: inclusive ? null : 'low' };
  if (direction === 'under')
    return { low: value - unit, high: value, open: inclusive ? null : 'high' };
  const isRound = exponent > quantity.quantum || quantity.quantum > 0;
  const margin = isRound ? Math.max(quantity.quantum > 0 ? 0 : shown, unit / 2) : unit;
  return { low: value - margin, high: value + margin, open: null };
}

/** Relative tolerance for decimals that are compared as floats. */
const SLACK = 1e-12;

export function inWindow({ low, high, open }: HedgeWindow, value: number): boolean {
  const slack = Math.max(Math.abs(low), Math.abs(high)) * SLACK;
  if (value < low - slack || value > high + slack) return false;
  return open === null || Math.abs(value - (open === 'low' ? low : high)) > slack;
}

/**
 * Whether the value of a source item is on the side of the figure that the hedge allows, if it
 * equals the figure or is displayed as the figure. Text of a source may hedge the same number, so
 * an equal number in text agrees.
 */
export function agrees(item: SourceItem, figure: ScannedFigure, hedge: Hedge): boolean {
  const [shown, stored] = [figure.reading.quantities[0], item.reading.quantities[0]];
  if (hedge.direction === 'about' || shown === undefined || stored === undefined) return true;
  const value = Math.abs(floatOf(shown.decimal));
  const storedValue = Math.abs(floatOf(stored.decimal));
  const difference = toNearerUnit(storedValue, value, figure.reading.percent) - value;
  const isSame = Math.abs(difference) <= value * SLACK;
  if (isSame) return hedge.inclusive || hedge.loose || item.node === null || item.to > 0;
  if (hedge.inclusive && hedge.loose) return true;
  return hedge.direction === 'over' ? difference > 0 : difference < 0;
}

/** Converts a stored share to percent if it is then nearer: 0.7 may be shown as 70%. */
function toNearerUnit(stored: number, shown: number, isPercent: boolean): number {
  const percent = stored * 100;
  return isPercent && Math.abs(percent - shown) < Math.abs(stored - shown) ? percent : stored;
}
