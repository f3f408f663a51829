import { findCells } from '../delimited';

export interface Cell {
  readonly from: number;
  readonly to: number;
  /** -1 in the header. */
  readonly row: number;
  readonly column: number;
}

export interface Table {
  readonly header: readonly string[];
  /** In order; comments and blank lines are left out. */
  readonly cells: readonly Cell[];
}

const NAME_LENGTH_MAX = 80;

/** Comma-separated text as a table, or null where it is none; a first row of words names the columns. */
export function readTable(text: string): Table | null {
  const regions = findCells(text);
  if (regions === null) return null;
  const header: string[] = [];
  const cells: Cell[] = [];
  let row = -1;
  let column = 0;
  let begins = true;
  for (const { from, to } of regions) {
    const ends = to >= text.length || text[to] === '\n';
    if (!(begins && ends)) {
      if (begins) row++;
      column = begins ? 0 : column + 1;
      if (row === 0) header.push(text.slice(from, Math.min(to, from + NAME_LENGTH_MAX)).trim());
      cells.push({ from, to, row, column });
    }
    begins = ends;
  }
  const named = header.length > 0 && header.every((cell) => cell === '' || /^[^\d]*\p{L}/u.test(cell));
  return { header: named ? header : [], cells: cells.map((cell) => ({ ...cell, row: named ? cell.row - 1 : cell.row })) };
}
