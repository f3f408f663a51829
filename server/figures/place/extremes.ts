import { isShownBy } from '../shown-by';
import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Misattribution } from './attribute';
import type { NamedColumn } from './column';
import { type Extreme, extremeOf } from './extreme';
import type { Grid } from './grid';
import { hedgeOf, inWindow } from './hedge';
import type { Sentence } from './sentence';
import type { SentencePeriod } from './sentence-period';

/** The values to compare a figure with: the columns that the sentence can mean, and its time. */
export interface Meant {
  readonly columns: readonly (NamedColumn | null)[];
  readonly when: SentencePeriod | null;
  /** The time comes from an earlier sentence: this one may be about the whole. */
  readonly carried: boolean;
  /** The sentence names the column, but no row of it. */
  readonly whole: () => boolean;
  readonly grid: Grid;
}

/** A part of a day selects some of its values, and the source does not specify them. */
const PART_OF_DAY =
  /\b(?:morning|noon|afternoon|evening|night|midday|midnight|followed by|early|late|later|begin\w{0,4}|start\w{0,3}|turn\w{0,3})\b/i;

/** "From a low of 3 to a high of 9 over the week" covers all rows. */
const OVER_ALL =
  /\b(?:over|throughout|during|across) the (?:\w+ )?(?:week|month|quarter|year|period|season|days|range)\b/i;

/**
 * Compares "the highest", "a low of 3", "from 3 to 10" with the maximum and the minimum of the
 * sentence's values.
 */
export class Extremes {
  private readonly cache = new Map<NamedColumn, Map<string, SourceItem | null>>();

  /** Null if the sentence makes no such claim, or does not specify the values. */
  judge(
    figure: ScannedFigure,
    sentence: Sentence,
    meant: Meant,
  ): { readonly items: readonly SourceItem[] } | Misattribution | null {
    const claim = extremeOf(figure, sentence);
    if (claim === null) return null;
    const { columns, when, grid } = meant;
    // "The peak was 8.8 kW" refers to `peak_kw`, not to its maximum.
    const isName = columns.some((column) => column?.own.includes(claim.word) === true);
    if (!claim.range && isName && (when !== null || !OVER_ALL.test(sentence.text))) return null;
    // The range of a table's column may be that of some of its rows; that of a series covers its
    // time.
    if (claim.range && grid.amounts().length > 1 && grid.days().length < 2 && !meant.whole())
      return null;
    if (when?.day === true && PART_OF_DAY.test(sentence.text)) return null;
    const window = hedgeOf(figure, sentence);
    let chosen: SourceItem | null = null;
    for (const time of meant.carried ? [when, null] : [when]) {
      for (const column of columns) {
        if (column === null || column.size < 2) continue;
        // "March has the highest count": a single row is the highest of all.
        const isOne =
          time !== null &&
          claim.word.endsWith('est') &&
          this.extremeIn(column, time, grid, 'max') === this.extremeIn(column, time, grid, 'min');
        const best = this.extremeIn(column, isOne ? null : time, grid, claim.extreme);
        if (best === null) continue;
        const isMeant =
          isShownBy(best, figure) || (window !== null && inWindow(window, Number(best.text)));
        if (isMeant || (claim.range && isRoughly(best, figure))) return { items: [best] };
        chosen ??= best;
      }
    }
    if (chosen === null) return null;
    const word = claim.extreme === 'max' ? 'highest' : 'lowest';
    return {
      expected: chosen,
      why: `the ${word} value that the sentence can mean is ${chosen.text}`,
    };
  }

  private extremeIn(
    column: NamedColumn,
    when: SentencePeriod | null,
    grid: Grid,
    extreme: Extreme,
  ): SourceItem | null {
    const extremes = this.cache.get(column) ?? new Map<string, SourceItem | null>();
    this.cache.set(column, extremes);
    const key = `${when?.from ?? ''}:${extreme}`;
    const known = extremes.get(key);
    if (known !== undefined) return known;
    const found = findExtreme(column, when, grid, extreme);
    extremes.set(key, found);
    return found;
  }
}

/** "From 26 to 35" for 25.46 to 35.92: whole ends of a finer range are approximate. */
function isRoughly(best: SourceItem, figure: ScannedFigure): boolean {
  const shown = figure.reading.quantities[0];
  const stored = best.reading.quantities[0];
  if (
    shown === undefined ||
    stored === undefined ||
    shown.quantum < 0 ||
    stored.quantum >= shown.quantum
  )
    return false;
  return Math.abs(Number(figure.value) - Number(best.text)) < 10 ** shown.quantum;
}

function findExtreme(
  column: NamedColumn,
  when: SentencePeriod | null,
  grid: Grid,
  extreme: Extreme,
): SourceItem | null {
  let best = -1;
  let max = extreme === 'max' ? -Infinity : Infinity;
  for (let at = 0; at < column.size; at++) {
    const value = column.number(at);
    if (
      !(extreme === 'max' ? value > max : value < max) ||
      !coversRow(when, column.rows[at] ?? 0, grid)
    )
      continue;
    max = value;
    best = at;
  }
  return best === -1 ? null : column.item(best);
}

/** Whether a row belongs to a time, or may belong to it because it has no date. */
export function coversRow(when: SentencePeriod | null, row: number, grid: Grid): boolean {
  if (when === null) return true;
  const moments = grid.momentsOf(row);
  return moments.length === 0 || moments.some((moment) => when.covers(moment, grid));
}
