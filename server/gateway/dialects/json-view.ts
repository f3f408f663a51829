import { type JsonSlice, skipSpace, skipValue, sliceItems, sliceMembers } from '../../domain';
import { hasMore } from './asks';

/**
 * JSON bytes as they read and as they are: values come from one JSON.parse of all, and where a
 * value stands is looked for when that is first asked. So reading is cheap, and number digits, key
 * order and even bytes that are no UTF-8 survive a rewriting.
 */
export abstract class JsonView {
  /**
   * Null: no JSON, or nested deeper than 10,000. A byte order mark before it is left out. Linear;
   * never throws.
   */
  static parse(bytes: Buffer): JsonView | null {
    const from = hasByteOrderMark(bytes) ? 3 : 0;
    if (mayBeDeep(bytes) && depthOf(bytes.toString('latin1'), from) > MAX_DEPTH) return null;
    try {
      return new ParsedView(JSON.parse(bytes.toString('utf8', from)), bytes, null, '');
    } catch {
      return null;
    }
  }

  /**
   * A text of latin1 that is taken for JSON unread: what is asked of it may throw where it is none.
   */
  static glance(text: string): JsonView {
    const start = skipSpace(text, text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0);
    return new StandingView(text, start, text.length);
  }

  /** First byte of the value, and the byte behind it. */
  abstract readonly start: number;
  abstract readonly end: number;
  abstract readonly isObject: boolean;
  abstract readonly isArray: boolean;
  abstract readonly isString: boolean;
  abstract readonly isNull: boolean;
  abstract readonly isTrue: boolean;
  /** Members of an object. */
  abstract readonly size: number;
  /**
   * The member of this name, which is ASCII; null: none, or this is no object. A name twice: the
   * last, as in JSON.parse.
   */
  abstract at(name: string): JsonView | null;
  /** Items in turn; none where this is no array. */
  abstract items(): readonly JsonView[];
  /** One item of an array, or null. */
  abstract item(index: number): JsonView | null;
  /**
   * The value itself, as JSON.parse gives it: for lists of many small items, of which a view each
   * would cost far more.
   */
  abstract plain(): unknown;
  /** The string's text; null: no string. */
  abstract string(): string | null;
  /** A count such as of tokens; null: no whole number from 0. */
  abstract count(): number | null;
  /** The value's JSON text as it was sent. */
  abstract json(): string;

  /** The member's string; null: no string. */
  stringAt(name: string): string | null {
    return this.at(name)?.string() ?? null;
  }
}

/** JSON.parse takes memory for each level. */
const MAX_DEPTH = 10_000;

/**
 * Whether it has so many brackets at all, in its strings or out of them: few requests have, and
 * only those are walked through.
 */
function mayBeDeep(bytes: Buffer): boolean {
  return hasMore(bytes, '{', MAX_DEPTH / 2) || hasMore(bytes, '[', MAX_DEPTH / 2);
}

/** How deep the value nests that begins at `from`, or behind white space there. */
function depthOf(text: string, from: number): number {
  return skipValue(text, skipSpace(text, from)).depth;
}

/** A value that was parsed, with where it is found in the bytes of the whole. */
class ParsedView extends JsonView {
  private standing: StandingView | null = null;
  private all: readonly ParsedView[] | null = null;

  constructor(
    private readonly value: unknown,
    private readonly bytes: Buffer,
    /** Null: this is the whole. */
    private readonly within: ParsedView | null,
    private readonly key: string | number,
  ) {
    super();
  }

  get start(): number {
    return this.viewed().start;
  }

  get end(): number {
    return this.viewed().end;
  }

  get isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  get isArray(): boolean {
    return Array.isArray(this.value);
  }

  get isString(): boolean {
    return typeof this.value === 'string';
  }

  get isNull(): boolean {
    return this.value === null;
  }

  get isTrue(): boolean {
    return this.value === true;
  }

  get size(): number {
    return this.isObject ? Object.keys(this.value as object).length : 0;
  }

