import {
  compareDecimals,
  type Decimal,
  decimalKey,
  decimalOf,
  exponentOf,
  isWhole,
  roundingRange,
  type RoundingRange,
  shift,
} from './decimal';
import { cutTo, type Moment, shape } from './moment';
import { NO_READING, type Reading } from './reading';

/**
 * All places of all values of some sources, found by value (INT-18): numbers in a sorted list, exactly or within the
 * range that display rounding allows; dates by the parts the answer shows. What is costly (decimals, the sorted list,
 * each date shape) is made when first asked: most numbers of a tool result are never looked at.
 */
export interface Readable {
  readonly reading: Reading;
  /** The token of a bare number, whose reading need not be made to index it; null for anything else. */
  readonly token: string | null;
  /** Its reading is one moment, which need not be made before a date is asked for. */
  readonly dated: boolean;
}

/** How a value was met, best first. */
export type Fit = 'exact' | 'fraction' | 'rounded' | 'rounded_fraction' | 'date_part';

export interface Found<Item> {
  readonly fit: Fit;
  /** All that hold the value, exact ones in the order of the sources. Never empty. */
  readonly items: readonly Item[];
}

/** All items that write the same value in the same way. */
interface NumberEntry<Item> {
  /** Sorts all but numbers that no float tells apart. */
  readonly float: number;
  readonly token: string | null;
  decimal: Decimal | null;
  readonly held: Item[];
}

/** Places kept for one look-up of a rounded value: enough to choose from, and a bound on what one figure costs. */
const PLACES_MAX = 5_000;
/** A longer token may have an exponent that no number holds: it is read in full first. */
const FLOAT_LENGTH_MAX = 14;

export class ValueIndex<Item extends Readable> {
  private readonly numbers = new Map<string, NumberEntry<Item>>();
  private readonly literals = new Map<string, Item[]>();
  private readonly dated: Item[] = [];
  private sorted: readonly NumberEntry<Item>[] | null = null;
  private readonly byShape = new Map<string, Map<string, Item[]>>();

  /** @param lists items source by source, in order. */
  constructor(lists: readonly (readonly Item[])[]) {
    for (const items of lists) for (const item of items) this.add(item);
  }

  /** The best fit of a reading, or null when the value stands nowhere. */
  find(reading: Reading): Found<Item> | null {
    if (reading.literal !== null) return this.result('exact', this.literals.get(reading.literal) ?? this.asNumber(reading.literal));
    if (reading.moment !== null) return this.result('exact', this.momentItems(reading.moment));
    return (
      this.result('exact', this.exact(reading, 0, counts(reading))) ??
      (reading.percent ? this.result('fraction', this.exact(reading, -2, isFraction)) : null) ??
      this.result('rounded', this.rounded(reading, 0, counts(reading))) ??
      (reading.percent ? this.result('rounded_fraction', this.rounded(reading, -2, isFraction)) : null) ??
      this.datePart(reading)
    );
  }

  /** Every item that a reading can mean, whatever the fit: exact ones first. */
  findAll(reading: Reading): readonly Item[] {
    if (reading.quantities.length === 0) return this.find(reading)?.items ?? [];
    const fits = counts(reading);
    const items = [...this.exact(reading, 0, fits), ...this.rounded(reading, 0, fits)];
    if (reading.percent) items.push(...this.exact(reading, -2, isFraction), ...this.rounded(reading, -2, isFraction));
    return items.length === 0 ? (this.datePart(reading)?.items ?? []) : [...new Set(items)];
  }

  private result(fit: Fit, items: readonly Item[] | null): Found<Item> | null {
    return items === null || items.length === 0 ? null : { fit, items };
  }

  private add(item: Item): void {
    if (item.token !== null && item.token.length <= FLOAT_LENGTH_MAX) {
      this.addNumber(item.token, item.token, null, item);
      return;
    }
    if (item.dated) {
      this.dated.push(item);
      return;
    }
    const { quantities, literal } = item.reading;
    if (literal !== null) push(this.literals, literal, item);
    for (const { decimal } of quantities) this.addNumber(`=${decimalKey(decimal)}`, null, decimal, item);
  }

  private addNumber(key: string, token: string | null, decimal: Decimal | null, item: Item): void {
    const entry = this.numbers.get(key);
    if (entry !== undefined) entry.held.push(item);
    else this.numbers.set(key, { float: Number(token ?? key.slice(1)), token, decimal, held: [item] });
  }

  private exact(reading: Reading, places: number, fits: Fits): Item[] {
    const items: Item[] = [];
    for (const quantity of reading.quantities) {
      const { decimal } = shift(quantity, places);
      this.collect({ low: decimal, lowIncluded: true, high: decimal, highIncluded: true }, fits, items);
    }
    return items;
  }

