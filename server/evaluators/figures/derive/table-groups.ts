import { findCells } from '../delimited';
import { floatOf as decimalFloat } from '../float-range';
import type { SourceItem } from '../source-items';
import { Group } from './group';

const KEY_LENGTH_MAX = 80;

/** Rows of comma-separated text, its comments left out; a first row of words names the columns. */
export interface Table {
  readonly header: readonly string[];
  /** Rows behind the header. */
  readonly rows: number;
  readonly cells: readonly { readonly from: number; readonly to: number; readonly row: number; readonly column: number }[];
}

export function readTable(text: string): Table | null {
  const regions = findCells(text);
  if (regions === null) return null;
  const cells: { from: number; to: number; row: number; column: number }[] = [];
  let row = -1;
  let column = 0;
  let begins = true;
  for (const { from, to } of regions) {
    const ends = to >= text.length || text[to] === '\n';
    const alone = begins && ends;
    // Blank lines and comments are one cell, as no row of a table is.
    if (!alone) {
      if (begins) row++;
      column = begins ? 0 : column + 1;
      cells.push({ from, to, row, column });
    }
    begins = ends;
  }
  const header = cells
    .filter((cell) => cell.row === 0)
    .map(({ from, to }) => unquoted(text.slice(from, Math.min(to, from + KEY_LENGTH_MAX))));
  const named = header.length > 0 && header.every((cell) => /\p{L}/u.test(cell) || cell === '');
  return { header: named ? header : [], rows: row + (named ? 0 : 1), cells };
}

/** The columns of a table whose cells are one value each. */
export function tableGroups(items: readonly SourceItem[], text: string): readonly Group[] {
  const table = readTable(text);
  if (table === null) return [];
  const columns = new Map<number, SourceItem[]>();
  const broken = new Set<number>();
  let next = 0;
  for (const { from, to, row, column } of table.cells) {
    while ((items[next]?.from ?? Infinity) < from) next++;
    const item = items[next];
    if (item === undefined) break;
    if (item.from >= to || (row === 0 && table.header.length > 0)) continue;
    const held = columns.get(column) ?? [];
    columns.set(column, held);
    held.push(item);
    // Two values in a cell, or words around one: no column of amounts.
    if ((items[next + 1]?.from ?? Infinity) < to || unquoted(text.slice(from, to)) !== item.text) broken.add(column);
  }
  return [...columns].flatMap(([column, held]) => {
    if (broken.has(column)) return [];
    const key = table.header[column] ?? '';
    const name = key === '' ? `column ${column + 1}` : `column "${key}"`;
    return [
      new Group(
        { name, key, list: '' },
        (position) => held[position] ?? null,
        held.map(({ reading }) => floatOf(reading)),
      ),
    ];
  });
}

function unquoted(cell: string): string {
  return cell.trim().replaceAll('"', '');
}

function floatOf({ quantities }: SourceItem['reading']): number {
  const [quantity] = quantities;
  return quantity === undefined ? NaN : decimalFloat(quantity.decimal);
}
