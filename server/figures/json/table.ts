import { floatOf } from '../float-range';
import type { PathNode } from '../path';
import { NO_READING, type Reading, type Token } from '../reading';
import { Keys } from './keys';

/** What one row of a table is. */
export const Kind = {
  /**
   * A number of at most 15 digits without exponent: its float tells it from every other such
   * number.
   */
  number: 0,
  /** Any other number. Its float sorts it, its digits decide. */
  longNumber: 1,
  /** A plain number among the words of a string, as `312` in "restarted after 312 s". */
  plain: 2,
  /** Any other figure of a string or key, read in full. */
  token: 3,
  /** A string or key that is one ISO date or date-time. */
  moment: 4,
  /** A string that is one time of day. */
  clock: 5,
  /** No figure: a short text of ASCII that names the row it is in. */
  label: 6,
  /** The same with escapes in it, or with more than ASCII. */
  otherLabel: 7,
} as const;

/**
 * Values to a row: where it is in the text, the container it is in, its step, its kind, and
 * what the kind needs.
 */
const WIDTH = 6;
const [FROM, TO, PARENT, STEP, KIND, EXTRA] = [0, 1, 2, 3, 4, 5] as const;
/** Values to a container: its container, its step, its first and last label. */
const CONTAINER_WIDTH = 4;
const [FIRST_LABEL, LAST_LABEL] = [2, 3] as const;
/** Characters to a row, in most tool results more. */
const CHARS_TO_ROW = 16;
const NONE = -1;
const ROOT: PathNode = { parent: null, step: null };

/**
 * What a JSON text holds, in columns: a row for each figure and each short text, in order. Objects
 * for readers (paths, readings) are made of a row when it is asked for, as few of them are. A step
 * is an array's index, or the complement of a key's number.
 */
export class JsonTable {
  readonly keys = new Keys();
  /** How many rows there are. */
  size = 0;
  /** The number of each row, NaN where it holds none. */
  floats: Float64Array;
  /** Figures read in full, by a row's `extra`. */
  readonly tokens: (Token & { readonly text: string; readonly ofKey: boolean })[] = [];
  /** Numbers that a token may mean besides its first: "512B" is bytes or billions. */
  readonly others: { readonly row: number; readonly float: number }[] = [];
  /** Rows that are no number: dates, versions, addresses. */
  readonly odd: number[] = [];
  /** Currencies that an object names next to its amounts, by container. */
  readonly currencies = new Map<number, string>();
  /**
   * The text of one string that is all there is; its figures are not read before it is known to
   * hold no JSON.
   */
  whole: string | null = null;
  private rows: Int32Array;
  private containers: Int32Array;
  private opened = 0;
  private readonly nodes = new Map<number, PathNode>();

  constructor(
    readonly text: string,
    readonly units: Uint16Array,
  ) {
    const rows = (text.length >> 4) + CHARS_TO_ROW;
    this.floats = new Float64Array(rows);
    this.rows = new Int32Array(rows * WIDTH);
    this.containers = new Int32Array(((text.length >> 6) + CHARS_TO_ROW) * CONTAINER_WIDTH);
  }

  /** Adds a row. @returns its number */
  add(
    from: number,
    to: number,
    parent: number,
    step: number,
    kind: number,
    float: number,
    extra: number,
  ): number {
    const row = this.size++;
    if (row >= this.floats.length) this.grow();
    this.floats[row] = float;
    const { rows } = this;
    const at = row * WIDTH;
    rows[at] = from;
    rows[at + TO] = to;
    rows[at + PARENT] = parent;
    rows[at + STEP] = step;
    rows[at + KIND] = kind;
    rows[at + EXTRA] = extra;
    return row;
  }

  addLabel(from: number, to: number, parent: number, step: number, isOther: boolean): void {
    const row = this.add(from, to, parent, step, isOther ? Kind.otherLabel : Kind.label, NaN, NONE);
    if (parent === NONE) return;
    const { containers } = this;
    const last = containers[parent * CONTAINER_WIDTH + LAST_LABEL] ?? NONE;
    if (last === NONE) containers[parent * CONTAINER_WIDTH + FIRST_LABEL] = row;
    else this.rows[last * WIDTH + EXTRA] = row;
    containers[parent * CONTAINER_WIDTH + LAST_LABEL] = row;
  }

  addToken(token: Token, text: string, parent: number, step: number, ofKey = false): void {
    const floats = token.reading.quantities.map(({ decimal }) => floatOf(decimal));
    const row = this.add(
      token.from,
      token.to,
      parent,
      step,
      Kind.token,
      floats[0] ?? NaN,
      this.tokens.length,
    );
    if (floats.length === 0) this.odd.push(row);
    this.tokens.push({ ...token, text: text.slice(token.from, token.to), ofKey });
    for (const float of floats.slice(1)) this.others.push({ row, float });
  }

