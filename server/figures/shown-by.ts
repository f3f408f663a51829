import type { ScannedFigure } from './scan';
import type { SourceItem } from './source-items';
import { ListedValues, ValueIndex } from './value-index';

/** Whether a figure states this very value, as INT-18 has it. */
export function isShownBy(item: SourceItem, figure: ScannedFigure): boolean {
  return new ValueIndex(new ListedValues([item])).find(figure.reading) !== null;
}
