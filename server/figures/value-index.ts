import { type Decimal, decimalOf, exponentOf, isWhole, shift } from './decimal';
import {
  displayRange,
  exactRange,
  floatOf,
  type FloatRange,
  isSure,
  isWithin,
} from './float-range';
import { ambiguousForms, eitherDate, type Moment } from './moment';
import { MomentIndex, type Moments, type PackedMoments } from './moment-index';
import { NumberBuckets } from './number-buckets';
import { NO_READING, type FigureReading } from './reading';

/**
 * All places of all values of some sources, found by value (INT-18): numbers by their floats,
 * exactly or within the range that display rounding allows; dates by the parts that the answer
 * shows. Expensive data (digits, each date shape, the items themselves) is built for results only:
 * most numbers of a tool result are never looked up.
 */
export interface Readable {
  readonly reading: FigureReading;
  /** Its reading is one moment. */
  readonly dated: boolean;
}

/** Values by number; the input of an index. */
export interface Values<Item> extends Moments {
  /** Every number that a value may mean, in order, and its owner. */
  readonly floats: Float64Array;
  readonly owners: Int32Array;
  readonly count: number;
  /** Values only equal to themselves: versions, addresses. */
  readonly literals: ReadonlyMap<string, readonly number[]>;
  /** Whether a value is a bare number that its float identifies. */
  isSure(value: number): boolean;
  /** Whether a value is a bare number of a short token: sure, and not a percentage. */
  isBare(value: number): boolean;
  currencyOf(value: number): string | null;
  /** Whether its name indicates a percentage. */
  isInPercent(value: number): boolean;
  itemOf(value: number): Item;
}

/** The kind of match, best first. */
export type Fit = 'exact' | 'fraction' | 'rounded' | 'rounded_fraction' | 'date_part';

export interface FoundItems<Item> {
  readonly fit: Fit;
  /** All items with the value, exact ones in the order of the sources. Never empty. */
  readonly items: readonly Item[];
}

/**
 * Places kept for one lookup of a rounded value: enough to choose from, and a bound on the cost of
 * a figure.
 */
const PLACES_MAX = 5_000;
const NO_VALUES: readonly number[] = [];

export class ValueIndex<Item extends Readable> {
  private buckets: NumberBuckets | null = null;
  private moments: MomentIndex | null = null;
  private prefixes: ReadonlyMap<string, readonly number[]> | null = null;

  constructor(private readonly values: Values<Item>) {}

  /** The best fit of a reading, or null if no source contains the value. */
  find(reading: FigureReading): FoundItems<Item> | null {
    if (reading.literal !== null) return this.result('exact', this.literal(reading.literal));
    if (reading.moment !== null) return this.result('exact', this.moment(reading.moment));
    return (
      this.result('exact', this.exact(reading, 0, this.counts(reading))) ??
      (reading.percent
        ? this.result('fraction', this.exact(reading, -2, this.isFraction))
        : null) ??
      this.result('rounded', this.rounded(reading, 0, this.counts(reading))) ??
      (reading.percent
        ? this.result('rounded_fraction', this.rounded(reading, -2, this.isFraction))
        : null) ??
      this.result('date_part', this.datePart(reading))
    );
  }

  /** Every item that a reading can mean, with any fit: exact ones first. */
  findAll(reading: FigureReading): readonly Item[] {
    if (reading.quantities.length === 0) return this.find(reading)?.items ?? [];
    const fits = this.counts(reading);
    const values =
      this.displayed(reading, fits) ?? this.rounded(reading, 0, fits, this.exact(reading, 0, fits));
    if (reading.percent) {
      this.exact(reading, -2, this.isFraction, values);
      this.rounded(reading, -2, this.isFraction, values);
    }
    const all = values.length === 0 ? this.datePart(reading) : values;
    return (all.length < 2 ? all : [...new Set(all)]).map((value) => this.values.itemOf(value));
  }

  /**
   * Every item that is a number between two ends, inclusive; if there are too many, the smallest
   * ones.
   */
  findBetween(low: number, high: number): readonly Item[] {
    const { owners } = this.values;
    const found = new Set<number>();
    this.index().between(low, high, (position) => {
      found.add(owners[position] ?? 0);
      return found.size < PLACES_MAX;
    });
    return Array.from(found, (value) => this.values.itemOf(value));
  }

  private result(fit: Fit, values: readonly number[]): FoundItems<Item> | null {
    return values.length === 0
      ? null
      : { fit, items: values.map((value) => this.values.itemOf(value)) };
  }

  private exact(
    reading: FigureReading,
    places: number,
    fits: Fits,
    found: number[] = [],
  ): number[] {
    for (const quantity of reading.quantities)
      this.collect(exactRange(places === 0 ? quantity : shift(quantity, places)), fits, found);
    return found;
  }

