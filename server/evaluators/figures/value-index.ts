import { compareDecimals, type Decimal, decimalKey, decimalOf, exponentOf, isWhole, type Quantity, roundingRange, shift } from './decimal';
import { cutTo, type Moment, shape } from './moment';
import { NO_READING, type Reading } from './reading';

/**
 * All places of all values of some sources, found by value (INT-18). Exact values by hash; display rounding by a range
 * in a sorted list; dates by the parts the answer shows. The sorted list and each date shape are built when first asked.
 */
export interface Readable {
  readonly reading: Reading;
}

/** How a value was met, best first. */
export type Fit = 'exact' | 'fraction' | 'rounded' | 'rounded_fraction' | 'date_part';

export interface Found<Item> {
  readonly fit: Fit;
  /** All that hold the value, exact ones in the order of the sources. Never empty. */
  readonly items: readonly Item[];
}

interface NumberEntry<Item> {
  readonly decimal: Decimal;
  readonly float: number;
  readonly held: Item[];
}

/** Places kept for one look-up of a rounded value: enough to choose from, and a bound on what one figure costs. */
const PLACES_MAX = 5_000;

export class ValueIndex<Item extends Readable> {
  private readonly numbers = new Map<string, NumberEntry<Item>>();
  private readonly literals = new Map<string, Item[]>();
  private readonly moments: { readonly moment: Moment; readonly item: Item }[] = [];
  private sorted: readonly NumberEntry<Item>[] | null = null;
  private readonly byShape = new Map<string, Map<string, Item[]>>();

  constructor(items: Iterable<Item>) {
    for (const item of items) this.add(item);
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

  private result(fit: Fit, items: readonly Item[] | null): Found<Item> | null {
    return items === null || items.length === 0 ? null : { fit, items };
  }

  private add(item: Item): void {
    const { quantities, moment, literal } = item.reading;
    if (literal !== null) push(this.literals, literal, item);
    if (moment !== null) this.moments.push({ moment, item });
    for (const { decimal } of quantities) {
      const key = decimalKey(decimal);
      const entry = this.numbers.get(key);
      if (entry === undefined) this.numbers.set(key, { decimal, float: Number(key), held: [item] });
      else entry.held.push(item);
    }
  }

  private exact(reading: Reading, places: number, fits: Fits): readonly Item[] {
    const only = reading.quantities.length === 1 ? reading.quantities[0] : undefined;
    if (only !== undefined && fits === anySource) return this.numbers.get(decimalKey(shift(only, places).decimal))?.held ?? [];
    const items: Item[] = [];
    for (const quantity of reading.quantities) {
      for (const item of this.numbers.get(decimalKey(shift(quantity, places).decimal))?.held ?? []) {
        if (fits(item.reading)) items.push(item);
      }
    }
    return items;
  }

  private rounded(reading: Reading, places: number, fits: Fits): Item[] {
    const items: Item[] = [];
    for (const quantity of reading.quantities) this.collectRounded(shift(quantity, places), fits, items);
    return items;
  }

  private collectRounded(quantity: Quantity, fits: Fits, items: Item[]): void {
    const range = roundingRange(quantity);
    if (range === null) return;
    const sorted = this.sortedNumbers();
    for (let i = firstAtLeast(sorted, range.low); i < sorted.length; i++) {
      const entry = sorted[i];
      if (entry === undefined || items.length >= PLACES_MAX) return;
      const low = compareDecimals(entry.decimal, range.low);
      const high = compareDecimals(entry.decimal, range.high);
      if (high > 0 || (high === 0 && !range.highIncluded)) return;
      if (low === 0 && !range.lowIncluded) continue;
      for (const item of entry.held) if (fits(item.reading)) items.push(item);
    }
  }

  private sortedNumbers(): readonly NumberEntry<Item>[] {
    this.sorted ??= [...this.numbers.values()].sort((a, b) => a.float - b.float || compareDecimals(a.decimal, b.decimal));
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
      for (const { moment, item } of this.moments) {
        const cut = cutTo(moment, wanted);
        if (cut !== null) push(map, cut, item);
      }
      this.byShape.set(wanted, map);
    }
    return map.get(key) ?? null;
  }

  /** "v1.2" names what a source may write as the number 1.2; never 1.20. */
  private asNumber(literal: string): Item[] | null {
    if (!/^\d{1,9}\.\d{1,9}$/u.test(literal) || literal.endsWith('0')) return null;
    return this.numbers.get(decimalKey(numberReading(literal).quantities[0]?.decimal ?? decimalOf(false, '', '', 0)))?.held ?? null;
  }
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
  return { ...NO_READING, quantities: [{ decimal, quantum: exponent - fraction.length }] };
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
    const less = entry !== undefined && (entry.float - float || compareDecimals(entry.decimal, low)) < 0;
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
