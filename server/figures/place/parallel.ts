import { isShownBy } from '../shown-by';
import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Misattribution } from './attribute';
import type { NamedColumn } from './column';
import type { ItemsOf } from './entity';
import type { Grid } from './grid';
import { hedgeAt } from './hedge';
import { amountsOf } from './row-turns';
import type { Sentence } from './sentence';

/** An item of a list, or a row of a table. */
const ITEM = /^\s*(?:[-*•+]|\d{1,3}[.)]|\|)\s/u;
/**
 * Range of the number of figures compared: fewer prove nothing, and more are not a handwritten
 * list.
 */
const LISTED_MIN = 3;
const LISTED_MAX = 32;

interface Listed {
  readonly figure: ScannedFigure;
  readonly sentence: Sentence;
}

/**
 * Figures listed next to each other have one quantity: "Ada got 91, Ben 67, Cho 95 and Dee 61", or
 * a list with a figure per name. If all but one come from one column, each in its named row, the
 * exception is compared with its own value there.
 */
export class Parallels {
  private readonly groups = new Map<ScannedFigure, readonly Listed[]>();
  private readonly columns = new Map<readonly Listed[], NamedColumn | null>();

  constructor(sentences: readonly Sentence[]) {
    for (let at = 0; at < sentences.length; ) {
      let end = at + 1;
      if (isItem(sentences[at])) while (isItem(sentences[end])) end++;
      this.read(sentences.slice(at, end));
      at = end;
    }
  }

  judge(figure: ScannedFigure, grid: Grid, itemsOf: ItemsOf): Misattribution | null {
    const group = this.groups.get(figure);
    if (group === undefined) return null;
    let column = this.columns.get(group);
    if (column === undefined) {
      column = columnOf(group, grid, itemsOf);
      this.columns.set(group, column);
    }
    const own = group.find((each) => each.figure === figure);
    if (column === null || own === undefined || hedgeAt(figure, own.sentence) !== null) return null;
    const at = rowOf(own, column, grid, itemsOf);
    const expected = at === null ? null : column.item(at);
    if (expected === null || isShownBy(expected, figure) || isWithoutSign(expected, figure))
      return null;
    return { expected, why: 'the other figures of the list are of another quantity' };
  }

  /** Figures of one unit: of one sentence, or at the same position of each item of a list. */
  private read(sentences: readonly Sentence[]): void {
    const groups = new Map<string, Listed[]>();
    for (const sentence of sentences) {
      for (const [i, figure] of amountsOf(sentence.figures).entries()) {
        if (figure.reading.year !== null && figure.unit === null) continue;
        const key = `${sentences.length > 1 ? i : ''} ${figure.unit ?? ''}`;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [{ figure, sentence }]);
        else group.push({ figure, sentence });
      }
    }
    for (const group of groups.values()) {
      if (group.length < LISTED_MIN || group.length > LISTED_MAX) continue;
      for (const { figure } of group) this.groups.set(figure, group);
    }
  }
}

/** "A loss of 4%" of -4: words state the sign. */
function isWithoutSign(
  { text }: SourceItem,
  { value, reading, text: shown }: ScannedFigure,
): boolean {
  const quantum = reading.quantities[0]?.quantum ?? 0;
  const distance = Math.abs(Math.abs(Number(text)) - Math.abs(Number(value)));
  return !/^[+-]/u.test(shown) && distance < 10 ** quantum;
}

function isItem(sentence: Sentence | undefined): boolean {
  return sentence !== undefined && ITEM.test(sentence.text);
}

/** The only row of a column that a figure's sentence assigns it to, or null. */
function rowOf(
  { figure, sentence }: Listed,
  column: NamedColumn,
  grid: Grid,
  itemsOf: ItemsOf,
): number | null {
  const meant = grid.rowNames.meantBy(figure, column, sentence, itemsOf);
  const [at] = meant;
  return at === undefined || meant.size !== 1 ? null : at;
}

/** The column of all figures but one, each in a different row; null if there is none. */
function columnOf(group: readonly Listed[], grid: Grid, itemsOf: ItemsOf): NamedColumn | null {
  const counts = new Map<NamedColumn, number>();
  for (const each of group) {
    const columns = new Set<NamedColumn>();
    for (const item of itemsOf(each.figure)) {
      const column = grid.columnOf(item);
      if (column !== null && rowOf(each, column, grid, itemsOf) === column.positionOf(item.row))
        columns.add(column);
    }
    for (const column of columns) counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  const [best, second] = [...counts].sort(([, one], [, other]) => other - one);
  if (best === undefined || best[1] !== group.length - 1 || second?.[1] === best[1]) return null;
  const rows = new Set(group.map((each) => rowOf(each, best[0], grid, itemsOf)));
  return rows.size === group.length && !rows.has(null) ? best[0] : null;
}
