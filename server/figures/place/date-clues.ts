import type { ScannedFigure } from '../scan';
import type { SourceIndex } from '../source-index';
import type { SourceItem } from '../source-items';
import type { Clue, Misattribution, AttributionScope } from './attribute';
import { choosePeriods } from './choose-periods';
import type { NamedColumn } from './column';
import { dateFault } from './date-column';
import { type SeriesFault, seriesFaults } from './series-faults';
import { RESPECTIVELY } from './entity';
import { coversRow, type Extremes } from './extremes';
import type { Grid } from './grid';
import type { Sentence } from './sentence';
import type { SentencePeriod } from './sentence-period';
import { sentencePeriodOf } from './period-of';

const LEADS = /^\s*(?:[-*•]\s+)?(?:with|at)\b/i;

/** Clues about the places of a sentence's figures from its dates. */
export class DateClues {
  private readonly chosen = new Map<
    AttributionScope,
    ReadonlyMap<ScannedFigure, SentencePeriod | null>
  >();
  private readonly faults = new Map<Sentence, readonly SeriesFault[]>();
  private readonly coverage = new Map<string, boolean>();
  private readonly wrong = new Map<SentencePeriod, boolean>();

  constructor(
    private readonly index: SourceIndex,
    private readonly clues: ReadonlySet<Clue>,
    private readonly itemsOf: (figure: ScannedFigure) => readonly SourceItem[],
    private readonly extremes: Extremes,
  ) {}

  /** The date of a figure. */
  whenFor(figure: ScannedFigure, scope: AttributionScope, grid: Grid): SentencePeriod | null {
    let chosen = this.chosen.get(scope);
    if (chosen === undefined) {
      const { sentence, periods, turns } = scope;
      const carried = this.clues.has('carried') ? scope.carried : null;
      const parts = new Set(periods.flatMap(({ figures }) => figures));
      const amounts = sentence.figures.filter(
        (each) => !parts.has(each) && each.reading.quantities.length > 0,
      );
      const isRightFor = (each: ScannedFigure, when: SentencePeriod): boolean => {
        const items = this.itemsOf(each);
        return items.length === 0 || items.some((item) => coversRow(when, item.row, grid));
      };
      const [only] = periods;
      // "With a loss of 3, March is the worst": an opening phrase belongs to the date that follows.
      const led =
        periods.length === 1 && only !== undefined && LEADS.test(sentence.text) ? only : null;
      const dateByWords = (each: ScannedFigure): SentencePeriod | null =>
        turns.get(each) ?? sentencePeriodOf(each, sentence, periods, carried) ?? led;
      chosen = choosePeriods(
        amounts,
        periods,
        dateByWords,
        isRightFor,
        RESPECTIVELY.test(sentence.text),
      );
      this.chosen.set(scope, chosen);
    }
    return chosen.get(figure) ?? null;
  }

  /** The same; null if that date itself is wrong: then it is not a clue about the values. */
  trustedWhen(figure: ScannedFigure, scope: AttributionScope, grid: Grid): SentencePeriod | null {
    const when = this.whenFor(figure, scope, grid);
    return when !== null && this.isWrong(when, scope.sentence) ? null : when;
  }

  private isWrong(when: SentencePeriod, sentence: Sentence): boolean {
    let known = this.wrong.get(when);
    if (known === undefined) {
      known = when.figures.some(
        (figure) => this.wrongDate(figure, sentence, this.itemsOf(figure)) !== null,
      );
      this.wrong.set(when, known);
    }
    return known;
  }

  /** A date that is in the sources under another name, or in another row. */
  wrongDate(
    figure: ScannedFigure,
    sentence: Sentence,
    items: readonly SourceItem[],
  ): Misattribution | null {
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

  /** A date that is in the sources, but not for the event in the sentence. */
  judge(
    figure: ScannedFigure,
    scope: AttributionScope,
    items: readonly SourceItem[],
  ): { readonly items: readonly SourceItem[] } | Misattribution {
    const { sentence, periods } = scope;
    const source = items[0]?.source;
    const grid = source === undefined ? null : this.index.gridOf(source);
    if (grid === null) return { items };
    let faults = this.faults.get(sentence);
    if (faults === undefined) {
      faults = seriesFaults(sentence, periods, grid.amounts(), grid).filter(({ clue }) =>
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
    const extreme = this.neighbourExtreme(figure, scope, grid);
    if (extreme !== null) return extreme;
    const fault = faults.find(
      ({ when, end }) =>
        when.figures.includes(figure) &&
        (end === null || when.figures.at(end === 'last' ? -1 : 0) === figure),
    );
    return fault === undefined ? { items } : { expected: fault.expected, why: fault.why };
  }

  /**
   * The date of a value that is wrongly called the highest or lowest: value and date are wrong
   * together.
   */
  private neighbourExtreme(
    figure: ScannedFigure,
    scope: AttributionScope,
    grid: Grid,
  ): Misattribution | null {
    if (!this.clues.has('peak')) return null;
    const { sentence } = scope;
    for (const amount of sentence.figures) {
      const when =
        amount.reading.quantities.length === 0 || amount === figure
          ? null
          : this.whenFor(amount, scope, grid);
      if (when === null || when.day || !when.figures.includes(figure)) continue;
      if (sentencePeriodOf(amount, sentence, scope.periods, null) !== when) continue;
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

  covers(when: SentencePeriod | null, column: NamedColumn, at: number, grid: Grid): boolean {
    return coversRow(when, column.rows[at] ?? 0, grid);
  }

  coversAny(when: SentencePeriod, grid: Grid): boolean {
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
