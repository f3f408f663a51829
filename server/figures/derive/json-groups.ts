import type { Names } from '../json/names';
import { type JsonTable, RowKind } from '../json/table';
import { renderPath } from '../path';
import type { JsonContent, SourceItem } from '../source-items';
import { Group, type GroupName, Totals } from './group';

/** Steps between a value and the list it belongs to: `list[*].main.temp` has two. */
const STEPS_MAX = 4;
const KEY_LENGTH_MAX = 80;
const NONE = -1;
/** Larger than the number of names in any text of the allowed size. */
const NAMES = 2 ** 22;

/** The rows of a group during collection. */
interface Gathered {
  readonly list: number;
  /** Its first and last row; `next` links those between them. */
  readonly first: number;
  last: number;
  readonly totals: Totals;
  /** The rows are members of an object, not elements of an array. */
  readonly keyed: boolean;
}

/**
 * The values of a JSON source by list and by name in that list; at most the first `most` of its
 * values.
 */
export function jsonGroups(
  content: JsonContent,
  limit: number,
): { readonly groups: readonly Group[]; readonly read: number } {
  const gatherer = new Gatherer(content);
  const { table } = content;
  let read = 0;
  for (let row = 0; row < table.size && read < limit; row++) {
    if (!table.isFigure(row)) continue;
    read++;
    gatherer.add(row);
  }
  return { groups: gatherer.groups(), read };
}

class Gatherer {
  private readonly table: JsonTable;
  private readonly names: Names;
  private readonly byList = new Map<number, Gathered>();
  private readonly byKey = new Map<number, Gathered>();
  private readonly all: Gathered[] = [];
  /** The last group of each name: rows of a list are consecutive. */
  private readonly last: (Gathered | undefined)[] = [];
  /** The row of the same group after a row. */
  private readonly next: Int32Array;

  constructor(private readonly content: JsonContent) {
    this.table = content.table;
    this.next = new Int32Array(content.table.size).fill(NONE);
    this.names = content.names();
  }

  add(row: number): void {
    const { table } = this;
    const parent = table.parentOf(row);
    const step = table.stepOf(row);
    // A string may contain several values, and a key is not a value.
    if (parent === NONE || !this.beginsString(row)) return;
    const gathered = this.groupOf(row, parent, step);
    if (gathered === null) return;
    if (gathered.last !== row) this.next[gathered.last] = row;
    gathered.last = row;
    gathered.totals.add(table.floats[row] ?? NaN);
  }

  groups(): readonly Group[] {
    return this.all
      .filter(({ totals }) => totals.count > 1)
      .map(
        (gathered) =>
          new Group(
            () => this.nameOf(gathered),
            () => this.itemsOf(gathered),
            gathered.totals,
          ),
      );
  }

  private itemsOf({ first }: Gathered): readonly SourceItem[] {
    const items: SourceItem[] = [];
    for (let row = first; row !== NONE; row = this.next[row] ?? NONE)
      items.push(this.content.itemAt(row));
    return items;
  }

  private beginsString(row: number): boolean {
    const { table } = this;
    const kind = table.kindOf(row);
    if (kind < RowKind.plain || kind === RowKind.moment || kind === RowKind.clock) return true;
    return (
      table.fromOf(row) === (kind === RowKind.plain ? table.extraOf(row) : 0) && !table.isOfKey(row)
    );
  }

  private groupOf(row: number, parent: number, step: number): Gathered | null {
    const list = this.listAbove(parent, step);
    if (list === TOO_LONG) return null;
    if (list !== NONE) {
      const name = this.names.nameOf(row);
      const last = this.last[name];
      if (last?.list === list) return last;
      const found = this.gatheredOf(this.byList, list, name, row, false);
      this.last[name] = found;
      return found;
    }
    const outer = this.table.above(parent);
    if (step >= 0 || outer === NONE || this.table.stepOfContainer(parent) >= 0) return null;
    return this.gatheredOf(this.byKey, outer, ~step, row, true);
  }

  private gatheredOf(
    groups: Map<number, Gathered>,
    list: number,
    name: number,
    row: number,
    keyed: boolean,
  ): Gathered {
    const pair = list * NAMES + name;
    let found = groups.get(pair);
    if (found === undefined) {
      found = { list, first: row, last: row, totals: new Totals(), keyed };
      groups.set(pair, found);
      this.all.push(found);
    }
    return found;
  }

  /** The array that contains a value; -1 if there is none near. */
  private listAbove(parent: number, step: number): number {
    const { table } = this;
    let container = parent;
    let at = step;
    for (let steps = 0; steps <= STEPS_MAX && container !== NONE; steps++) {
      if (at >= 0) return container;
      if (table.keys.textOf(~at).length > KEY_LENGTH_MAX) return TOO_LONG;
      at = table.stepOfContainer(container);
      container = table.above(container);
    }
    return NONE;
  }

  private nameOf({ list, first: row, keyed }: Gathered): GroupName {
    const { table } = this;
    const step = table.stepOf(row);
    const listStep = table.stepOfContainer(list);
    const listName = table.above(list) !== NONE && listStep < 0 ? table.keys.textOf(~listStep) : '';
    const path = renderPath(table.nodeOfContainer(list));
    const own = step < 0 ? table.keys.textOf(~step) : listName;
    return {
      name: `${path === '$' ? '' : path}${keyed ? `.*.${own}` : this.suffixOf(row, list)}`,
      key: own,
      list: listName,
    };
  }

  /** `[*].main.temp` */
  private suffixOf(row: number, list: number): string {
    const { table } = this;
    let suffix = '';
    let step = table.stepOf(row);
    for (
      let container = table.parentOf(row);
      container !== list && container !== NONE;
      container = table.above(container)
    ) {
      suffix = `.${table.stepName(step)}${suffix}`;
      step = table.stepOfContainer(container);
    }
    return `[*]${suffix}`;
  }
}

const TOO_LONG = -2;
