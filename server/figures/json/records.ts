import type { JsonTable } from './table';

const NONE = -1;
/** Minimum average share of all record keys that each record has. */
const ALIKE = 0.6;
/** Keys that describe an object's values, not their subject. */
const NO_RECORD = new Set('value unit units min max total count avg mean all'.split(' '));
const DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;
const WIDTH = 2 ** 24;

/**
 * The named records of a JSON text: members of an object that are objects with the same keys
 * (`{"Oslo": {"temp": 4}, "Bergen": {"temp": 7}}`), members under dates, and the elements of
 * parallel arrays (`{"city": ["Oslo"], "temp": [4]}`).
 */
export class Records {
  /** Objects whose keys name records, by container. */
  readonly keyed: Uint8Array;
  /** The number of the first line of a parallel array; else -1. Lines follow the containers. */
  private readonly firstLines: Int32Array;
  private readonly groups: {
    readonly first: number;
    readonly arrays: readonly number[];
    readonly length: number;
  }[] = [];
  private labels: Map<number, number[]> | null = null;
  /** The first line of an object whose values are under dates; one line per key. */
  private readonly dated = new Map<number, number>();
  private children: Map<number, number> | null = null;
  /** The number of lines, including containers. */
  lines: number;

  constructor(private readonly table: JsonTable) {
    const count = table.containerCount;
    this.keyed = new Uint8Array(count);
    this.firstLines = new Int32Array(count).fill(NONE);
    this.lines = count;
    this.readKeyed();
    this.readArrays();
    this.readDated();
  }

  /**
   * The line of a row: the object or array that contains it, or its position in parallel arrays.
   */
  lineOf(row: number): number {
    const parent = this.table.parentOf(row);
    const first = this.firstLines[parent] ?? NONE;
    if (first !== NONE) return first + this.table.stepOf(row);
    return this.dated.size > 0 ? this.datedLine(parent, this.table.stepOf(row)) : parent;
  }

  /** The line that a key names: that of its record. */
  lineOfKey(row: number): number {
    const { table } = this;
    const [parent, step] = [table.parentOf(row), table.stepOf(row)];
    if (this.children === null) {
      this.children = new Map();
      for (let container = 1; container < table.containerCount; container++) {
        const below = table.stepOfContainer(container);
        if (below < 0) this.children.set(table.above(container) * WIDTH + ~below, container);
      }
    }
    const child = this.children.get(parent * WIDTH + ~step);
    if (child !== undefined) return this.keyed[parent] === 1 ? child : NONE;
    return this.dated.has(parent) ? this.datedLine(parent, step) : NONE;
  }

  /** Whether the members of an object are under dates. */
  isDated(container: number): boolean {
    return this.dated.size > 0 && this.dated.has(container);
  }

  private datedLine(parent: number, step: number): number {
    const first = this.dated.get(parent);
    return first === undefined || step >= 0 ? parent : first + ~step;
  }

  lineAbove(line: number): number {
    if (line < this.table.containerCount) return this.table.above(line);
    const group = this.groups.findLast(({ first }) => first <= line);
    if (group !== undefined && line < group.first + group.length)
      return this.table.above(group.arrays[0] ?? NONE);
    return [...this.dated].findLast(([, first]) => first <= line)?.[0] ?? NONE;
  }

  /** Texts in parallel arrays, by line. */
  parallelLabels(line: number): readonly number[] {
    if (this.labels === null) {
      this.labels = new Map();
      for (const { first, arrays } of this.groups) {
        for (const array of arrays) {
          for (
            let label = this.table.firstLabel(array);
            label !== NONE;
            label = this.table.extraOf(label)
          ) {
            const at = first + this.table.stepOf(label);
            const texts = this.labels.get(at);
            if (texts === undefined) this.labels.set(at, [label]);
            else texts.push(label);
          }
        }
      }
    }
    return this.labels.get(line) ?? NO_LABELS;
  }

