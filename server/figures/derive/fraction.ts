import { type Decimal, decimalOf, plainDecimal, type Quantity, roundingRange } from '../decimal';
import type { ScannedFigure } from '../scan';

/**
 * Exact fractions: an average or a ratio often has no finite decimal form, and no float may decide
 * which digits are shown (INT-18). `below` is positive.
 */
export interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

/** The values that are displayed as a quantity. */
export interface Shown {
  readonly low: Fraction;
  readonly lowIncluded: boolean;
  readonly high: Fraction;
  readonly highIncluded: boolean;
}

/** Values with more digits are never operands: every sum would become as long. */
const DIGITS_MAX = 40;
const EXPONENT_MAX = 60;
const POWERS: readonly bigint[] = Array.from(
  { length: EXPONENT_MAX + 1 },
  (_, power) => 10n ** BigInt(power),
);
/** Digits after the point of a result that does not end. */
const PLACES_SHOWN_MAX = 6;

/** The fraction of a decimal, or null if it is too long for calculation. */
export function fractionOf({ negative, digits, exponent }: Decimal): Fraction | null {
  if (digits.length > DIGITS_MAX || Math.abs(exponent) > EXPONENT_MAX) return null;
  const magnitude = BigInt(digits === '' ? '0' : digits);
  const signed = negative ? -magnitude : magnitude;
  const power = POWERS[Math.abs(exponent)] ?? 1n;
  return exponent >= 0 ? { above: signed * power, below: 1n } : { above: signed, below: power };
}

/**
 * Decimals keep the longer of two denominators, so that a sum of thousands of them does not grow.
 */
export function add(a: Fraction, b: Fraction): Fraction {
  if (a.below === b.below) return { above: a.above + b.above, below: a.below };
  if (a.below % b.below === 0n)
    return { above: a.above + b.above * (a.below / b.below), below: a.below };
  if (b.below % a.below === 0n)
    return { above: a.above * (b.below / a.below) + b.above, below: b.below };
  return { above: a.above * b.below + b.above * a.below, below: a.below * b.below };
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, { above: -b.above, below: b.below });
}

/** The same decimals over their longest denominator, which makes adding and comparing cheap. */
export function alignDecimals(decimals: readonly Fraction[]): readonly Fraction[] {
  const below = decimals.reduce((max, each) => (each.below > max ? each.below : max), 1n);
  return decimals.map((each) =>
    each.below === below ? each : { above: each.above * (below / each.below), below },
  );
}

/** Null for a division by zero. */
export function divide(a: Fraction, b: Fraction): Fraction | null {
  if (b.above === 0n) return null;
  const sign = b.above < 0n ? -1n : 1n;
  return { above: a.above * b.below * sign, below: a.below * b.above * sign };
}

export function integerFraction(value: number): Fraction {
  return { above: BigInt(value), below: 1n };
}

export function timesHundred({ above, below }: Fraction): Fraction {
  return { above: above * 100n, below };
}

export function compareFractions(a: Fraction, b: Fraction): number {
  if (a.below === b.below) return a.above === b.above ? 0 : a.above < b.above ? -1 : 1;
  const difference = a.above * b.below - b.above * a.below;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export function magnitudeOf({ above, below }: Fraction): Fraction {
  return { above: above < 0n ? -above : above, below };
}

/** For sorting and searching only. */
export function fractionAsFloat({ above, below }: Fraction): number {
  return Number(above) / Number(below);
}

/**
 * The interval that rounds to the digits of a quantity (INT-18), or null if it is too long for
 * calculation.
 */
export function shownBy(quantity: Quantity): Shown | null {
  const range = roundingRange(quantity);
  const low = fractionOf(range?.low ?? quantity.decimal);
  const high = fractionOf(range?.high ?? quantity.decimal);
  if (low === null || high === null) return null;
  return {
    low,
    high,
    lowIncluded: range?.lowIncluded ?? true,
    highIncluded: range?.highIncluded ?? true,
  };
}

export function isShown(value: Fraction, { low, lowIncluded, high, highIncluded }: Shown): boolean {
  const fromLow = compareFractions(value, low);
  const fromHigh = compareFractions(value, high);
  return (
    (fromLow > 0 || (fromLow === 0 && lowIncluded)) &&
    (fromHigh < 0 || (fromHigh === 0 && highIncluded))
  );
}

/**
 * `= $12.50` if the figure shows exactly that; else `= 12.5`, or `≈ 12.333333` if the value does
 * not end soon.
 */
export function renderResult(value: Fraction, figure: ScannedFigure, unit = ''): string {
  const shown = figure.reading.quantities[0];
  const exact = shown === undefined ? null : fractionOf(shown.decimal);
  if (exact !== null && compareFractions(value, exact) === 0) return `= ${figure.text}`;
  const scaled = value.above * 10n ** BigInt(PLACES_SHOWN_MAX);
  const doubled = (scaled < 0n ? -scaled : scaled) * 2n;
  const rounded = (doubled + value.below) / (value.below * 2n);
  const text = plainDecimal(decimalOf(value.above < 0n, rounded.toString(), '', -PLACES_SHOWN_MAX));
  return `${scaled % value.below === 0n ? '=' : '≈'} ${text}${unit}`;
}
