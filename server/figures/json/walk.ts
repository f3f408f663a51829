import { numberReading } from '../value-index';
import { currencyCode } from './keys';
import { readString, type StringPlace } from './strings';
import { decodeString, JsonTable, RowKind } from './table';
import { QUOTE, jsonUnits } from './units';

/**
 * Reads JSON text, not a parsed value, so that a number's digits are the source's own, in
 * one pass over its code units into a table. Iterative: 200,000 open brackets cost memory, never
 * stack; anything deeper than 64 is skipped. NaN and Infinity, which Python writes, are
 * accepted and are not figures.
 */
const DEPTH_MAX = 64;
const NONE = -1;
/** Digits that a float always distinguishes. A token of at most this length has no more digits. */
const SURE_DIGITS = 15;
const WORD = /-?[A-Za-z]{1,9}/y;
const WORDS = new Set(['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity']);
const [BACKSLASH, MINUS, POINT, ZERO, NINE] = [92, 45, 46, 48, 57] as const;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT, COMMA, COLON] = [
  91, 93, 123, 125, 44, 58,
] as const;

const powers = new Float64Array(SURE_DIGITS + 8);
for (let i = 0, power = 1; i < powers.length; i++, power *= 10) powers[i] = power;

/** The bit that a code unit sets for its string: 1 for a digit, 2 for a unit beyond ASCII. */
const classes = new Uint8Array(128);
for (let unit = ZERO; unit <= NINE; unit++) classes[unit] = 1;

/**
 * Open containers of the current walk: number, index in an array or -1 for an object, and the
 * preceding key.
 */
const opened = new Int32Array(DEPTH_MAX);
const indexes = new Int32Array(DEPTH_MAX);
const keysBefore = new Int32Array(DEPTH_MAX);
/** The first key of the last object at each depth, a good guess for the next object. */
const firstKeys = new Int32Array(DEPTH_MAX + 1);
const place: StringPlace = {
  escaped: false,
  digits: false,
  wide: false,
  parent: NONE,
  step: 0,
  key: false,
};

/** The table of a JSON text, or null if it is not JSON. Never throws. */
export function readJsonTable(text: string): JsonTable | null {
  const walk = new Walk(text);
  return walk.run() ? walk.table : null;
}

