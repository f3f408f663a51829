import { packedClock, packedDay } from './json/iso-moment';
import { currencyOf } from './json/money';
import { type JsonTable, RowKind } from './json/table';
import type { Moment } from './moment';
import type { PackedMoments } from './moment-index';
import type { SourceContent, SourceItem } from './source-items';
import { floatOf } from './float-range';
import { push, type Values } from './value-index';

const DATE_LENGTH = 10;
const DATED = { moment: true, literal: null };

/**
 * The values of all sources of a turn, numbered consecutively: a source's numbers follow those of
 * the previous one.
 */
export class SourceValues implements Values<SourceItem> {
  readonly floats: Float64Array;
  readonly owners: Int32Array;
  readonly literals = new Map<string, number[]>();
  readonly dated: number[] = [];
  count = 0;
  /** The first number of each source. */
  private readonly offsets: number[] = [];

  constructor(private readonly contents: readonly SourceContent[]) {
    let values = 0;
    let numbers = 0;
    for (const content of contents) {
      const { table } = content;
      this.offsets.push(values);
      values += table === null ? content.items.length : table.size;
      numbers +=
        table === null
          ? content.items.reduce((sum, { reading }) => sum + reading.quantities.length, 0)
          : table.size + table.others.length;
    }
    this.floats = new Float64Array(numbers);
    this.owners = new Int32Array(numbers);
    for (const [source, content] of contents.entries()) {
      const offset = this.offsets[source] ?? 0;
      if (content.table === null) this.addItems(content.items, offset);
      else this.addTable(content.table, offset);
    }
  }

  isSure(value: number): boolean {
    return this.isBare(value);
  }

  isBare(value: number): boolean {
    const source = this.sourceOf(value);
    const kind = this.contents[source]?.table?.kindOf(value - (this.offsets[source] ?? 0));
    return kind === RowKind.number || kind === RowKind.plain;
  }

  currencyOf(value: number): string | null {
    const source = this.sourceOf(value);
    const row = value - (this.offsets[source] ?? 0);
    const table = this.contents[source]?.table ?? null;
    if (table === null) return this.itemOf(value).reading.currency;
    const kind = table.kindOf(row);
    if (kind === RowKind.token) return table.tokenReading(row).currency;
    return kind === RowKind.number || kind === RowKind.longNumber ? currencyOf(table, row) : null;
  }

  isInPercent(value: number): boolean {
    const source = this.sourceOf(value);
    const table = this.contents[source]?.table ?? null;
    const step = table?.stepOf(value - (this.offsets[source] ?? 0)) ?? 0;
    return table !== null && step < 0 && table.keys.isInPercent(~step);
  }

  packed(): PackedMoments {
    const { dated } = this;
    const [dates, clocks] = [new Int32Array(dated.length), new Int32Array(dated.length)];
    const values: number[] = [];
    const others: number[] = [];
    for (const value of dated) {
      const source = this.sourceOf(value);
      const table = this.contents[source]?.table ?? null;
      const row = value - (this.offsets[source] ?? 0);
      const kind = table?.kindOf(row);
      if (table === null || (kind !== RowKind.moment && kind !== RowKind.clock)) {
        others.push(value);
        continue;
      }
      const from = table.fromOf(row);
      const showsClock = kind === RowKind.clock || table.toOf(row) - from > DATE_LENGTH;
      if (kind === RowKind.moment) dates[values.length] = packedDay(table.units, from);
      if (showsClock)
        clocks[values.length] = packedClock(
          table.units,
          kind === RowKind.clock ? from : from + DATE_LENGTH + 1,
        );
      values.push(value);
    }
    return {
      values,
      others,
      dates: dates.subarray(0, values.length),
      clocks: clocks.subarray(0, values.length),
    };
  }

  momentOf(value: number): Moment | null {
    return this.itemOf(value).reading.moment;
  }

  itemOf(value: number): SourceItem {
    const source = this.sourceOf(value);
    const content = this.contents[source];
    if (content === undefined) throw new RangeError(`there is no value ${value}`);
    return content.itemAt(value - (this.offsets[source] ?? 0));
  }

  private sourceOf(value: number): number {
    const { offsets } = this;
    let from = 0;
    for (let to = offsets.length; to - from > 1; ) {
      const middle = (from + to) >> 1;
      if ((offsets[middle] ?? 0) <= value) from = middle;
      else to = middle;
    }
    return from;
  }

  private addItems(items: readonly SourceItem[], offset: number): void {
    for (const [row, { reading, dated }] of items.entries()) {
      if (dated) this.dated.push(offset + row);
      else if (reading.literal !== null) push(this.literals, reading.literal, offset + row);
      for (const { decimal } of reading.quantities) this.addNumber(offset + row, floatOf(decimal));
    }
  }

  private addTable(table: JsonTable, offset: number): void {
    const { floats, owners } = this;
    const { others } = table;
    let { count } = this;
    let next = 0;
    for (let row = 0; row < table.size; row++) {
      const float = table.floats[row] ?? NaN;
      if (Number.isNaN(float)) continue;
      floats[count] = float;
      owners[count++] = offset + row;
      for (; others[next]?.row === row; next++) {
        floats[count] = others[next]?.float ?? 0;
        owners[count++] = offset + row;
      }
    }
    this.count = count;
    for (const row of table.odd) this.addOdd(table, row, offset + row);
  }

  /** Dates, and values only equal to themselves. */
  private addOdd(table: JsonTable, row: number, value: number): void {
    const { moment, literal } =
      table.kindOf(row) === RowKind.token ? table.tokenReading(row) : DATED;
    if (moment !== null) this.dated.push(value);
    else if (literal !== null) push(this.literals, literal, value);
  }

  private addNumber(value: number, float: number): void {
    this.floats[this.count] = float;
    this.owners[this.count++] = value;
  }
}
