import { isDigit, isGap, isLetter } from './characters';
import { type Quantity, plainDecimal, shift } from './decimal';
import { type NumberBody, readNumberBody } from './number-body';
import { NO_READING, type Token } from './reading';
import {
  ambiguousScales,
  currencyCodes,
  currencySigns,
  currencyWords,
  dollarPrefixes,
  moneyScales,
  scaleLetters,
  scaleWords,
  units,
  unitWords,
} from './vocabulary';

/**
 * Numbers with their sign, currency, scale (`1.2 million`, `5k`), percent or attached unit
 * (`10.22m/s`). A unit word after a blank is recorded but stays outside the token. An ordinal alone
 * ("the 8th") is a number that may also be the day of a source's date.
 */

const SCALE_WORD =
  /[ \u00a0\u202f-]?(hundred|thousand|millions?|mn|mln|billions?|bn|bln|trillions?|tn|trn|lakh|crore)(?![A-Za-z0-9])/iy;
const PERCENT =
  /[ \u00a0\u202f]?[%％٪]|[ \u00a0\u202f-](?:percent(?:age points?)?|per cent|pct)(?![A-Za-z])/iy;
const CURRENCY_WORD = /[ \u00a0\u202f-]?(?:US )?([A-Za-z]{3,7})(?![A-Za-z0-9])/y;
const GLUED = /[A-Za-zµμΩ°º℃℉‰×]{1,16}(?:\/[A-Za-zµ]{1,4}[²³]?)?[²³]?/y;
const UNIT_BEHIND =
  /[ \u00a0\u202f-]?([A-Za-zµμΩ°º℃℉‰]{1,16}(?:\/[A-Za-zµ]{1,4}[²³]?)?[²³]?)(?![A-Za-z0-9])/y;
const ORDINAL = /(?:st|nd|rd|th)(?![A-Za-z0-9_])/iy;
/** Units that may be followed by another part of a duration: 3h30m. */
const DURATION_PARTS = new Set(['d', 'h', 'm', 's', 'ms', 'min', 'x', '×']);
/** Words and articles that look like units after a blank. */
const NO_UNIT_BEHIND = new Set(['in', 'A', 'x', 'em', 'points', 'times', 'second']);

interface Lead {
  readonly from: number;
  readonly negative: boolean;
  readonly currency: string | null;
}

const NO_LEAD: Lead = { from: 0, negative: false, currency: null };

interface Tail {
  to: number;
  scale: number;
  /** The scale is only one of two readings. */
  ambiguous: boolean;
  percent: boolean;
  currency: string | null;
  unit: string | null;
  ordinal: boolean;
}

/** The number whose first digit is at `at`, or null if the digits begin a name (`3scale`). */
export function readNumber(text: string, at: number, floor: number): Token | null {
  let lead = NO_LEAD;
  const body = readNumberBody(text, at, floor, (from) => {
    lead = readLead(text, from, floor);
    return lead.negative;
  });
  if (body.quantity === null) lead = readLead(text, body.from, floor);
  const tail = readTail(text, body, lead.currency);
  if (tail === null) return null;
  const unit = tail.percent ? '%' : (tail.currency ?? tail.unit);
  const kind = tail.percent ? 'percent' : tail.currency === null ? 'number' : 'currency';
  const { from } = lead;
  const { to, scale } = tail;
  if (body.quantity === null) {
    const literal = text.slice(from, body.to).toLowerCase();
    return {
      from,
      to,
      kind: 'number',
      value: literal,
      unit,
      scale,
      reading: { ...NO_READING, literal },
    };
  }
  const quantities = quantitiesOf(body.quantity, tail);
  const digits = text.slice(body.from, body.to);
  const plain = body.bare && from === at && kind === 'number' && tail.scale === 0;
  const reading = {
    moment: null,
    literal: null,
    quantities,
    percent: tail.percent,
    currency: tail.currency,
    year: plain && /^[12]\d{3}$/u.test(digits) ? digits : null,
    ordinalDay: tail.ordinal && digits.length <= 2 ? digits.padStart(2, '0') : null,
  };
  return {
    from,
    to,
    kind,
    value: plainDecimal((quantities[0] ?? body.quantity).decimal),
    unit,
    scale,
    reading,
  };
}

