import type { ContractPattern } from '../../domain';
import { findFile } from './find-file';
import { editsAllowed, FuzzyText } from './fuzzy-text';

/** A text with its comments made blank. */
export interface SearchedFile {
  readonly path: string;
  readonly code: string;
}

export interface PatternMatch {
  readonly pattern: ContractPattern;
  readonly how: 'exact' | 'fuzzy' | 'missing';
  /** Edits away: 0 where it is exact, null where it is missing. */
  readonly distance: number | null;
  /** Where it is; null where it is missing. */
  readonly path: string | null;
  /** From 1; the line that it ends on. */
  readonly line: number | null;
}

/**
 * Characters that are searched for what is nearly the pattern; what is beyond is searched for the
 * pattern itself only.
 */
const FUZZY_CHARS_MAX = 500_000;

/**
 * Looks for each pattern in the files: as it is, else within 15 % of its length of edits (QEL-14).
 * A pattern that names a file is looked for in that one only. Among equals the first file wins.
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
  /** Line, from 1, that what ends here is on. */
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

/** Counts the lines of a text once, when someone asks. */
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
