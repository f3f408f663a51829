import { type JsonTable, Kind } from '../json/table';
import { labelsOf } from '../json/labels';
import type { Column } from './column';
import { PrintMap, WordPrints } from './fingerprint';
import type { ScannedFigure } from '../scan';
import { NAME_WORDS_MAX, Sentence } from './sentence';

/** Rows of a column whose labels are read: a bound on what a source costs. */
const ROWS_MAX = 5_000;
/** Sets of rows that another column's are compared with. */
const COMPARED_MAX = 16;
/** Share of the rows that must bear a label of their own: a name is one, a state such as "running" is not. */
const NAMING_SHARE = 0.8;
const NONE_NAMED: ReadonlySet<number> = new Set();
/** Where a sentence goes on to the next thing. */
const NEXT_PART = /[,;(\n]|\b(?:and|while|whereas|but)\b/;
/** Instead of the one row that bears a name. */
const SEVERAL = -1;

/** Which rows of the columns of one source bear which names (`web-1`, `Prague`). Columns of the same rows share what is found. */
export class RowNames {
  private readonly known = new Map<Column, NamedRows | null>();
  private readonly all: NamedRows[] = [];

  /** Positions in a column of the values whose rows a sentence names: the one that a figure follows, where they take turns, else all. */
  meantBy(figure: ScannedFigure, column: Column, sentence: Sentence): ReadonlySet<number> {
    const rows = this.of(column);
    const named = rows?.namedIn(sentence) ?? NONE_NAMED;
    return rows === null || named.size < 2 ? named : (rows.turnsIn(sentence).get(figure) ?? named);
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
    const named = new NamedRows(table, column.rows, parents);
    this.all.push(named);
    return named;
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
  ) {
    const words = new WordPrints();
    const labels: number[] = [];
    this.bearers = new PrintMap(parents.length * 4);
    for (let at = 0; at < parents.length; at++) {
      const count = labelsOf(table, rows[at] ?? 0, labels);
      for (let i = 0; i < count; i++) this.add(labels[i] ?? 0, at, words);
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

  /**
   * "web-1 is at 45 and web-2 at 91": names and figures take turns, and each figure is its name's. A sentence that begins with a figure
   * or ends with a name is told the other way round ("45 on web-1"), and nothing is said of it.
   */
  turnsIn(sentence: Sentence): ReadonlyMap<ScannedFigure, ReadonlySet<number>> {
    if (this.turnsOf !== sentence) {
      this.turnsOf = sentence;
      this.turns = this.readTurns(sentence);
    }
    return this.turns;
  }

  private readTurns({ from: start, text, figures }: Sentence): ReadonlyMap<ScannedFigure, ReadonlySet<number>> {
    const turns = new Map<ScannedFigure, ReadonlySet<number>>();
    const namedIn = (part: string): ReadonlySet<number> => this.bearersIn(new Sentence(0, part.length, part, []).names());
    let end = 0;
    for (const [i, figure] of figures.entries()) {
      const gap = text.slice(end, figure.from - start);
      end = figure.to - start;
      // What stands before the comma still speaks of the figure before.
      const opens = i === 0 ? 0 : gap.search(NEXT_PART);
      const named = opens === -1 ? NONE_NAMED : namedIn(gap.slice(opens));
      if (i === 0 && named.size !== 1) return new Map();
      if (named.size === 1 && (opens === 0 || namedIn(gap.slice(0, opens)).size === 0)) turns.set(figure, named);
    }
    return namedIn(text.slice(end)).size > 0 ? new Map() : turns;
  }

  private add(label: number, at: number, words: WordPrints): void {
    const { table, bearers } = this;
    const whole =
      table.kindOf(label) === Kind.label
        ? words.readUnits(table.units, table.fromOf(label), table.toOf(label), NAME_WORDS_MAX)
        : words.readText(table.textOf(label), NAME_WORDS_MAX);
    if (!whole || words.count === 0) return;
    const print = words.print(0, words.count);
    const bearer = bearers.get(print);
    if (bearer === null) this.single++;
    else if (bearer === at || bearer === SEVERAL) return;
    else this.single--;
    bearers.set(print, bearer === null ? at : SEVERAL, words.first[0] ?? 0);
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
