import type { ScannedFigure } from '../scan';
import { type NameAssignment, readingsOf, type ReadingRange } from './readings';
import type { SentencePeriod } from './sentence-period';

/** Maximum number of dates and figures of one sentence that are assigned to each other. */
const ASSIGNED_MAX = 64;

/**
 * The date of each figure of a sentence: the one that its words bind it to, unless all figures are
 * right only under another order of figures and dates.
 * @param bound the date that words bind a figure to
 * @param inOrder the sentence says that figures follow the order of dates
 * @param holds whether the value of a figure belongs to a date
 */
export function choosePeriods(
  figures: readonly ScannedFigure[],
  periods: readonly SentencePeriod[],
  bound: (figure: ScannedFigure) => SentencePeriod | null,
  holds: (figure: ScannedFigure, when: SentencePeriod) => boolean,
  inOrder: boolean,
): ReadonlyMap<ScannedFigure, SentencePeriod | null> {
  const chosen = new Map(
    figures.map((figure): [ScannedFigure, SentencePeriod | null] => [figure, bound(figure)]),
  );
  const dates = periods.flatMap(({ listed }) => listed);
  if (dates.length < 2 || dates.length > ASSIGNED_MAX || figures.length > ASSIGNED_MAX)
    return chosen;
  const holding = (of: (figure: ScannedFigure) => SentencePeriod | null): boolean =>
    figures.every((figure) => {
      const when = of(figure);
      return when === null || holds(figure, when);
    });
  // As many dates as figures: each has one, independent of the words.
  const unbound = dates.length === figures.length && [...chosen.values()].includes(null);
  if (!unbound && holding((figure) => chosen.get(figure) ?? null)) return chosen;
  for (const reading of inOrder
    ? readingsOf(figures, dates, [], true)
    : [...readingsOf(figures, dates, []), nearest(figures, dates)]) {
    const own = new Map(
      figures.map((figure, i): [ScannedFigure, SentencePeriod | null] => [
        figure,
        dates[reading[i] ?? -1] ?? null,
      ]),
    );
    if (holding((figure) => own.get(figure) ?? null)) return own;
  }
  return unbound
    ? new Map(figures.map((figure, i) => [figure, chosen.get(figure) ?? dates[i] ?? null]))
    : chosen;
}

/** Each figure's nearest date. Both lists are in order. */
function nearest(figures: readonly ReadingRange[], dates: readonly ReadingRange[]): NameAssignment {
  let at = 0;
  const distance = (figure: ReadingRange, date: ReadingRange | undefined): number =>
    date === undefined
      ? Infinity
      : date.from >= figure.to
        ? date.from - figure.to
        : figure.from - date.to;
  return figures.map((figure) => {
    while (distance(figure, dates[at + 1]) <= distance(figure, dates[at])) at++;
    return at;
  });
}
