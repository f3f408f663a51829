import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Cues } from './cues';
import type { Derivation } from './derivation';
import {
  add,
  compareFractions,
  divide,
  fractionAsFloat,
  type Fraction,
  fractionOf,
  isShown,
  renderResult,
  shownBy,
  timesHundred,
  integerFraction,
} from './fraction';
import type { ValueGroup, Group, AggregateKind } from './group';
import { countNamed } from './words';

/** A column reduced to one value. */
interface Aggregate {
  readonly column: ValueGroup;
  readonly value: Fraction;
  readonly float: number;
}

const WHOLES: readonly AggregateKind[] = ['sum', 'average', 'max', 'min'];
/** Minimum digits if the sentence does not name the column: a shorter match can be chance. */
const DIGITS_UNNAMED = 3;
/** Minimum digits if the sentence names the column but no operation; then only a sum is tried. */
const DIGITS_UNCUED = 3;
/** Minimum digits of a sum or an average: one of a single digit can match by chance. */
const DIGITS_SUMMED = 2;
/** Maximum columns compared for one figure. */
const CANDIDATES_MAX = 64;
const OPERANDS_MAX = 100;
/** Maximum distance between a float and its exact value; the exact fraction decides. */
const SLACK = 1e-9;

/**
 * All columns of a turn. Each is reduced to exact values only when a figure is near one of them.
 */
export class Aggregates {
  private readonly known = new Map<Group, Map<AggregateKind, Aggregate | null>>();
  private byItem: Map<SourceItem, Group> | null = null;

  constructor(private readonly groups: readonly Group[]) {}

  /** In ascending order. */
  within(operation: AggregateKind, low: number, high: number): readonly Aggregate[] {
    const found: Aggregate[] = [];
    for (const group of this.groups) {
      const near = group.mayLieIn(operation, low, high) ? this.of(group, operation) : null;
      if (near !== null && near.float >= low && near.float <= high) found.push(near);
    }
    return found.sort((a, b) => a.float - b.float).slice(0, CANDIDATES_MAX);
  }

  /** The sum of the column that contains an item. */
  sumAround(item: SourceItem): Aggregate | null {
    if (this.byItem === null) {
      this.byItem = new Map();
      for (const group of this.groups)
        for (const each of group.column()?.items ?? []) this.byItem.set(each, group);
    }
    const group = this.byItem.get(item);
    return group === undefined ? null : this.of(group, 'sum');
  }

  private of(group: Group, operation: AggregateKind): Aggregate | null {
    const aggregates = this.known.get(group) ?? new Map<AggregateKind, Aggregate | null>();
    this.known.set(group, aggregates);
    let known = aggregates.get(operation);
    if (known === undefined) {
      const column = group.column();
      const value = column === null ? null : reduce(operation, column.values);
      known =
        column === null || value === null ? null : { column, value, float: fractionAsFloat(value) };
      aggregates.set(operation, known);
    }
    return known;
  }
}

function reduce(operation: AggregateKind, values: readonly Fraction[]): Fraction | null {
  const [first, ...rest] = values;
  if (first === undefined) return null;
  if (operation === 'max')
    return rest.reduce((max, each) => (compareFractions(each, max) > 0 ? each : max), first);
  if (operation === 'min')
    return rest.reduce((min, each) => (compareFractions(each, min) < 0 ? each : min), first);
  const sum = rest.reduce(add, first);
  return operation === 'sum' ? sum : divide(sum, integerFraction(values.length));
}

interface Candidate {
  readonly operation: AggregateKind;
  readonly aggregate: Aggregate;
  /** The column's fractions are shown as percent. */
  readonly percent: boolean;
  readonly named: number;
}

