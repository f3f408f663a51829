import type { ScannedFigure } from '../scan';
import { readingsOf } from './readings';
import type { When } from './when';

/** Dates and figures of one sentence that are assigned to each other. */
const ASSIGNED_MAX = 64;

/**
 * The date of each figure of a sentence: the one that its words bind it to, unless more of the figures hold under another order of figures
 * and dates.
 * @param bound the date that words bind a figure to
 * @param holds whether the value of a figure is of a date
 */
export function chooseWhens(
  figures: readonly ScannedFigure[],
  whens: readonly When[],
  bound: (figure: ScannedFigure) => When | null,
  holds: (figure: ScannedFigure, when: When) => boolean,
): ReadonlyMap<ScannedFigure, When | null> {
  const chosen = new Map(figures.map((figure): [ScannedFigure, When | null] => [figure, bound(figure)]));
  const dates = whens.flatMap(({ listed }) => listed);
  if (dates.length < 2 || dates.length > ASSIGNED_MAX || figures.length > ASSIGNED_MAX) return chosen;
  // As many dates as figures: each has one, whatever the words are.
  const unbound = dates.length === figures.length && [...chosen.values()].includes(null);
  let most = unbound ? -1 : countHolding(figures, (figure) => chosen.get(figure) ?? null, holds);
  if (most === figures.length) return chosen;
  let best = chosen;
  for (const reading of readingsOf(figures, dates, [])) {
    const own = new Map(figures.map((figure, i): [ScannedFigure, When | null] => [figure, dates[reading[i] ?? -1] ?? null]));
    const holding = countHolding(figures, (figure) => own.get(figure) ?? null, holds);
    if (holding <= most) continue;
    most = holding;
    best = own;
  }
  return best;
}

function countHolding(
  figures: readonly ScannedFigure[],
  whenOf: (figure: ScannedFigure) => When | null,
  holds: (figure: ScannedFigure, when: When) => boolean,
): number {
  return figures.filter((figure) => {
    const when = whenOf(figure);
    return when === null || holds(figure, when);
  }).length;
}
