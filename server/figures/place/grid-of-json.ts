import type { Names } from '../json/names';
import { type JsonTable, RowKind } from '../json/table';
import { isDateKey, type Records } from '../json/records';
import type { JsonContent } from '../source-items';
import { NamedColumn } from './column';
import type { WordPrints } from './fingerprint';
import type { DateColumns, GridParts, RowLabels } from './grid';
import { datesLine, isLineYear, LineDates, YEAR_NAMES } from './line-dates';
import { nameParts } from './words';

/** Maximum number of values put into columns; bounds the cost of a source. */
const ITEMS_MAX = 50_000;
/** Maximum number of parent levels searched for names; bounds the cost of a source. */
const LEVELS_MAX = 8;
/** Maximum number of object levels whose short texts name a value, and of texts per level. */
const LABEL_LEVELS_MAX = 3;
const LABELS_MAX = 8;
const NONE = -1;

/** JSON as columns: one per name. */
export function gridOfJson(content: JsonContent): GridParts {
  const { table } = content;
  const names = content.names();
  const columns: NamedColumn[] = [];
  const byName: number[] = [];
  const columnOf = new Int32Array(table.size).fill(NONE);
  let left = ITEMS_MAX;
  for (let row = 0; row < table.size; row++) {
    const kind = table.kindOf(row);
    if (kind >= RowKind.label) continue;
    const isListed = left-- > 0;
    if (
      kind === RowKind.moment ||
      kind === RowKind.clock ||
      (kind >= RowKind.plain && (isDate(table, row, kind) || isKey(table, row, kind)))
    )
      continue;
    const name = names.nameOf(row);
    let column = byName[name] ?? NONE;
    if (column === NONE && isListed) {
      column = columns.length;
      byName[name] = column;
      const key = names.keyOf(name);
      columns.push(new NamedColumn(content, keysAbove(names, name), key));
    }
    if (isListed) columns[column]?.rows.push(row);
    columnOf[row] = column;
  }
  const records = content.records();
  const lineOf = (row: number): number => records.lineOf(row);
  const lineAbove = (line: number): number => records.lineAbove(line);
  return {
    columns,
    columnOf,
    dateColumns: () => dateColumnsOf(content),
    dates: () => lineDates(table, records),
    lineOf,
    lineAbove,
    labels: new JsonLabels(table, records),
  };
}

function dateColumnsOf(content: JsonContent): DateColumns {
  const { table } = content;
  const names = content.names();
  const byName = new Map<number, NamedColumn>();
  const columnOf = new Map<number, NamedColumn>();
  for (let row = 0; row < Math.min(table.size, ITEMS_MAX); row++) {
    const kind = table.kindOf(row);
    const isDated = kind === RowKind.moment || kind === RowKind.clock || isDate(table, row, kind);
    if (!isDated || isKey(table, row, kind)) continue;
    const name = names.nameOf(row);
    let column = byName.get(name);
    if (column === undefined) {
      const key = names.keyOf(name);
      column = new NamedColumn(content, keysAbove(names, name), key);
      byName.set(name, column);
    }
    column.rows.push(row);
    columnOf.set(row, column);
  }
  return { columns: [...byName.values()], columnOf };
}

/**
 * Short texts of the objects that contain a value, and the keys of records. A label is the number
 * of a row, or the bitwise complement of the number of a container.
 */
class JsonLabels implements RowLabels {
  readonly size: number;
  readonly complements: number;

  constructor(
    private readonly table: JsonTable,
    private readonly records: Records,
  ) {
    this.size = table.size;
    this.complements = table.containerCount;
  }

  of(row: number, labels: number[]): number {
    const { table, records } = this;
    let count = 0;
    const line = records.lineOf(row);
    if (line >= table.containerCount)
      for (const label of records.parallelLabels(line).slice(0, LABELS_MAX))
        labels[count++] = label;
    let container = table.parentOf(row);
    for (let level = 0; container !== NONE && level < LABEL_LEVELS_MAX; level++) {
      const max = count + LABELS_MAX;
      if (line < table.containerCount || level > 0) {
        for (
          let label = table.firstLabel(container);
          label !== NONE && count < max;
          label = table.extraOf(label)
        )
          labels[count++] = label;
      }
      const above = table.above(container);
      if (above !== NONE && records.keyed[above] === 1) labels[count++] = ~container;
      container = above;
    }
    return count;
  }

  read(label: number, words: WordPrints, max: number): boolean {
    const { table } = this;
    if (label >= 0 && table.kindOf(label) === RowKind.label)
      return words.readUnits(table.units, table.fromOf(label), table.toOf(label), max);
    return words.readText(this.textOf(label), max);
  }

  textOf(label: number): string {
    const { table } = this;
    if (label >= 0) return table.textOf(label);
    const key = String(table.stepName(table.stepOfContainer(~label)));
    return isDateKey(key) ? '' : key;
  }
}

/** The dates of objects and arrays, and the years under the key `year`. */
function lineDates(table: JsonTable, records: Records): LineDates['byLine'] {
  const dates = new LineDates();
  const years = YEAR_NAMES.map((name) => table.keys.find(name)).filter((key) => key !== NONE);
  let left = ITEMS_MAX;
  for (let row = 0; row < table.size && left > 0; row++) {
    const kind = table.kindOf(row);
    if (kind >= RowKind.label) continue;
    left--;
    const parent = table.parentOf(row);
    if (parent === NONE) continue;
    const moment = kind === RowKind.token ? table.tokenReading(row).moment : null;
    if (kind === RowKind.token && table.isOfKey(row)) {
      const line = isDateKey(table.textOf(row)) ? records.lineOfKey(row) : NONE;
      if (line !== NONE) dates.add(line, row);
      continue;
    }
    const isYear =
      moment === null &&
      isYearStep(table, row, parent, years) &&
      isLineYear('year', table.textOf(row));
    if (kind === RowKind.moment || datesLine(moment) || isYear) dates.add(records.lineOf(row), row);
  }
  return dates.byLine;
}

/** Whether a row is under the key `year` or `date`, or in an array under it. */
function isYearStep(
  table: JsonTable,
  row: number,
  parent: number,
  years: readonly number[],
): boolean {
  const step = table.stepOf(row);
  return years.includes(~(step >= 0 ? table.stepOfContainer(parent) : step));
}

function isDate(table: JsonTable, row: number, kind: number): boolean {
  return kind === RowKind.token && table.tokenReading(row).moment !== null;
}

/** Whether the row is a figure that was read from a key, not a value under that key. */
function isKey(table: JsonTable, row: number, kind: number): boolean {
  if (kind !== RowKind.token && kind !== RowKind.plain) return false;
  const step = table.stepOf(row);
  if (step >= 0 || table.parentOf(row) === NONE) return false;
  const key = table.keys.textOf(~step);
  return (
    (kind === RowKind.token || table.toOf(row) - table.fromOf(row) === key.length) &&
    table.textOf(row) === key
  );
}

function keysAbove(names: Names, name: number): readonly string[] {
  const parts: string[] = [];
  let at = names.above(name);
  for (let level = 0; at !== NONE && level < LEVELS_MAX; level++, at = names.above(at))
    parts.push(...nameParts(names.keyOf(at)));
  return parts;
}