function quantitiesOf(quantity: Quantity, tail: Tail): readonly Quantity[] {
  if (tail.scale === 0) return [quantity];
  const scaled = shift(quantity, tail.scale);
  return tail.ambiguous ? [scaled, quantity] : [scaled];
}

/** Sign and currency in front of the digits, in either order. */
function readLead(text: string, start: number, floor: number): Lead {
  const inner = signAt(text, start, floor);
  const afterInner = inner === null ? start : start - 1;
  const gap = afterInner > floor && isGap(text.charCodeAt(afterInner - 1)) ? 1 : 0;
  const money = currencyBefore(text, afterInner - gap, floor);
  if (money === null) return { from: afterInner, negative: inner === '-', currency: null };
  const outer = inner === null ? signAt(text, money.from, floor) : null;
  return {
    from: outer === null ? money.from : money.from - 1,
    negative: inner === '-' || outer === '-',
    currency: money.code,
  };
}

/** The sign right before `at`: null for a range (5-10), a joint (web-1) or a dash between words. */
function signAt(text: string, at: number, floor: number): '-' | '+' | null {
  const sign = text.charAt(at - 1);
  if (at - 1 < floor || (sign !== '-' && sign !== '+' && sign !== '−' && sign !== '–')) return null;
  if (at - 1 === floor && floor > 0) return null;
  const before = text.charCodeAt(at - 2);
  if (isDigit(before) || isLetter(before) || (')]%_-+−–.'.includes(text.charAt(at - 2)) && at > 1))
    return null;
  // An en dash is a minus only after a blank that follows no number ("10 –15" is a range).
  if (
    sign === '–' &&
    at > 1 &&
    !(isGap(before) && !isDigit(text.charCodeAt(at - 3))) &&
    before !== 40 &&
    before !== 10
  )
    return null;
  return sign === '+' ? '+' : '-';
}

function currencyBefore(
  text: string,
  at: number,
  floor: number,
): { from: number; code: string } | null {
  if (at <= floor) return null;
  const sign = currencySigns.get(text.charAt(at - 1));
  const wordEnd = sign === undefined ? at : at - 1;
  let start = wordEnd;
  while (start > floor && wordEnd - start < 4 && isLetter(text.charCodeAt(start - 1))) start--;
  const word = text.slice(start, wordEnd);
  if (sign !== undefined) {
    const code = sign === 'USD' ? dollarPrefixes.get(word) : undefined;
    return code === undefined ? { from: wordEnd, code: sign } : { from: start, code };
  }
  if (currencyCodes.has(word)) return { from: start, code: word };
  if (
    text[at - 1] === '.' &&
    /(?:^|[^A-Za-z])Rs$/u.test(text.slice(Math.max(floor, at - 4), at - 1))
  )
    return { from: at - 3, code: 'INR' };
  return word === 'Rs' ? { from: start, code: 'INR' } : null;
}

function readTail(text: string, body: NumberBody, currency: string | null): Tail | null {
  const tail: Tail = {
    to: body.to,
    scale: 0,
    ambiguous: false,
    percent: false,
    currency,
    unit: null,
    ordinal: false,
  };
  if (
    text[tail.to] === '_' &&
    body.bare &&
    (isLetter(text.charCodeAt(tail.to + 1)) || isDigit(text.charCodeAt(tail.to + 1)))
  )
    return null;
  if (isGluedStart(text.charCodeAt(tail.to)) && !readGlued(text, body, tail))
    return body.bare && currency === null ? null : tail;
  if (tail.ordinal || tail.unit !== null || nothingFollows(text, tail.to)) return tail;
  const scale = tail.scale === 0 ? stick(SCALE_WORD, text, tail.to) : null;
  if (scale !== null) {
    tail.scale = scaleWords.get((scale[1] ?? '').toLowerCase()) ?? 0;
    tail.to += scale[0].length;
  }
  const percent = stick(PERCENT, text, tail.to);
  if (percent !== null) {
    tail.percent = true;
    tail.currency = null;
    tail.to += percent[0].length;
    return tail;
  }
  readCurrencyBehind(text, tail);
  const behind = tail.currency === null ? stick(UNIT_BEHIND, text, tail.to) : null;
  const unit = behind?.[1];
  // "(0.5 in)" are inches.
  const isInches = unit === 'in' && text[tail.to + (behind?.[0].length ?? 0)] === ')';
  if (
    unit !== undefined &&
    (isInches || !NO_UNIT_BEHIND.has(unit)) &&
    (units.has(unit) || unitWords.has(unit.toLowerCase()))
  )
    tail.unit = unit;
  return tail;
}

