import type { JsonTable } from './table';

const NONE = -1;
/** Levels of objects and arrays whose short texts name a value, and texts per level. */
const LEVELS_MAX = 3;
const LABELS_MAX = 8;

/**
 * The rows of short texts in the same row or object as a value, nearest first, written to `labels`.
 * @returns the number of them
 */
export function labelsOf(table: JsonTable, row: number, labels: number[]): number {
  let count = 0;
  let container = table.parentOf(row);
  for (
    let level = 0;
    container !== NONE && level < LEVELS_MAX;
    level++, container = table.above(container)
  ) {
    const max = count + LABELS_MAX;
    for (
      let label = table.firstLabel(container);
      label !== NONE && count < max;
      label = table.extraOf(label)
    )
      labels[count++] = label;
  }
  return count;
}
