import type { ContractPattern } from '../../domain';
import { findFile } from './find-file';
import { editsAllowed, FuzzyText } from './fuzzy-text';

/** A text with its comments blanked. */
export interface SearchedFile {
  readonly path: string;
  readonly code: string;
}

export interface PatternMatch {
  readonly pattern: ContractPattern;
  readonly how: 'exact' | 'fuzzy' | 'missing';
  /** Edit distance: 0 if it is exact, null if it is missing. */
  readonly distance: number | null;
  /** The file that contains it; null if it is missing. */
  readonly path: string | null;
  /** Line of its end, from 1; null if it is missing. */
  readonly line: number | null;
}

/** Characters searched for approximate matches; the rest is searched only for exact ones. */
const FUZZY_CHARS_MAX = 500_000;

/**
 * Searches the files for each pattern: exact, else within edits of 15% of its length (QEL-14). A
 * pattern that names a file is searched only there. Among equals the first file wins.
 */
export function matchPatterns(
  patterns: readonly ContractPattern[],
  files: readonly SearchedFile[],
): readonly PatternMatch[] {
  let left = FUZZY_CHARS_MAX;
  const texts = files.map(({ path, code }) => {
    left -= code.length;
    return { path, text: new FuzzyText(code), isFuzzy: left >= 0, lineAt: lineFinder(code) };
  });
  return patterns.map((pattern) => {
    const named = pattern.path === null ? null : findFile(texts, pattern.path);
    return nearestOf(pattern, pattern.path === null ? texts : named === null ? [] : [named]);
  });
}

interface Searched {
  readonly path: string;
  readonly text: FuzzyText;
  readonly isFuzzy: boolean;
  /** Line, from 1, of a match's end. */
  readonly lineAt: (end: number) => number;
}

function nearestOf(pattern: ContractPattern, files: readonly Searched[]): PatternMatch {
  for (const { path, text, lineAt } of files) {
    const at = text.text.indexOf(pattern.pattern);
    if (at >= 0)
      return {
        pattern,
        how: 'exact',
        distance: 0,
        path,
        line: lineAt(at + pattern.pattern.length),
      };
  }
  let best: PatternMatch = { pattern, how: 'missing', distance: null, path: null, line: null };
  for (const { path, text, isFuzzy, lineAt } of files) {
    if (!isFuzzy) continue;
    const found = text.find(
      pattern.pattern,
      (best.distance ?? editsAllowed(pattern.pattern) + 1) - 1,
    );
    if (found !== null)
      best = { pattern, how: 'fuzzy', distance: found.distance, path, line: lineAt(found.end) };
  }
  return best;
}

/** Counts the lines of a text once, on demand. */
function lineFinder(text: string): (end: number) => number {
  let breaks: number[] | null = null;
  return (end) => {
    if (breaks === null) {
      breaks = [];
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks.push(at);
    }
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((breaks[middle] ?? 0) < end - 1) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
