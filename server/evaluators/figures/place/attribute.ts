import type { ScannedFigure } from '../scan';
import type { SourceIndex } from '../source-index';
import type { SourceItem } from '../source-items';
import { changeFault } from './change';
import { chooseWhens } from './choose-when';
import type { Column } from './column';
import { type CourseFault, courseFaults } from './course';
import { coversRow, Extremes } from './extremes';
import { RESPECTIVELY } from './entity';
import type { Grid } from './grid';
import { contradiction } from './contradiction';
import { dateFault } from './date-column';
import { type Converted, convertedOf, type Repetition, repetitionOf } from './conversion';
import { agrees, hedgeAt, hedgeOf, liesIn } from './hedge';
import type { Named } from './label';
import { Prose } from './prose';
import { Parallels } from './parallel';
import { quotedIn } from './quoted';
import type { Sentence } from './sentence';
import { mirrored, type Reread, rereadFigure } from './reread';
import { sentencesOf } from './sentences';
import { isNegativeChange } from './sign-words';
import { beyondLevel } from './trend';
import { dateTurns } from './turns';
import { lastPart } from './scaled-unit';
import type { When } from './when';
import { carry, whenOf } from './when-of';
import { whensIn } from './whens-in';

/** Why a value that stands in the sources does not stand where the sentence points. */
export interface Elsewhere {
  /** What stands where the sentence points, where one place can be told. */
  readonly expected: SourceItem | null;
  /** For people. */
  readonly why: string;
}

/** What is looked at around a figure. */
export type Clue =
  | 'entity'
  | 'label'
  | 'quantity'
  | 'date'
  | 'carried'
  | 'extreme'
  | 'span'
  | 'peak'
  | 'prose';
export const allClues: ReadonlySet<Clue> = new Set<Clue>([
  'entity',
  'label',
  'quantity',
  'date',
  'carried',
  'extreme',
  'span',
  'peak',
  'prose',
]);

/** Sources that are searched for what a hedge may mean. */
const SOURCES_MAX = 8;

/** Columns whose named rows are searched for one hedged figure. */
const COLUMNS_MAX = 64;

/** Columns that hold a figure's value, whose named rows are compared. */
const ENTITY_COLUMNS_MAX = 8;

/** Values of one column that are looked through for one figure. */
const COLUMN_MAX = 2_000;

const LEADS = /^\s*(?:[-*•]\s+)?(?:with|at)\b/i;

interface Scope {
  readonly sentence: Sentence;
  readonly whens: readonly When[];
  readonly carried: When | null;
  /** Dates by value, where the two alternate. */
  readonly turns: ReadonlyMap<ScannedFigure, When>;
}

/**
 * Reads an answer's sentences once, and tells for each figure which of its places the sentence can
 * mean.
 */
export class Attribution {
  private readonly scopes = new Map<ScannedFigure, Scope>();
  private readonly faults = new Map<Sentence, readonly CourseFault[]>();
  private readonly prose = new Map<number, Prose>();
  private readonly extremes = new Extremes();
  private readonly parallels: Parallels;
  private readonly wrong = new Map<When, boolean>();
  private readonly coverage = new Map<string, boolean>();
  private readonly chosen = new Map<Scope, ReadonlyMap<ScannedFigure, When | null>>();
  private readonly places = new Map<ScannedFigure, readonly SourceItem[]>();
  private readonly itemsOf = (figure: ScannedFigure): readonly SourceItem[] => {
    let items = this.places.get(figure);
    if (items === undefined) {
      items = this.index.findAll(figure.reading);
      this.places.set(figure, items);
    }
    return items;
  };

  constructor(
    private readonly index: SourceIndex,
    private readonly answer: string,
    figures: readonly ScannedFigure[],
    private readonly clues: ReadonlySet<Clue> = allClues,
  ) {
    let carried: When | null = null;
    let named: When | null = null;
    const sentences = sentencesOf(answer, figures);
    this.parallels = new Parallels(sentences);
    for (const sentence of sentences) {
      if (sentence.opensBlock) carried = null;
      const whens = whensIn(sentence, named);
      const before = whens.length === 0 ? carry(sentence, whens, carried) : null;
      const scope = { sentence, whens, carried: before, turns: dateTurns(sentence, whens) };
      for (const figure of sentence.figures) this.scopes.set(figure, scope);
      carried = carry(sentence, whens, carried);
      named = whens.at(-1) ?? named;
    }
  }

