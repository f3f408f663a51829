import type { SourceItem, TextContent } from '../source-items';
import { Column } from './column';
import type { GridParts } from './grid';
import { datesLine, isLineYear, LineDates } from './line-dates';
import { type Cell, readTable } from './table';
import { nameParts } from './words';

/** Values that are put into columns: a bound on what a source costs. */
const ITEMS_MAX = 50_000;

/** Comma-separated text as columns; no columns where it is none. */
export function gridOfText(content: TextContent): GridParts {
  const { items, text } = content;
  const columns: Column[] = [];
  const columnOf = new Int32Array(items.length).fill(-1);
  const lines = new Int32Array(items.length).fill(-1);
  const dates = new LineDates();
  const parts = { columns, columnOf, dates: () => dates.held, lineOf: (row: number) => lines[row] ?? -1, lineAbove: () => -1 };
  const table = readTable(text);
  if (table === null) return parts;
  const byCell = new Map<number, number>();
  let next = 0;
  const cellOf = (item: SourceItem): Cell | null => {
    while (next < table.cells.length && (table.cells[next]?.to ?? 0) <= item.from) next++;
    const cell = table.cells[next];
    return cell === undefined || cell.from > item.from ? null : cell;
  };
  for (const item of items.slice(0, ITEMS_MAX)) {
    const cell = cellOf(item);
    if (cell === null || cell.row < 0) continue;
    const name = table.header[cell.column] ?? '';
    lines[item.row] = cell.row;
    if (item.dated ? datesLine(item.reading.moment) : isLineYear(name, item.text)) dates.add(cell.row, item.row);
    if (item.dated) continue;
    let column = byCell.get(cell.column);
    if (column === undefined) {
      column = columns.length;
      byCell.set(cell.column, column);
      columns.push(new Column(content, nameParts(name), []));
    }
    columns[column]?.rows.push(item.row);
    columnOf[item.row] = column;
  }
  return parts;
}
