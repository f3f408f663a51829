import type { Moment } from '../moment';
import type { PathNode } from '../path';
import type { SourceContent, SourceItem } from '../source-items';
import { type Cell, readTable } from './table';
import { nameParts } from './words';

/** The values that stand under one name: the same key of sibling objects, or a column of a table. */
export interface Column {
  /** Words of its own key, and of the keys above it. */
  readonly own: readonly string[];
  readonly above: readonly string[];
  readonly items: SourceItem[];
}

/** Values that are put into columns, and what is walked up from one: bounds on what a source costs. */
const ITEMS_MAX = 50_000;
const LEVELS_MAX = 8;
const DATES_MAX = 4;
const NO_MOMENTS: readonly Moment[] = [];

/**
 * What one source looks like as rows and columns: which values share a name, and which date a value's row bears. Made when a sentence
 * first points somewhere; most answers need only a few of its columns.
 */
export class Grid {
  private readonly columns: Column[] = [];
  private readonly root: Name = { key: '', above: null, below: new Map(), column: null };
  private readonly names = new Map<PathNode, Name>();
  private readonly cells = new Map<SourceItem, Column>();
  private readonly rowDates = new Map<PathNode | number, Moment[]>();
  private readonly rows = new Map<SourceItem, number>();
  private dates: readonly string[] | null = null;

  constructor(
    readonly content: SourceContent,
    text: string,
  ) {
    if (content.json) this.addTree(content.items);
    else this.addTable(content.items, text);
  }

  all(): readonly Column[] {
    return this.columns;
  }

  columnOf(item: SourceItem): Column | null {
    if (item.node === null) return this.cells.get(item) ?? null;
    return item.dated || isKey(item, item.node) ? null : this.nameOf(item.node).column;
  }

  /** The dates of the row or object that the value stands in, the nearest ones; empty where it has none. */
  momentsOf(item: SourceItem): readonly Moment[] {
    if (item.node === null) return this.rowDates.get(this.rows.get(item) ?? -1) ?? NO_MOMENTS;
    let node = item.node.parent;
    for (let level = 0; node !== null && level < LEVELS_MAX; level++, node = node.parent) {
      const found = this.rowDates.get(node);
      if (found !== undefined) return found;
    }
    return NO_MOMENTS;
  }

  /** The days of all rows, as `2024-01-04`, in order and each once. */
  days(): readonly string[] {
    this.dates ??= [...new Set([...this.rowDates.values()].flat().flatMap((moment) => dayOf(moment) ?? []))].sort();
    return this.dates;
  }

  /** Every date of a row. */
  *moments(): Iterable<Moment> {
    for (const held of this.rowDates.values()) yield* held;
  }

  private addTree(items: readonly SourceItem[]): void {
    for (let i = 0; i < items.length && i < ITEMS_MAX; i++) {
      const item = items[i];
      const node = item?.node ?? null;
      if (item === undefined || node === null) continue;
      if ((item.dated || node.step === 'year') && node.parent !== null) {
        const moment = rowMoment(item, String(node.step));
        if (moment !== null) this.addMoment(node.parent, moment);
      }
      if (item.dated || isKey(item, node)) continue;
      const name = this.nameOf(node);
      if (name.column === null) {
        name.column = { own: nameParts(name.key), above: keysAbove(name), items: [] };
        this.columns.push(name.column);
      }
      name.column.items.push(item);
    }
  }

  /** Where a node's keys lead, its indexes left out; siblings find their parent's at once. */
  private nameOf(node: PathNode): Name {
    const { parent, step } = node;
    if (parent === null) return this.root;
    let above = this.names.get(parent);
    if (above === undefined) {
      above = this.nameOf(parent);
      this.names.set(parent, above);
    }
    if (typeof step !== 'string') return above;
    let name = above.below.get(step);
    if (name === undefined) {
      name = { key: step, above, below: new Map(), column: null };
      above.below.set(step, name);
    }
    return name;
  }

  private addTable(items: readonly SourceItem[], text: string): void {
    const table = readTable(text);
    if (table === null) return;
    const columns = new Map<number, Column>();
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
      this.rows.set(item, cell.row);
      const moment = rowMoment(item, name);
      if (moment !== null) this.addMoment(cell.row, moment);
      if (item.dated) continue;
      let column = columns.get(cell.column);
      if (column === undefined) {
        column = { own: nameParts(name), above: [], items: [] };
        columns.set(cell.column, column);
        this.columns.push(column);
      }
      column.items.push(item);
      this.cells.set(item, column);
    }
  }

  private addMoment(row: PathNode | number, moment: Moment): void {
    const held = this.rowDates.get(row);
    if (held === undefined) this.rowDates.set(row, [moment]);
    else if (held.length < DATES_MAX) held.push(moment);
  }
}

/** A figure in a key is no value of it. */
function isKey(item: SourceItem, node: PathNode): boolean {
  return item.token === null && item.text === node.step;
}

/** The keys that lead to values: a tree of names. */
interface Name {
  readonly key: string;
  readonly above: Name | null;
  readonly below: Map<string, Name>;
  column: Column | null;
}

function keysAbove(name: Name): readonly string[] {
  const parts: string[] = [];
  let at = name.above;
  for (let level = 0; at !== null && level < LEVELS_MAX; level++, at = at.above) parts.push(...nameParts(at.key));
  return parts;
}

/** The date that a value gives its row: a date, or a year under a key that says so. */
function rowMoment(item: SourceItem, name: string): Moment | null {
  if (item.dated) {
    const { moment } = item.reading;
    return moment !== null && (moment.year !== null || moment.month !== null) ? moment : null;
  }
  if (name.toLowerCase() !== 'year' || !/^[12]\d{3}$/u.test(item.text)) return null;
  return { year: item.text, month: null, day: null, clock: null, second: null, fraction: null };
}

function dayOf({ year, month, day }: Moment): string | null {
  return year === null || month === null || day === null ? null : `${year}-${month}-${day}`;
}
