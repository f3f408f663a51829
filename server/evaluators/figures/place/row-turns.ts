import type { ScannedFigure } from '../scan';
import type { Sentence } from './sentence';

/** Where a sentence goes on to the next thing. */
export const NEXT_PART = /[,;(\n]|\b(?:and|while|whereas|but)\b/;
/** What is between the values of a list: a unit, a comma, "and". */
const LISTED = /^[%°]?\s?[\p{L}/]{0,12}\s?(?:,|;|and|, ?and|&|or)\s{0,2}[$€£¥]?$/u;

export type RowsIn = (part: string) => ReadonlySet<number>;
type Turns = Map<ScannedFigure, ReadonlySet<number>>;

/**
 * Figures and the names of rows, matched by their order in one sentence: "web-1 is at 45 and web-2 at 91" (the name precedes),
 * "45 on web-1 and 91 on web-2" (it follows), "web-1 and web-2 are at 45 and 91" (two lists). Empty where the order shows nothing.
 */
export function rowTurns({ from: start, text, figures: all }: Sentence, rowsIn: RowsIn): ReadonlyMap<ScannedFigure, ReadonlySet<number>> {
  const figures = amountsOf(all);
  const gaps = gapsOf(figures, start, text);
  const opening = rowsIn(gaps[0] ?? '');
  if (opening.size === 0) return namesBehind(figures, gaps, rowsIn);
  return opening.size === 1 ? namesBefore(figures, gaps, rowsIn) : lists(figures, gaps, opening, rowsIn);
}

export function amountsOf(figures: readonly ScannedFigure[]): readonly ScannedFigure[] {
  return figures.filter(({ reading }) => reading.moment === null && reading.quantities.length > 0);
}

/** The text before each figure, and behind the last. */
export function gapsOf(figures: readonly ScannedFigure[], start: number, text: string): readonly string[] {
  return [...figures.keys(), figures.length].map((i) =>
    text.slice((figures[i - 1]?.to ?? start) - start, (figures[i]?.from ?? start + text.length) - start),
  );
}

function namesBefore(figures: readonly ScannedFigure[], gaps: readonly string[], rowsIn: RowsIn): Turns {
  const turns: Turns = new Map();
  let last: ReadonlySet<number> | null = null;
  for (const [i, figure] of figures.entries()) {
    const gap = gaps[i] ?? '';
    // What is before the comma still speaks of the figure before.
    const opens = i === 0 ? 0 : gap.search(NEXT_PART);
    const own = opens === -1 ? rowsIn(gap) : rowsIn(gap.slice(opens));
    const clear = opens === 0 || (opens > 0 && rowsIn(gap.slice(0, opens)).size === 0);
    if (own.size === 1 && clear) last = own;
    else if (own.size > 0 || (opens > 0 && !clear)) last = null;
    if (last !== null) turns.set(figure, last);
  }
  return rowsIn(gaps.at(-1) ?? '').size > 0 ? new Map() : turns;
}

function namesBehind(figures: readonly ScannedFigure[], gaps: readonly string[], rowsIn: RowsIn): Turns {
  const turns: Turns = new Map();
  for (const [i, figure] of figures.entries()) {
    const gap = gaps[i + 1] ?? '';
    const ends = i === figures.length - 1 ? -1 : gap.search(NEXT_PART);
    const own = rowsIn(ends === -1 ? gap : gap.slice(0, ends));
    if (own.size !== 1 || (ends !== -1 && rowsIn(gap.slice(ends)).size > 0)) return new Map();
    turns.set(figure, own);
  }
  return turns;
}

/** As many values as names, one after the other. */
function lists(figures: readonly ScannedFigure[], gaps: readonly string[], named: ReadonlySet<number>, rowsIn: RowsIn): Turns {
  const turns: Turns = new Map();
  if (figures.length !== named.size || rowsIn(gaps.at(-1) ?? '').size > 0) return turns;
  if (!gaps.slice(1, -1).every((gap) => LISTED.test(gap))) return turns;
  for (const [i, row] of [...named].entries()) {
    const figure = figures[i];
    if (figure !== undefined) turns.set(figure, new Set([row]));
  }
  return turns;
}
