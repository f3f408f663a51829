import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { NamedColumn } from './column';
import { repetitionOf } from './conversion';
import { WordPrints } from './fingerprint';
import type { Grid } from './grid';
import { CAPITAL, LabelNames } from './label-names';
import { type Mention, NamedRows } from './named-rows';
import { readingsOf } from './readings';
import { isClaimed } from './row-claim';
import { amountsOf } from './row-turns';
import { continuesPrevious, type Sentence } from './sentence';

/** Maximum rows of a column whose labels are read, to bound the cost of a source. */
const ROWS_MAX = 5_000;
/** Maximum sets of rows compared with those of another column. */
const COMPARED_MAX = 16;
/** Maximum number of sentences to which a row carries over. */
const CARRIED_MAX = 4;
/** Maximum figures and names of one sentence that are assigned to each other. */
const ASSIGNED_MAX = 64;
/** A statement that the figures are in the order of the names. */
export const RESPECTIVELY = /\brespectively\b/i;
const NONE_NAMED: ReadonlySet<number> = new Set();

/**
 * The rows of one source's columns by name (`web-1`, `Prague`). Columns with the same rows share
 * the result.
 */
export class RowNames {
  private readonly known = new Map<NamedColumn, NamedRows>();
  private readonly all: NamedRows[] = [];
  private columnWords: ReadonlySet<number> | null = null;
  private names: LabelNames | null = null;
  private readonly read = new Map<
    NamedRows,
    { sentence: Sentence; mentions: readonly Mention[] }
  >();
  private asked: Sentence | null = null;
  private assigned: ReadonlyMap<ScannedFigure, Mention> = new Map();

  constructor(private readonly grid: Grid) {}

  /**
   * Positions in a column of the values whose rows a sentence names: the figure's own row, if the
   * order shows it, else all. A sentence without names may continue with the row of the previous
   * one.
   * @param itemsOf the places of a figure's value
   */
  meantBy(
    figure: ScannedFigure,
    column: NamedColumn,
    sentence: Sentence,
    itemsOf: ItemsOf,
  ): ReadonlySet<number> {
    const rows = this.of(column);
    if (!rows.naming) return NONE_NAMED;
    const named = this.mentionsIn(rows, sentence);
    const only = named[0]?.print;
    if (
      only !== undefined &&
      named.some(({ print }) => rows.bearerOf(print) !== rows.bearerOf(only))
    ) {
      const own =
        amountsOf(sentence.figures).length === 1
          ? undefined
          : this.assign(sentence, named, itemsOf).get(figure);
      return new Set(
        (own === undefined ? named : [own]).flatMap(({ print }) => rows.rowsOf(print)),
      );
    }
    if (only !== undefined) {
      const inPart = (part: string): ReadonlySet<number> => {
        const words = new WordPrints();
        words.readText(part, Infinity);
        return new Set(
          rows.mentionsIn(words).flatMap(({ print }) => rows.rowsOf(print).slice(0, 1)),
        );
      };
      const isQuantity = (word: string): boolean => this.grid.labels().knows(word);
      return isClaimed(figure, sentence, inPart, isQuantity)
        ? new Set(rows.rowsOf(only))
        : NONE_NAMED;
    }
    let at: Sentence | null = sentence;
    for (let back = 0; back < CARRIED_MAX && at !== null && continuesPrevious(at); back++) {
      at = at.previous;
      const before = at === null ? [] : this.mentionsIn(rows, at);
      const [first] = before;
      if (first === undefined) continue;
      return before.every(({ print }) => print === first.print)
        ? new Set(rows.rowsOf(first.print))
        : NONE_NAMED;
    }
    return NONE_NAMED;
  }

  /**
   * Positions in a column of dates of the rows that a date's clause names: the rows common to all
   * its names ("the Otters beat the Lynxes 4-2 on 16 March"), else the rows of any. If the clause
   * has none and the sentence no other date, the whole sentence counts as the clause.
   */
  datedBy(
    figure: ScannedFigure,
    column: NamedColumn,
    sentence: Sentence,
    itemsOf: ItemsOf,
  ): ReadonlySet<number> {
    const rows = this.of(column);
    if (!rows.naming) return NONE_NAMED;
    const named = this.mentionsIn(rows, sentence);
    if (named.length === 0) return this.meantBy(figure, column, sentence, itemsOf);
    const at = figure.from - sentence.from;
    const before = sentence.figures.findLast(
      (each) => each.to <= figure.from && each.reading.moment !== null,
    );
    const from = before === undefined ? 0 : before.to - sentence.from;
    const clause = named.filter((each) => each.from >= from && each.to <= at);
    const isOnly = sentence.figures.every(
      (each) => each === figure || each.reading.moment === null,
    );
    const owner = rows.bearerOf(named[0]?.print ?? 0);
    const isOne = named.every(({ print }) => rows.bearerOf(print) === owner);
    const own = clause.length > 0 ? clause : isOnly || isOne ? named : [];
    const sets = own.map(({ print }) => rows.rowsOf(print));
    const [first = []] = sets;
    const shared = first.filter((row) => sets.every((each) => each.includes(row)));
    return new Set(shared.length > 0 ? shared : sets.flat());
  }

