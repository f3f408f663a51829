import type { Source } from '../domain';
import { findCells } from './delimited';
import { isoMoment } from './json/iso-moment';
import { currencyInName } from './json/keys';
import { currencyOf } from './json/money';
import { Names } from './json/names';
import { Records } from './json/records';
import { readAllStrings } from './json/strings';
import { type JsonTable, RowKind } from './json/table';
import { readJsonTable } from './json/walk';
import type { PathNode } from './path';
import { NO_READING, type FigureReading, type Token } from './reading';
import { readNumberTokens } from './scan';
import { readTextTable, type TextTable } from './text-table';
import { numberReading, type Readable } from './value-index';

/**
 * One value of one source. `node` is null in plain text, where `from` and `to` (UTF-16) are its
 * range.
 */
export interface SourceItem extends Readable {
  /** Index of its source in the turn's list. */
  readonly source: number;
  /** Its row in the source's table; in plain text its index. */
  readonly row: number;
  readonly node: PathNode | null;
  readonly from: number;
  readonly to: number;
  /** The value as written in the source. */
  readonly text: string;
}

/**
 * The content of one source: JSON as a table, with items created on demand, or plain text as items.
 */
export type SourceContent = JsonContent | TextContent;

/** Maximum number of times that a JSON string containing JSON text is unwrapped. */
const UNWRAPS_MAX = 3;
const PROSE = { markdown: false, numbering: true };

/** All values of a source. JSON is read from its text; invalid JSON is read as plain text. */
export function readSource(source: Source, position: number): SourceContent {
  const table = readTable(source);
  return table === null ? new TextContent(source.text, position) : new JsonContent(table, position);
}

function readTable(source: Source): JsonTable | null {
  let text = source.text;
  // A tool result that is one string of JSON text is parsed as JSON, however often it was wrapped.
  let table: JsonTable | null = null;
  if (source.format === 'text' && !opensJson(text)) return null;
  for (let unwraps = 0; unwraps <= UNWRAPS_MAX; unwraps++) {
    const read: JsonTable | null = readJsonTable(text);
    if (read === null) break;
    table = read;
    if (table.whole === null || !opensJson(table.whole)) break;
    text = table.whole;
  }
  if (table !== null) readAllStrings(table);
  return table;
}

function opensJson(text: string): boolean {
  const first = text.trimStart()[0];
  return first === '{' || first === '[' || first === '"';
}

/** Plain text: its figures, cell by cell if it is a table. */
export class TextContent {
  readonly table = null;
  readonly items: readonly SourceItem[];
  /** Its tables, or null for running text. */
  readonly layout: TextTable | null;

  constructor(
    readonly text: string,
    readonly source: number,
  ) {
    const items: SourceItem[] = [];
    for (const { from, to } of findCells(text) ?? [{ from: 0, to: text.length }]) {
      const cell = text.slice(from, to);
      for (const token of readNumberTokens(cell, PROSE))
        items.push(itemOf(token, cell, source, from, items.length));
    }
    this.layout = readTextTable(text);
    this.items = this.layout === null ? items : inCurrencies(items, this.layout);
  }

  itemAt(position: number): SourceItem {
    const item = this.items[position];
    if (item === undefined) throw new RangeError(`there is no value ${position}`);
    return item;
  }

  /** A value as a number, NaN if it is not written as one. */
  numberAt(position: number): number {
    return Number(this.itemAt(position).text);
  }
}

/** Amounts under a heading with a currency have that currency: `price_usd`, "Price ($)". */
function inCurrencies(
  items: readonly SourceItem[],
  { header, cells }: TextTable,
): readonly SourceItem[] {
  const currencies = header.map(currencyInName);
  if (currencies.every((currency) => currency === null)) return items;
  let next = 0;
  return items.map((item) => {
    while (next < cells.length && (cells[next]?.to ?? 0) <= item.from) next++;
    const cell = cells[next];
    const currency =
      cell === undefined || cell.from > item.from ? null : (currencies[cell.column] ?? null);
    const { reading } = item;
    if (
      currency === null ||
      reading.currency !== null ||
      reading.percent ||
      reading.quantities.length === 0
    )
      return item;
    return { ...item, reading: { ...reading, currency } };
  });
}

function itemOf(
  { reading, from, to }: Token,
  text: string,
  source: number,
  offset: number,
  row: number,
): SourceItem {
  return {
    reading,
    dated: reading.moment !== null,
    source,
    row,
    node: null,
    from: offset + from,
    to: offset + to,
    text: text.slice(from, to),
  };
}

/** JSON: an item is created once per row, on first use. */
export class JsonContent {
  private readonly made = new Map<number, JsonItem>();
  private known: Names | null = null;
  private read: Records | null = null;

  constructor(
    readonly table: JsonTable,
    readonly source: number,
  ) {}

  /** @param row of a figure */
  itemAt(row: number): SourceItem {
    let item = this.made.get(row);
    if (item === undefined) {
      item = new JsonItem(this.table, this.source, row);
      this.made.set(row, item);
    }
    return item;
  }

  /** A value as a number, NaN if it is not written as one. */
  numberAt(row: number): number {
    return this.table.kindOf(row) === RowKind.token
      ? Number(this.table.textOf(row))
      : (this.table.floats[row] ?? NaN);
  }

  /** The names of its values, built on first use. */
  names(): Names {
    this.known ??= new Names(this.table, this.records());
    return this.known;
  }

  /** Its named records, built on first use. */
  records(): Records {
    this.read ??= new Records(this.table);
    return this.read;
  }

  /** Every value, in order. */
  get items(): readonly SourceItem[] {
    const items: SourceItem[] = [];
    for (let row = 0; row < this.table.size; row++)
      if (this.table.isFigure(row)) items.push(this.itemAt(row));
    return items;
  }
}

class JsonItem implements SourceItem {
  private known: FigureReading | null = null;

  constructor(
    private readonly table: JsonTable,
    readonly source: number,
    readonly row: number,
  ) {}

  get node(): PathNode {
    return this.table.nodeOf(this.row);
  }

  get text(): string {
    return this.table.textOf(this.row);
  }

  /** Within its string; the whole of a number is 0 to 0. */
  get from(): number {
    const kind = this.table.kindOf(this.row);
    if (kind === RowKind.token) return this.table.fromOf(this.row);
    return kind === RowKind.plain ? this.table.fromOf(this.row) - this.table.extraOf(this.row) : 0;
  }

  get to(): number {
    const kind = this.table.kindOf(this.row);
    if (kind === RowKind.number || kind === RowKind.longNumber) return 0;
    return this.from + this.text.length;
  }

  get dated(): boolean {
    const kind = this.table.kindOf(this.row);
    return (
      kind === RowKind.moment ||
      kind === RowKind.clock ||
      (kind === RowKind.token && this.table.tokenReading(this.row).moment !== null)
    );
  }

  get reading(): FigureReading {
    this.known ??= readingOf(this.table, this.row);
    return this.known;
  }
}

const YEAR = /^[12]\d{3}$/;

function readingOf(table: JsonTable, row: number): FigureReading {
  switch (table.kindOf(row)) {
    case RowKind.number:
    case RowKind.longNumber:
      return { ...numberReading(table.textOf(row)), currency: currencyOf(table, row) };
    case RowKind.plain: {
      const text = table.textOf(row);
      return { ...numberReading(text), year: YEAR.test(text) ? text : null };
    }
    case RowKind.moment:
    case RowKind.clock:
      return { ...NO_READING, moment: isoMoment(table.textOf(row)) };
    default:
      return table.tokenReading(row);
  }
}
