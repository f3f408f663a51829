import type { Quantity } from '../decimal';
import { floatOf } from '../float-range';
import { NO_READING } from '../reading';
import type { ScannedFigure } from '../scan';
import type { SourceIndex } from '../source-index';
import type { SourceItem } from '../source-items';
import { agrees, hedgeAt, inWindow, type HedgeWindow, windowOf } from './hedge';
import { scaledUnits } from './scaled-unit';
import type { Sentence } from './sentence';
import { isNegativeChange } from './sign-words';

/** Places of a figure that is in no source as written, and the unit of that reading. */
export interface Reread {
  readonly items: readonly SourceItem[];
  readonly unit: string | null;
}

/** "version 1.2", "Python 3.11": a name right before the number. */
const VERSIONED =
  /(?:\b(?:version|release|ver\.?|v\.?|build)|\p{Lu}[\p{L}\p{N}.+#-]{0,30})[ \u00a0]$/iu;
const PARTS = /^\d{1,9}(?:\.\d{1,9})?$/u;

/**
 * Other readings of a figure: the smaller or larger unit at the end of a name, the sign from words,
 * and the version that it begins. Null if none is in a source.
 * @param unitOf the last word of the name of a value
 */
export function rereadFigure(
  figure: ScannedFigure,
  sentence: Sentence,
  index: SourceIndex,
  unitOf: (item: SourceItem) => string | null,
): Reread | null {
  const [quantity] = figure.reading.quantities;
  if (quantity === undefined) return null;
  const isVersion = figure.kind === 'number' && figure.unit === null && PARTS.test(figure.text);
  if (
    isVersion &&
    VERSIONED.test(
      sentence.text.slice(
        Math.max(0, figure.from - sentence.from - 36),
        figure.from - sentence.from,
      ),
    )
  ) {
    const items = index.findAll({ ...NO_READING, literal: figure.text });
    if (items.length > 0) return { items, unit: figure.unit };
  }
  const hedge = hedgeAt(figure, sentence);
  const window = hedge === null ? shownWindow(quantity) : windowOf(quantity, hedge);
  const negative =
    !quantity.decimal.negative &&
    quantity.decimal.digits !== '' &&
    isNegativeChange(figure, sentence);
  const windows = negative ? [window, mirrored(window)] : [window];
  const found =
    inUnits(figure, windows, index, unitOf, hedge !== null) ?? inHeadScale(figure, windows, index);
  if (found !== null || !negative) return found;
  const quantities = figure.reading.quantities.map((each) => ({
    ...each,
    decimal: { ...each.decimal, negative: true },
  }));
  const items = index
    .findAll({ ...figure.reading, quantities })
    .filter((item) => hedge === null || agrees(item, figure, hedge));
  return items.length === 0 ? null : { items, unit: figure.unit };
}

function inUnits(
  figure: ScannedFigure,
  windows: readonly HedgeWindow[],
  index: SourceIndex,
  unitOf: (item: SourceItem) => string | null,
  isHedged: boolean,
): Reread | null {
  const { currency } = figure.reading;
  const shown = currency === null ? (figure.unit ?? (figure.scale > 0 ? 'count' : null)) : 'money';
  if (shown === null) return null;
  for (const { unit, factor } of scaledUnits(shown)) {
    // 1000 or 1024 of the same unit: a hedge is wide enough without this reading.
    if (isHedged && unit === shown.toLowerCase()) continue;
    for (const window of windows) {
      const scaled = { ...window, low: window.low * factor, high: window.high * factor };
      const items = index.findBetween(scaled.low, scaled.high).filter((item) => {
        if (
          unitOf(item) !== unit ||
          (currency !== null && (item.reading.currency ?? currency) !== currency)
        )
          return false;
        return item.reading.quantities.some(({ decimal }) => inWindow(scaled, floatOf(decimal)));
      });
      if (items.length > 0) return { items, unit };
    }
  }
  return null;
}

/** "$1.40 billion" of 1,397.2 in a table of "USD million". */
function inHeadScale(
  figure: ScannedFigure,
  windows: readonly HedgeWindow[],
  index: SourceIndex,
): Reread | null {
  const { currency } = figure.reading;
  if (figure.scale === 0 && currency === null) return null;
  for (let source = 0; source < Math.min(SOURCES_MAX, index.sources.length); source++) {
    for (const power of index.scalesOf(source)) {
      for (const window of windows) {
        const own = { ...window, low: window.low / 10 ** power, high: window.high / 10 ** power };
        const items = index.findBetween(own.low, own.high).filter(({ source: at, reading }) => {
          if (at !== source || (currency !== null && (reading.currency ?? currency) !== currency))
            return false;
          return reading.quantities.some(({ decimal }) => inWindow(own, floatOf(decimal)));
        });
        if (items.length > 0) return { items, unit: figure.unit };
      }
    }
  }
  return null;
}

/** Maximum sources whose heads are read. */
const SOURCES_MAX = 8;

/** The range that rounds to a figure. */
function shownWindow(quantity: Quantity): HedgeWindow {
  const value = floatOf(quantity.decimal);
  const half = 10 ** quantity.quantum / 2;
  return { low: value - half, high: value + half, open: null };
}

export function mirrored({ low, high, open }: HedgeWindow): HedgeWindow {
  return { low: -high, high: -low, open: open === null ? null : open === 'low' ? 'high' : 'low' };
}