  at(name: string): ParsedView | null {
    if (!this.isObject || !Object.hasOwn(this.value as object, name)) return null;
    return new ParsedView((this.value as Record<string, unknown>)[name], this.bytes, this, name);
  }

  items(): readonly ParsedView[] {
    this.all ??= Array.isArray(this.value)
      ? this.value.map((item, n) => new ParsedView(item, this.bytes, this, n))
      : [];
    return this.all;
  }

  item(index: number): ParsedView | null {
    if (!Array.isArray(this.value) || index >= this.value.length) return null;
    return new ParsedView(this.value[index], this.bytes, this, index);
  }

  plain(): unknown {
    return this.value;
  }

  string(): string | null {
    return typeof this.value === 'string' ? this.value : null;
  }

  count(): number | null {
    return Number.isSafeInteger(this.value) && (this.value as number) >= 0
      ? (this.value as number)
      : null;
  }

  json(): string {
    return this.viewed().json();
  }

  private viewed(): StandingView {
    this.standing ??= this.find();
    return this.standing;
  }

  private find(): StandingView {
    const { within, key } = this;
    const found =
      within === null
        ? wholeOf(this.bytes)
        : typeof key === 'number'
          ? within.viewed().items()[key]
          : within.viewed().at(key);
    if (found == null) throw new Error('what was parsed does not stand in its bytes');
    return found;
  }
}

function wholeOf(bytes: Buffer): StandingView {
  const text = bytes.toString('latin1');
  const start = skipSpace(text, hasByteOrderMark(bytes) ? 3 : 0);
  return new StandingView(text, start, skipValue(text, start).end);
}

/**
 * A value as it is in a text, read in place. The bytes are read as latin1, which gives one
 * character a byte: every position in the text is a position in the bytes, and what is structure in
 * JSON is ASCII in both.
 */
class StandingView extends JsonView {
  private members: ReadonlyMap<string, JsonSlice> | null = null;
  private all: readonly StandingView[] | null = null;

  constructor(
    private readonly text: string,
    readonly start: number,
    readonly end: number,
  ) {
    super();
  }

  get isObject(): boolean {
    return this.text[this.start] === '{';
  }

  get isArray(): boolean {
    return this.text[this.start] === '[';
  }

  get isString(): boolean {
    return this.text[this.start] === '"';
  }

  get isNull(): boolean {
    return this.text[this.start] === 'n';
  }

  get isTrue(): boolean {
    return this.text[this.start] === 't';
  }

  get size(): number {
    return this.slices().size;
  }

  at(name: string): StandingView | null {
    const slice = this.slices().get(name);
    return slice === undefined ? null : new StandingView(this.text, slice.start, slice.end);
  }

  items(): readonly StandingView[] {
    this.all ??= sliceItems(this.text, this.start).map(
      ({ start, end }) => new StandingView(this.text, start, end),
    );
    return this.all;
  }

  item(index: number): StandingView | null {
    return this.items()[index] ?? null;
  }

  plain(): unknown {
    return JSON.parse(this.json());
  }

  string(): string | null {
    if (!this.isString) return null;
    const value: unknown = JSON.parse(this.json());
    return typeof value === 'string' ? value : null;
  }

  count(): number | null {
    const value = Number(this.text.slice(this.start, this.end));
    return this.isString || this.isNull || !Number.isSafeInteger(value) || value < 0 ? null : value;
  }

  json(): string {
    const token = this.text.slice(this.start, this.end);
    return beyondAscii.test(token) ? Buffer.from(token, 'latin1').toString('utf8') : token;
  }

  private slices(): ReadonlyMap<string, JsonSlice> {
    this.members ??= this.isObject ? sliceMembers(this.text, this.start) : new Map();
    return this.members;
  }
}

const beyondAscii = /[\u0080-\u00ff]/;

/** Whether the bytes begin with the byte order mark of UTF-8, which is no part of a text. */
export function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
