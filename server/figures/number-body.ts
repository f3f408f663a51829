import { isDigit, isGap, isLetter, skipDigits } from './characters';
import { decimalOf, exponentOf, type Quantity } from './decimal';

/**
 * The digits of a number: thousands separators (`1,234.5`, `1 234`, `1'234`, `1.234,5`), fraction,
 * exponent. Parsed by hand in one pass, so that a megabyte of digits or commas costs a megabyte of
 * steps (R-102).
 */
export interface NumberBody {
  /** UTF-16 index of the first character (including a leading point), and after the last. */
  readonly from: number;
  readonly to: number;
  /** Null if the exponent is too long for a number. */
  readonly quantity: Quantity | null;
  /** Only digits: no separator, point or exponent. */
  readonly bare: boolean;
}

const SEPARATORS = new Set([',', "'", '’', ' ', '\u00a0', '\u202f', '\u2009', '_']);
const EXPONENT = /[eE]([+\-−]?\d{1,400})(?![\w])/y;
const POWER_OF_TEN =
  /[ \u00a0]?[×x*·⋅][ \u00a0]?10(?:\^\{?([+\-−]?\d{1,9})\}?(?!\d)|([⁺⁻]?[⁰¹²³⁴-⁹]{1,9}))/y;
/** The exponent of a bare 10: `10⁶`, `10^6`, `10^{-3}`. */
const RAISED = /\^\{?([+\-−]?\d{1,9})\}?(?!\d|\.\d)|([⁺⁻]?[⁰¹²³⁴-⁹]{1,9})/y;
const RAISED_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * Reads the number whose first digit is at `at`; `floor` is the end of the previous token. Without
 * a negative sign.
 */
export function readNumberBody(
  text: string,
  at: number,
  floor: number,
  negative: (from: number) => boolean,
): NumberBody {
  const led =
    at > floor && text[at - 1] === '.' && (at - 1 === 0 || leadsFraction(text.charCodeAt(at - 2)));
  if (led) return finish(text, at - 1, '', at, skipDigits(text, at), false, negative);
  const first = skipDigits(text, at);
  const groups = readGroups(text, at, first);
  if (groups !== null) {
    const integerPart = groups.parts.join('');
    const point = groups.separator === '.' || hasCommaBehindBlanks(text, groups) ? ',' : '.';
    const fractionEnd = fractionAfter(text, groups.end, point);
    return finish(
      text,
      at,
      integerPart,
      fractionEnd === groups.end ? groups.end : groups.end + 1,
      fractionEnd,
      false,
      negative,
    );
  }
  const integerPart = text.slice(at, first);
  const power = integerPart === '10' ? powerOfTen(text, at, first, negative) : null;
  if (power !== null) return power;
  const fractionEnd = fractionAfter(text, first, '.');
  if (fractionEnd > first)
    return finish(text, at, integerPart, first + 1, fractionEnd, false, negative);
  if (hasDecimalComma(text, at, first))
    return finish(text, at, integerPart, first + 1, skipDigits(text, first + 1), false, negative);
  return finish(text, at, integerPart, first, first, true, negative);
}

/** `10⁶`: one value, exactly. */
function powerOfTen(
  text: string,
  at: number,
  first: number,
  negative: (from: number) => boolean,
): NumberBody | null {
  RAISED.lastIndex = first;
  const match = RAISED.exec(text);
  const exponent = match === null ? null : exponentIn(match);
  if (match === null || exponent === null) return null;
  const decimal = decimalOf(negative(at), '1', '', exponent);
  return {
    from: at,
    to: first + match[0].length,
    quantity: { decimal, quantum: Math.min(exponent, 0) },
    bare: false,
  };
}

/** The exponent of a match, in digits or superscript. */
function exponentIn(match: RegExpExecArray): number | null {
  if (match[1] !== undefined || match[2] === undefined) return exponentOf(match[1] ?? '0');
  return exponentOf(
    Array.from(match[2], (sign) =>
      sign === '⁻' ? '-' : sign === '⁺' ? '+' : RAISED_DIGITS.indexOf(sign),
    ).join(''),
  );
}

