import type { SourceIndex } from '../source-index';
import type { SourceItem } from '../source-items';
import type { Column } from './grid';

/** Rows of a column whose labels are read, and words of a label: bounds on what a source costs. */
const ROWS_MAX = 5_000;
const WORDS_MAX = 4;
/** Share of the rows that must bear a label of their own: a name is one, a state such as "running" is not. */
const NAMING_SHARE = 0.8;

/** The rows of a column by the names they bear (`web-1`, `Prague`). */
export class Names {
  private readonly rows = new Map<string, SourceItem[]>();
  private readonly naming: boolean;

  constructor(column: Column, index: SourceIndex) {
    for (const item of column.items.slice(0, ROWS_MAX)) {
      for (const label of new Set(index.labelsOf(item).map(normal))) {
        if (label === '' || label.split(' ').length > WORDS_MAX) continue;
        const held = this.rows.get(label);
        if (held === undefined) this.rows.set(label, [item]);
        else held.push(item);
      }
    }
    const single = [...this.rows.values()].filter((items) => items.length === 1).length;
    const rows = Math.min(ROWS_MAX, column.items.length);
    this.naming = rows > 1 && single >= NAMING_SHARE * rows;
  }

  /** The rows that a sentence names. */
  namedIn(sentence: string): ReadonlySet<SourceItem> {
    const found = new Set<SourceItem>();
    if (!this.naming) return found;
    const words = normal(sentence).split(' ');
    for (let from = 0; from < words.length; from++) {
      for (let count = 1; count <= WORDS_MAX && from + count <= words.length; count++) {
        const items = this.rows.get(words.slice(from, from + count).join(' '));
        if (items?.length === 1) for (const item of items) found.add(item);
      }
    }
    return found;
  }
}

/** Lower case, words apart; what joins the parts of a name (`web-1`) stays. */
function normal(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-_.:/][\p{L}\p{N}]+)*/gu) ?? []).join(' ');
}
