import { figureKey, type ScannedFigure } from '../scan';
import type { SourceIndex } from '../source-index';
import type { SourceItem } from '../source-items';
import { type NamedColumn, isCoarser } from './column';
import { DateClues } from './date-clues';
import { coversRow, Extremes } from './extremes';
import type { Grid } from './grid';
import { contradiction } from './contradiction';
import { type Converted, convertedOf, type Repetition, repetitionOf } from './conversion';
import { agrees, hedgeAt, hedgeOf, inWindow } from './hedge';
import { bestColumns, fitsLabel, type Named, namedColumns } from './label';
import { Parallels } from './parallel';
import { Prose } from './prose';
import { quotedIn } from './quoted';
import { RowClues } from './row-clues';
import type { Sentence } from './sentence';
import { mirrored, type Reread, rereadFigure } from './reread';
import { sentencesOf } from './sentences';
import { isNegativeChange } from './sign-words';
import { trendFault } from './trend-fault';
import { dateTurns } from './turns';
import { lastPart } from './scaled-unit';
import type { SentencePeriod } from './sentence-period';
import { carry, sentencePeriodOf } from './period-of';
import { periodsIn } from './periods-in';

/** A value that is in the sources, but not at the place that the sentence refers to. */
export interface Misattribution {
  /** The value at the place that the sentence refers to, if there is only one such place. */
  readonly expected: SourceItem | null;
  /** For people. */
  readonly why: string;
}

const clues = [
  'entity',
  'label',
  'quantity',
  'date',
  'carried',
  'extreme',
  'span',
  'peak',
  'prose',
] as const;
export type Clue = (typeof clues)[number];
export const allClues: ReadonlySet<Clue> = new Set(clues);

/** Maximum sources searched for the meaning of a hedge. */
const SOURCES_MAX = 8;

/** Maximum values of one column compared with one figure. */
const COLUMN_MAX = 2_000;

export interface AttributionScope {
  readonly sentence: Sentence;
  readonly periods: readonly SentencePeriod[];
  readonly carried: SentencePeriod | null;
  /** Dates by value, if the two alternate. */
  readonly turns: ReadonlyMap<ScannedFigure, SentencePeriod>;
}

/**
 * Reads an answer's sentences once, and selects for each figure the places that its sentence can
 * mean.
 */
export class Attribution {
  private readonly scopes = new Map<ScannedFigure, AttributionScope>();
  private readonly prose = new Map<number, Prose>();
  private readonly extremes = new Extremes();
  private readonly dates: DateClues;
  private readonly parallels: Parallels;
  private readonly rows: RowClues;
  private readonly places = new Map<string, readonly SourceItem[]>();
  /** The places of a figure's value, looked up once for figures with the same meaning. */
  readonly itemsOf = (figure: ScannedFigure): readonly SourceItem[] => {
    const key = figureKey(figure);
    let items = this.places.get(key);
    if (items === undefined) {
      items = this.index.findAll(figure.reading);
      this.places.set(key, items);
    }
    return items;
  };

  constructor(
    private readonly index: SourceIndex,
    private readonly answer: string,
    figures: readonly ScannedFigure[],
    private readonly clues: ReadonlySet<Clue> = allClues,
  ) {
    this.dates = new DateClues(index, clues, this.itemsOf, this.extremes);
    this.rows = new RowClues(clues, this.itemsOf);
    let carried: SentencePeriod | null = null;
    let named: SentencePeriod | null = null;
    const sentences = sentencesOf(answer, figures);
    this.parallels = new Parallels(sentences);
    for (const sentence of sentences) {
      if (sentence.opensBlock) carried = null;
      const periods = periodsIn(sentence, named);
      const before = periods.length === 0 ? carry(sentence, periods, carried) : null;
      const scope = { sentence, periods, carried: before, turns: dateTurns(sentence, periods) };
      for (const figure of sentence.figures) this.scopes.set(figure, scope);
      carried = carry(sentence, periods, carried);
      named = periods.at(-1) ?? named;
    }
  }

  /**
   * Whether a figure correctly repeats the one before it in another unit, "2 °C (36 °F)"; null if
   * it repeats none.
   */
  repetition(figure: ScannedFigure): Repetition | null {
    const scope = this.scopes.get(figure);
    return scope === undefined ? null : repetitionOf(figure, scope.sentence);
  }

