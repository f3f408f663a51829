import { type JsonSlice, skipSpace, skipValue, sliceItems, sliceMembers } from '../../domain';
import { hasMore } from './asks';

/**
 * A view of JSON bytes that keeps the source text. Values come from a single JSON.parse; a value's
 * offsets are computed when they are first needed. Reading stays cheap, and digits of numbers, key
 * order and invalid UTF-8 survive a rewrite.
 */
export abstract class JsonView {
  /**
   * Null if the bytes are not JSON or nest deeper than 10,000 levels. Skips a byte order mark.
   * Linear; never throws.
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
   * A view of latin1 text that is assumed to be JSON: accessors may throw if it is not.
   */
  static glance(text: string): JsonView {
    const start = skipSpace(text, text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0);
    return new SourceView(text, start, text.length);
  }

  /** Offsets of the value's first byte and of the byte after it. */
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
   * The member with this ASCII name; null if there is none, or the value is not an object. The last
   * of equal names wins, as in JSON.parse.
   */
  abstract at(name: string): JsonView | null;
  /** Items of an array; empty for other values. */
  abstract items(): readonly JsonView[];
  /** One item of an array, or null. */
  abstract item(index: number): JsonView | null;
  /**
   * The value as in JSON.parse, for lists of many small items, where a view of each would be more
   * expensive.
   */
  abstract plain(): unknown;
  /** The string; null if it is not a string. */
  abstract string(): string | null;
  /** A count, for example of tokens; null if it is not an integer of 0 or more. */
  abstract count(): number | null;
  /** The value's JSON text, unchanged. */
  abstract json(): string;

  /** The member's string; null if it is not a string. */
  stringAt(name: string): string | null {
    return this.at(name)?.string() ?? null;
  }
}

/** JSON.parse uses memory for each level. */
const MAX_DEPTH = 10_000;

/**
 * Whether there are enough brackets, inside strings or not, to nest too deeply. Few requests have
 * that many, and only those are scanned.
 */
function mayBeDeep(bytes: Buffer): boolean {
  return hasMore(bytes, '{', MAX_DEPTH / 2) || hasMore(bytes, '[', MAX_DEPTH / 2);
}

/** Nesting depth of the value at `from`, after white space. */
function depthOf(text: string, from: number): number {
  return skipValue(text, skipSpace(text, from)).depth;
}

/** A parsed value that can find its position in the source bytes. */
class ParsedView extends JsonView {
  private source: SourceView | null = null;
  private all: readonly ParsedView[] | null = null;

  constructor(
    private readonly value: unknown,
    private readonly bytes: Buffer,
    /** Null means the root. */
    private readonly within: ParsedView | null,
    private readonly key: string | number,
  ) {
    super();
  }

  get start(): number {
    return this.fromSource().start;
  }

  get end(): number {
    return this.fromSource().end;
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
    return this.fromSource().json();
  }

  private fromSource(): SourceView {
    this.source ??= this.find();
    return this.source;
  }

  private find(): SourceView {
    const { within, key } = this;
    const found =
      within === null
        ? wholeOf(this.bytes)
        : typeof key === 'number'
          ? within.fromSource().items()[key]
          : within.fromSource().at(key);
    if (found == null) throw new Error('the parsed value was not found in its source');
    return found;
  }
}

function wholeOf(bytes: Buffer): SourceView {
  const text = bytes.toString('latin1');
  const start = skipSpace(text, hasByteOrderMark(bytes) ? 3 : 0);
  return new SourceView(text, start, skipValue(text, start).end);
}

/**
 * A value read in place from the source text. The bytes are decoded as latin1, one character per
 * byte, so offsets in the text are offsets in the bytes; JSON structure is ASCII in both.
 */
class SourceView extends JsonView {
  private members: ReadonlyMap<string, JsonSlice> | null = null;
  private all: readonly SourceView[] | null = null;

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

  at(name: string): SourceView | null {
    const slice = this.slices().get(name);
    return slice === undefined ? null : new SourceView(this.text, slice.start, slice.end);
  }

  items(): readonly SourceView[] {
    this.all ??= sliceItems(this.text, this.start).map(
      ({ start, end }) => new SourceView(this.text, start, end),
    );
    return this.all;
  }

  item(index: number): SourceView | null {
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

/** Whether the bytes begin with a UTF-8 byte order mark. */
export function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
