import type { Source } from '../../server/domain';

/**
 * Tables of the audited set, written as text: columns between bars, one row per line. The first
 * column names the row for formulas and is not part of the source. `-` is a missing value.
 */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

export function table(text: string): Table {
  const [head = [], ...body] = text.trim().split('\n').map(cellsOf);
  const columns = head.slice(1);
  const rows = body.map(([name = '', ...cells]): [string, Record<string, string>] => [
    name,
    Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? '-'])),
  ]);
  return { columns, rows: new Map(rows) };
}

function cellsOf(line: string): readonly string[] {
  return line.split('|').map((cell) => cell.trim());
}

export function cellOf(text: string): Cell {
  if (text === '-') return null;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The rows in the form of JSON. */
export function rowsOf({ rows }: Table): readonly Row[] {
  return [...rows.values()].map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, text]) => [key, cellOf(text)])),
  );
}

/** One array for each column, as weather and time series APIs return them. */
export function columnsOf(of: Table): Readonly<Record<string, readonly Cell[]>> {
  return Object.fromEntries(
    of.columns.map((column) => [column, rowsOf(of).map((row) => row[column] ?? null)]),
  );
}

export function json(label: string, value: unknown): Source {
  return { id: label, label, format: 'json', text: JSON.stringify(value, null, 1) };
}

export function plain(label: string, text: string): Source {
  return { id: label, label, format: 'text', text };
}

export function csv({ columns, rows }: Table): string {
  return [columns, ...[...rows.values()].map((row) => columns.map((column) => row[column]))]
    .map((each) => each.join(','))
    .join('\n');
}

export function markdown({ columns, rows }: Table): string {
  const line = (cells: readonly (string | undefined)[]): string => `| ${cells.join(' | ')} |`;
  const body = [...rows.values()].map((row) => line(columns.map((column) => row[column])));
  return [line(columns), line(columns.map(() => '---')), ...body].join('\n');
}

/** `key: value` lines, one block for each row. */
export function keyValues({ columns, rows }: Table): string {
  return [...rows.values()]
    .map((row) => columns.map((column) => `${column}: ${row[column] ?? ''}`).join('\n'))
    .join('\n\n');
}
