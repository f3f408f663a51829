import type { ScannedFigure } from '../scan';
import { type NameAssignment, readingsOf, type ReadingRange } from './readings';
import type { SentencePeriod } from './sentence-period';

/** Maximum number of dates, and of figures, that are paired in one sentence. */
const MAX_PAIRED = 64;

/**
 * Chooses the date of each figure of a sentence. This is the date that the words next to the figure
 * indicate, unless all values are right only under another pairing of figures and dates.
 * @param dateByWords the date that the words of the sentence indicate for a figure, or null
 * @param isRightFor whether the value of a figure is right for a date
 * @param inOrder whether the sentence says that figures follow the order of dates ("respectively")
 */
export function choosePeriods(
  figures: readonly ScannedFigure[],
  periods: readonly SentencePeriod[],
  dateByWords: (figure: ScannedFigure) => SentencePeriod | null,
  isRightFor: (figure: ScannedFigure, when: SentencePeriod) => boolean,
  inOrder: boolean,
): ReadonlyMap<ScannedFigure, SentencePeriod | null> {
  const chosen = new Map(
    figures.map((figure): [ScannedFigure, SentencePeriod | null] => [figure, dateByWords(figure)]),
  );
  const dates = periods.flatMap(({ listed }) => listed);
  if (dates.length < 2 || dates.length > MAX_PAIRED || figures.length > MAX_PAIRED) return chosen;
  const areAllRight = (dateOf: (figure: ScannedFigure) => SentencePeriod | null): boolean =>
    figures.every((figure) => {
      const when = dateOf(figure);
      return when === null || isRightFor(figure, when);
    });
  // With as many dates as figures, each figure has its own date, even if no words indicate it.
  const needsPairing = dates.length === figures.length && [...chosen.values()].includes(null);
  if (!needsPairing && areAllRight((figure) => chosen.get(figure) ?? null)) return chosen;
  for (const reading of inOrder
    ? readingsOf(figures, dates, [], true)
    : [...readingsOf(figures, dates, []), assignNearest(figures, dates)]) {
    const paired = new Map(
      figures.map((figure, i): [ScannedFigure, SentencePeriod | null] => [
        figure,
        dates[reading[i] ?? -1] ?? null,
      ]),
    );
    if (areAllRight((figure) => paired.get(figure) ?? null)) return paired;
  }
  return needsPairing
    ? new Map(figures.map((figure, i) => [figure, chosen.get(figure) ?? dates[i] ?? null]))
    : chosen;
}

/** Assigns to each figure its nearest date. Both lists are in the order of the sentence. */
function assignNearest(
  figures: readonly ReadingRange[],
  dates: readonly ReadingRange[],
): NameAssignment {
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