  private rounded(reading: Reading, places: number, fits: Fits): Item[] {
    const items: Item[] = [];
    for (const quantity of reading.quantities) {
      const range = roundingRange(shift(quantity, places));
      if (range !== null) this.collect(range, fits, items);
    }
    return items;
  }

  private collect(range: RoundingRange, fits: Fits, items: Item[]): void {
    const sorted = this.sortedNumbers();
    const past = Number(decimalKey(range.high));
    for (let i = firstAtLeast(sorted, range.low); i < sorted.length; i++) {
      const entry = sorted[i];
      if (entry === undefined || items.length >= PLACES_MAX || entry.float > past) return;
      const decimal = decimalOfEntry(entry);
      const high = compareDecimals(decimal, range.high);
      if (high > 0 || (high === 0 && !range.highIncluded)) return;
      if (!range.lowIncluded && compareDecimals(decimal, range.low) === 0) continue;
      for (const item of entry.held) if (fits === anySource || fits(item.reading)) items.push(item);
    }
  }

  private sortedNumbers(): readonly NumberEntry<Item>[] {
    this.sorted ??= [...this.numbers.values()].sort((a, b) => a.float - b.float || compareDecimals(decimalOfEntry(a), decimalOfEntry(b)));
    return this.sorted;
  }

  /** A bare year, or the day of an ordinal, as part of a source's date. */
  private datePart(reading: Reading): Found<Item> | null {
    if (reading.year !== null) return this.result('date_part', this.byParts('Y', reading.year));
    return reading.ordinalDay === null ? null : this.result('date_part', this.byParts('D', reading.ordinalDay));
  }

  private momentItems(moment: Moment): readonly Item[] | null {
    const wanted = shape(moment);
    const key = cutTo(moment, wanted);
    return key === null ? null : this.byParts(wanted, key);
  }

  private byParts(wanted: string, key: string): readonly Item[] | null {
    let map = this.byShape.get(wanted);
    if (map === undefined) {
      map = new Map();
      for (const item of this.dated) {
        const { moment } = item.reading;
        const cut = moment === null ? null : cutTo(moment, wanted);
        if (cut !== null) push(map, cut, item);
      }
      this.byShape.set(wanted, map);
    }
    return map.get(key) ?? null;
  }

  /** "v1.2" names what a source may write as the number 1.2; never 1.20. */
  private asNumber(literal: string): readonly Item[] | null {
    if (!/^\d{1,9}\.\d{1,9}$/u.test(literal) || literal.endsWith('0')) return null;
    return this.exact(numberReading(literal), 0, anySource);
  }
}

function decimalOfEntry(entry: NumberEntry<unknown>): Decimal {
  entry.decimal ??= numberReading(entry.token ?? '').quantities[0]?.decimal ?? decimalOf(false, '', '', 0);
  return entry.decimal;
}

/** The reading of a bare number token as JSON writes it (`-1.50e3`). */
export function numberReading(token: string): Reading {
  const mantissaEnd = token.search(/[eE]/u);
  const mantissa = mantissaEnd === -1 ? token : token.slice(0, mantissaEnd);
  const exponent = mantissaEnd === -1 ? 0 : exponentOf(token.slice(mantissaEnd + 1));
  if (exponent === null) return { ...NO_READING, literal: token.toLowerCase() };
  const negative = mantissa.startsWith('-');
  const point = mantissa.indexOf('.');
  const whole = mantissa.slice(negative ? 1 : 0, point === -1 ? undefined : point);
  const fraction = point === -1 ? '' : mantissa.slice(point + 1);
  const decimal = decimalOf(negative, whole, fraction, exponent);
  const quantities = [{ decimal, quantum: exponent - fraction.length }];
  return { quantities, percent: false, currency: null, moment: null, literal: null, year: null, ordinalDay: null };
}

type Fits = (source: Reading) => boolean;

const anySource: Fits = () => true;

/** Amounts in two currencies are two values; where one side names none, the amount decides. */
function counts(reading: Reading): Fits {
  if (reading.currency === null) return anySource;
  return (source) => source.currency === null || source.currency === reading.currency;
}

/** 0.914 may be shown as 91.4%; 5 may not be shown as 500%, nor may what is a percentage already. */
function isFraction(source: Reading): boolean {
  const decimal = source.quantities[0]?.decimal;
  if (decimal === undefined || source.percent || source.currency !== null) return false;
  return !isWhole(decimal) || decimal.digits === '' || (decimal.digits === '1' && decimal.exponent === 0);
}

function firstAtLeast<Item>(sorted: readonly NumberEntry<Item>[], low: Decimal): number {
  const float = Number(decimalKey(low));
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const entry = sorted[middle];
    const less = entry !== undefined && (entry.float - float || compareDecimals(decimalOfEntry(entry), low)) < 0;
    if (less) from = middle + 1;
    else to = middle;
  }
  return from;
}

function push<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const held = map.get(key);
  if (held === undefined) map.set(key, [item]);
  else held.push(item);
}
