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

/** A figure that stands nowhere as such but follows from values that do (INT-19). */
export interface Derivation {
  readonly operation: Operation;
  /** For people: `sum(rows[*].free_gb) = 77`, `$100 + $50 = $150`. */
  readonly formula: string;
  /** The values that it was made of, at most 100 of them, in the order of the formula. */
  readonly operands: readonly SourceItem[];
}

/** A figure and the place it was traced to, or null. */
export interface PlacedFigure {
  readonly figure: ScannedFigure;
  readonly item: SourceItem | null;
}

/**
 * What stands around a figure. `before` and `after` are its sentence without the figure, as written
 * (bounded by the caller; what is beyond 200 characters is not read).
 */
export interface DeriveContext {
  readonly before: string;
  readonly after: string;
  /**
   * The other figures of the sentence, in order; `item` is where each was traced to, null where it
   * stands nowhere.
   */
  readonly sentence: readonly PlacedFigure[];
  /**
   * Figures of the same paragraph or list before the sentence, nearest last: what a total at the
   * end of a list adds up.
   */
  readonly above: readonly PlacedFigure[];
}

/** What is read of the sources; `SourceIndex` is one. */
export interface DeriveSources {
  readonly sources: readonly Source[];
  /** Each source's values, read once. */
  read(): readonly SourceContent[];
}
