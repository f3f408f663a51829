/**
 * Exact decimals as text: digits × 10^exponent, without leading or trailing zeros ('' is zero).
 * Figures are compared as written, so a float never decides (INT-18, R-89): 2^53+1, 1e400 and 40
 * digits keep every digit.
 */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/**
 * A decimal as shown in an answer: `quantum` is the power of ten of the last digit shown (45.7 →
 * -1, 1.2 million → 5).
 */
export interface Quantity {
  readonly decimal: Decimal;
  readonly quantum: number;
}

/** Both ends of the interval that rounds to a quantity, each with its inclusiveness. */
export interface RoundingRange {
  readonly low: Decimal;
  readonly lowIncluded: boolean;
  readonly high: Decimal;
  readonly highIncluded: boolean;
}

/**
 * Beyond this many digits only exact equality counts: no one rounds to a thousand digits, and
 * BigInt stays cheap.
 */
const ROUNDED_DIGITS_MAX = 1000;
/** Longest canonical value written without an exponent. */
const PLAIN_LENGTH_MAX = 1100;
/** With more digits in the exponent a number cannot represent it exactly. */
const EXPONENT_DIGITS_MAX = 14;

/** A decimal from its parts, all ASCII digits; `exponent` scales the whole. */
export function decimalOf(
  negative: boolean,
  whole: string,
  fraction: string,
  exponent: number,
): Decimal {
  const all = whole + fraction;
  let from = 0;
  while (from < all.length && all.charCodeAt(from) === 48) from++;
  let to = all.length;
  while (to > from && all.charCodeAt(to - 1) === 48) to--;
  if (from === to) return { negative: false, digits: '', exponent: 0 };
  return {
    negative,
    digits: all.slice(from, to),
    exponent: exponent - fraction.length + (all.length - to),
  };
}

/** The exponent of a number token (`+05`, `-3`), or null if it is too long to be exact. */
export function exponentOf(text: string): number | null {
  const negative = text.startsWith('-') || text.startsWith('−');
  const digits = text.replace(/^[+\-−]/u, '').replace(/^0{1,1000}/u, '');
  if (digits.length > EXPONENT_DIGITS_MAX) return null;
  return (negative ? -1 : 1) * Number(digits === '' ? '0' : digits);
}

/** The same value times ten to the power `places`. */
export function shift(quantity: Quantity, places: number): Quantity {
  const { decimal, quantum } = quantity;
  if (decimal.digits === '') return { decimal, quantum: quantum + places };
  return {
    decimal: { ...decimal, exponent: decimal.exponent + places },
    quantum: quantum + places,
  };
}

/** Equal for equal values only; the key of exact lookups. */
export function decimalKey(decimal: Decimal): string {
  return `${decimal.negative ? '-' : ''}${decimal.digits === '' ? '0' : decimal.digits}e${decimal.exponent}`;
}

/**
 * The canonical value of a figure: a plain decimal string, or `d.ddde±x` if that would be absurdly
 * long.
 */
export function plainDecimal({ negative, digits, exponent }: Decimal): string {
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  const point = digits.length + exponent;
  if (Math.max(digits.length, Math.abs(point), Math.abs(exponent)) > PLAIN_LENGTH_MAX) {
    return `${sign}${digits.slice(0, 1)}${digits.length > 1 ? `.${digits.slice(1)}` : ''}e${point - 1}`;
  }
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const signA = signOf(a);
  const signB = signOf(b);
  if (signA !== signB || signA === 0) return signA - signB;
  return signA * compareMagnitudes(a, b);
}

function signOf(decimal: Decimal): number {
  if (decimal.digits === '') return 0;
  return decimal.negative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  const points = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (points !== 0) return points;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}

/** Whether the value has no digits behind the point. */
export function isWhole(decimal: Decimal): boolean {
  return decimal.exponent >= 0;
}

/**
 * The values that display as this quantity (INT-18). A tie may round away from zero or to the even
 * digit, so the interval always includes the end nearer to zero, and includes the other end if the
 * last digit shown is even. Null if only equality counts.
 */
export function roundingRange({ decimal, quantum }: Quantity): RoundingRange | null {
  if (decimal.digits === '') {
    // "0e9" shows nothing: zero covers at most half a unit.
    const power = Math.min(quantum, 0) - 1;
    const half: Decimal = { negative: false, digits: '5', exponent: power };
    return { low: { ...half, negative: true }, lowIncluded: true, high: half, highIncluded: true };
  }
  const padding = decimal.exponent - quantum;
  if (padding < 0 || decimal.digits.length + padding > ROUNDED_DIGITS_MAX) return null;
  const shown = BigInt(decimal.digits + '0'.repeat(padding)) * 10n;
  const near = decimalOf(decimal.negative, (shown - 5n).toString(), '', quantum - 1);
  const far = decimalOf(decimal.negative, (shown + 5n).toString(), '', quantum - 1);
  const even = (shown / 10n) % 2n === 0n;
  return decimal.negative
    ? { low: far, lowIncluded: even, high: near, highIncluded: true }
    : { low: near, lowIncluded: true, high: far, highIncluded: even };
}