  addMoment(from: number, to: number, parent: number, step: number, kind: number): void {
    this.odd.push(this.add(from, to, parent, step, kind, NaN, NONE));
  }

  /** Opens an object or array. @returns its number */
  open(parent: number, step: number): number {
    const at = this.opened * CONTAINER_WIDTH;
    if (at + CONTAINER_WIDTH > this.containers.length) {
      const wider = new Int32Array(this.containers.length * 2);
      wider.set(this.containers);
      this.containers = wider;
    }
    const { containers } = this;
    containers[at] = parent;
    containers[at + 1] = step;
    containers[at + FIRST_LABEL] = NONE;
    containers[at + LAST_LABEL] = NONE;
    return this.opened++;
  }

  /** How many objects and arrays there are. */
  get containerCount(): number {
    return this.opened;
  }

  kindOf(row: number): number {
    return this.rows[row * WIDTH + KIND] ?? NONE;
  }

  /**
   * UTF-16 index of the first character; of a string's own characters, its quotes left out. For a
   * token within its string.
   */
  fromOf(row: number): number {
    return this.rows[row * WIDTH + FROM] ?? 0;
  }

  toOf(row: number): number {
    return this.rows[row * WIDTH + TO] ?? 0;
  }

  /** The object or array that a row is in; -1 for the whole. */
  parentOf(row: number): number {
    return this.rows[row * WIDTH + PARENT] ?? NONE;
  }

  stepOf(row: number): number {
    return this.rows[row * WIDTH + STEP] ?? 0;
  }

  /**
   * A plain number's string begins here; a label's next one in its container; a token's place among
   * the tokens.
   */
  extraOf(row: number): number {
    return this.rows[row * WIDTH + EXTRA] ?? NONE;
  }

  /** The container that a container is in; -1 for the whole. */
  above(container: number): number {
    return this.containers[container * CONTAINER_WIDTH] ?? NONE;
  }

  stepOfContainer(container: number): number {
    return this.containers[container * CONTAINER_WIDTH + 1] ?? 0;
  }

  firstLabel(container: number): number {
    return this.containers[container * CONTAINER_WIDTH + FIRST_LABEL] ?? NONE;
  }

  /** The characters of a row as its string decodes to, or as the number is written. */
  textOf(row: number): string {
    const kind = this.kindOf(row);
    if (kind === Kind.token) return this.tokens[this.extraOf(row)]?.text ?? '';
    const text = this.text.slice(this.fromOf(row), this.toOf(row));
    return kind === Kind.otherLabel ? (decodeString(`"${text}"`) ?? '') : text;
  }

  /** The path of a row. */
  nodeOf(row: number): PathNode {
    const parent = this.parentOf(row);
    return parent === NONE
      ? ROOT
      : { parent: this.nodeOfContainer(parent), step: this.stepName(this.stepOf(row)) };
  }

  /** The key that a step names, or its index. */
  stepName(step: number): string | number {
    return step < 0 ? this.keys.textOf(~step) : step;
  }

  /** Whether a row is a figure of a key. */
  isOfKey(row: number): boolean {
    return this.kindOf(row) === Kind.token && this.tokens[this.extraOf(row)]?.ofKey === true;
  }

  /** Whether a row is a figure, and not a name. */
  isFigure(row: number): boolean {
    return this.kindOf(row) < Kind.label;
  }

  /** What a token means, but for money that its keys name. */
  tokenReading(row: number): Reading {
    return this.tokens[this.extraOf(row)]?.reading ?? NO_READING;
  }

  /** The path of an object or array. */
  nodeOfContainer(container: number): PathNode {
    const held = this.nodes.get(container);
    if (held !== undefined) return held;
    const parent = this.above(container);
    const node =
      parent === NONE
        ? ROOT
        : {
            parent: this.nodeOfContainer(parent),
            step: this.stepName(this.stepOfContainer(container)),
          };
    this.nodes.set(container, node);
    return node;
  }

  private grow(): void {
    const floats = new Float64Array(this.floats.length * 2);
    floats.set(this.floats);
    this.floats = floats;
    const rows = new Int32Array(this.rows.length * 2);
    rows.set(this.rows);
    this.rows = rows;
  }
}

/**
 * A string literal's text, or null. Raw control characters, which strict JSON refuses, are kept as
 * they are.
 */
export function decodeString(literal: string): string | null {
  try {
    const value: unknown = JSON.parse(
      literal.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'),
    );
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
