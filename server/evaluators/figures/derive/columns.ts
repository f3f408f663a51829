import { findCells } from '../delimited';
import { type PathNode, renderPath } from '../path';
import type { SourceItem } from '../source-items';
import type { DeriveSources } from './derivation';
import { alignDecimals, type Fraction, fractionOf } from './fraction';
import { partsOf } from './words';

/** Values of one meaning: the same key of sibling objects (`rows[*].free_gb`), a list of numbers, or a column of a table. */
export interface Column {
  /** For people. */
  readonly name: string;
  /** Words of its own key, and of the list that it stands in. */
  readonly own: readonly string[];
  readonly list: readonly string[];
  /** At least two, in order. */
  readonly items: readonly SourceItem[];
  readonly values: readonly Fraction[];
  readonly currency: string | null;
}

/** Values looked at for one turn, and columns kept: bounds on what a turn costs, whatever its sources hold. */
const ITEMS_MAX = 20_000;
const COLUMNS_MAX = 512;
/** Steps between a value and the list it belongs to: `list[*].main.temp` has two. */
const STEPS_MAX = 4;
const KEY_LENGTH_MAX = 80;
const NAME_LENGTH_MAX = 160;

/** Names of values that nobody adds up or averages. */
const NO_QUANTITY = new Set(
  'id ids uuid key lat lon lng latitude longitude year timestamp ts epoch dt zip port index version phone'.split(' '),
);

/** Names that say nothing of what is counted: a sentence has them by chance. */
const NAMELESS = new Set('value values data number numbers amount result results'.split(' '));

/** The columns of a turn's sources. Linear in the values looked at. */
export function readColumns(index: DeriveSources): readonly Column[] {
  const columns: Column[] = [];
  let left = ITEMS_MAX;
  for (const [position, content] of index.read().entries()) {
    const items = content.items.slice(0, left);
    left -= items.length;
    const groups = content.json ? jsonGroups(items) : tableGroups(items, index.sources[position]?.text ?? '');
    for (const group of groups) {
      const column = columnOf(group);
      if (column !== null) columns.push(column);
      if (columns.length >= COLUMNS_MAX) return columns;
    }
  }
  return columns;
}

interface Group {
  readonly name: string;
  readonly key: string;
  readonly list: string;
  readonly items: readonly SourceItem[];
}

/** Null for what is no column of amounts of one kind. */
function columnOf({ name, key, list, items }: Group): Column | null {
  const own = partsOf(key);
  if (items.length < 2 || own.some((part) => NO_QUANTITY.has(part))) return null;
  const values: Fraction[] = [];
  const first = items[0]?.reading;
  for (const { reading } of items) {
    const quantity = reading.quantities[0];
    if (quantity === undefined || reading.quantities.length > 1 || reading.moment !== null || reading.literal !== null) return null;
    if (reading.currency !== first?.currency || reading.percent !== first.percent) return null;
    const value = fractionOf(quantity.decimal);
    if (value === null) return null;
    values.push(value);
  }
  return {
    name: shorten(name),
    own: own.filter((part) => !NAMELESS.has(part)),
    list: partsOf(list),
    items,
    values: alignDecimals(values),
    currency: first?.currency ?? null,
  };
}

function jsonGroups(items: readonly SourceItem[]): readonly Group[] {
  const byList = new Map<PathNode, Map<string, { readonly anchored: Anchored; readonly held: SourceItem[] }>>();
  let node: PathNode | null = null;
  for (const item of items) {
    // A string may hold several values, and a key is no value.
    if (item.node === null || item.from !== 0 || item.node === node || (item.token === null && item.text === item.node.step)) continue;
    const anchored = anchor(item.node);
    if (anchored === null) continue;
    node = item.node;
    const groups = byList.get(anchored.list) ?? new Map<string, { readonly anchored: Anchored; readonly held: SourceItem[] }>();
    byList.set(anchored.list, groups);
    const group = groups.get(anchored.suffix);
    if (group === undefined) groups.set(anchored.suffix, { anchored, held: [item] });
    else group.held.push(item);
  }
  return [...byList.values()].flatMap((groups) =>
    [...groups.values()].flatMap(({ anchored: { list, suffix, key }, held }) => {
      if (held.length < 2) return [];
      const path = renderPath(list);
      return [{ name: `${path === '$' ? '' : path}${suffix}`, key, list: typeof list.step === 'string' ? list.step : '', items: held }];
    }),
  );
}

interface Anchored {
  /** The array, or the object of objects, that the value belongs to. */
  readonly list: PathNode;
  /** `[*].main.temp` */
  readonly suffix: string;
  readonly key: string;
}

function anchor(leaf: PathNode): Anchored | null {
  let suffix = '';
  let at = leaf;
  for (let steps = 0; steps <= STEPS_MAX; steps++) {
    const { step, parent } = at;
    if (step === null || parent === null) break;
    if (typeof step === 'number') {
      const key = typeof leaf.step === 'string' ? leaf.step : typeof parent.step === 'string' ? parent.step : '';
      return { list: parent, suffix: `[*]${suffix}`, key };
    }
    if (step.length > KEY_LENGTH_MAX) return null;
    suffix = `.${step}${suffix}`;
    at = parent;
  }
  const list = leaf.parent?.parent;
  if (typeof leaf.step !== 'string' || typeof leaf.parent?.step !== 'string' || list === null || list === undefined) return null;
  return { list, suffix: `.*.${leaf.step}`, key: leaf.step };
}

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

function tableGroups(items: readonly SourceItem[], text: string): readonly Group[] {
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
    return [{ name: key === '' ? `column ${column + 1}` : `column "${key}"`, key, list: '', items: held }];
  });
}

function unquoted(cell: string): string {
  return cell.trim().replaceAll('"', '');
}

function shorten(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : `${name.slice(0, NAME_LENGTH_MAX).toWellFormed()}…`;
}
