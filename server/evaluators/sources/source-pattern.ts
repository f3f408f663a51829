import { RE2JS, RE2JSException } from 're2js';

/**
 * Patterns that find retrieved blocks, run in an engine whose time is linear in the text (RE2). `.`
 * matches line ends and `^` matches at each line: blocks have several.
 */
const FLAGS = RE2JS.DOTALL | RE2JS.MULTILINE;
/** Instructions of a compiled pattern: counts in 300 characters can expand to many. */
const PROGRAM_MAX = 2_000;
/**
 * Instructions times characters: about 50 ms for the worst pattern. Only the beginning of a longer
 * text is searched.
 */
const WORK_MAX = 5_000_000;
const CACHED_MAX = 200;

const cache = new Map<string, RE2JS>();

/** Why the pattern cannot be used, for people to read; null if it can. */
export function checkSourcePattern(pattern: string): string | null {
  try {
    const compiled = RE2JS.compile(pattern, FLAGS);
    if (compiled.programSize() > PROGRAM_MAX) {
      return `is too large: it compiles to ${compiled.programSize()} instructions, the limit is ${PROGRAM_MAX}; use smaller counts in braces`;
    }
    if (compiled.matcher('').matches())
      return 'matches an empty text: let it match at least one character';
    return null;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const why = error.message.replace('error parsing regexp: ', '').slice(0, 200);
    return `cannot be read as an RE2 pattern (${why}): use RE2 syntax, which has no look-around and no back-references`;
  }
}

export interface SourceMatch {
  readonly start: number;
  readonly end: number;
}

/**
 * The matches of the pattern's first group, else of the whole, at most `limit`. An unusable pattern
 * finds nothing.
 */
export function findSpans(pattern: string, text: string, limit: number): SourceMatch[] {
  const compiled = compiledPattern(pattern);
  if (compiled === null) return [];
  const searched = text.slice(0, Math.floor(WORK_MAX / Math.max(1, compiled.programSize())));
  const matcher = compiled.matcher(searched);
  const spans: SourceMatch[] = [];
  while (spans.length < limit && matcher.find()) {
    const group = matcher.groupCount() > 0 && matcher.start(1) >= 0 ? 1 : 0;
    if (matcher.end(group) > matcher.start(group))
      spans.push({ start: matcher.start(group), end: matcher.end(group) });
  }
  return spans;
}

function compiledPattern(pattern: string): RE2JS | null {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  if (checkSourcePattern(pattern) !== null) return null;
  const compiled = RE2JS.compile(pattern, FLAGS);
  if (cache.size >= CACHED_MAX)
    for (const oldest of [...cache.keys()].slice(0, CACHED_MAX / 2)) cache.delete(oldest);
  cache.set(pattern, compiled);
  return compiled;
}
