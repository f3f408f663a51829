import { floatOf as decimalFloat } from '../float-range';
import type { SourceItem } from '../source-items';
import type { TextTable } from '../text-table';
import { Group, Totals } from './group';

/** The columns of a table whose cells are one value each. */
export function tableGroups(
  items: readonly SourceItem[],
  text: string,
  table: TextTable | null,
): readonly Group[] {
  if (table === null) return [];
  const columns = new Map<number, SourceItem[]>();
  const broken = new Set<number>();
  let next = 0;
  for (const { from, to, column } of table.cells) {
    while ((items[next]?.from ?? Infinity) < from) next++;
    const item = items[next];
    if (item === undefined) break;
    if (item.from >= to || column === -1) continue;
    const cells = columns.get(column) ?? [];
    columns.set(column, cells);
    cells.push(item);
    // A column with two values in a cell, or words around one, is not a column of amounts.
    if ((items[next + 1]?.from ?? Infinity) < to || unquoted(text.slice(from, to)) !== item.text)
      broken.add(column);
  }
  return [...columns].flatMap(([column, cells]) => {
    if (broken.has(column)) return [];
    const key = table.header[column] ?? '';
    const name = key === '' ? `column ${column + 1}` : `column "${key}"`;
    const totals = new Totals();
    for (const { reading } of cells) totals.add(floatOf(reading));
    return [new Group({ name, key, list: '' }, () => cells, totals)];
  });
}

function unquoted(cell: string): string {
  return cell.trim().replaceAll('"', '');
}

function floatOf({ quantities }: SourceItem['reading']): number {
  const [quantity] = quantities;
  return quantity === undefined ? NaN : decimalFloat(quantity.decimal);
}