/**
 * ".5" is a fraction after a blank, sign, bracket or currency; after a letter, digit or point it is
 * not.
 */
function leadsFraction(before: number): boolean {
  return !(isDigit(before) || isLetter(before) || before === 46 || before === 41 || before === 93);
}

function finish(
  text: string,
  from: number,
  integerPart: string,
  fractionFrom: number,
  fractionTo: number,
  bare: boolean,
  negative: (from: number) => boolean,
): NumberBody {
  const match = matchExponent(text, fractionTo);
  const to = fractionTo + (match === null ? 0 : match[0].length);
  const exponent = match === null ? 0 : exponentIn(match);
  if (exponent === null) return { from, to, quantity: null, bare: false };
  const fraction = text.slice(fractionFrom, fractionTo);
  const quantity = {
    decimal: decimalOf(negative(from), integerPart, fraction, exponent),
    quantum: exponent - fraction.length,
  };
  return { from, to, quantity, bare: bare && match === null };
}

function matchExponent(text: string, at: number): RegExpExecArray | null {
  const next = text.charCodeAt(at);
  if ((next | 0x20) === 0x65) {
    EXPONENT.lastIndex = at;
    return EXPONENT.exec(text);
  }
  const behind = isGap(next) ? text.charAt(at + 1) : text.charAt(at);
  if (behind !== '×' && behind !== 'x' && behind !== '*' && behind !== '·' && behind !== '⋅')
    return null;
  POWER_OF_TEN.lastIndex = at;
  return POWER_OF_TEN.exec(text);
}

function fractionAfter(text: string, at: number, point: string): number {
  return text[at] === point && isDigit(text.charCodeAt(at + 1)) ? skipDigits(text, at + 1) : at;
}

interface Groups {
  readonly parts: readonly string[];
  readonly separator: string;
  readonly end: number;
}

/** Groups of three after one to three digits, with the same separator throughout, or null. */
function readGroups(text: string, at: number, first: number): Groups | null {
  const separator = text.charAt(first);
  if (first - at > 3 || text[at] === '0' || !(SEPARATORS.has(separator) || separator === '.'))
    return null;
  const parts = [text.slice(at, first)];
  let end = first;
  while (text.charAt(end) === separator && isGroup(text, end + 1)) {
    parts.push(text.slice(end + 1, end + 4));
    end += 4;
  }
  if (parts.length === 1) return null;
  if (separator !== '.') return { parts, separator, end };
  // "1.234" is a fraction; a second group or a comma after it indicates thousands ("1.234,5",
  // "1.234.567").
  const fractionLength = fractionAfter(text, end, ',') - end;
  return parts.length > 2 || (fractionLength > 1 && fractionLength !== 4)
    ? { parts, separator, end }
    : null;
}

function isGroup(text: string, at: number): boolean {
  return (
    isDigit(text.charCodeAt(at)) &&
    isDigit(text.charCodeAt(at + 1)) &&
    isDigit(text.charCodeAt(at + 2)) &&
    !isDigit(text.charCodeAt(at + 3))
  );
}

/** "5 000,50": if blanks separate the groups, a comma with one or two digits is a decimal comma. */
function hasCommaBehindBlanks(text: string, { separator, end }: Groups): boolean {
  if (!isGap(separator.charCodeAt(0)) || text[end] !== ',') return false;
  const length = skipDigits(text, end + 1) - (end + 1);
  return length === 1 || length === 2;
}

/** "91,4" is a decimal comma; "[1,2]", "1,2,3" and "4,2024" are lists. */
function hasDecimalComma(text: string, at: number, first: number): boolean {
  if (text[first] !== ',' || !isDigit(text.charCodeAt(first + 1))) return false;
  const after = isDigit(text.charCodeAt(first + 2)) ? first + 3 : first + 2;
  if (isDigit(text.charCodeAt(after)) || isLetter(text.charCodeAt(after))) return false;
  if ((text[after] === ',' || text[after] === '.') && isDigit(text.charCodeAt(after + 1)))
    return false;
  const before = text.charAt(at - 1);
  return at === 0 || isGap(before.charCodeAt(0)) || '\n-+−~≈€$£*|:='.includes(before);
}
