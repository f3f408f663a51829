import { decimalKey, type Quantity } from '../decimal';
import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Cues } from './cues';
import type { Derivation, DeriveContext, Operation, PlacedFigure } from './derivation';
import {
  add,
  divide,
  type Fraction,
  fractionOf,
  isShown,
  magnitudeOf,
  renderResult,
  type Shown,
  shownBy,
  subtract,
  timesHundred,
} from './fraction';
import { digitsShown } from './from-columns';

/** A figure of the sentence that can be an operand. */
interface Operand {
  readonly item: SourceItem;
  readonly figure: ScannedFigure;
  readonly text: string;
  readonly value: Fraction;
  readonly percent: boolean;
  readonly currency: string | null;
  readonly unit: string | null;
}

/** Maximum figures tried on either side, nearest first, and from a list above. */
const OPERANDS_MAX = 8;
const LISTED_MAX = 16;
/**
 * With fewer digits only neighbours are paired: the differences of five small numbers cover nearly
 * every number.
 */
const DIGITS_ANY_PAIR = 3;

/** Figures of the sentence and of the list above it that are in the sources and can be operands. */
export interface Operands {
  readonly sentence: readonly Operand[];
  /** Those above, then those of the sentence before the figure. */
  readonly before: readonly Operand[];
}

export function readOperands(figure: ScannedFigure, context: DeriveContext): Operands {
  const earlier = context.sentence
    .filter((each) => each.figure.from < figure.from)
    .slice(-OPERANDS_MAX);
  const later = context.sentence
    .filter((each) => each.figure.from > figure.from)
    .slice(0, OPERANDS_MAX);
  const read = (placed: readonly PlacedFigure[]): Operand[] =>
    placed.flatMap((each) => {
      const operand = operandOf(each, figure);
      return operand === null ? [] : [operand];
    });
  const leading = read(earlier);
  return {
    sentence: [...leading, ...read(later)],
    before: [...read(context.above.slice(-LISTED_MAX)), ...leading],
  };
}

/**
 * Years and dates are not amounts; an occurrence in another form (0.914 as 91.4%) counts as shown.
 */
function operandOf({ figure, item }: PlacedFigure, result: ScannedFigure): Operand | null {
  const { reading, unit } = figure;
  const quantity = reading.quantities[0];
  if (
    item === null ||
    quantity === undefined ||
    item.dated ||
    reading.moment !== null ||
    reading.ordinalDay !== null
  )
    return null;
  if (reading.year !== null && !/^(?:y|yrs?|years?)$/u.test(result.unit ?? '')) return null;
  const shown = shownBy(quantity);
  const stored = item.reading.quantities[0];
  const exact = stored === undefined ? null : fractionOf(stored.decimal);
  const isSame = exact !== null && shown !== null && isShown(exact, shown);
  const value = isSame ? exact : fractionOf(quantity.decimal);
  if (value === null || value.above === 0n) return null;
  const { percent, currency } = reading;
  return {
    item,
    figure,
    text: isSame && !isWritten(item, quantity) ? item.text : figure.text,
    value,
    percent,
    currency,
    unit,
  };
}

/** Whether the source has the value exactly as the answer shows it, in any context. */
function isWritten(item: SourceItem, { decimal }: Quantity): boolean {
  const stored = item.reading.quantities[0];
  return stored !== undefined && decimalKey(stored.decimal) === decimalKey(decimal);
}

/** A sum, difference, ratio, change or share of figures in the sentence (INT-19). */
export function fromSentence(
  figure: ScannedFigure,
  cues: Cues,
  { sentence, before }: Operands,
): Derivation | null {
  for (const quantity of figure.reading.quantities) {
    const shown = shownBy(quantity);
    if (shown === null) continue;
    const found =
      (cues.operations.has('sum') ? fromRuns(figure, shown, sentence, before) : null) ??
      fromPairs(figure, shown, cues, sentence);
    if (found !== null) return found;
  }
  return null;
}

/**
 * "$100, $50 and $30: $180": the figures right before the total, nearest first, or all of the
 * sentence.
 */
function fromRuns(
  figure: ScannedFigure,
  shown: Shown,
  sentence: readonly Operand[],
  before: readonly Operand[],
): Derivation | null {
  const { currency } = figure.reading;
  // Money is added up only from money, even with counts and sizes in between.
  const amounts = currency === null ? before : before.filter((each) => each.currency === currency);
  const last = amounts.at(-1);
  let sum: Fraction | null = last?.value ?? null;
  for (let i = amounts.length - 2; i >= 0 && last !== undefined && sum !== null; i--) {
    const next = amounts[i];
    if (next === undefined || !areAlike(next, last)) break;
    sum = add(sum, next.value);
    if (isAlike(figure, last) && isShown(sum, shown)) return sumOf(figure, amounts.slice(i), sum);
  }
  const [first] = sentence;
  if (
    first === undefined ||
    sentence.length < 2 ||
    !isAlike(figure, first) ||
    !sentence.every((each) => areAlike(each, first))
  )
    return null;
  const all = sentence.slice(1).reduce((total, { value }) => add(total, value), first.value);
  return isShown(all, shown) ? sumOf(figure, sentence, all) : null;
}

