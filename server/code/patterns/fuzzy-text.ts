import { GramIndex } from './gram-index';
import { MyersPattern, type Nearest } from './myers';

/** Allowed edits as a share of the pattern's length; inclusive (QEL-14). */
const EDIT_PERCENT = 15;
/** Shorter texts are faster to scan than to index. */
const INDEXED_FROM_CHARS = 4_096;

/**
 * The number of edits allowed for a pattern: 1 for 10 characters, none for 6. Integer arithmetic
 * makes 15% of 20 exactly 3.
 */
export function editsAllowed(pattern: string): number {
  return Math.floor((pattern.length * EDIT_PERCENT) / 100);
}

/** A text that is searched for several patterns. */
export class FuzzyText {
  private searches = 0;
  private index: GramIndex | null = null;

  constructor(readonly text: string) {}

  /** The nearest match within `maxEdits` edits; null if there is none. */
  find(pattern: string, maxEdits: number): Nearest | null {
    const { text } = this;
    if (pattern === '' || maxEdits < 0) return null;
    const verbatim = text.indexOf(pattern);
    if (verbatim >= 0) return { distance: 0, end: verbatim + pattern.length };
    if (maxEdits === 0) return null;
    const windows = this.windows(pattern, maxEdits);
    const myers = new MyersPattern(pattern);
    if (windows === null) return myers.search(text, 0, text.length, maxEdits);
    let best: Nearest | null = null;
    for (const { from, to } of windows)
      best = myers.search(text, from, to, best === null ? maxEdits : best.distance - 1) ?? best;
    return best;
  }

  /**
   * Where the pattern may match; null to scan the whole text. The index is built at the second
   * search, because it does not pay off for one.
   */
  private windows(pattern: string, maxEdits: number): ReturnType<GramIndex['windows']> {
    this.searches++;
    if (this.text.length < INDEXED_FROM_CHARS || this.searches < 2) return null;
    this.index ??= new GramIndex(this.text);
    return this.index.windows(pattern, maxEdits);
  }
}