  /**
   * Whether a figure repeats the one before it in another unit, "2 °C (36 °F)", and rightly so;
   * null where it repeats none.
   */
  repetition(figure: ScannedFigure): Repetition | null {
    const scope = this.scopes.get(figure);
    return scope === undefined ? null : repetitionOf(figure, scope.sentence);
  }

  /**
   * The value where the sentence points that a figure gives in another unit: 11.2 °C as 52.2 °F; or
   * null.
   */
  converted(figure: ScannedFigure): Converted | null {
    const unitOf = (item: SourceItem): string | null =>
      this.index.gridOf(item.source)?.columnOf(item)?.unit ?? null;
    const found = convertedOf(figure, (low, high) => this.index.findBetween(low, high), unitOf);
    const [first] = found;
    if (first === undefined) return null;
    const judged = this.judge(
      figure,
      found.filter(({ unit }) => unit === first.unit).map(({ item }) => item),
      first.unit,
    );
    const item = 'items' in judged ? judged.items[0] : undefined;
    return item === undefined ? null : { item, unit: first.unit };
  }

  /** The value that a figure without a place of its own stands for, "over 70 %"; or null. */
  hedged(figure: ScannedFigure): SourceItem | null {
    const scope = this.scopes.get(figure);
    if (scope === undefined) return null;
    const window = hedgeOf(figure, scope.sentence);
    if (window === null) return null;
    const windows = isNegativeChange(figure, scope.sentence)
      ? [window, mirrored(window)]
      : [window];
    const lies = (value: number): boolean => windows.some((each) => liesIn(each, value));
    const when =
      scope.turns.get(figure) ?? whenOf(figure, scope.sentence, scope.whens, scope.carried);
    for (
      let position = 0;
      position < Math.min(SOURCES_MAX, this.index.sources.length);
      position++
    ) {
      const grid = this.index.gridOf(position);
      if (grid === null) continue;
      const named = grid.labels().named(figure, scope.sentence);
      const all = grid.amounts();
      const columns = named.best >= 1 ? bestColumns(named) : all.length === 1 ? all : [];
      const row = named.best >= 1 ? null : this.inNamedRow(figure, scope.sentence, grid, lies);
      if (row !== null) return row;
      for (const column of columns) {
        const rows = grid.rowNames.meantBy(figure, column, scope.sentence, this.itemsOf);
        const isOpen = (at: number): boolean =>
          (rows.size === 0 || rows.has(at)) && this.covers(when, column, at, grid);
        const found = column.find(Infinity, (at) => lies(column.number(at)) && isOpen(at));
        if (found !== null) return found;
      }
    }
    return null;
  }

  /** Of the places of a value those that the figure's hedge allows. */
  agreeing(figure: ScannedFigure, items: readonly SourceItem[]): readonly SourceItem[] {
    const scope = items.length === 0 ? undefined : this.scopes.get(figure);
    const hedge = scope === undefined ? null : hedgeAt(figure, scope.sentence);
    return hedge === null ? items : items.filter((item) => agrees(item, figure, hedge));
  }

  /**
   * Places of the value under another reading of the figure, and the unit that it is then given in.
   */
  reread(figure: ScannedFigure): Reread | null {
    const scope = this.scopes.get(figure);
    return scope === undefined
      ? null
      : rereadFigure(figure, scope.sentence, this.index, (item) => this.unitOf(item));
  }

  /** The unit that the name of a value may end in: of its own key, else of its column. */
  private unitOf(item: SourceItem): string | null {
    const step = item.node?.step;
    if (typeof step === 'string') return lastPart(step);
    return this.index.gridOf(item.source)?.columnOf(item)?.own.at(-1) ?? null;
  }

