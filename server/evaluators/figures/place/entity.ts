import { type JsonTable, Kind } from '../json/table';
import { labelsOf } from '../json/labels';
import type { Column } from './column';
import { PrintMap, WordPrints } from './fingerprint';
import type { ScannedFigure } from '../scan';
import { isClaimed } from './row-claim';
import { rowTurns } from './row-turns';
import { goesOn, NAME_WORDS_MAX, Sentence } from './sentence';

/** Rows of a column whose labels are read: a bound on what a source costs. */
const ROWS_MAX = 5_000;
/** Sets of rows that another column's are compared with. */
const COMPARED_MAX = 16;
/** Share of the rows that must bear a label of their own: a name is one, a state such as "running" is not. */
const NAMING_SHARE = 0.8;
/** Sentences that a row is carried over. */
const CARRIED_MAX = 4;
const NONE_NAMED: ReadonlySet<number> = new Set();
/** Names of words with hyphens are also read without them, in tables that are not long. */
const SPLITS = /^\p{L}+(?:[-_]\p{L}+)+$/u;
const SPLIT_ROWS_MAX = 500;
/** Instead of the one row that bears a name. */
const SEVERAL = -1;

/** Which rows of the columns of one source bear which names (`web-1`, `Prague`). Columns of the same rows share what is found. */
export class RowNames {
  private readonly known = new Map<Column, NamedRows | null>();
  private readonly all: NamedRows[] = [];
  private columnWords: ReadonlySet<number> | null = null;

  /** @param columns of the same source, whose words name columns before rows */
  constructor(private readonly columns: () => readonly Column[]) {}

  /**
   * Positions in a column of the values whose rows a sentence names: the one that the figure belongs to, where the order shows it, else
   * all. A sentence that names none may go on about the row of the one before.
   */
  meantBy(figure: ScannedFigure, column: Column, sentence: Sentence): ReadonlySet<number> {
    const rows = this.of(column);
    if (rows === null) return NONE_NAMED;
    const named = rows.namedIn(sentence);
    if (named.size > 1) return rows.turnsIn(sentence).get(figure) ?? named;
    if (named.size === 1) return rows.claims(figure, sentence) ? named : NONE_NAMED;
    let at: Sentence | null = sentence;
    for (let back = 0; back < CARRIED_MAX && at !== null && goesOn(at); back++) {
      at = at.previous;
      const before = at === null ? NONE_NAMED : rows.namedIn(at);
      if (before.size > 0) return before.size === 1 ? before : NONE_NAMED;
    }
    return NONE_NAMED;
  }

  private of(column: Column): NamedRows | null {
    let held = this.known.get(column);
    if (held === undefined) {
      const { table } = column.content;
      held = table === null ? null : this.inTable(table, column);
      this.known.set(column, held);
    }
    return held;
  }

  private inTable(table: JsonTable, column: Column): NamedRows {
    const count = Math.min(column.size, ROWS_MAX);
    const parents = new Int32Array(count);
    for (let at = 0; at < count; at++) parents[at] = table.parentOf(column.rows[at] ?? 0);
    const same = this.all.slice(-COMPARED_MAX).find((each) => each.isOf(parents));
    if (same !== undefined) return same;
    const named = new NamedRows(table, column.rows, parents, this.wordsOfColumns());
    this.all.push(named);
    return named;
  }

  private wordsOfColumns(): ReadonlySet<number> {
    if (this.columnWords === null) {
      const words = new WordPrints();
      const prints = new Set<number>();
      for (const part of new Set(this.columns().flatMap(({ own }) => own))) if (words.readText(part, 1)) prints.add(words.print(0, 1));
      this.columnWords = prints;
    }
    return this.columnWords;
  }
}

/** Names that one row only bears, by fingerprint. */
class NamedRows {
  /** The one row that bears a name, or -1 where several do. */
  private readonly bearers: PrintMap;
  private readonly naming: boolean;
  private asked: Sentence | null = null;
  private found: ReadonlySet<number> = NONE_NAMED;
  private single = 0;
  private turnsOf: Sentence | null = null;
  private turns: ReadonlyMap<ScannedFigure, ReadonlySet<number>> = new Map();

