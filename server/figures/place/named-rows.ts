import { PrintMap, type WordPrints } from './fingerprint';
import type { RowLabels } from './grid';
import type { LabelNames, NamePrint } from './label-names';
import { NAME_WORDS_MAX } from './sentence';

/** Minimum share of rows with a unique name: names are unique, states such as "running" are not. */
const NAMING_SHARE = 0.8;
/** In longer tables names have no parts and are not read without their hyphens. */
const SPLIT_ROWS_MAX = 500;
const NONE_NAMED: ReadonlySet<number> = new Set();

/** A name in a text: its range and its fingerprint. */
export interface Mention {
  readonly from: number;
  readonly to: number;
  readonly print: number;
}

/** Names by fingerprint of one row of a column, or of several rows with distinct dates. */
export class NamedRows {
  /**
   * The only row with a name; numbers greater than or equal to the row count are groups of several
   * rows.
   */
  private readonly bearers: PrintMap;
  private readonly groups: number[][] = [];
  private readonly size: number;
  private single = 0;
  /** Capitalized words of longer names, by the only row whose names have them, or -1. */
  private readonly parts = new Map<number, { row: number; readonly opening: number }>();
  /** The number of names unique to each row, until another row has one too. */
  private readonly alone: Uint8Array;
  /** Whether unique names identify the rows. */
  private readonly isUnique: boolean;
  /** For each group, whether dates distinguish its rows. */
  private readonly dated: readonly boolean[];
  readonly naming: boolean;

  /**
   * @param rows the rows of the column; `lines` are their lines
   * @param columnWords fingerprints of words that name columns rather than rows
   * @param dayOf the date of a row, '' if none
   */
  constructor(
    labels: RowLabels,
    private readonly names: LabelNames,
    rows: readonly number[],
    readonly lines: Int32Array,
    columnWords: ReadonlySet<number>,
    dayOf: (row: number) => string,
  ) {
    const own: number[] = [];
    this.size = lines.length;
    this.bearers = new PrintMap(lines.length * 4);
    this.alone = new Uint8Array(lines.length);
    for (let at = 0; at < lines.length; at++) {
      const count = labels.of(rows[at] ?? 0, own);
      for (let i = 0; i < count; i++)
        this.add(own[i] ?? 0, at, count > 1 ? columnWords : NONE_NAMED);
    }
    for (const [print, { row, opening }] of this.parts)
      if (row !== -1 && this.bearers.get(print) === null && !columnWords.has(print))
        this.bearers.set(print, row, opening);
      else this.parts.delete(print);
    this.isUnique = lines.length > 1 && this.single >= NAMING_SHARE * lines.length;
    this.dated = this.isUnique ? [] : this.groups.map((group) => areDistinct(group, rows, dayOf));
    this.naming = this.isUnique || this.isNamedByGroups();
  }

  isOf(lines: Int32Array): boolean {
    if (lines.length !== this.lines.length) return false;
    for (let i = 0; i < lines.length; i++) if (lines[i] !== this.lines[i]) return false;
    return true;
  }

  /** The names in a text, in order; the longest one if several begin at the same word. */
  mentionsIn(words: WordPrints): readonly Mention[] {
    if (!this.naming) return [];
    const found: Mention[] = [];
    for (let at = 0; at < words.count; at++) {
      if (!this.bearers.mayBegin(words.first[at] ?? 0)) continue;
      for (let count = Math.min(NAME_WORDS_MAX, words.count - at); count > 0; count--) {
        const print = words.print(at, count);
        if (this.rowsOf(print).length === 0) continue;
        found.push({ from: words.from[at] ?? 0, to: words.to[at + count - 1] ?? 0, print });
        at += count - 1;
        break;
      }
    }
    return found;
  }

  /** Whether it is a part of a name, which counts only with a capital: "Ada", not "step". */
  isPart(print: number): boolean {
    return this.parts.has(print);
  }

  /** The owner of a name: the same number for all names of one row. */
  bearerOf(print: number): number | null {
    return this.bearers.get(print);
  }

  /** Positions in the column of the rows with a name; none for an ambiguous name. */
  rowsOf(print: number): readonly number[] {
    const bearer = this.bearers.get(print);
    if (bearer === null) return NO_ROWS;
    if (bearer < this.size) return [bearer];
    const group = bearer - this.size;
    return this.dated[group] === true ? (this.groups[group] ?? NO_ROWS) : NO_ROWS;
  }

  private isNamedByGroups(): boolean {
    const named = this.alone.slice();
    let count = named.filter((each) => each === 1).length;
    if (this.groups.length === 0) return false;
    for (const [i, group] of this.groups.entries()) {
      if (this.dated[i] !== true) continue;
      for (const at of group) {
        if (named[at] === 0) count++;
        named[at] = 1;
      }
    }
    return count > 1 && count >= NAMING_SHARE * this.size;
  }

  private add(label: number, at: number, others: ReadonlySet<number>): void {
    const { names } = this;
    const print = names.printOf(label);
    if (print === 0 || (names.isWord(label) && others.has(print))) return;
    this.bear(print, names.openingOf(label), at, true);
    const other = this.size > SPLIT_ROWS_MAX ? null : names.otherNamesOf(label);
    if (other === null) return;
    for (const part of other.parts) this.addPart(part, at);
    if (other.split !== null) this.bear(other.split.print, other.split.opening, at, false);
  }

  /** "Ada" of "Ada Lund", if she is the only one. */
  private addPart({ print, opening }: NamePrint, at: number): void {
    const owners = this.parts.get(print);
    if (owners === undefined) this.parts.set(print, { row: at, opening });
    else if (owners.row !== at) owners.row = -1;
  }

  private bear(print: number, opening: number, at: number, counts: boolean): void {
    const { bearers, size } = this;
    const bearer = bearers.get(print);
    if (bearer === at) return;
    if (bearer === null) {
      bearers.set(print, at, opening);
      if (counts) this.single++;
      if (counts) this.alone[at] = 1;
    } else if (bearer < size) {
      bearers.set(print, size + this.groups.length, opening);
      this.groups.push([bearer, at]);
      if (counts) this.single--;
    } else {
      const group = this.groups[bearer - size];
      if (group !== undefined && group.at(-1) !== at) group.push(at);
    }
  }
}

const NO_ROWS: readonly number[] = [];

/** Whether rows with the same name have distinct dates. */
function areDistinct(
  group: readonly number[],
  rows: readonly number[],
  dayOf: (row: number) => string,
): boolean {
  const days = new Set<string>();
  for (const at of group) {
    const day = dayOf(rows[at] ?? 0);
    if (day === '' || days.has(day)) return false;
    days.add(day);
  }
  return true;
}
