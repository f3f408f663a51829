import { floatOf } from '../float-range';
import type { PathNode } from '../path';
import { NO_READING, type FigureReading, type Token } from '../reading';
import { Keys } from './keys';

/** The kind of a table row. */
export const RowKind = {
  /** A number of at most 15 digits without exponent: its float identifies it. */
  number: 0,
  /** Any other number. Sorted by its float, compared by its digits. */
  longNumber: 1,
  /** A plain number among the words of a string, as `312` in "restarted after 312 s". */
  plain: 2,
  /** Any other figure of a string or key, with a full reading. */
  token: 3,
  /** A string or key that is one ISO date or date-time. */
  moment: 4,
  /** A string that is one time of day. */
  clock: 5,
  /** No figure: a short ASCII text that names its row. */
  label: 6,
  /** The same with escapes, or with characters beyond ASCII. */
  otherLabel: 7,
} as const;

/**
 * Values per row: its position in the text, its container, its step, its kind, and data of the
 * kind.
 */
const WIDTH = 6;
const [FROM, TO, PARENT, STEP, KIND, EXTRA] = [0, 1, 2, 3, 4, 5] as const;
/** Values per container: its container, its step, its first and last label. */
const CONTAINER_WIDTH = 4;
const [FIRST_LABEL, LAST_LABEL] = [2, 3] as const;
/** Assumed characters per row; most tool results have more. */
const CHARS_TO_ROW = 16;
const NONE = -1;
const ROOT: PathNode = { parent: null, step: null };

/**
 * The content of a JSON text, in columns: a row for each figure and each short text, in order.
 * Reader objects (paths, readings) are created on demand, since few are needed. A step is an
 * array's index, or the bitwise complement of a key's number.
 */
export class JsonTable {
  readonly keys = new Keys();
  size = 0;
  /** The number of each row, NaN if it has none. */
  floats: Float64Array;
  /** Figures with a full reading, by a row's `extra`. */
  readonly tokens: (Token & { readonly text: string; readonly ofKey: boolean })[] = [];
  /** Further numbers that a token may mean: "512B" is bytes or billions. */
  readonly others: { readonly row: number; readonly float: number }[] = [];
  /** Rows that are not numbers: dates, versions, addresses. */
  readonly odd: number[] = [];
  /** Currencies in an object next to its amounts, by container. */
  readonly currencies = new Map<number, string>();
  /** The text, if it is only one string; its figures are read after it is known not to be JSON. */
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
    const row = this.add(
      from,
      to,
      parent,
      step,
      isOther ? RowKind.otherLabel : RowKind.label,
      NaN,
      NONE,
    );
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
      RowKind.token,
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

  /** The number of objects and arrays. */
  get containerCount(): number {
    return this.opened;
  }

  kindOf(row: number): number {
    return this.rows[row * WIDTH + KIND] ?? NONE;
  }

  /**
   * UTF-16 index of the first character; for a string, after its quote. For a token, within its
   * string.
   */
  fromOf(row: number): number {
    return this.rows[row * WIDTH + FROM] ?? 0;
  }

  toOf(row: number): number {
    return this.rows[row * WIDTH + TO] ?? 0;
  }

  /** The object or array of a row; -1 for the whole. */
  parentOf(row: number): number {
    return this.rows[row * WIDTH + PARENT] ?? NONE;
  }

  stepOf(row: number): number {
    return this.rows[row * WIDTH + STEP] ?? 0;
  }

  /**
   * The start of a plain number's string; a label's successor in its container; a token's index
   * among the tokens.
   */
  extraOf(row: number): number {
    return this.rows[row * WIDTH + EXTRA] ?? NONE;
  }

  /** The parent of a container; -1 for the whole. */
  above(container: number): number {
    return this.containers[container * CONTAINER_WIDTH] ?? NONE;
  }

  stepOfContainer(container: number): number {
    return this.containers[container * CONTAINER_WIDTH + 1] ?? 0;
  }

  firstLabel(container: number): number {
    return this.containers[container * CONTAINER_WIDTH + FIRST_LABEL] ?? NONE;
  }

  /** The decoded string of a row, or the number as written. */
  textOf(row: number): string {
    const kind = this.kindOf(row);
    if (kind === RowKind.token) return this.tokens[this.extraOf(row)]?.text ?? '';
    const text = this.text.slice(this.fromOf(row), this.toOf(row));
    return kind === RowKind.otherLabel ? (decodeString(`"${text}"`) ?? '') : text;
  }

  /** The path of a row. */
  nodeOf(row: number): PathNode {
    const parent = this.parentOf(row);
    return parent === NONE
      ? ROOT
      : { parent: this.nodeOfContainer(parent), step: this.stepName(this.stepOf(row)) };
  }

  /** The key or index of a step. */
  stepName(step: number): string | number {
    return step < 0 ? this.keys.textOf(~step) : step;
  }

  /** Whether a row is a figure in a key. */
  isOfKey(row: number): boolean {
    return this.kindOf(row) === RowKind.token && this.tokens[this.extraOf(row)]?.ofKey === true;
  }

  /** Whether a row is a figure, and not a name. */
  isFigure(row: number): boolean {
    return this.kindOf(row) < RowKind.label;
  }

  /** The reading of a token, without a currency from its keys. */
  tokenReading(row: number): FigureReading {
    return this.tokens[this.extraOf(row)]?.reading ?? NO_READING;
  }

  /** The path of an object or array. */
  nodeOfContainer(container: number): PathNode {
    const cached = this.nodes.get(container);
    if (cached !== undefined) return cached;
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
 * The text of a string literal, or null. Raw control characters, which strict JSON rejects, stay
 * unchanged.
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