  private rounded(
    reading: FigureReading,
    places: number,
    fits: Fits,
    found: number[] = [],
  ): number[] {
    for (const quantity of reading.quantities) {
      const range = displayRange(places === 0 ? quantity : shift(quantity, places));
      if (range !== null) this.collect(range, fits, found);
    }
    return found;
  }

  /**
   * The values that a single short quantity can display, in one search: exact values first. Null
   * for any other, or if there are too many.
   */
  private displayed({ quantities }: FigureReading, fits: Fits): number[] | null {
    const [quantity] = quantities;
    const range = quantity === undefined || quantities.length > 1 ? null : displayRange(quantity);
    if (quantity === undefined || range === null || !range.sure || !isSure(quantity.decimal))
      return null;
    const exact = exactRange(quantity);
    const { owners } = this.values;
    const found: number[] = [];
    const others: number[] = [];
    this.index().between(range.low, range.high, (position, float) => {
      const value = owners[position] ?? 0;
      if (this.isIn(range, float, value) && (fits === anyValue || fits(value, float))) {
        (float === exact.low && this.isIn(exact, float, value) ? found : others).push(value);
      }
      return others.length < PLACES_MAX;
    });
    if (others.length >= PLACES_MAX) return null;
    for (const value of others) found.push(value);
    return found;
  }

  private collect(range: FloatRange, fits: Fits, found: number[]): void {
    const { owners } = this.values;
    const max = found.length + PLACES_MAX;
    let last = NaN;
    this.index().between(range.low, range.high, (position, float) => {
      // Equal values are all kept.
      if (found.length >= max && float !== last) return false;
      last = float;
      const value = owners[position] ?? 0;
      if (this.isIn(range, float, value) && (fits === anyValue || fits(value, float)))
        found.push(value);
      return true;
    });
  }

  private isIn(range: FloatRange, float: number, value: number): boolean {
    if (float > range.low && float < range.high) return true;
    if (range.sure && this.values.isSure(value)) {
      return (float > range.low || range.lowIncluded) && (float < range.high || range.highIncluded);
    }
    const exact = range.exact();
    return this.values
      .itemOf(value)
      .reading.quantities.some(
        ({ decimal }) => floatOf(decimal) === float && isWithin(decimal, exact),
      );
  }

  /** A bare year, or the day of an ordinal, as part of a source's date. */
  private datePart({ year, ordinalDay }: FigureReading): readonly number[] {
    if (year !== null) return this.momentIndex().find({ ...NO_MOMENT, year });
    return ordinalDay === null
      ? NO_VALUES
      : this.momentIndex().find({ ...NO_MOMENT, day: ordinalDay });
  }

  private index(): NumberBuckets {
    this.buckets ??= new NumberBuckets(this.values.floats, this.values.count);
    return this.buckets;
  }

  private momentIndex(): MomentIndex {
    this.moments ??= new MomentIndex(this.values);
    return this.moments;
  }

  /** Dates that show the parts of a moment, and those that a source writes in one of two orders. */
  private moment(moment: Moment): readonly number[] {
    const found = this.momentIndex().find(moment);
    if (this.values.literals.size === 0) return found;
    const others = ambiguousForms(moment).flatMap(
      (form) => this.values.literals.get(form) ?? NO_VALUES,
    );
    return others.length === 0 ? found : [...found, ...new Set(others)];
  }

  /**
   * Values equal only to themselves; a version that begins with these parts (1.2 of 1.2.3, never of
   * 1.20); `03/05/2024` as either date; or "v1.2", which a source may write as the number 1.2,
   * never 1.20.
   */
  private literal(literal: string): readonly number[] {
    const known = this.values.literals.get(literal) ?? this.versions().get(literal);
    if (known !== undefined) return known;
    const dates = eitherDate(literal);
    if (dates !== null) return dates.flatMap((date) => this.momentIndex().find(date));
    if (!/^\d{1,9}\.\d{1,9}$/u.test(literal) || literal.endsWith('0')) return NO_VALUES;
    return this.exact(numberReading(literal), 0, anyValue);
  }

  /** Versions by their first parts. */
  private versions(): ReadonlyMap<string, readonly number[]> {
    this.prefixes ??= versionPrefixes(this.values.literals);
    return this.prefixes;
  }

  /**
   * Amounts in different currencies are different values; if one side names no currency, the amount
   * decides.
   */
  private counts({ currency }: FigureReading): Fits {
    if (currency === null) return anyValue;
    return (value) => (this.values.currencyOf(value) ?? currency) === currency;
  }

