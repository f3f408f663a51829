import {
  compareDecimals,
  type Decimal,
  decimalKey,
  type Quantity,
  roundingRange,
  type RoundingRange,
} from './decimal';

/**
 * A range of values for looking them up by their floats. Floats keep the order of decimals, so what
 * lies within the ends is certain; at an end digits decide, unless both sides are short enough for
 * their floats to tell them apart (15 digits).
 */
export interface FloatRange {
  readonly low: number;
  readonly lowIncluded: boolean;
  readonly high: number;
  readonly highIncluded: boolean;
  /** Both ends are told by their floats. */
  readonly sure: boolean;
  readonly exact: () => RoundingRange;
}

const SURE_DIGITS = 15;
const SURE_EXPONENT = 22;

/** The one value of a quantity. */
export function exactRange({ decimal }: Quantity): FloatRange {
  const float = floatOf(decimal);
  return {
    low: float,
    lowIncluded: true,
    high: float,
    highIncluded: true,
    sure: isSure(decimal),
    exact: () => ({ low: decimal, lowIncluded: true, high: decimal, highIncluded: true }),
  };
}

/**
 * The values that display as a quantity (INT-18), as `roundingRange` has it, in floats where they
 * suffice. Null where only equality counts.
 */
export function displayRange(quantity: Quantity): FloatRange | null {
  const { decimal, quantum } = quantity;
  const padding = decimal.exponent - quantum;
  if (
    decimal.digits !== '' &&
    padding >= 0 &&
    decimal.digits.length + padding < SURE_DIGITS &&
    Math.abs(quantum - 1) <= SURE_EXPONENT
  ) {
    const shown = Number(decimal.digits) * 10 ** padding;
    const near = scaled(shown * 10 - 5, quantum - 1);
    const far = scaled(shown * 10 + 5, quantum - 1);
    const even = shown % 2 === 0;
    const exact = (): RoundingRange => roundingRange(quantity) ?? exactRange(quantity).exact();
    return decimal.negative
      ? { low: -far, lowIncluded: even, high: -near, highIncluded: true, sure: true, exact }
      : { low: near, lowIncluded: true, high: far, highIncluded: even, sure: true, exact };
  }
  const range = roundingRange(quantity);
  if (range === null) return null;
  const sure = isSure(range.low) && isSure(range.high);
  return {
    low: floatOf(range.low),
    lowIncluded: range.lowIncluded,
    high: floatOf(range.high),
    highIncluded: range.highIncluded,
    sure,
    exact: () => range,
  };
}

/** Whether a decimal lies in a range, whatever floats say. */
export function isWithin(
  decimal: Decimal,
  { low, lowIncluded, high, highIncluded }: RoundingRange,
): boolean {
  const fromLow = compareDecimals(decimal, low);
  const fromHigh = compareDecimals(decimal, high);
  return (
    (fromLow > 0 || (fromLow === 0 && lowIncluded)) &&
    (fromHigh < 0 || (fromHigh === 0 && highIncluded))
  );
}

/** The float nearest to a decimal. */
export function floatOf(decimal: Decimal): number {
  const { negative, digits, exponent } = decimal;
  if (digits === '') return 0;
  if (!isSure(decimal)) return Number(decimalKey(decimal));
  const float = scaled(Number(digits), exponent);
  return negative ? -float : float;
}

/** Whether the float of a decimal is that of no other one as short. */
export function isSure({ digits, exponent }: Decimal): boolean {
  return digits.length <= SURE_DIGITS && Math.abs(exponent) <= SURE_EXPONENT;
}

/** One rounding: the whole number and the power are exact. */
function scaled(whole: number, exponent: number): number {
  return exponent >= 0 ? whole * 10 ** exponent : whole / 10 ** -exponent;
}