  private readKeyed(): void {
    const { table } = this;
    const children = new Map<number, number[]>();
    for (let container = 1; container < table.containerCount; container++) {
      const above = table.above(container);
      if (table.stepOfContainer(container) >= 0 || above === NONE) continue;
      const siblings = children.get(above);
      if (siblings === undefined) children.set(above, [container]);
      else siblings.push(container);
    }
    for (const [above, own] of children) if (own.length < 2) children.delete(above);
    if (children.size === 0) return;
    const keys = this.keysOf(children);
    for (const [above, own] of children) {
      const names = own.map((child) => table.keys.textOf(~table.stepOfContainer(child)));
      const { distinct, all } = keys.get(above) ?? { distinct: new Set<number>(), all: 0 };
      const speaking = [...distinct].filter(
        (key) => !NO_RECORD.has(table.keys.textOf(key).toLowerCase()),
      );
      if (names.every((name) => DATE.test(name))) this.keyed[above] = 1;
      else if (
        speaking.length > 0 &&
        (distinct.size > 1 || own.length > 2) &&
        all >= ALIKE * distinct.size * own.length
      ) {
        this.keyed[above] = 1;
      }
    }
  }

  /**
   * The keys in the members of each given object: the distinct ones, and their number, counting a
   * key once per member.
   */
  private keysOf(
    children: ReadonlyMap<number, readonly number[]>,
  ): ReadonlyMap<number, { distinct: Set<number>; all: number }> {
    const { table } = this;
    const found = new Map<number, { distinct: Set<number>; all: number }>();
    const seen = new Set<number>();
    const add = (parent: number, step: number): void => {
      const above = parent === NONE ? NONE : table.above(parent);
      if (step >= 0 || !children.has(above) || table.stepOfContainer(parent) >= 0) return;
      const pair = parent * WIDTH + ~step;
      if (seen.has(pair)) return;
      seen.add(pair);
      const keys = found.get(above) ?? { distinct: new Set<number>(), all: 0 };
      found.set(above, keys);
      keys.distinct.add(~step);
      keys.all++;
    };
    for (let row = 0; row < table.size; row++) add(table.parentOf(row), table.stepOf(row));
    for (let container = 1; container < table.containerCount; container++)
      add(table.above(container), table.stepOfContainer(container));
    return found;
  }

  /** Objects with values under two or more dates: `{"2024-01-04": 3, "2024-01-05": 4}`. */
  private readDated(): void {
    const { table } = this;
    if (!table.tokens.some(({ ofKey }) => ofKey)) return;
    const last = new Map<number, number>();
    for (let row = 0; row < table.size; row++) {
      if (!table.isOfKey(row) || !DATE.test(table.stepName(table.stepOf(row)).toString())) continue;
      const parent = table.parentOf(row);
      const before = last.get(parent);
      last.set(parent, table.stepOf(row));
      if (before === undefined || before === table.stepOf(row) || this.dated.has(parent)) continue;
      this.dated.set(parent, this.lines);
      this.lines += table.keys.size;
    }
  }

  /**
   * Whether any object has two members that are arrays without objects: most sources have no
   * parallel arrays.
   */
  private haveSiblings(nested: Uint8Array): boolean {
    const { table } = this;
    const seen = new Uint8Array(table.containerCount);
    for (let container = 1; container < table.containerCount; container++) {
      if (table.stepOfContainer(container) >= 0 || nested[container] === 1) continue;
      const above = table.above(container);
      if (seen[above] === 1) return true;
      seen[above] = 1;
    }
    return false;
  }

  private readArrays(): void {
    const { table } = this;
    const lengths = new Int32Array(table.containerCount);
    const nested = new Uint8Array(table.containerCount);
    for (let container = 1; container < table.containerCount; container++) {
      if (table.stepOfContainer(container) >= 0) nested[table.above(container)] = 1;
    }
    if (!this.haveSiblings(nested)) return;
    for (let row = 0; row < table.size; row++) {
      const parent = table.parentOf(row);
      const step = table.stepOf(row);
      if (parent !== NONE && step >= 0 && step >= (lengths[parent] ?? 0))
        lengths[parent] = step + 1;
    }
    const byLength = new Map<number, number[]>();
    for (let container = 1; container < table.containerCount; container++) {
      const length = lengths[container] ?? 0;
      if (length < 2 || nested[container] === 1 || table.stepOfContainer(container) >= 0) continue;
      const key = table.above(container) * WIDTH + length;
      const arrays = byLength.get(key);
      if (arrays === undefined) byLength.set(key, [container]);
      else arrays.push(container);
    }
    for (const arrays of byLength.values()) {
      if (arrays.length < 2) continue;
      const length = lengths[arrays[0] ?? 0] ?? 0;
      this.groups.push({ first: this.lines, arrays, length });
      for (const array of arrays) this.firstLines[array] = this.lines;
      this.lines += length;
    }
  }
}

const NO_LABELS: readonly number[] = [];

/** Whether a value is a date of a keyed record. */
export function isDateKey(text: string): boolean {
  return DATE.test(text);
}