  /** The name of each figure, under the reading that puts most figures in the right place. */
  private assign(
    sentence: Sentence,
    names: readonly Mention[],
    itemsOf: ItemsOf,
  ): ReadonlyMap<ScannedFigure, Mention> {
    if (this.asked === sentence) return this.assigned;
    this.asked = sentence;
    this.assigned = new Map();
    const figures = amountsOf(sentence.figures).filter(
      (each) => repetitionOf(each, sentence) === null,
    );
    if (figures.length > ASSIGNED_MAX || names.length > ASSIGNED_MAX) return this.assigned;
    const stretches = figures.map(({ from, to }) => ({
      from: from - sentence.from,
      to: to - sentence.from,
    }));
    let best: readonly number[] | null = null;
    let max = -1;
    for (const reading of readingsOf(
      stretches,
      names,
      this.byUnit(figures),
      RESPECTIVELY.test(sentence.text),
    )) {
      let holding = 0;
      for (const [i, figure] of figures.entries()) {
        const name = names[reading[i] ?? -1];
        if (name === undefined || this.holds(figure, name, itemsOf)) holding++;
      }
      if (holding <= max) continue;
      max = holding;
      best = reading;
    }
    if (best === null) return this.assigned;
    const chosen = best;
    this.assigned = new Map(
      figures.flatMap((figure, i): [ScannedFigure, Mention][] => {
        const name = names[chosen[i] ?? -1];
        return name === undefined ? [] : [[figure, name]];
      }),
    );
    return this.assigned;
  }

  /** Positions of figures of the same unit, in order. */
  private byUnit(figures: readonly ScannedFigure[]): readonly (readonly number[])[] {
    const groups = new Map<string, number[]>();
    for (const [i, { unit, kind }] of figures.entries()) {
      const key = `${kind} ${unit ?? ''}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [i]);
      else group.push(i);
    }
    return [...groups.values()];
  }

  private holds(figure: ScannedFigure, { print }: Mention, itemsOf: ItemsOf): boolean {
    return itemsOf(figure).some((item) => {
      const column = this.grid.columnOf(item);
      return column !== null && this.of(column).rowsOf(print).includes(column.positionOf(item.row));
    });
  }

  private mentionsIn(rows: NamedRows, sentence: Sentence): readonly Mention[] {
    const cached = this.read.get(rows);
    if (cached?.sentence === sentence) return cached.mentions;
    const all = rows
      .mentionsIn(sentence.names())
      .filter(({ print, from }) => !rows.isPart(print) || CAPITAL.test(sentence.text.charAt(from)));
    // "web-2 is at level 5": a text with a figure of the sentence is a value before it is a name.
    const separate = all.filter(
      ({ from, to }) =>
        !sentence.figures.some(
          (figure) => figure.from - sentence.from < to && figure.to - sentence.from > from,
        ),
    );
    const mentions = separate.length > 0 ? separate : all;
    this.read.set(rows, { sentence, mentions });
    return mentions;
  }

  private of(column: NamedColumn): NamedRows {
    let cached = this.known.get(column);
    if (cached === undefined) {
      cached = this.make(column);
      this.known.set(column, cached);
    }
    return cached;
  }

  private make(column: NamedColumn): NamedRows {
    const count = Math.min(column.size, ROWS_MAX);
    const lines = new Int32Array(count);
    for (let at = 0; at < count; at++) lines[at] = this.grid.lineOf(column.rows[at] ?? 0);
    const same = this.all.slice(-COMPARED_MAX).find((each) => each.isOf(lines));
    if (same !== undefined) return same;
    const dayOf = (row: number): string => {
      const [moment] = this.grid.momentsOf(row);
      return moment === undefined ? '' : `${moment.year}-${moment.month}-${moment.day}`;
    };
    const labels = this.grid.labelsOfRows();
    this.names ??= new LabelNames(labels);
    const named = new NamedRows(
      labels,
      this.names,
      column.rows,
      lines,
      this.wordsOfColumns(),
      dayOf,
    );
    this.all.push(named);
    return named;
  }

  private wordsOfColumns(): ReadonlySet<number> {
    if (this.columnWords === null) {
      const words = new WordPrints();
      const prints = new Set<number>();
      for (const part of new Set(this.grid.all().flatMap(({ own }) => own)))
        if (words.readText(part, 1)) prints.add(words.print(0, 1));
      this.columnWords = prints;
    }
    return this.columnWords;
  }
}

/** The places of a figure's value. */
export type ItemsOf = (figure: ScannedFigure) => readonly SourceItem[];
