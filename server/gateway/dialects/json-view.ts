import { type JsonSlice, skipSpace, skipValue, sliceItems, sliceMembers } from '../../domain';

/**
 * Reads JSON bytes in place: nothing is turned into values but what is asked for, so number digits, key order and even bytes that are
 * no UTF-8 survive a rewriting. The bytes are read as latin1, which gives one character a byte: every position in the text is a position
 * in the bytes, and what is structure in JSON is ASCII in both.
 */

/** Above this many bytes the depth is looked at before JSON.parse sees the text. */
const CHECKED_BYTES = 65_536;
const MAX_DEPTH = 500;

export class JsonView {
  #members: Map<string, JsonSlice> | null = null;
  #items: JsonView[] | null = null;

  private constructor(
    private readonly text: string,
    /** First byte of the value. */
    readonly start: number,
    /** Byte behind the value. */
    readonly end: number,
  ) {}

  /** Null: no JSON, or nested deeper than 500. A byte order mark before it is left out. Linear; never throws. */
  static parse(bytes: Buffer): JsonView | null {
    const text = bytes.toString('latin1');
    const from = skipSpace(text, hasByteOrderMark(bytes) ? 3 : 0);
    if (text.length > CHECKED_BYTES && skipValue(text, from).depth > MAX_DEPTH) return null;
    try {
      JSON.parse(from === 0 ? text : text.slice(from));
    } catch {
      return null;
    }
    return new JsonView(text, from, skipValue(text, from).end);
  }

  /** A text of latin1 that is taken for JSON unread: what is asked of it may throw where it is none. */
  static glance(text: string): JsonView {
    const start = skipSpace(text, text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0);
    return new JsonView(text, start, text.length);
  }

  /** The member of this name; null: none, or this is no object. A name twice: the last, as in JSON.parse. */
  at(name: string): JsonView | null {
    this.#members ??= this.isObject ? sliceMembers(this.text, this.start) : new Map();
    const slice = this.#members.get(name);
    return slice === undefined ? null : this.#of(slice);
  }

  /** The member's string; null: no string. */
  stringAt(name: string): string | null {
    return this.at(name)?.string() ?? null;
  }

  /** Items in turn; none where this is no array. */
  items(): readonly JsonView[] {
    this.#items ??= sliceItems(this.text, this.start).map((slice) => this.#of(slice));
    return this.#items;
  }

  get size(): number {
    this.#members ??= this.isObject ? sliceMembers(this.text, this.start) : new Map();
    return this.#members.size;
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

  /** The string's text; null: no string. */
  string(): string | null {
    if (!this.isString) return null;
    const value: unknown = JSON.parse(this.json());
    return typeof value === 'string' ? value : null;
  }

  /** A count such as of tokens; null: no whole number from 0. */
  count(): number | null {
    const value = Number(this.text.slice(this.start, this.end));
    return this.isString || this.isNull || !Number.isSafeInteger(value) || value < 0 ? null : value;
  }

  /** The value's JSON text as it was sent. */
  json(): string {
    const token = this.text.slice(this.start, this.end);
    return beyondAscii.test(token) ? Buffer.from(token, 'latin1').toString('utf8') : token;
  }

  #of(slice: JsonSlice): JsonView {
    return new JsonView(this.text, slice.start, slice.end);
  }
}

const beyondAscii = /[\u0080-\u00ff]/;

/** Whether the bytes begin with the byte order mark of UTF-8, which is no part of a text. */
export function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
