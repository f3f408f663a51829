import type { Records } from './records';
import type { JsonTable } from './table';

const NONE = -1;

/**
 * The names of values: the keys that lead to them, without array indexes, numbered.
 * `rows[0].disk_pct` and `rows[1].disk_pct` have the same name. The root's number is 0.
 */
export class Names {
  /** The name of each object and array. */
  private readonly ofContainers: Int32Array;
  private readonly aboves: number[] = [NONE];
  private readonly ownKeys: number[] = [NONE];
  private readonly known = new Map<number, number>();
  /**
   * The last name created from each key, and the parent of that name: rows of a list are
   * consecutive.
   */
  private readonly lastAbove: Int32Array;
  private readonly lastName: Int32Array;

  constructor(
    private readonly table: JsonTable,
    private readonly records: Records,
  ) {
    const count = table.containerCount;
    this.lastAbove = new Int32Array(table.keys.size).fill(NONE);
    this.lastName = new Int32Array(table.keys.size);
    this.ofContainers = new Int32Array(count);
    for (let container = 0; container < count; container++) {
      const above = table.above(container);
      const isRecord = above !== NONE && (records.keyed[above] === 1 || records.isDated(above));
      this.ofContainers[container] = isRecord
        ? (this.ofContainers[above] ?? 0)
        : this.below(above, table.stepOfContainer(container));
    }
  }

  get size(): number {
    return this.aboves.length;
  }

  nameOf(row: number): number {
    const parent = this.table.parentOf(row);
    return this.records.isDated(parent)
      ? (this.ofContainers[parent] ?? 0)
      : this.below(parent, this.table.stepOf(row));
  }

  /** The parent of a name; -1 for the root. */
  above(name: number): number {
    return this.aboves[name] ?? NONE;
  }

  /** A name's own key, '' for the root. */
  keyOf(name: number): string {
    const key = this.ownKeys[name] ?? NONE;
    return key === NONE ? '' : this.table.keys.textOf(key);
  }

  private below(container: number, step: number): number {
    const above = container === NONE ? 0 : (this.ofContainers[container] ?? 0);
    if (step >= 0) return above;
    const key = ~step;
    if (this.lastAbove[key] === above) return this.lastName[key] ?? 0;
    const pair = above * this.table.keys.size + key;
    let name = this.known.get(pair);
    if (name === undefined) {
      name = this.aboves.length;
      this.known.set(pair, name);
      this.aboves.push(above);
      this.ownKeys.push(key);
    }
    this.lastAbove[key] = above;
    this.lastName[key] = name;
    return name;
  }
}
