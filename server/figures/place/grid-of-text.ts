import type { TextContent } from '../source-items';
import type { TextCell } from '../text-table';
import { NamedColumn } from './column';
import type { WordPrints } from './fingerprint';
import type { DateColumns, GridParts, RowLabels } from './grid';
import { datesLine, isLineYear, LineDates } from './line-dates';

/** Maximum values put into columns, to bound the cost of a source. */
const ITEMS_MAX = 50_000;
const LABEL_LENGTH_MAX = 40;
const LABELS_MAX = 8;
/** An amount with its unit is not a name. */
const AMOUNT = /^[-+−~<>]?\s?[$€£¥]?\s?\d[\d.,\s]*\s?[^\s\d]{0,8}$/u;
const LETTER = /\p{L}/u;

/** Tables of a text as columns; no columns if it has none. */
export function gridOfText(content: TextContent): GridParts {
  const { items, layout } = content;
  const columns: NamedColumn[] = [];
  const columnOf = new Int32Array(items.length).fill(-1);
  const lines = new Int32Array(items.length).fill(-1);
  const dates = new LineDates();
  const lineOf = (row: number): number => lines[row] ?? -1;
  const ofDates = new Map<number, NamedColumn>();
  const dateColumnOf = new Map<number, NamedColumn>();
  const parts = {
    columns,
    columnOf,
    dateColumns: (): DateColumns => ({ columns: [...ofDates.values()], columnOf: dateColumnOf }),
    dates: () => dates.byLine,
    lineOf,
    lineAbove: () => -1,
  };
  if (layout === null) return { ...parts, labels: NO_LABELS };
  const dated = new Set<TextCell>();
  const byColumn = new Map<number, number>();
  let next = 0;
  for (const item of items.slice(0, ITEMS_MAX)) {
    while (next < layout.cells.length && (layout.cells[next]?.to ?? 0) <= item.from) next++;
    const cell = layout.cells[next];
    if (cell === undefined || cell.from > item.from || cell.column === -1) continue;
    const name = layout.header[cell.column] ?? '';
    lines[item.row] = cell.line;
    if (item.dated ? datesLine(item.reading.moment) : isLineYear(name, item.text)) {
      dates.add(cell.line, item.row);
      dated.add(cell);
    }
    if (item.dated) {
      const column = ofDates.get(cell.column) ?? new NamedColumn(content, [], name);
      ofDates.set(cell.column, column);
      column.rows.push(item.row);
      dateColumnOf.set(item.row, column);
      continue;
    }
    let column = byColumn.get(cell.column);
    if (column === undefined) {
      column = columns.length;
      byColumn.set(cell.column, column);
      columns.push(new NamedColumn(content, [], name));
    }
    columns[column]?.rows.push(item.row);
    columnOf[item.row] = column;
  }
  return { ...parts, labels: new TextLabels(content.text, layout.cells, lineOf, dated) };
}

const NO_LABELS: RowLabels = {
  size: 0,
  complements: 0,
  of: () => 0,
  read: () => false,
  textOf: () => '',
};

/** Cells with words name their line. A label is the index of its cell. */
class TextLabels implements RowLabels {
  readonly size: number;
  readonly complements = 0;
  private readonly byLine = new Map<number, number[]>();

  constructor(
    private readonly text: string,
    private readonly cells: readonly TextCell[],
    private readonly lineOf: (row: number) => number,
    dated: ReadonlySet<TextCell>,
  ) {
    this.size = cells.length;
    for (const [at, cell] of cells.entries()) {
      if (cell.to - cell.from > 2 * LABEL_LENGTH_MAX || dated.has(cell)) continue;
      const name = this.textOf(at);
      if (
        name.length < 2 ||
        name.length > LABEL_LENGTH_MAX ||
        !LETTER.test(name) ||
        AMOUNT.test(name)
      )
        continue;
      const existing = this.byLine.get(cell.line);
      if (existing === undefined) this.byLine.set(cell.line, [at]);
      else if (existing.length < LABELS_MAX) existing.push(at);
    }
  }

  of(row: number, labels: number[]): number {
    const own = this.byLine.get(this.lineOf(row)) ?? [];
    for (const [i, label] of own.entries()) labels[i] = label;
    return own.length;
  }

  read(label: number, words: WordPrints, max: number): boolean {
    return words.readText(this.textOf(label), max);
  }

  textOf(label: number): string {
    const cell = this.cells[label];
    return cell === undefined
      ? ''
      : this.text.slice(cell.from, cell.to).replaceAll(/["*`]/gu, '').trim();
  }
}
