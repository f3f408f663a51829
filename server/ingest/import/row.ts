import { parse } from 'csv-parse/sync';
import { jsonFault, type JsonSlice, sliceItems, sliceMembers } from '../../domain';
import { invalid } from '../../platform';
import { parsePath, type Path } from './path';

/** A row of an imported file. Values are JSON text as sent, so that digits survive. */
export interface ImportRow {
  /** Null where the value is missing or null. */
  read(place: string, within?: Within): string | null;
  /** The items of the array at a path; null if it is not an array. */
  items(place: string): readonly RowItem[] | null;
  /** The items of the array, or the members of the object, at a path; null if it is neither. */
  entries(place: string, within?: Within): readonly RowEntry[] | null;
}

/** An item of the row's array, by its position in the text. */
export type RowItem = JsonSlice;

/** The start of paths that do not begin at the row. */
export interface Within {
  readonly item?: RowItem | undefined;
  readonly entry?: RowItem | undefined;
}

export interface RowEntry {
  /** Its name, or its index from 0 in an array. */
  readonly key: string;
  readonly at: RowItem;
}

/** @throws AssayError invalid_request */
export function jsonRow(text: string): ImportRow {
  try {
    JSON.parse(text);
  } catch {
    const fault = jsonFault(text).replace(/^line \d+, /, '');
    throw invalid(`the row is not valid JSON${fault === '' ? '' : `: ${fault}`}`);
  }
  const root: JsonSlice = { start: 0, end: text.length };
  const members = new Map<number, Map<string, JsonSlice>>();
  const lists = new Map<number, readonly JsonSlice[]>();
  const step = (at: JsonSlice, name: string | number): JsonSlice | undefined => {
    if (typeof name === 'string') {
      let known = members.get(at.start);
      if (known === undefined) members.set(at.start, (known = sliceMembers(text, at.start)));
      return known.get(name);
    }
    let known = lists.get(at.start);
    if (known === undefined) lists.set(at.start, (known = sliceItems(text, at.start)));
    return known[name];
  };
  const find = (path: Path | null, within: Within): JsonSlice | undefined => {
    let at = path?.from === 'entry' ? within.entry : path?.from === 'item' ? within.item : root;
    for (const name of path?.steps ?? []) at = at === undefined ? undefined : step(at, name);
    return path === null ? undefined : at;
  };
  const rawAt = (path: Path | null, within: Within): string | null => {
    const at = find(path, within);
    const raw = at === undefined ? '' : text.slice(at.start, at.end).trim();
    return raw === '' || raw === 'null' ? null : raw;
  };
  return {
    read(place, within = {}) {
      const path = parsePath(place);
      const raw = rawAt(path, within);
      const last = path?.steps.at(-1);
      if (raw !== null || path === null || typeof last !== 'number') return raw;
      const parent = rawAt({ ...path, steps: path.steps.slice(0, -1) }, within);
      return parent?.startsWith('"') === true ? characterAt(parent, last) : null;
    },
    items(place) {
      const at = find(parsePath(place), {});
      return at === undefined || opener(text, at) !== '[' ? null : sliceItems(text, at.start);
    },
    entries(place, within = {}) {
      const at = find(parsePath(place), within);
      if (at === undefined) return null;
      if (opener(text, at) === '[')
        return sliceItems(text, at.start).map((slice, index) => ({
          key: String(index),
          at: slice,
        }));
      return opener(text, at) === '{'
        ? Array.from(sliceMembers(text, at.start), ([key, slice]) => ({ key, at: slice }))
        : null;
    },
  };
}

const opener = (text: string, { start, end }: JsonSlice): string | undefined =>
  text.slice(start, end).trimStart()[0];

/** One character of a JSON string, by code points, as a JSON string; null past its end. */
function characterAt(raw: string, index: number): string | null {
  let at = 0;
  for (const character of JSON.parse(raw) as string)
    if (at++ === index) return JSON.stringify(character);
  return null;
}

/**
 * An empty cell is missing. @throws AssayError invalid_request (broken quotes, another number of
 * cells than the header)
 */
export function csvRow(text: string, columns: readonly string[], delimiter: string): ImportRow {
  const cells = csvCells(text, delimiter);
  if (cells.length !== columns.length)
    throw invalid(`the row has ${cells.length} cells, but the header has ${columns.length}`);
  const values = new Map(columns.map((name, at) => [name, cells[at] ?? '']));
  return {
    read(place) {
      const cell = values.get(place) ?? '';
      return cell === '' ? null : JSON.stringify(cell);
    },
    items: () => null,
    entries: () => null,
  };
}

/** The cells of one record. @throws AssayError invalid_request */
export function csvCells(text: string, delimiter: string): string[] {
  try {
    const records: string[][] = parse(text, {
      delimiter,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n'],
      skip_empty_lines: false,
    });
    return records[0] ?? [''];
  } catch (error) {
    throw invalid(`the row is not valid CSV: ${csvFault(error)}`);
  }
}

const csvFaults: ReadonlyMap<unknown, string> = new Map([
  [
    'CSV_QUOTE_NOT_CLOSED',
    'a cell that begins with a quotation mark does not end with one, so the row reaches to the end of the file',
  ],
  [
    'INVALID_OPENING_QUOTE',
    'a cell has a quotation mark in its middle; put the cell in quotation marks, and double those within it',
  ],
  [
    'CSV_INVALID_CLOSING_QUOTE',
    'text follows the closing quotation mark of a cell; double the quotation marks within a cell',
  ],
]);

function csvFault(error: unknown): string {
  if (!(error instanceof Error)) return 'unreadable';
  return csvFaults.get('code' in error ? error.code : null) ?? error.message.slice(0, 200);
}

/**
 * The text of a JSON scalar: the content of a string, or a number or boolean as written. Null for
 * null.
 * @throws AssayError invalid_request
 */
export function scalarText(raw: string | null, field: string): string | null {
  if (raw === null) return null;
  if (raw.startsWith('{') || raw.startsWith('['))
    throw invalid(
      `${field}: must be a string, not ${raw.startsWith('{') ? 'an object' : 'an array'}`,
    );
  if (!raw.startsWith('"')) return raw;
  return JSON.parse(raw) as string;
}
