import type { ScannedFigure } from '../scan';

/** The positions where a sentence continues with the next subject. */
export const NEXT_PART = /[,;(\n]|\b(?:and|while|whereas|but)\b/;

export type RowsIn = (part: string) => ReadonlySet<number>;

/** The figures of a sentence that are amounts. */
export function amountsOf(figures: readonly ScannedFigure[]): readonly ScannedFigure[] {
  return figures.filter(({ reading }) => reading.moment === null && reading.quantities.length > 0);
}

/** The text before each figure, and after the last. */
export function gapsOf(
  figures: readonly ScannedFigure[],
  start: number,
  text: string,
): readonly string[] {
  return [...figures.keys(), figures.length].map((i) =>
    text.slice(
      (figures[i - 1]?.to ?? start) - start,
      (figures[i]?.from ?? start + text.length) - start,
    ),
  );
}
