import {
  compareDecimals,
  type Decimal,
  decimalKey,
  type Quantity,
  roundingRange,
  type RoundingRange,
} from './decimal';

/**
 * A range of values for lookups by float. Floats keep the order of decimals, so values strictly
 * within the ends are certain; at an end the digits decide, unless both sides are short enough for
 * distinct floats (15 digits).
 */
export interface FloatRange {
  readonly low: number;
  readonly lowIncluded: boolean;
  readonly high: number;
  readonly highIncluded: boolean;
  /** Both ends have distinct floats. */
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
 * The values that display as a quantity (INT-18), like `roundingRange`, in floats where these
 * suffice. Null if only equality counts.
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

/** Whether a decimal is in a range, decided exactly. */
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

/** Whether no other decimal of the same length has the same float. */
export function isSure({ digits, exponent }: Decimal): boolean {
  return digits.length <= SURE_DIGITS && Math.abs(exponent) <= SURE_EXPONENT;
}

/** One rounding: the whole number and the power are exact. */
function scaled(whole: number, exponent: number): number {
  return exponent >= 0 ? whole * 10 ** exponent : whole / 10 ** -exponent;
}