  /**
   * The places that the sentence can mean, out of all places of the value; or why it can mean none
   * of them.
   */
  judge(
    figure: ScannedFigure,
    items: readonly SourceItem[],
    unit = figure.unit,
  ): { readonly items: readonly SourceItem[] } | Elsewhere {
    const scope = this.scopes.get(figure);
    const first = items[0];
    if (scope === undefined || first === undefined) return { items };
    const { sentence, whens, carried } = scope;
    if (this.clues.has('prose') && items.every((item) => item.node === null)) {
      const elsewhere = this.inProse(figure, items, sentence.figures);
      if (elsewhere !== null) return elsewhere;
    }
    const wrongDate = this.wrongDate(figure, sentence, items);
    if (wrongDate !== null) return wrongDate;
    if (whens.some((when) => when.figures.includes(figure)))
      return this.judgeDate(figure, scope, items);
    if (figure.reading.quantities.length === 0) return { items };
    const window = hedgeOf(figure, sentence);
    const grid = this.index.gridOf(first.source);
    if (
      grid === null ||
      items.some((item) => item.source !== first.source || grid.columnOf(item) === null)
    )
      return { items };
    const quoted = quotedIn(figure, sentence, items, grid.content);
    if (quoted.length > 0) {
      return (
        this.byEntity(
          figure,
          sentence,
          [...new Set(quoted.map((item) => grid.columnOf(item)))],
          quoted,
          grid,
        ) ?? { items: quoted }
      );
    }
    const against = this.clues.has('label')
      ? contradiction(figure, sentence, items, unit, grid)
      : null;
    if (against !== null) return against;
    const trend = this.clues.has('span') ? this.trendOf(figure, scope, grid) : null;
    if (trend !== null) return trend;
    const listed = this.clues.has('label')
      ? this.parallels.judge(figure, grid, this.itemsOf)
      : null;
    if (listed !== null) return listed;
    const labels = grid.labels();
    const named = labels.named(figure, sentence);
    if (this.clues.has('quantity') && named.unknown !== null) {
      return {
        expected: null,
        why: `the sentence speaks of ${named.unknown}, which no source of this turn names`,
      };
    }
    const known = new Map<Column | null, boolean>();
    const fits = (item: SourceItem): boolean => {
      const column = grid.columnOf(item);
      const held =
        known.get(column) ??
        (fitsLabel(column, named) || labels.supports(figure, sentence, column, named));
      known.set(column, held);
      return held;
    };
    const fitting = this.clues.has('label') ? items.filter(fits) : items;
    const open =
      fitting.length === 0 &&
      isCoarser(figure, bestColumns(named)) &&
      !this.isOfNamedRow(figure, sentence, items, grid);
    const labelled = open ? items : fitting;
    const stated = this.clues.has('date') ? this.whenFor(figure, scope, grid) : null;
    // A date that is wrong itself says nothing about the values next to it.
    const when = stated !== null && this.isWrong(stated, sentence) ? null : stated;
    const columns =
      labelled.length > 0
        ? [...new Set(labelled.map((item) => grid.columnOf(item)))]
        : bestColumns(named);
    const dated =
      when === null ? labelled : labelled.filter((item) => coversRow(when, item.row, grid));
    if (when !== null && dated.length < labelled.length && !this.coversAny(when, grid)) {
      return { expected: null, why: `no row of the source is of ${when.text.trim()}` };
    }
    if (window !== null && dated.length === 0) {
      for (const column of columns) {
        const near =
          column?.find(
            COLUMN_MAX,
            (at) => liesIn(window, column.number(at)) && this.covers(when, column, at, grid),
          ) ?? null;
        if (near !== null) return { items: [near] };
      }
    }
    const row =
      dated.length === 0
        ? null
        : this.byEntity(
            figure,
            sentence,
            [...new Set(dated.map((item) => grid.columnOf(item)))],
            dated,
            grid,
          );
    if (row !== null) return row;
    const compared = named.distant && named.best >= 1 ? namedColumns(named, columns) : columns;
    const [sole] = compared;
    const whole = (): boolean =>
      named.best >= 2 &&
      !named.distant &&
      compared.length === 1 &&
      sole != null &&
      grid.rowNames.meantBy(figure, sole, sentence, this.itemsOf).size === 0;
    const meant = {
      columns: compared,
      when,
      carried: when !== null && when === carried,
      whole,
      grid,
    };
    const extreme = this.clues.has('extreme') ? this.extremes.judge(figure, sentence, meant) : null;
    if (extreme !== null) return extreme;
    if (dated.length > 0) return { items: dated };
    const expected = this.firstMeant(columns, when, grid);
    if (labelled.length === 0)
      return {
        expected,
        why: 'the value stands under another name than the one the sentence speaks of',
      };
    return {
      expected,
      why: `the value stands in a row of another date than “${when?.text.trim() ?? ''}”`,
    };
  }

  /** A word of change that the two values next to it, or the series, contradict. */
  private trendOf(figure: ScannedFigure, scope: Scope, grid: Grid): Elsewhere | null {
    const { sentence, whens } = scope;
    const isName = (word: string): boolean => grid.labels().knows(word);
    const change = changeFault(figure, sentence, this.itemsOf, isName);
    if (change !== null) return change;
    const [column, other] = grid.amounts();
    if (column === undefined || other !== undefined) return null;
    const when = whenOf(figure, sentence, whens, null);
    const level = beyondLevel(figure, sentence, when, column, grid);
    return level === null
      ? null
      : {
          expected: column.item(level.point.at),
          why: `the sentence says “${level.side}”, and the source has ${level.point.value}`,
        };
  }

