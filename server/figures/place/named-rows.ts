import { PrintMap, WordPrints } from './fingerprint';
import type { RowLabels } from './grid';
import { NAME_WORDS_MAX } from './sentence';

/** Minimum share of rows with a unique name: names are unique, states such as "running" are not. */
const NAMING_SHARE = 0.8;
/** Names with hyphens are also read without them, in tables that are not long. */
const SPLITS = /^\p{L}+(?:[-_]\p{L}+)+$/u;
const SPLIT_ROWS_MAX = 500;
/** Minimum letters of a part of a name that can replace the name. */
const PART_LEAST = 3;
export const CAPITAL = /\p{Lu}/u;
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
   * @param dayOf the date of a row, '' for none
   */
  constructor(
    private readonly labels: RowLabels,
    rows: readonly number[],
    readonly lines: Int32Array,
    columnWords: ReadonlySet<number>,
    dayOf: (row: number) => string,
  ) {
    const words = new WordPrints();
    const own: number[] = [];
    this.size = lines.length;
    this.bearers = new PrintMap(lines.length * 4);
    this.alone = new Uint8Array(lines.length);
    for (let at = 0; at < lines.length; at++) {
      const count = labels.of(rows[at] ?? 0, own);
      for (let i = 0; i < count; i++)
        this.add(own[i] ?? 0, at, words, count > 1 ? columnWords : NONE_NAMED);
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

  private add(label: number, at: number, words: WordPrints, others: ReadonlySet<number>): void {
    if (!this.labels.read(label, words, NAME_WORDS_MAX) || words.count === 0) return;
    if (words.count === 1 && others.has(words.print(0, 1))) return;
    this.bear(words, at);
    const text = this.size > SPLIT_ROWS_MAX ? '' : this.labels.textOf(label);
    this.addParts(words, text, at);
    // "the short form" is `short-form`.
    if (SPLITS.test(text) && words.readText(text.replaceAll(/[-_]/gu, ' '), NAME_WORDS_MAX))
      this.bear(words, at, false);
  }

  /** "Ada" of "Ada Lund", if she is the only one. */
  private addParts(words: WordPrints, text: string, at: number): void {
    if (words.count < 2) return;
    for (let i = 0; i < words.count; i++) {
      const [from, to] = [words.from[i] ?? 0, words.to[i] ?? 0];
      if (to - from < PART_LEAST || !CAPITAL.test(text.charAt(from))) continue;
      const print = words.print(i, 1);
      const owners = this.parts.get(print);
      if (owners === undefined) this.parts.set(print, { row: at, opening: words.first[i] ?? 0 });
      else if (owners.row !== at) owners.row = -1;
    }
  }

  private bear(words: WordPrints, at: number, counts = true): void {
    const { bearers, size } = this;
    const print = words.print(0, words.count);
    const bearer = bearers.get(print);
    if (bearer === at) return;
    if (bearer === null) {
      bearers.set(print, at, words.first[0] ?? 0);
      if (counts) this.single++;
      if (counts) this.alone[at] = 1;
    } else if (bearer < size) {
      bearers.set(print, size + this.groups.length, words.first[0] ?? 0);
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
