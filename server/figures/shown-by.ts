import type { ScannedFigure } from './scan';
import type { SourceItem } from './source-items';
import { ListedValues, ValueIndex } from './value-index';

/** Whether a figure states exactly this value, as defined by INT-18. */
export function isShownBy(item: SourceItem, figure: ScannedFigure): boolean {
  return new ValueIndex(new ListedValues([item])).find(figure.reading) !== null;
}
