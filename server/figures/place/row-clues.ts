import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Clue, Misattribution } from './attribute';
import type { Grid } from './grid';
import type { Sentence } from './sentence';

/** Maximum columns whose named rows are searched for one hedged figure. */
const COLUMNS_MAX = 64;

/** Maximum columns with a figure's value whose named rows are compared. */
const ENTITY_COLUMNS_MAX = 8;

/** Clues about a figure's places from the rows that a sentence names. */
export class RowClues {
  constructor(
    private readonly clues: ReadonlySet<Clue>,
    private readonly itemsOf: (figure: ScannedFigure) => readonly SourceItem[],
  ) {}

  /**
   * Whether a value is in a row that the sentence names: then it is not rounded from another value.
   */
  isOfNamedRow(
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

  /** "Nearly 30,000 people voted in Northgate": a value of the only named row, in any column. */
  inNamedRow(
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
  byEntity(
    figure: ScannedFigure,
    sentence: Sentence,
    items: readonly SourceItem[],
    grid: Grid,
  ): Misattribution | null {
    const columns = new Set(items.map((item) => grid.columnOf(item)));
    if (!this.clues.has('entity') || columns.size > ENTITY_COLUMNS_MAX) return null;
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
      expected = columns.size === 1 ? column.item(first) : null;
    }
    return columns.size === 0
      ? null
      : { expected, why: 'the value is in a row of another name than the one in the sentence' };
  }
}
