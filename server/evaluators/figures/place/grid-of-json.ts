import type { Names } from '../json/names';
import { type JsonTable, Kind } from '../json/table';
import type { JsonContent } from '../source-items';
import { Column } from './column';
import type { GridParts } from './grid';
import { datesLine, isLineYear, LineDates } from './line-dates';
import { nameParts } from './words';

/** Values that are put into columns, and names that are walked up from one: bounds on what a source costs. */
const ITEMS_MAX = 50_000;
const LEVELS_MAX = 8;
const NONE = -1;

/** JSON as columns: the values of one name each. */
export function gridOfJson(content: JsonContent): GridParts {
  const { table } = content;
  const names = content.names();
  const columns: Column[] = [];
  const byName: number[] = [];
  const columnOf = new Int32Array(table.size).fill(NONE);
  let left = ITEMS_MAX;
  for (let row = 0; row < table.size; row++) {
    const kind = table.kindOf(row);
    if (kind >= Kind.label) continue;
    const isListed = left-- > 0;
    if (kind === Kind.moment || kind === Kind.clock || (kind >= Kind.plain && (isDate(table, row, kind) || isKey(table, row, kind))))
      continue;
    const name = names.nameOf(row);
    let column = byName[name] ?? NONE;
    if (column === NONE && isListed) {
      column = columns.length;
      byName[name] = column;
      columns.push(new Column(content, nameParts(names.keyOf(name)), keysAbove(names, name)));
    }
    if (isListed) columns[column]?.rows.push(row);
    columnOf[row] = column;
  }
  const lineOf = (row: number): number => table.parentOf(row);
  return { columns, columnOf, dates: () => lineDates(table), lineOf, lineAbove: (line) => table.above(line) };
}

/** The dates of objects and arrays, and the years under the key `year`. */
function lineDates(table: JsonTable): LineDates['held'] {
  const dates = new LineDates();
  const year = table.keys.find('year');
  let left = ITEMS_MAX;
  for (let row = 0; row < table.size && left > 0; row++) {
    const kind = table.kindOf(row);
    if (kind >= Kind.label) continue;
    left--;
    const parent = table.parentOf(row);
    if (parent === NONE) continue;
    const moment = kind === Kind.token ? table.tokenReading(row).moment : null;
    const isYear = moment === null && table.stepOf(row) === ~year && isLineYear('year', table.textOf(row));
    if (kind === Kind.moment || datesLine(moment) || isYear) dates.add(parent, row);
  }
  return dates.held;
}

function isDate(table: JsonTable, row: number, kind: number): boolean {
  return kind === Kind.token && table.tokenReading(row).moment !== null;
}

/** A figure in a key is no value of it. */
function isKey(table: JsonTable, row: number, kind: number): boolean {
  if (kind !== Kind.token && kind !== Kind.plain) return false;
  const step = table.stepOf(row);
  if (step >= 0 || table.parentOf(row) === NONE) return false;
  const key = table.keys.textOf(~step);
  return (kind === Kind.token || table.toOf(row) - table.fromOf(row) === key.length) && table.textOf(row) === key;
}

function keysAbove(names: Names, name: number): readonly string[] {
  const parts: string[] = [];
  let at = names.above(name);
  for (let level = 0; at !== NONE && level < LEVELS_MAX; level++, at = names.above(at)) parts.push(...nameParts(names.keyOf(at)));
  return parts;
}
