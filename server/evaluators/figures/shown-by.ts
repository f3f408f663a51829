import type { ScannedFigure } from './scan';
import type { SourceItem } from './source-items';
import { ListedValues, ValueIndex } from './value-index';

/** Whether a figure states this very value, as INT-18 has it or cut off after the digits shown. */
export function isShownBy(item: SourceItem, figure: ScannedFigure): boolean {
  if (new ValueIndex(new ListedValues([item])).find(figure.reading) !== null) return true;
  const shown = figure.reading.quantities[0];
  const held = item.reading.quantities[0];
  if (shown === undefined || held === undefined || held.quantum >= shown.quantum) return false;
  return Math.abs(Number(figure.value) - Number(item.text)) < 10 ** shown.quantum;
}
