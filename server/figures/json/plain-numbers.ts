import { monthNames } from '../month-names';
import { currencyCodes } from '../vocabulary';
import { jsonUnits } from './units';

/**
 * Strings whose figures can be read without the scanner, as in most short strings of a tool result:
 * digits that are part of a name (`web-12`), and numbers alone between words that do not modify
 * them ("restarted after 312 s"). In doubt the scanner decides; it reads the same values.
 */
const DIGITS_MAX = 15;
/** Letters before a digit that are compared with currencies. */
const MARKER_MAX = 5;
const WORD_LENGTH_MAX = 9;
const COUNT_MAX = 8;
const LETTERS_COMPARED = 3;
const [BLANK, MINUS, POINT, UNDERSCORE, LOWER_V, UPPER_R, LOWER_W] = [
  32, 45, 46, 95, 118, 82, 119,
] as const;
/**
 * Characters that may indicate a URL, an IP address, a time or an e-mail address anywhere in the
 * string.
 */
const DOUBTFUL = new Set(Array.from('/@:', (sign) => sign.charCodeAt(0)));

/**
 * Words, by their first three letters, that may turn a number into a date, a range, a share, money,
 * or a multiple of itself.
 */
const MONTHS = [
  ...new Set([...monthNames.keys()].map((name) => name.slice(0, LETTERS_COMPARED))),
].filter((letters) => /^[a-z]+$/u.test(letters));
const BEFORE = `${MONTHS.join(' ')} the de del`;
const BEHIND = `${BEFORE} hun tho mil mln mn bil bln bn tri trn tn lak cro per pct dol eur yen rup yua fra thr and or to of am pm a p x bis al au`;

const changesBefore = codesOf(BEFORE);
const changesBehind = codesOf(BEHIND);

/** Reads one string after another; a result is valid until the next call. */
export class PlainNumbers {
  count = 0;
  readonly from = new Int32Array(COUNT_MAX);
  readonly to = new Int32Array(COUNT_MAX);
  readonly values = new Float64Array(COUNT_MAX);

  /**
   * False if the scanner must read the string. `units` are ASCII from `from` to `to`, followed by a
   * quote.
   */
  read(units: Uint16Array, from: number, to: number): boolean {
    this.count = 0;
    for (let at = from; at < to; ) {
      const unit = units[at] ?? 0;
      if (isDigit(unit)) {
        const end = this.figure(units, at, from, to);
        if (end === null) return false;
        at = end;
      } else {
        if (unit < 65 && DOUBTFUL.has(unit)) return false;
        // "www." begins a URL without a scheme.
        if (unit === POINT && units[at - 1] === LOWER_W && units[at - 2] === LOWER_W) return false;
        at++;
      }
    }
    return true;
  }

  /** The end of the number or name whose first digit is at `at`, or null if it is uncertain. */
  private figure(units: Uint16Array, at: number, from: number, to: number): number | null {
    if (at === from) return this.number(units, at, to);
    const before = units[at - 1] ?? 0;
    if (before === BLANK)
      return at - 1 === from || isHarmlessBefore(units, at - 2, from)
        ? this.number(units, at, to)
        : null;
    return nameEnd(units, at, from, to);
  }

  private number(units: Uint16Array, at: number, to: number): number | null {
    let end = at;
    let value = 0;
    let scale = 1;
    let unit = units[end] ?? 0;
    for (; isDigit(unit); unit = units[++end] ?? 0) value = value * 10 + (unit - 48);
    if (unit === POINT && isDigit(units[end + 1] ?? 0)) {
      for (unit = units[++end] ?? 0; isDigit(unit); unit = units[++end] ?? 0) {
        value = value * 10 + (unit - 48);
        scale *= 10;
      }
    }
    if (
      end - at > DIGITS_MAX ||
      this.count >= COUNT_MAX ||
      !(end >= to || isHarmlessBehind(units, end, to))
    )
      return null;
    this.from[this.count] = at;
    this.to[this.count] = end;
    this.values[this.count++] = value / scale;
    return end;
  }
}