class Walk {
  readonly table: JsonTable;
  private readonly units: Uint16Array;
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    this.units = jsonUnits(text);
    this.table = new JsonTable(text, this.units);
    firstKeys.fill(NONE);
  }

  run(): boolean {
    if (!this.value(NONE, 0)) return false;
    while (this.depth > 0)
      if (!(indexes[this.depth - 1] === NONE ? this.member() : this.element())) return false;
    this.space();
    return this.at === this.text.length;
  }

  /** The next element of the innermost array, or its end. */
  private element(): boolean {
    const level = this.depth - 1;
    const index = indexes[level] ?? 0;
    this.space();
    const unit = this.units[this.at];
    if (unit === CLOSE_ARRAY) return this.close();
    if (index > 0) {
      if (unit !== COMMA) return false;
      this.at++;
    }
    indexes[level] = index + 1;
    return this.value(opened[level] ?? NONE, index);
  }

  /** The next member of the innermost object, or its end. */
  private member(): boolean {
    const level = this.depth - 1;
    const before = keysBefore[level] ?? NONE;
    this.space();
    const unit = this.units[this.at];
    if (unit === CLOSE_OBJECT) return this.close();
    if (before !== NONE) {
      if (unit !== COMMA) return false;
      this.at++;
      this.space();
    }
    if (this.units[this.at] !== QUOTE) return false;
    const key = this.key(
      before === NONE ? (firstKeys[this.depth] ?? NONE) : this.table.keys.follower(before),
    );
    if (key === NONE) return false;
    if (before === NONE) firstKeys[this.depth] = key;
    else this.table.keys.follow(before, key);
    keysBefore[level] = key;
    const container = opened[level] ?? NONE;
    if (this.table.keys.mayHoldFigure(key)) this.figuresOfKey(key, container);
    this.space();
    if (this.units[this.at] !== COLON) return false;
    this.at++;
    return this.value(container, ~key);
  }

  private close(): boolean {
    this.at++;
    this.depth--;
    return true;
  }

  private value(parent: number, step: number): boolean {
    this.space();
    const unit = this.units[this.at] ?? 0;
    if (this.at >= this.text.length) return false;
    if (unit === QUOTE) return this.string(parent, step);
    if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      if (this.depth >= DEPTH_MAX) return this.skip();
      this.at++;
      opened[this.depth] = this.table.open(parent, step);
      indexes[this.depth] = unit === OPEN_ARRAY ? 0 : NONE;
      keysBefore[this.depth] = NONE;
      this.depth++;
      return true;
    }
    return this.number(parent, step) || this.word();
  }

  private word(): boolean {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0] ?? '';
    this.at += word.length;
    return WORDS.has(word);
  }

  private number(parent: number, step: number): boolean {
    const { units } = this;
    const from = this.at;
    let at = from;
    const negative = units[at] === MINUS;
    if (negative) at++;
    let unit = units[at] ?? 0;
    if (unit < ZERO || unit > NINE) return false;
    let value = unit - ZERO;
    unit = units[++at] ?? 0;
    if (value > 0) {
      for (; unit >= ZERO && unit <= NINE; unit = units[++at] ?? 0)
        value = value * 10 + (unit - ZERO);
    }
    let places = 0;
    if (unit === POINT && isDigitUnit(units[at + 1] ?? 0)) {
      const point = at;
      for (unit = units[++at] ?? 0; unit >= ZERO && unit <= NINE; unit = units[++at] ?? 0)
        value = value * 10 + (unit - ZERO);
      places = at - point - 1;
    }
    let kind: number = RowKind.number;
    if ((unit | 0x20) === 0x65) {
      const end = exponentEnd(units, at);
      if (end !== at) kind = RowKind.longNumber;
      at = end;
    }
    // A token of this many characters has no more than 15 digits, and its float is the one nearest
    // to the exact quotient.
    if (at - from > SURE_DIGITS) kind = RowKind.longNumber;
    this.at = at;
    if (kind === RowKind.longNumber) return this.longNumber(from, parent, step);
    const float = value === 0 ? 0 : (negative ? -value : value) / (powers[places] ?? 1);
    this.table.add(from, at, parent, step, kind, float, NONE);
    return true;
  }

  private longNumber(from: number, parent: number, step: number): boolean {
    const text = this.text.slice(from, this.at);
    const reading = numberReading(text);
    // An exponent beyond any number: the token is only equal to itself.
    if (reading.literal === null)
      this.table.add(from, this.at, parent, step, RowKind.longNumber, Number(text), NONE);
    else
      this.table.addToken(
        { from: 0, to: text.length, kind: 'number', value: text, unit: null, scale: 0, reading },
        text,
        parent,
        step,
      );
    return true;
  }

  private string(parent: number, step: number): boolean {
    const from = this.at + 1;
    if (!this.stringEnd()) return false;
    const to = this.at - 1;
    if (parent === NONE) {
      this.table.whole = place.escaped
        ? decodeString(this.text.slice(from - 1, to + 1))
        : this.text.slice(from, to);
      return this.table.whole !== null;
    }
    place.parent = parent;
    place.step = step;
    const decoded = readString(this.table, from, to, place);
    if (decoded === false) return false;
    if (step < 0 && this.table.keys.namesCurrency(~step)) {
      const code = currencyCode(decoded ?? this.text.slice(from, to));
      if (code !== null) this.table.currencies.set(parent, code);
    }
    return true;
  }

  /** Skips a string and records its properties; false if it does not end. */
  private stringEnd(): boolean {
    const { units } = this;
    let at = this.at + 1;
    let seen = 0;
    let escaped = false;
    for (;;) {
      const unit = units[at] ?? QUOTE;
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) {
        escaped = true;
        at += 2;
        continue;
      }
      seen |= unit < 128 ? (classes[unit] ?? 0) : 2;
      at++;
    }
    if (at >= this.text.length) return false;
    this.at = at + 1;
    place.escaped = escaped;
    place.digits = (seen & 1) !== 0;
    place.wide = (seen & 2) !== 0;
    place.key = false;
    return true;
  }

  /** The number of the key at this position, trying `likely` first; -1 if none can be read. */
  private key(likely: number): number {
    const from = this.at + 1;
    const { keys } = this.table;
    const end = likely === NONE ? NONE : keys.endOf(likely, this.units, from);
    if (end !== NONE && end < this.text.length) {
      this.at = end + 1;
      return likely;
    }
    if (!this.stringEnd()) return NONE;
    const to = this.at - 1;
    if (!place.escaped) return keys.numberOf(this.text.slice(from, to), from, to);
    const decoded = decodeString(this.text.slice(from - 1, to + 1));
    return decoded === null ? NONE : keys.numberOf(decoded, NONE, NONE);
  }

  private figuresOfKey(key: number, container: number): void {
    place.parent = container;
    place.step = ~key;
    place.key = true;
    readString(this.table, NONE, NONE, place);
  }

  /** Skips a value beyond the depth limit by matching its brackets. */
  private skip(): boolean {
    const { units } = this;
    const open: number[] = [];
    do {
      if (this.at >= this.text.length) return false;
      const unit = units[this.at];
      if (unit === QUOTE) {
        const from = this.at;
        if (
          !this.stringEnd() ||
          (place.escaped && decodeString(this.text.slice(from, this.at)) === null)
        )
          return false;
        continue;
      }
      if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) open.push(unit);
      else if ((unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) && open.pop() !== unit - 2)
        return false;
      this.at++;
    } while (open.length > 0);
    return true;
  }

  private space(): void {
    const { units } = this;
    let at = this.at;
    for (
      let unit = units[at];
      unit === 32 || unit === 10 || unit === 13 || unit === 9;
      unit = units[at]
    )
      at++;
    this.at = at;
  }
}

function isDigitUnit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** The end of an exponent whose letter is at `at`; `at` itself if none follows. */
function exponentEnd(units: Uint16Array, at: number): number {
  const sign = units[at + 1];
  let end = at + (sign === 43 || sign === MINUS ? 2 : 1);
  if (!isDigitUnit(units[end] ?? 0)) return at;
  while (isDigitUnit(units[end] ?? 0)) end++;
  return end;
}
