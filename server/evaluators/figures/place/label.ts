import type { ScannedFigure } from '../scan';
import type { Column } from './grid';
import type { Sentence } from './sentences';
import { quantities, sameWord, stemOf, unitQuantities } from './words';

/** What the words beside a figure name: the columns they fit, best first, or a quantity that no column has. */
export interface Named {
  /** Columns by how well the words name them; those that they do not name are not there. */
  readonly scores: ReadonlyMap<Column, number>;
  readonly best: number;
  /** The words stand before another figure: they may go on to speak of something near. */
  readonly distant: boolean;
  /** A quantity that no key of the source names. */
  readonly unknown: string | null;
}

/** Parts of names that say nothing about what is measured, and those that aggregate words say something else about. */
const GENERIC = new Set(
  'list main data value values item items result results row rows info detail details all records entries body content payload response maximum minimum average total sum'.split(
    ' ',
  ),
);
const WINDOW = 3;
const REACH = 160;
const OWN = 2;
/** What joins the next thing that is said to this one. */
const JOINT = /\b(?:and|with|while|but|or)\b/iu;

export class Labels {
  private readonly known = new Map<string, readonly Hit[]>();

  constructor(private readonly columns: readonly Column[]) {}

  /** Reads the words before the figure, nearest first, and those behind it where none before it name anything. */
  named(figure: ScannedFigure, sentence: Sentence): Named {
    const at = figure.from - sentence.from;
    const start = Math.max(0, at - REACH);
    const previous = sentence.figures.findLast(
      (each) => each.to <= figure.from && each.reading.moment === null && each.reading.year === null,
    );
    const near = wordsOf(sentence.text.slice(Math.max(start, (previous?.to ?? 0) - sentence.from), at)).length;
    const before = wordsOf(sentence.text.slice(start, at)).reverse();
    const after = wordsOf(/^[^.;,\n]{0,60}/u.exec(sentence.text.slice(figure.to - sentence.from))?.[0] ?? '').slice(0, 5);
    const first = this.byUnit(figure, this.read(before, near));
    if (first.best > 0 || first.unknown !== null) {
      // "a 30% chance of rain": what stands right behind is meant as well.
      const behind = this.read(after.slice(0, 2));
      return behind.unknown !== null ? behind : first;
    }
    return this.byUnit(figure, this.read(after));
  }

  /**
   * Whether a column is meant whatever stands before the figure: its name bears the figure's unit (`p95_ms`, `free_gb`, `usd_month`), or
   * the clause goes on with a word of it ("655 of them failed").
   */
  supports(figure: ScannedFigure, sentence: Sentence, column: Column | null): boolean {
    const own = column?.own ?? [];
    const unit = figure.unit?.toLowerCase() ?? null;
    if (unit !== null && unit.length > 1 && own.some((part) => part === unit)) return true;
    const clause = /^[^.;,\n\d]{0,40}/u.exec(sentence.text.slice(figure.to - sentence.from))?.[0] ?? '';
    const words = wordsOf(clause.split(JOINT, 1)[0] ?? '').slice(0, 4);
    return words.some((word) => own.some((part) => isTelling(part) && sameWord(part, word)));
  }

  /** A unit that is used for one quantity only names it, whatever word stands nearest. */
  private byUnit(figure: ScannedFigure, named: Named): Named {
    const quantity = figure.unit === null ? undefined : unitQuantities.get(figure.unit);
    const hits = quantity === undefined ? [] : this.hits(quantity);
    if (hits.length === 0 || named.unknown !== null || hits.some(({ column }) => (named.scores.get(column) ?? 0) > 0)) return named;
    return { scores: new Map(hits.map(({ column, weight }) => [column, weight])), best: OWN, distant: true, unknown: null };
  }

  private read(words: readonly string[], near = words.length): Named {
    const anchor = words.findIndex((word) => this.hits(word).length > 0 || quantities.has(stemOf(word)));
    const scores = new Map<Column, number>();
    const word = words[anchor];
    if (word === undefined) return { scores, best: 0, distant: false, unknown: null };
    if (this.hits(word).length === 0) return { scores, best: 0, distant: false, unknown: word };
    for (const near of new Set(words.slice(Math.max(0, anchor - WINDOW), anchor + WINDOW + 1))) {
      for (const { column, weight } of this.hits(near)) scores.set(column, (scores.get(column) ?? 0) + weight);
    }
    let best = 0;
    for (const [column, score] of scores) {
      const own = column.own.filter(isTelling);
      const whole = score - Math.max(0, own.length - Math.floor(score / OWN));
      scores.set(column, whole);
      best = Math.max(best, whole);
    }
    return { scores, best, distant: anchor >= near, unknown: null };
  }

  /** The columns whose names hold a word. */
  private hits(word: string): readonly Hit[] {
    let hits = this.known.get(word);
    if (hits === undefined) {
      hits = this.columns.flatMap((column) => {
        if (column.own.some((part) => isTelling(part) && sameWord(part, word))) return [{ column, weight: OWN }];
        return column.above.some((part) => isTelling(part) && sameWord(part, word)) ? [{ column, weight: 1 }] : [];
      });
      this.known.set(word, hits);
    }
    return hits;
  }
}

interface Hit {
  readonly column: Column;
  readonly weight: number;
}

function isTelling(part: string): boolean {
  return !GENERIC.has(stemOf(part));
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{N}]*/gu)
      ?.filter((word) => word.length > 1) ?? []
  );
}