const reader = new PlainNumbers();

/** Whether all digits of a text are part of names. False is not certain. */
export function holdsNamesOnly(text: string): boolean {
  const units = jsonUnits(text);
  return (
    units.every((unit) => unit < 128) && reader.read(units, 0, text.length) && reader.count === 0
  );
}

/** The word that ends at `last` is neither a month nor a currency, and no sign is there. */
function isHarmlessBefore(units: Uint16Array, last: number, from: number): boolean {
  let start = last;
  for (; start >= from && isLetter(units[start] ?? 0); start--) {
    // "EUR 5", "Rs 5": a code has four letters at most.
    if (last - start < 4 && (units[start] ?? 0) < 97) return false;
    if (last - start > WORD_LENGTH_MAX) return true;
  }
  return start < last && changesBefore[codeAt(units, start + 1, last + 1)] === 0;
}

function isHarmlessBehind(units: Uint16Array, at: number, to: number): boolean {
  if (units[at] !== BLANK) return false;
  if (at + 1 === to) return true;
  const unit = units[at + 1] ?? 0;
  return unit >= 97 && unit <= 122 && changesBehind[codeAt(units, at + 1, to)] === 0;
}

/** The end of a name that contains the digit at `at`, or null if that is uncertain. */
function nameEnd(units: Uint16Array, at: number, from: number, to: number): number | null {
  const before = units[at - 1] ?? 0;
  const joint = before === MINUS ? 1 : 0;
  const letter = at - 1 - joint < from ? 0 : (units[at - 1 - joint] ?? 0);
  if (
    !isLetter(letter) ||
    (joint === 0 && ((letter | 32) === LOWER_V || mayBeMoney(units, at, from)))
  )
    return null;
  // A UUID, "5G", and "usage-91.4%" have separate rules.
  if (units[at + 8] === MINUS || isLetter(units[at + 1] ?? 0)) return null;
  let end = at;
  while (isDigit(units[end] ?? 0)) end++;
  if (units[end] === POINT) while (isDigit(units[++end] ?? 0));
  if (units[end] === 37) return null;
  for (end = at; end < to; end++) {
    const unit = units[end] ?? 0;
    if (isNamePart(unit)) continue;
    if (DOUBTFUL.has(unit)) return null;
    if ((unit !== MINUS && unit !== POINT) || !isJoined(units[end + 1] ?? 0)) break;
  }
  return end;
}

/** "EUR5", "Rs5": a code, or letters that may be one, right before the digit at `at`. */
function mayBeMoney(units: Uint16Array, at: number, from: number): boolean {
  let start = at;
  while (start > from && at - start < MARKER_MAX && isMarker(units[start - 1] ?? 0)) start--;
  const length = at - start;
  if (length === 2) return units[start] === UPPER_R;
  return (
    length === 3 &&
    currencyCodes.has(
      String.fromCharCode(units[start] ?? 0, units[start + 1] ?? 0, units[start + 2] ?? 0),
    )
  );
}

function isMarker(unit: number): boolean {
  return isLetter(unit) || unit === UNDERSCORE;
}

function isJoined(unit: number): boolean {
  return isDigit(unit) || isLetter(unit);
}

function isNamePart(unit: number): boolean {
  return isDigit(unit) || isLetter(unit) || unit === UNDERSCORE;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

/** The first three letters of the word at `at`, in lower case, as 15 bits. */
function codeAt(units: Uint16Array, at: number, to: number): number {
  let code = 0;
  let i = at;
  for (; i < to && i < at + LETTERS_COMPARED && isLetter(units[i] ?? 0); i++)
    code = (code << 5) | ((units[i] ?? 0) & 31);
  return code << (5 * (LETTERS_COMPARED - (i - at)));
}

function codesOf(words: string): Uint8Array {
  const codes = new Uint8Array(1 << (5 * LETTERS_COMPARED));
  for (const word of words.split(' ')) {
    const units = Uint16Array.from(word, (letter) => letter.charCodeAt(0));
    codes[codeAt(units, 0, units.length)] = 1;
  }
  return codes;
}