/** Neither a sign nor a word can follow, so the patterns are skipped. */
function nothingFollows(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (isGap(unit) || unit === 45) {
    const next = text.charCodeAt(at + 1);
    return isDigit(next) || isGap(next) || Number.isNaN(next);
  }
  return unit < 128 ? unit !== 36 && unit !== 37 && !isLetter(unit) : Number.isNaN(unit);
}

function isGluedStart(unit: number): boolean {
  return (
    isLetter(unit) ||
    unit === 0xb0 ||
    unit === 0xb5 ||
    unit === 0xba ||
    unit === 0xd7 ||
    unit === 0x2103 ||
    unit === 0x2109 ||
    unit === 0x2030
  );
}

/**
 * Letters right after the digits: ordinal, scale, currency or unit. False if they turn the digits
 * into a name.
 */
function readGlued(text: string, body: NumberBody, tail: Tail): boolean {
  const at = tail.to;
  if (body.bare && stick(ORDINAL, text, at) !== null) {
    tail.ordinal = true;
    tail.to = at + 2;
    return true;
  }
  const run = stick(GLUED, text, at)?.[0] ?? '';
  const next = text.charCodeAt(at + run.length);
  const split = run.indexOf('/');
  const word = split === -1 || units.has(run) ? run : run.slice(0, split);
  const closed = word !== run || !(isDigit(next) || isLetter(next) || next === 95);
  const power = tail.currency === null ? undefined : moneyScales.get(word);
  const scale = power ?? scaleLetters.get(word) ?? scaleWords.get(word.toLowerCase());
  const hexadecimal = word === 'x' && text.slice(body.from, at) === '0';
  if (!closed && (hexadecimal || !(DURATION_PARTS.has(word) && isDigit(next)))) return false;
  if (scale !== undefined || ambiguousScales.has(word)) {
    tail.scale = scale ?? ambiguousScales.get(word) ?? 0;
    tail.ambiguous = scale === undefined;
  } else if (currencyCodes.has(word)) {
    tail.currency = word;
  } else if (units.has(word) || unitWords.has(word.toLowerCase())) {
    // "the 1990s" are years, not seconds.
    tail.unit = word === 's' && body.bare && at - body.from === 4 ? null : word;
  } else return false;
  tail.to = at + word.length;
  return true;
}

function readCurrencyBehind(text: string, tail: Tail): void {
  if (tail.currency !== null) return;
  const gap = isGap(text.charCodeAt(tail.to)) ? 1 : 0;
  const sign = currencySigns.get(text.charAt(tail.to + gap));
  if (sign !== undefined && !closesFormula(text, tail.to + gap)) {
    // "5 $10 notes": the sign belongs to the next number.
    const next = tail.to + gap + 1;
    if (
      isDigit(text.charCodeAt(next)) ||
      (isGap(text.charCodeAt(next)) && isDigit(text.charCodeAt(next + 1)))
    )
      return;
    tail.currency = sign;
    tail.to = next;
    return;
  }
  const match = stick(CURRENCY_WORD, text, tail.to);
  const word = match?.[1] ?? '';
  const code = currencyCodes.has(word) ? word : currencyWords.get(word.toLowerCase());
  if (match === null || code === undefined) return;
  const next = tail.to + match[0].length;
  if (
    currencyCodes.has(word) &&
    isGap(text.charCodeAt(next)) &&
    isDigit(text.charCodeAt(next + 1)) &&
    gap === 1
  )
    return;
  tail.currency = code;
  tail.to = next;
}

const FORMULA_LOOKBACK = 200;

/**
 * "$x = 33$" and "$$33$$": the `$` at `at` ends a formula if an odd number precedes it on its line,
 * or another follows directly.
 */
function closesFormula(text: string, at: number): boolean {
  if (text.charAt(at) !== '$') return false;
  if (text.charAt(at + 1) === '$') return true;
  let signs = 0;
  for (let i = at - 1; i >= 0 && i > at - FORMULA_LOOKBACK && text[i] !== '\n'; i--)
    if (text[i] === '$') signs++;
  return signs % 2 === 1;
}

function stick(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
