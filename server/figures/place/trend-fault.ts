import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Misattribution, AttributionScope } from './attribute';
import { changeFault } from './change';
import type { Grid } from './grid';
import { beyondLevel } from './trend';
import { sentencePeriodOf } from './period-of';

/** A word of change that the two values next to it, or the series, contradict. */
export function trendFault(
  figure: ScannedFigure,
  { sentence, periods }: AttributionScope,
  grid: Grid,
  itemsOf: (figure: ScannedFigure) => readonly SourceItem[],
): Misattribution | null {
  const isName = (word: string): boolean => grid.labels().knows(word);
  const change = changeFault(figure, sentence, itemsOf, isName);
  if (change !== null) return change;
  const [column, other] = grid.amounts();
  if (column === undefined || other !== undefined) return null;
  const when = sentencePeriodOf(figure, sentence, periods, null);
  const level = beyondLevel(figure, sentence, when, column, grid);
  return level === null
    ? null
    : {
        expected: column.item(level.point.at),
        why: `the sentence says “${level.side}”, and the source has ${level.point.value}`,
      };
}