  /**
   * 0.914 may be shown as 91.4%; 5 may not be shown as 500%, nor may a value that is already a
   * percentage.
   */
  private readonly isFraction: Fits = (value, float) => {
    if (this.values.currencyOf(value) !== null) return false;
    // For a bare number, the float carries the same information without the digits.
    if (this.values.isBare(value))
      return (
        float === 0 ||
        Math.abs(float) === 1 ||
        (!Number.isInteger(float) && (Math.abs(float) < 1 || !this.values.isInPercent(value)))
      );
    const { quantities, percent } = this.values.itemOf(value).reading;
    const decimal = quantities[0]?.decimal;
    if (decimal === undefined || percent) return false;
    // 12.5 under `cpu_pct` is 12.5%; only a value of at most 1 may still be a share.
    if (
      decimal.digits.length + decimal.exponent > 0 &&
      !isOne(decimal) &&
      this.values.isInPercent(value)
    )
      return false;
    return !isWhole(decimal) || decimal.digits === '' || isOne(decimal);
  };
}

const isOne = ({ digits, exponent }: Decimal): boolean => digits === '1' && exponent === 0;

const NO_MOMENT = { year: null, month: null, day: null, clock: null, second: null, fraction: null };

type Fits = (value: number, float: number) => boolean;

const anyValue: Fits = () => true;

const VERSION = /^\d{1,9}(?:\.\d{1,9}){1,8}(?=$|[-+a-z])/u;
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/u;

/**
 * Every prefix of a version that ends with one of its numbers, with the versions that begin with
 * it. Addresses have none.
 */
function versionPrefixes(
  literals: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [literal, values] of literals) {
    const numbers = ADDRESS.test(literal) ? undefined : VERSION.exec(literal)?.[0];
    if (numbers === undefined) continue;
    const ends = [...numbers.matchAll(/\./gu)].map(({ index }) => index);
    if (numbers !== literal) ends.push(numbers.length);
    for (const end of ends) for (const value of values) push(found, numbers.slice(0, end), value);
  }
  return found;
}

/** The values of a list that were already read. */
export class ListedValues<Item extends Readable> implements Values<Item> {
  readonly floats: Float64Array;
  readonly owners: Int32Array;
  readonly count: number;
  readonly literals: ReadonlyMap<string, readonly number[]>;
  readonly dated: readonly number[];

  constructor(private readonly items: readonly Item[]) {
    const owned = items.flatMap(({ reading, dated }, value) =>
      dated ? [] : reading.quantities.map(({ decimal }) => ({ value, float: floatOf(decimal) })),
    );
    this.count = owned.length;
    this.floats = Float64Array.from(owned, ({ float }) => float);
    this.owners = Int32Array.from(owned, ({ value }) => value);
    const literals = new Map<string, number[]>();
    const dates: number[] = [];
    for (const [value, { reading, dated }] of items.entries()) {
      if (dated) dates.push(value);
      else if (reading.literal !== null) push(literals, reading.literal, value);
    }
    this.literals = literals;
    this.dated = dates;
  }

  isSure(value: number): boolean {
    return this.items[value]?.reading.quantities.every(({ decimal }) => isSure(decimal)) === true;
  }

  isBare(): boolean {
    return false;
  }

  currencyOf(value: number): string | null {
    return this.items[value]?.reading.currency ?? null;
  }

  isInPercent(): boolean {
    return false;
  }

  packed(): PackedMoments {
    return { values: [], dates: new Int32Array(0), clocks: new Int32Array(0), others: this.dated };
  }

  momentOf(value: number): FigureReading['moment'] {
    return this.items[value]?.reading.moment ?? null;
  }

  itemOf(value: number): Item {
    const item = this.items[value];
    if (item === undefined) throw new RangeError(`there is no value ${value}`);
    return item;
  }
}

/** The reading of a bare number token as JSON writes it (`-1.50e3`). */
export function numberReading(token: string): FigureReading {
  const mantissaEnd = token.search(/[eE]/u);
  const mantissa = mantissaEnd === -1 ? token : token.slice(0, mantissaEnd);
  const exponent = mantissaEnd === -1 ? 0 : exponentOf(token.slice(mantissaEnd + 1));
  if (exponent === null) return { ...NO_READING, literal: token.toLowerCase() };
  const negative = mantissa.startsWith('-');
  const point = mantissa.indexOf('.');
  const integerPart = mantissa.slice(negative ? 1 : 0, point === -1 ? undefined : point);
  const fraction = point === -1 ? '' : mantissa.slice(point + 1);
  const decimal: Decimal = decimalOf(negative, integerPart, fraction, exponent);
  const quantities = [{ decimal, quantum: exponent - fraction.length }];
  return {
    quantities,
    percent: false,
    currency: null,
    moment: null,
    literal: null,
    year: null,
    ordinalDay: null,
  };
}

export function push(map: Map<string, number[]>, key: string, value: number): void {
  const existing = map.get(key);
  if (existing === undefined) map.set(key, [value]);
  else existing.push(value);
}
