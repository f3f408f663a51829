import type { Row, Table } from './old-database';

/** The permitted differences of a table after an upgrade, caused by running processes. */
export interface TableRule {
  /** Columns that running processes change. */
  readonly changing?: readonly string[];
  /** All columns outside the key are counters that only grow. */
  readonly isGrowing?: true;
  /** Running processes remove rows whose work is done. */
  readonly isFinishing?: true;
  /**
   * New traffic adds rows. If a column names the subject or verdict of a row, the number of rows
   * about old ones must not change; null if no column does.
   */
  readonly addedBy?: string | null;
}

export interface Upgraded {
  readonly table: Table;
  readonly before: readonly Row[];
  readonly after: readonly Row[];
  /** The columns of the table after the upgrade. */
  readonly columns: readonly string[];
}

/** Reports each lost, duplicate or changed row, and each missing column. */
export function compareRows(
  { table: { name, keys, columns: old }, before, after, columns }: Upgraded,
  { changing = [], isGrowing, isFinishing, addedBy }: TableRule,
  oldIds: ReadonlySet<unknown>,
): string[] {
  const faults = old
    .filter((column) => !columns.includes(column))
    .map((column) => `${name}: the column ${column} is missing`);
  const found = new Map(after.map((row) => [row.key, row.values]));
  for (const { key, values } of before) {
    const now = found.get(key);
    if (now === undefined) {
      if (isFinishing !== true) faults.push(`${name}: the row ${key} is lost`);
      continue;
    }
    for (const column of old) {
      if (!columns.includes(column) || changing.includes(column)) continue;
      const [from, to] = [values[column], now[column]];
      const isCounter = isGrowing === true && !keys.includes(column);
      const isKept = isCounter ? hasGrown(from, to) : isEqual(from, to);
      if (!isKept)
        faults.push(`${name}: ${column} of ${key}: ${JSON.stringify(from)}, ${JSON.stringify(to)}`);
    }
  }
  if (addedBy === null) return faults;
  const count = (rows: readonly Row[]): number =>
    addedBy === undefined
      ? rows.length
      : rows.filter(({ values }) => oldIds.has(values[addedBy])).length;
  if (count(before) !== count(after))
    faults.push(`${name}: ${count(before)} old rows, ${count(after)} after the upgrade`);
  return faults;
}

const isEqual = (from: unknown, to: unknown): boolean =>
  JSON.stringify(from) === JSON.stringify(to);

/** A counter, or an object of counters. */
function hasGrown(from: unknown, to: unknown): boolean {
  if (typeof from !== 'object' || from === null) return Number(to) >= Number(from);
  const members = (to ?? {}) as Record<string, unknown>;
  return Object.entries(from).every(([name, each]) => hasGrown(each, members[name]));
}
