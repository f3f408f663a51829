import type { Figure } from '../../domain';
import { nearestItem } from './nearest';
import type { ScannedFigure } from './scan';
import type { SourceIndex } from './source-index';
import type { SourceItem } from './source-items';

/** A figure, and where its value stands, if anywhere. */
export interface Trace {
  readonly figure: ScannedFigure;
  readonly item: SourceItem | null;
}

/** Figures beyond this many take their value's first place instead of the nearest one. */
const NEAREST_FIGURES_MAX = 2_000;

/** Traces each figure to the best place of its value among the turn's sources (INT-2, INT-18). Pure; order is kept. */
export function traceFigures(figures: readonly ScannedFigure[], answer: string, index: SourceIndex): readonly Trace[] {
  const known = new Map<string, readonly SourceItem[]>();
  return figures.map((figure, i) => {
    const key = figureKey(figure);
    let items = known.get(key);
    if (items === undefined) {
      items = index.find(figure.reading)?.items ?? [];
      known.set(key, items);
    }
    return { figure, item: i < NEAREST_FIGURES_MAX ? nearestItem(items, figure, answer, index) : (items[0] ?? null) };
  });
}

/** Equal for figures that say the same thing in the same way. */
export function figureKey(figure: ScannedFigure): string {
  return `${figure.text}\u0000${figure.value}\u0000${figure.unit ?? ''}`;
}

/** A traced figure as the scan alone settles it: no fact of an envelope has a say. */
export function figureOf({ figure, item }: Trace, index: SourceIndex): Figure {
  const { text, start, end, kind, value, unit } = figure;
  return {
    text,
    start,
    end,
    kind,
    value,
    unit,
    sourced: item !== null,
    source: item === null ? null : index.placeOf(item),
    citation_ok: null,
    source_text: item?.text ?? null,
    cited: null,
    reason: item === null ? 'not_in_sources' : null,
  };
}