  private isWrong(when: When, sentence: Sentence): boolean {
    let known = this.wrong.get(when);
    if (known === undefined) {
      known = when.figures.some(
        (figure) => this.wrongDate(figure, sentence, this.itemsOf(figure)) !== null,
      );
      this.wrong.set(when, known);
    }
    return known;
  }

  /** A date that stands in the sources under another name, or in another row. */
  private wrongDate(
    figure: ScannedFigure,
    sentence: Sentence,
    items: readonly SourceItem[],
  ): Elsewhere | null {
    const [first] = items;
    if (
      first === undefined ||
      !this.clues.has('entity') ||
      items.some((item) => !item.dated || item.source !== first.source)
    )
      return null;
    const grid = this.index.gridOf(first.source);
    return grid === null ? null : dateFault(figure, sentence, items, grid, this.itemsOf);
  }

  /** The date that a figure is about. */
  private whenFor(figure: ScannedFigure, scope: Scope, grid: Grid): When | null {
    let chosen = this.chosen.get(scope);
    if (chosen === undefined) {
      const { sentence, whens, turns } = scope;
      const carried = this.clues.has('carried') ? scope.carried : null;
      const parts = new Set(whens.flatMap(({ figures }) => figures));
      const amounts = sentence.figures.filter(
        (each) => !parts.has(each) && each.reading.quantities.length > 0,
      );
      const holds = (each: ScannedFigure, when: When): boolean => {
        const items = this.itemsOf(each);
        return items.length === 0 || items.some((item) => coversRow(when, item.row, grid));
      };
      const [only] = whens;
      // "With a loss of 3, March is the worst": what opens the sentence is of the date that
      // follows.
      const led =
        whens.length === 1 && only !== undefined && LEADS.test(sentence.text) ? only : null;
      const bound = (each: ScannedFigure): When | null =>
        turns.get(each) ?? whenOf(each, sentence, whens, carried) ?? led;
      chosen = chooseWhens(amounts, whens, bound, holds, RESPECTIVELY.test(sentence.text));
      this.chosen.set(scope, chosen);
    }
    return chosen.get(figure) ?? null;
  }

  /** Running text: one source, and no table. */
  private inProse(
    figure: ScannedFigure,
    items: readonly SourceItem[],
    stated: readonly ScannedFigure[],
  ): Elsewhere | null {
    const source = items[0]?.source;
    if (source === undefined || items.some((item) => item.source !== source)) return null;
    const grid = this.index.gridOf(source);
    if (
      grid === null ||
      grid.content.table !== null ||
      items.some((item) => grid.columnOf(item) !== null || item.dated)
    )
      return null;
    const held =
      this.prose.get(source) ??
      new Prose(grid.content.items, this.index.sources[source]?.text ?? '');
    this.prose.set(source, held);
    return held.judge(figure, this.answer, items, stated);
  }

  /** A date that stands in the sources, but not as what the sentence says happened then. */
  private judgeDate(
    figure: ScannedFigure,
    scope: Scope,
    items: readonly SourceItem[],
  ): { readonly items: readonly SourceItem[] } | Elsewhere {
    const { sentence, whens } = scope;
    const source = items[0]?.source;
    const grid = source === undefined ? null : this.index.gridOf(source);
    if (grid === null) return { items };
    let faults = this.faults.get(sentence);
    if (faults === undefined) {
      faults = courseFaults(sentence, whens, grid.amounts(), grid).filter(({ clue }) =>
        this.clues.has(clue),
      );
      this.faults.set(sentence, faults);
    }
    const unknown = this.clues.has('quantity')
      ? grid.labels().unknownBefore(figure, sentence)
      : null;
    if (unknown !== null)
      return {
        expected: null,
        why: `the sentence speaks of ${unknown}, which no source of this turn names`,
      };
    const extreme = this.extremeBeside(figure, scope, grid);
    if (extreme !== null) return extreme;
    const fault = faults.find(
      ({ when, end }) =>
        when.figures.includes(figure) &&
        (end === null || when.figures.at(end === 'last' ? -1 : 0) === figure),
    );
    return fault === undefined ? { items } : { expected: fault.expected, why: fault.why };
  }