/** A sum, average, minimum or maximum of a whole column (INT-19). */
export function fromColumns(
  figure: ScannedFigure,
  cues: Cues,
  aggregates: Aggregates,
): Derivation | null {
  const digits = digitsShown(figure);
  let best: Candidate | null = null;
  for (const operation of WHOLES) {
    const cued = cues.operations.has(operation);
    // Half of a column's numbers are near its average: an operation is tried only if the sentence
    // suggests it, except whole sums.
    if (!cued && (operation !== 'sum' || digits < DIGITS_UNCUED || figure.reading.year !== null))
      continue;
    if (digits < DIGITS_SUMMED && (operation === 'sum' || operation === 'average')) continue;
    for (const { aggregate, percent } of candidates(operation, figure, aggregates)) {
      const named =
        2 * countNamed(aggregate.column.own, cues.words) +
        countNamed(aggregate.column.list, cues.words);
      const own = countNamed(aggregate.column.own, cues.words) > 0;
      const enough = cued ? named > 0 || digits >= DIGITS_UNNAMED : own;
      if (enough && (best === null || named > best.named))
        best = { operation, aggregate, percent, named };
    }
  }
  return best === null ? null : toDerivation(figure, best);
}

function candidates(
  operation: AggregateKind,
  figure: ScannedFigure,
  aggregates: Aggregates,
): { aggregate: Aggregate; percent: boolean }[] {
  const { quantities, percent, currency } = figure.reading;
  const found: { aggregate: Aggregate; percent: boolean }[] = [];
  for (const quantity of quantities) {
    const shown = shownBy(quantity);
    if (shown === null) continue;
    const reach =
      Math.max(Math.abs(fractionAsFloat(shown.low)), Math.abs(fractionAsFloat(shown.high))) * SLACK;
    const low = fractionAsFloat(shown.low) - reach;
    const high = fractionAsFloat(shown.high) + reach;
    for (const aggregate of aggregates.within(operation, low, high)) {
      if (isMoneyOf(aggregate.column, currency) && isShown(aggregate.value, shown))
        found.push({ aggregate, percent: false });
    }
    // 0.91 and 0.95 may be averaged to 93%, but not added up.
    if (!percent || operation === 'sum') continue;
    for (const aggregate of aggregates.within(operation, low / 100, high / 100)) {
      const isShare =
        aggregate.column.currency === null && aggregate.column.values.every(isAtMostOne);
      if (isShare && isShown(timesHundred(aggregate.value), shown))
        found.push({ aggregate, percent: true });
    }
  }
  return found;
}

function isMoneyOf(column: ValueGroup, currency: string | null): boolean {
  return currency === null || column.currency === null || column.currency === currency;
}

function isAtMostOne({ above, below }: Fraction): boolean {
  return above <= below && above >= -below;
}

function toDerivation(
  figure: ScannedFigure,
  { operation, aggregate: { column, value }, percent }: Candidate,
): Derivation {
  const result = renderResult(percent ? timesHundred(value) : value, figure, percent ? '%' : '');
  const formula = `${operation}(${column.name}) ${result}`;
  if (operation === 'sum' || operation === 'average')
    return { operation, formula, operands: column.items.slice(0, OPERANDS_MAX) };
  const at = column.values.findIndex((each) => compareFractions(each, value) === 0);
  return { operation, formula, operands: column.items.slice(at, at + 1) };
}

/** A value of the sentence as a share of its column's sum: "30% of the free space". */
export function fromShare(
  figure: ScannedFigure,
  parts: readonly SourceItem[],
  aggregates: Aggregates,
): Derivation | null {
  const quantity = figure.reading.quantities[0];
  const shown = quantity === undefined || !figure.reading.percent ? null : shownBy(quantity);
  if (shown === null) return null;
  for (const part of parts) {
    const total = aggregates.sumAround(part);
    const quantityOfPart = part.reading.quantities[0];
    const value = quantityOfPart === undefined ? null : fractionOf(quantityOfPart.decimal);
    const share = value === null || total === null ? null : divide(value, total.value);
    if (total === null || share === null || !isShown(timesHundred(share), shown)) continue;
    const formula = `${part.text} ÷ sum(${total.column.name}) ${renderResult(timesHundred(share), figure, '%')}`;
    return {
      operation: 'share',
      formula,
      operands: [
        part,
        ...total.column.items.slice(0, OPERANDS_MAX - 1).filter((item) => item !== part),
      ],
    };
  }
  return null;
}

/** Digits shown, including inner zeros and the last place. */
export function digitsShown({ reading }: ScannedFigure): number {
  const quantity = reading.quantities[0];
  if (quantity === undefined) return 0;
  return quantity.decimal.digits.length + Math.max(0, quantity.decimal.exponent - quantity.quantum);
}
