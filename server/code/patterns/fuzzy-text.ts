import { GramIndex } from './gram-index';
import { MyersPattern, type Nearest } from './myers';

/** Allowed edits as a share of the pattern's length; inclusive (QEL-14). */
const EDIT_PERCENT = 15;
/** Shorter texts are scanned faster than indexed. */
const INDEXED_FROM_CHARS = 4_096;

/**
 * Allowed edits of a pattern: 10 characters 1, 6 characters none. Integer arithmetic: 15 % of 20
 * are exactly 3.
 */
export function editsAllowed(pattern: string): number {
  return Math.floor((pattern.length * EDIT_PERCENT) / 100);
}

/** A text that is searched for several patterns. */
export class FuzzyText {
  private searches = 0;
  private index: GramIndex | null = null;

  constructor(readonly text: string) {}

  /** The nearest match within `most` edits; null if there is none. */
  find(pattern: string, most: number): Nearest | null {
    const { text } = this;
    if (pattern === '' || most < 0) return null;
    const verbatim = text.indexOf(pattern);
    if (verbatim >= 0) return { distance: 0, end: verbatim + pattern.length };
    if (most === 0) return null;
    const windows = this.windows(pattern, most);
    const myers = new MyersPattern(pattern);
    if (windows === null) return myers.search(text, 0, text.length, most);
    let best: Nearest | null = null;
    for (const { from, to } of windows)
      best = myers.search(text, from, to, best === null ? most : best.distance - 1) ?? best;
    return best;
  }

  /** The index pays off from the second search on. */
  private windows(pattern: string, most: number): ReturnType<GramIndex['windows']> {
    this.searches++;
    if (this.text.length < INDEXED_FROM_CHARS || this.searches < 2) return null;
    this.index ??= new GramIndex(this.text);
    return this.index.windows(pattern, most);
  }
}