  /** The date of a highest or lowest value that is none: value and date are wrong together. */
  private extremeBeside(figure: ScannedFigure, scope: Scope, grid: Grid): Elsewhere | null {
    if (!this.clues.has('peak')) return null;
    const { sentence } = scope;
    for (const amount of sentence.figures) {
      const when =
        amount.reading.quantities.length === 0 || amount === figure
          ? null
          : this.whenFor(amount, scope, grid);
      if (when === null || when.day || !when.figures.includes(figure)) continue;
      if (whenOf(amount, sentence, scope.whens, null) !== when) continue;
      const columns = grid.amounts();
      const judged =
        columns.length === 1
          ? this.extremes.judge(amount, sentence, {
              columns,
              when,
              carried: false,
              whole: () => true,
              grid,
            })
          : null;
      if (judged !== null && 'why' in judged) return judged;
    }
    return null;
  }

  /**
   * Whether a value is in a row that the sentence names: then it was not rounded from a value that
   * is nowhere.
   */
  private isOfNamedRow(
    figure: ScannedFigure,
    sentence: Sentence,
    items: readonly SourceItem[],
    grid: Grid,
  ): boolean {
    return items.some((item) => {
      const column = grid.columnOf(item);
      return (
        column !== null &&
        grid.rowNames
          .meantBy(figure, column, sentence, this.itemsOf)
          .has(column.positionOf(item.row))
      );
    });
  }

  /**
   * "Nearly 30,000 people voted in Northgate": a value of the one row that is named, whatever its
   * column is called.
   */
  private inNamedRow(
    figure: ScannedFigure,
    sentence: Sentence,
    grid: Grid,
    lies: (value: number) => boolean,
  ): SourceItem | null {
    for (const column of grid.all().slice(0, COLUMNS_MAX)) {
      const meant = grid.rowNames.meantBy(figure, column, sentence, this.itemsOf);
      const [at] = meant;
      if (at !== undefined && meant.size === 1 && lies(column.number(at))) return column.item(at);
    }
    return null;
  }

  /** The sentence names rows of the source, and none of them is one of the value's. */
  private byEntity(
    figure: ScannedFigure,
    sentence: Sentence,
    columns: readonly (Column | null)[],
    items: readonly SourceItem[],
    grid: Grid,
  ): Elsewhere | null {
    if (!this.clues.has('entity') || columns.length > ENTITY_COLUMNS_MAX) return null;
    let expected: SourceItem | null = null;
    for (const column of columns) {
      if (column === null) return null;
      const meant = grid.rowNames.meantBy(figure, column, sentence, this.itemsOf);
      const [first] = meant;
      if (
        first === undefined ||
        items.some(
          (item) => grid.columnOf(item) === column && meant.has(column.positionOf(item.row)),
        )
      )
        return null;
      expected = columns.length === 1 ? column.item(first) : null;
    }
    return columns.length === 0
      ? null
      : { expected, why: 'the value stands in a row of another name than the sentence speaks of' };
  }

  private firstMeant(
    columns: readonly (Column | null)[],
    when: When | null,
    grid: Grid,
  ): SourceItem | null {
    for (const column of columns) {
      const found = column?.find(COLUMN_MAX, (at) => this.covers(when, column, at, grid)) ?? null;
      if (found !== null) return found;
    }
    return null;
  }

  private covers(when: When | null, column: Column, at: number, grid: Grid): boolean {
    return coversRow(when, column.rows[at] ?? 0, grid);
  }

  private coversAny(when: When, grid: Grid): boolean {
    const key = `${when.from}:${when.to}`;
    let known = this.coverage.get(key);
    if (known === undefined) {
      known = false;
      for (const moment of grid.moments()) {
        known = when.covers(moment, grid);
        if (known) break;
      }
      this.coverage.set(key, known);
    }
    return known;
  }
}

/**
 * A round number beside a column of finer ones tells too little to say that it came from another
 * one.
 */
function isCoarser(figure: ScannedFigure, columns: readonly Column[]): boolean {
  const shown = figure.reading.quantities[0];
  return (
    shown !== undefined &&
    shown.quantum >= 0 &&
    columns.some((column) => (column.item(0).reading.quantities[0]?.quantum ?? 0) < 0)
  );
}

function bestColumns(named: Named): readonly Column[] {
  return [...named.scores].filter(([, score]) => score === named.best).map(([column]) => column);
}

/** The columns that the words name best, and those of the value that they name at all. */
function namedColumns(
  named: Named,
  columns: readonly (Column | null)[],
): readonly (Column | null)[] {
  const others = columns.filter((column) => column !== null && (named.scores.get(column) ?? 0) > 0);
  return [...new Set([...bestColumns(named), ...others])];
}

/** A column without a name of its own may be meant by any word. */
function fitsLabel(column: Column | null, named: Named): boolean {
  if (column === null || named.best < 1) return true;
  const score = named.scores.get(column) ?? 0;
  return named.distant || (score >= named.best - 1 && score > 0);
}