  /**
   * The value at the place that the sentence refers to, if the figure states it in another unit:
   * 11.2 °C as 52.2 °F; or null.
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

  /**
   * The value that a hedged figure approximates if no source has the figure itself, "over 70 %"; or
   * null.
   */
  hedged(figure: ScannedFigure): SourceItem | null {
    const scope = this.scopes.get(figure);
    if (scope === undefined) return null;
    const window = hedgeOf(figure, scope.sentence);
    if (window === null) return null;
    const windows = isNegativeChange(figure, scope.sentence)
      ? [window, mirrored(window)]
      : [window];
    const isIn = (value: number): boolean => windows.some((each) => inWindow(each, value));
    const when =
      scope.turns.get(figure) ??
      sentencePeriodOf(figure, scope.sentence, scope.periods, scope.carried);
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
      const row = named.best >= 1 ? null : this.rows.inNamedRow(figure, scope.sentence, grid, isIn);
      if (row !== null) return row;
      for (const column of columns) {
        const rows = grid.rowNames.meantBy(figure, column, scope.sentence, this.itemsOf);
        const isOpen = (at: number): boolean =>
          (rows.size === 0 || rows.has(at)) && this.dates.covers(when, column, at, grid);
        const found = column.find(Infinity, (at) => isIn(column.number(at)) && isOpen(at));
        if (found !== null) return found;
      }
    }
    return null;
  }

  /** The places of a value that the figure's hedge allows. */
  agreeing(figure: ScannedFigure, items: readonly SourceItem[]): readonly SourceItem[] {
    const scope = items.length === 0 ? undefined : this.scopes.get(figure);
    const hedge = scope === undefined ? null : hedgeAt(figure, scope.sentence);
    return hedge === null ? items : items.filter((item) => agrees(item, figure, hedge));
  }

  /** Places of the value under another reading of the figure, and the unit of that reading. */
  reread(figure: ScannedFigure): Reread | null {
    const scope = this.scopes.get(figure);
    return scope === undefined
      ? null
      : rereadFigure(figure, scope.sentence, this.index, (item) => this.unitOf(item));
  }

  /** The unit at the end of a value's key, else at the end of its column's name. */
  private unitOf(item: SourceItem): string | null {
    const step = item.node?.step;
    if (typeof step === 'string') return lastPart(step);
    return this.index.gridOf(item.source)?.columnOf(item)?.own.at(-1) ?? null;
  }

  /** The places of the value that the sentence can mean, or why it can mean none of them. */
  judge(
    figure: ScannedFigure,
    items: readonly SourceItem[],
    unit = figure.unit,
  ): { readonly items: readonly SourceItem[] } | Misattribution {
    const scope = this.scopes.get(figure);
    const first = items[0];
    if (scope === undefined || first === undefined) return { items };
    const { sentence, periods } = scope;
    if (this.clues.has('prose') && items.every((item) => item.node === null)) {
      const misattribution = this.inProse(figure, items, sentence.figures);
      if (misattribution !== null) return misattribution;
    }
    const wrongDate = this.dates.wrongDate(figure, sentence, items);
    if (wrongDate !== null) return wrongDate;
    if (periods.some((when) => when.figures.includes(figure)))
      return this.dates.judge(figure, scope, items);
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
      return this.rows.byEntity(figure, sentence, quoted, grid) ?? { items: quoted };
    }
    const against = this.neighbourFault(figure, scope, items, unit, grid);
    if (against !== null) return against;
    const named = grid.labels().named(figure, sentence);
    if (this.clues.has('quantity') && named.unknown !== null) {
      return {
        expected: null,
        why: `the sentence speaks of ${named.unknown}, which no source of this turn names`,
      };
    }
    const labelled = this.labelled(figure, sentence, items, named, grid);
    const when = this.clues.has('date') ? this.dates.trustedWhen(figure, scope, grid) : null;
    const columns =
      labelled.length > 0
        ? [...new Set(labelled.map((item) => grid.columnOf(item)))]
        : bestColumns(named);
    const dated =
      when === null ? labelled : labelled.filter((item) => coversRow(when, item.row, grid));
    if (when !== null && dated.length < labelled.length && !this.dates.coversAny(when, grid)) {
      return { expected: null, why: `no row of the source is of ${when.text.trim()}` };
    }
    const near = dated.length > 0 ? null : this.nearHedge(window, columns, when, grid);
    if (near !== null) return { items: [near] };
    const row = this.rows.byEntity(figure, sentence, dated, grid);
    if (row !== null) return row;
    const extreme = this.beyondExtreme(figure, scope, { columns, named, when, grid });
    if (extreme !== null) return extreme;
    if (dated.length > 0) return { items: dated };
    const expected = this.firstMeant(columns, when, grid);
    if (labelled.length === 0)
      return {
        expected,
        why: 'the value is under another name than the one in the sentence',
      };
    return {
      expected,
      why: `the value is in a row of another date than “${when?.text.trim() ?? ''}”`,
    };
  }

  /**
   * A contradiction between the figure's neighbourhood, in its sentence or list, and all its
   * places.
   */
  private neighbourFault(
    figure: ScannedFigure,
    scope: AttributionScope,
    items: readonly SourceItem[],
    unit: string | null,
    grid: Grid,
  ): Misattribution | null {
    const byLabel = this.clues.has('label');
    return (
      (byLabel ? contradiction(figure, scope.sentence, items, unit, grid) : null) ??
      (this.clues.has('span') ? trendFault(figure, scope, grid, this.itemsOf) : null) ??
      (byLabel ? this.parallels.judge(figure, grid, this.itemsOf) : null)
    );
  }

  /** Running text: one source, without a table. */
  private inProse(
    figure: ScannedFigure,
    items: readonly SourceItem[],
    stated: readonly ScannedFigure[],
  ): Misattribution | null {
    const source = items[0]?.source;
    if (source === undefined || items.some((item) => item.source !== source)) return null;
    const grid = this.index.gridOf(source);
    if (
      grid === null ||
      grid.content.table !== null ||
      items.some((item) => grid.columnOf(item) !== null || item.dated)
    )
      return null;
    const prose =
      this.prose.get(source) ??
      new Prose(grid.content.items, this.index.sources[source]?.text ?? '');
    this.prose.set(source, prose);
    return prose.judge(figure, this.answer, items, stated);
  }

  /** The places of a value whose columns the sentence can mean. */
  private labelled(
    figure: ScannedFigure,
    sentence: Sentence,
    items: readonly SourceItem[],
    named: Named,
    grid: Grid,
  ): readonly SourceItem[] {
    const labels = grid.labels();
    const known = new Map<NamedColumn | null, boolean>();
    const fits = (item: SourceItem): boolean => {
      const column = grid.columnOf(item);
      const isFit =
        known.get(column) ??
        (fitsLabel(column, named) || labels.supports(figure, sentence, column, named));
      known.set(column, isFit);
      return isFit;
    };
    const fitting = this.clues.has('label') ? items.filter(fits) : items;
    const open =
      fitting.length === 0 &&
      isCoarser(figure, bestColumns(named)) &&
      !this.rows.isOfNamedRow(figure, sentence, items, grid);
    return open ? items : fitting;
  }

  /** The first value that a hedge allows in the columns. */
  private nearHedge(
    window: ReturnType<typeof hedgeOf>,
    columns: readonly (NamedColumn | null)[],
    when: SentencePeriod | null,
    grid: Grid,
  ): SourceItem | null {
    if (window === null) return null;
    for (const column of columns) {
      const near =
        column?.find(
          COLUMN_MAX,
          (at) => inWindow(window, column.number(at)) && this.dates.covers(when, column, at, grid),
        ) ?? null;
      if (near !== null) return near;
    }
    return null;
  }

  /** A value that is wrongly called the highest or lowest. */
  private beyondExtreme(
    figure: ScannedFigure,
    { sentence, carried }: AttributionScope,
    {
      columns,
      named,
      when,
      grid,
    }: {
      readonly columns: readonly (NamedColumn | null)[];
      readonly named: Named;
      readonly when: SentencePeriod | null;
      readonly grid: Grid;
    },
  ): ReturnType<Extremes['judge']> {
    if (!this.clues.has('extreme')) return null;
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
    return this.extremes.judge(figure, sentence, meant);
  }

  private firstMeant(
    columns: readonly (NamedColumn | null)[],
    when: SentencePeriod | null,
    grid: Grid,
  ): SourceItem | null {
    for (const column of columns) {
      const found =
        column?.find(COLUMN_MAX, (at) => this.dates.covers(when, column, at, grid)) ?? null;
      if (found !== null) return found;
    }
    return null;
  }
}
