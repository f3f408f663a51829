import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Misattribution } from './attribute';
import type { NamedColumn } from './column';
import type { ItemsOf } from './entity';
import type { Grid } from './grid';
import type { Sentence } from './sentence';

/** Maximum number of date columns compared: one row has few dates. */
const COLUMNS_MAX = 16;

/**
 * Dates and times are values too: "due on 2 March" refers to `due`, and "INV-2042 was issued on 5
 * February" to the row of that name. Returns a contradiction with every place of a date, or null.
 */
export function dateFault(
  figure: ScannedFigure,
  sentence: Sentence,
  items: readonly SourceItem[],
  grid: Grid,
  itemsOf: ItemsOf,
): Misattribution | null {
  const { columns, columnOf, labels } = grid.ofDates();
  if (columns.length === 0 || columns.length > COLUMNS_MAX) return null;
  const own: NamedColumn[] = [];
  for (const item of items) {
    const column = columnOf.get(item.row);
    if (column === undefined) return null;
    own.push(column);
  }
  const named = labels.named(figure, sentence);
  // "The 17:25 train arrives in Drammen at 18:02": the name of a date precedes it, as it does here.
  const words = sentence.wordsBetween(0, figure.from - sentence.from);
  const best = columns.filter((column) => named.scores.get(column) === named.best);
  const isNamed =
    columns.length > 1 &&
    named.best >= 2 &&
    !named.distant &&
    best.every((column) => words.some((word) => labels.names(word, column)));
  const meant = isNamed ? best : [...new Set(own)];
  const places = items.filter((item) => {
    const column = columnOf.get(item.row);
    return column !== undefined && meant.includes(column);
  });
  const expected = expectedIn(figure, sentence, meant, grid, itemsOf);
  if (places.length === 0)
    return {
      expected: expected?.item ?? null,
      why: 'the date is under another name than the one in the sentence',
    };
  if (expected === null) return null;
  const isThere = places.some((item) => {
    const column = columnOf.get(item.row);
    return column === undefined || expected.rows(column).has(column.positionOf(item.row));
  });
  return isThere
    ? null
    : {
        expected: expected.item,
        why: 'the date is in a row of another name than the one in the sentence',
      };
}

interface Expected {
  readonly item: SourceItem | null;
  readonly rows: (column: NamedColumn) => ReadonlySet<number>;
}

/** The rows that the clause of a date names, in all its possible columns; null for none. */
function expectedIn(
  figure: ScannedFigure,
  sentence: Sentence,
  columns: readonly NamedColumn[],
  grid: Grid,
  itemsOf: ItemsOf,
): Expected | null {
  const rows = new Map(
    columns.map((column) => [column, grid.rowNames.datedBy(figure, column, sentence, itemsOf)]),
  );
  if ([...rows.values()].some(({ size }) => size === 0)) return null;
  const [only] = columns;
  const [at] = only === undefined ? [] : (rows.get(only) ?? []);
  const item =
    columns.length === 1 && only !== undefined && at !== undefined && rows.get(only)?.size === 1
      ? only.item(at)
      : null;
  return { item, rows: (column) => rows.get(column) ?? new Set() };
}
