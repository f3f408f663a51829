import type { NamedColumn } from './column';
import { sameStem, Stems, stemOf } from './words';

/** The weight of a word in a column's own name; one of a heading above it weighs 1. */
export const OWN = 2;

export interface WordHit {
  readonly column: NamedColumn;
  readonly weight: number;
}

const NO_HITS: readonly WordHit[] = [];

/** A column of dates would match words for times in sentences: "the year before". */
const TIMES = new Set(['year', 'quarter', 'month', 'week', 'day', 'date']);

function hitOf(column: NamedColumn, stem: string): WordHit | null {
  // "FY2023" dates a value; it is not a quantity.
  if (column.year !== null || (TIMES.has(stem) && column.ownStems.length === 1)) return null;
  if (namesAny(column.ownStems, stem)) return { column, weight: OWN };
  return namesAny(column.aboveStems, stem) ? { column, weight: 1 } : null;
}

export function namesAny(stems: readonly string[], stem: string): boolean {
  return stems.some((each) => sameStem(each, stem));
}

/** The same word, in the singular or the plural. */
function isWritten(part: string, word: string): boolean {
  return part === word || `${part}s` === word || part === `${word}s`;
}

/** The columns that words name. */
export class WordHits {
  private readonly known = new Map<string, readonly WordHit[]>();
  private readonly stems: Stems;

  constructor(private readonly columns: readonly NamedColumn[]) {
    this.stems = new Stems(
      columns.flatMap(({ ownStems, aboveStems }) => [...ownStems, ...aboveStems]),
    );
  }

  /**
   * The columns whose names contain a word, or a synonym of it if none contains the word itself.
   */
  hits(word: string): readonly WordHit[] {
    let hits = this.known.get(word);
    if (hits === undefined) {
      const stem = stemOf(word);
      const all = this.stems.mayHold(stem)
        ? this.columns.flatMap((column) => hitOf(column, stem) ?? [])
        : NO_HITS;
      const written = all.filter(({ column }) => column.own.some((part) => isWritten(part, word)));
      hits =
        written.length === 0 || written.length === all.length
          ? all
          : all.filter((hit) => hit.weight < OWN || written.includes(hit));
      this.known.set(word, hits);
    }
    return hits;
  }
}
