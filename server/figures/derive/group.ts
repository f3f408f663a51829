import type { SourceItem } from '../source-items';
import { alignDecimals, type Fraction, fractionOf } from './fraction';
import { splitName } from './words';

/**
 * Values of one meaning: the same key of sibling objects (`rows[*].free_gb`), a list of numbers, or
 * a column of a table.
 */
export interface ValueGroup {
  /** For people. */
  readonly name: string;
  /** Words of its own key, and of the list that contains it. */
  readonly own: readonly string[];
  readonly list: readonly string[];
  /** At least two, in order. */
  readonly items: readonly SourceItem[];
  readonly values: readonly Fraction[];
  readonly currency: string | null;
}

export interface GroupName {
  readonly name: string;
  readonly key: string;
  readonly list: string;
}

export type AggregateKind = 'sum' | 'average' | 'min' | 'max';

const NAME_LENGTH_MAX = 160;

/** Names of values that are never added up or averaged. */
const NO_QUANTITY = new Set(
  'id ids uuid key lat lon lng latitude longitude year timestamp ts epoch dt zip port index version phone'.split(
    ' ',
  ),
);

/** Names that do not describe the counted things: a sentence contains them by chance. */
const NAMELESS = new Set('value values data number numbers amount result results'.split(' '));

/** Aggregates of numbers as floats, added up one by one. */
export class Totals {
  count = 0;
  sum = 0;
  /** The sum without signs: it bounds the rounding of the other one. */
  size = 0;
  min = Infinity;
  max = -Infinity;

  add(number: number): void {
    this.count++;
    this.sum += number;
    this.size += Math.abs(number);
    if (number < this.min) this.min = number;
    if (number > this.max) this.max = number;
  }
}

/**
 * Values that may form a column. Its aggregates are floats with an error bound; the column itself,
 * in exact fractions, is built when a figure is near one of them.
 */
export class Group {
  private made: ValueGroup | null | undefined;

  constructor(
    private readonly named: GroupName | (() => GroupName),
    private readonly items: () => readonly SourceItem[],
    private readonly totals: Totals,
  ) {}

  /** Whether its aggregates can be between two floats. */
  mayLieIn(kind: AggregateKind, low: number, high: number): boolean {
    const { count, sum, size } = this.totals;
    const float = kind === 'average' ? sum / count : this.totals[kind];
    // Maximum distance between the sum of the floats and the sum of the values.
    const slack = (count + 2) * Number.EPSILON * size;
    return float >= low - slack && float <= high + slack;
  }

  /** Null if the values are not amounts of one kind. */
  column(): ValueGroup | null {
    if (this.made === undefined) this.made = this.make();
    return this.made;
  }

  private make(): ValueGroup | null {
    const { name, key, list } = typeof this.named === 'function' ? this.named() : this.named;
    const own = splitName(key);
    if (own.some((part) => NO_QUANTITY.has(part))) return null;
    const items = this.items();
    const values: Fraction[] = [];
    const first = items[0]?.reading;
    for (const { reading } of items) {
      const quantity = reading.quantities[0];
      if (
        quantity === undefined ||
        reading.quantities.length > 1 ||
        reading.moment !== null ||
        reading.literal !== null
      )
        return null;
      if (reading.currency !== first?.currency || reading.percent !== first.percent) return null;
      const value = fractionOf(quantity.decimal);
      if (value === null) return null;
      values.push(value);
    }
    return {
      name: shorten(name),
      own: own.filter((part) => !NAMELESS.has(part)),
      list: splitName(list),
      items,
      values: alignDecimals(values),
      currency: first?.currency ?? null,
    };
  }
}

function shorten(name: string): string {
  return name.length <= NAME_LENGTH_MAX
    ? name
    : `${name.slice(0, NAME_LENGTH_MAX).toWellFormed()}…`;
}