  constructor(
    private readonly table: JsonTable,
    rows: readonly number[],
    private readonly parents: Int32Array,
    columnWords: ReadonlySet<number>,
  ) {
    const words = new WordPrints();
    const labels: number[] = [];
    this.bearers = new PrintMap(parents.length * 4);
    for (let at = 0; at < parents.length; at++) {
      const count = labelsOf(table, rows[at] ?? 0, labels);
      for (let i = 0; i < count; i++) this.add(labels[i] ?? 0, at, words, count > 1 ? columnWords : NONE_NAMED);
    }
    this.naming = parents.length > 1 && this.single >= NAMING_SHARE * parents.length;
  }

  isOf(parents: Int32Array): boolean {
    if (parents.length !== this.parents.length) return false;
    for (let i = 0; i < parents.length; i++) if (parents[i] !== this.parents[i]) return false;
    return true;
  }

  /** What was found for the last sentence is kept: its figures ask one after the other. */
  namedIn(sentence: Sentence): ReadonlySet<number> {
    if (!this.naming) return NONE_NAMED;
    if (this.asked !== sentence) {
      this.asked = sentence;
      this.found = this.bearersIn(sentence.names());
    }
    return this.found;
  }

  /** Whether the one name in a sentence can be that of a figure's row. */
  claims(figure: ScannedFigure, sentence: Sentence): boolean {
    return isClaimed(figure, sentence, (part) => this.bearersIn(new Sentence(0, part.length, part, []).names()));
  }

  /** The row that each figure of a sentence belongs to, where the order of names and figures shows it. */
  turnsIn(sentence: Sentence): ReadonlyMap<ScannedFigure, ReadonlySet<number>> {
    if (this.turnsOf !== sentence) {
      this.turnsOf = sentence;
      this.turns = rowTurns(sentence, (part) => this.bearersIn(new Sentence(0, part.length, part, []).names()));
    }
    return this.turns;
  }

  /** @param others prints of words that name something else */
  private add(label: number, at: number, words: WordPrints, others: ReadonlySet<number>): void {
    const { table } = this;
    const whole =
      table.kindOf(label) === Kind.label
        ? words.readUnits(table.units, table.fromOf(label), table.toOf(label), NAME_WORDS_MAX)
        : words.readText(table.textOf(label), NAME_WORDS_MAX);
    if (!whole || words.count === 0) return;
    if (words.count === 1 && others.has(words.print(0, 1))) return;
    this.bear(words, at);
    // "the short form" is `short-form`.
    const text = this.parents.length > SPLIT_ROWS_MAX ? '' : table.textOf(label);
    if (SPLITS.test(text) && words.readText(text.replaceAll(/[-_]/gu, ' '), NAME_WORDS_MAX)) this.bear(words, at, false);
  }

  private bear(words: WordPrints, at: number, counts = true): void {
    const { bearers } = this;
    const print = words.print(0, words.count);
    const bearer = bearers.get(print);
    const change = bearer === null ? 1 : bearer === at || bearer === SEVERAL ? 0 : -1;
    if (counts) this.single += change;
    if (change !== 0) bearers.set(print, bearer === null ? at : SEVERAL, words.first[0] ?? 0);
  }

  private bearersIn(words: WordPrints): ReadonlySet<number> {
    let found: Set<number> | null = null;
    for (let from = 0; from < words.count; from++) {
      if (!this.bearers.mayBegin(words.first[from] ?? 0)) continue;
      for (let count = 1; count <= NAME_WORDS_MAX && from + count <= words.count; count++) {
        const bearer = this.bearers.get(words.print(from, count));
        if (bearer !== null && bearer !== SEVERAL) (found ??= new Set()).add(bearer);
      }
    }
    return found ?? NONE_NAMED;
  }
}
