import { labelsOf } from '../json/labels';
import { type JsonTable, RowKind } from '../json/table';
import type { ScannedFigure } from '../scan';
import type { SourceContent, SourceItem } from '../source-items';
import type { Sentence } from './sentence';

/** Maximum numbers in texts compared for one figure, to bound its cost. */
const COMPARED_MAX = 256;

/**
 * The places where a number is part of a name that the sentence quotes: 2024 of "Q1 2024" refers to
 * the row of that name, in any context.
 */
export function quotedIn(
  figure: ScannedFigure,
  sentence: Sentence,
  items: readonly SourceItem[],
  { table }: SourceContent,
): readonly SourceItem[] {
  if (table === null) return [];
  const at = figure.from - sentence.from;
  const labels: number[] = [];
  let left = COMPARED_MAX;
  return items.filter(({ row }) => {
    const kind = table.kindOf(row);
    if ((kind !== RowKind.plain && kind !== RowKind.token) || left-- <= 0) return false;
    const name = nameOf(table, row, labels);
    const within = name?.indexOf(figure.text.toLowerCase()) ?? -1;
    // "5 GiB" is an amount, not a name: in a name letters precede the number.
    if (name === null || within < 1 || within > at || !LETTER.test(name.slice(0, within)))
      return false;
    return sentence.text.slice(at - within, at - within + name.length).toLowerCase() === name;
  });
}

const LETTER = /\p{L}/u;

/** The short text that contains a number, in lower case. */
function nameOf(table: JsonTable, row: number, labels: number[]): string | null {
  const count = labelsOf(table, row, labels);
  for (let i = 0; i < count; i++) {
    const label = labels[i] ?? 0;
    if (table.parentOf(label) !== table.parentOf(row) || table.stepOf(label) !== table.stepOf(row))
      continue;
    return table.textOf(label).toLowerCase();
  }
  return null;
}