function sumOf(figure: ScannedFigure, operands: readonly Operand[], sum: Fraction): Derivation {
  const formula = `${operands.map(({ text }) => text).join(' + ')} ${renderResult(sum, figure)}`;
  return { operation: 'sum', formula, operands: operands.map(({ item }) => item) };
}

function fromPairs(
  figure: ScannedFigure,
  shown: Shown,
  cues: Cues,
  operands: readonly Operand[],
): Derivation | null {
  const reach = digitsShown(figure) >= DIGITS_ANY_PAIR ? operands.length : 1;
  for (let distance = 1; distance <= reach; distance++) {
    for (let i = 0; i + distance < operands.length; i++) {
      const [a, b] = [operands[i], operands[i + distance]];
      if (a === undefined || b === undefined || !areAlike(a, b)) continue;
      const found = fromPair(figure, shown, cues, a, b);
      if (found !== null) return found;
    }
  }
  return null;
}

type Rule = readonly [
  Operation,
  (a: Fraction, b: Fraction) => Fraction | null,
  (a: string, b: string) => string,
];

/** A negative figure keeps the sentence's order; "5 lower" has none. */
const RULES: readonly Rule[] = [
  ['sum', add, (a, b) => `${a} + ${b}`],
  ['difference', subtract, (a, b) => `${a} − ${b}`],
  ['ratio', (a, b) => divide(a, b), (a, b) => `${a} ÷ ${b}`],
  ['share', (a, b) => percentOf(a, b), (a, b) => `${a} ÷ ${b}`],
  ['change', (a, b) => percentOf(subtract(a, b), magnitudeOf(b)), (a, b) => `(${a} − ${b}) ÷ ${b}`],
];

function fromPair(
  figure: ScannedFigure,
  shown: Shown,
  { operations, direction }: Cues,
  a: Operand,
  b: Operand,
): Derivation | null {
  const { percent } = figure.reading;
  // No calculation if one operand is so small that the result shows only the other.
  if (isShown(a.value, shown) || isShown(b.value, shown)) return null;
  const negative = figure.value.startsWith('-');
  for (const [operation, calculate, write] of RULES) {
    if (!operations.has(operation)) continue;
    // Shares and changes are percent of anything; sums and differences have the unit of their
    // operands, a ratio has neither unit.
    const isOfKind =
      operation === 'share' || operation === 'change'
        ? percent
        : operation === 'ratio'
          ? !percent
          : isAlike(figure, a);
    if (!isOfKind) continue;
    for (const [left, right] of [
      [b, a],
      [a, b],
    ] as const) {
      const value = calculate(left.value, right.value);
      if (value === null || (operation === 'share' && value.above > value.below * 100n)) continue;
      if (
        operation === 'change' &&
        direction !== null &&
        value.above < 0n !== (direction === 'down')
      )
        continue;
      if (operation === 'difference' && value.above < 0n !== negative) continue;
      const statedChange =
        negative || operation === 'ratio' || operation === 'share' ? value : magnitudeOf(value);
      if (!isShown(statedChange, shown)) continue;
      const unit = operation === 'share' || operation === 'change' ? '%' : '';
      const formula = `${write(bracketed(left.text), bracketed(right.text))} ${renderResult(value, figure, unit)}`;
      return { operation, formula, operands: [left.item, right.item] };
    }
  }
  return null;
}

function percentOf(a: Fraction, b: Fraction): Fraction | null {
  const ratio = divide(a, b);
  return ratio === null ? null : timesHundred(ratio);
}

function bracketed(text: string): string {
  return /^[-−]/u.test(text) ? `(${text})` : text;
}

/** Whether two operands can be added: the same currency and unit, if they have any. */
function areAlike(a: Operand, b: Operand): boolean {
  return (
    a.percent === b.percent &&
    isSameOrUnnamed(a.currency, b.currency) &&
    isSameOrUnnamed(stem(a.unit), stem(b.unit))
  );
}

function isAlike(figure: ScannedFigure, operand: Operand): boolean {
  const { percent, currency } = figure.reading;
  if (percent !== operand.percent && operand.percent) return /point/u.test(figure.unit ?? 'points');
  return (
    percent === operand.percent &&
    isSameOrUnnamed(currency, operand.currency) &&
    isSameOrUnnamed(stem(figure.unit), stem(operand.unit))
  );
}

function isSameOrUnnamed(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b;
}

function stem(unit: string | null): string | null {
  return unit === null ? null : unit.toLowerCase().replace(/s$/u, '');
}
