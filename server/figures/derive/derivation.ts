import type { Source } from '../../domain';
import type { ScannedFigure } from '../scan';
import type { SourceContent, SourceItem } from '../source-items';

/** How a figure follows from values of the sources. */
export type Operation =
  | 'sum'
  | 'difference'
  | 'ratio'
  | 'share'
  | 'change'
  | 'count'
  | 'min'
  | 'max'
  | 'average'
  | 'conversion';

/** A figure that no source contains but that follows from values of the sources (INT-19). */
export interface Derivation {
  readonly operation: Operation;
  /** As shown to people: `sum(rows[*].free_gb) = 77`, `$100 + $50 = $150`. */
  readonly formula: string;
  /** The operands, at most 100 of them, in the order of the formula. */
  readonly operands: readonly SourceItem[];
}

/** A figure and the value it was traced to, or null. */
export interface PlacedFigure {
  readonly figure: ScannedFigure;
  readonly item: SourceItem | null;
}

/**
 * The context of a figure. `before` and `after` are its sentence without the figure, as written
 * (bounded by the caller; only 200 characters are read).
 */
export interface DeriveContext {
  readonly before: string;
  readonly after: string;
  /**
   * The other figures of the sentence, in order; `item` is the value each was traced to, null if
   * there is none.
   */
  readonly sentence: readonly PlacedFigure[];
  /**
   * Figures of the same paragraph or list before the sentence, nearest last: the operands of a
   * total at the end of a list.
   */
  readonly above: readonly PlacedFigure[];
}

/** The data read from the sources; `SourceIndex` implements it. */
export interface DeriveSources {
  readonly sources: readonly Source[];
  /** Each source's values, read once. */
  read(): readonly SourceContent[];
}
