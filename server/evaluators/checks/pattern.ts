import { RE2JS, RE2JSException } from 're2js';
import { runWithin } from './watchdog';

/**
 * Callers' patterns run in an engine whose time is linear in the text (RE2): without backtracking
 * there is no look-around and no back-reference, and counts end at 1000 (VS-13).
 */
const PATTERN_CHARS_MAX = 1000;
/**
 * Instructions of the compiled pattern times characters of the text: about 1.5 seconds for the
 * worst pattern.
 */
const WORK_MAX = 100_000_000;
/** Below this it takes at most about 50 ms and needs no watchdog. */
const FREE_WORK = 5_000_000;
const CACHED_MAX = 200;

const cache = new Map<string, RE2JS>();

/** @throws Error with a readable reason: the fault of the pattern, or the unsupported feature */
export function compilePattern(pattern: string, flags = ''): RE2JS {
  if (!/^[imsu]*$/.test(flags))
    throw new Error(`the flags must be i, m and s, not ${JSON.stringify(flags)}`);
  if (pattern.length > PATTERN_CHARS_MAX)
    throw new Error(`the pattern must have at most ${PATTERN_CHARS_MAX} characters`);
  const key = `${flags}/${pattern}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const compiled = compile(pattern, flags);
  if (cache.size >= CACHED_MAX)
    for (const oldest of [...cache.keys()].slice(0, CACHED_MAX / 2)) cache.delete(oldest);
  cache.set(key, compiled);
  return compiled;
}

function compile(pattern: string, flags: string): RE2JS {
  const bits =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0);
  try {
    return RE2JS.compile(pattern, bits);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new Error(explain(pattern, error.message));
  }
}

/** The engine's own message, except for features that people often expect. */
function explain(pattern: string, message: string): string {
  if (/\(\?<?[=!]/.test(pattern))
    return 'look-ahead and look-behind are not supported: patterns run in linear time';
  if (/\\(?:[1-9]|k<)/.test(pattern))
    return 'back-references are not supported: patterns run in linear time';
  if (message.includes('repeat count'))
    return 'a count in braces is at most 1000, nested counts taken together';
  return `the pattern cannot be read: ${message.replace('error parsing regexp: ', '').slice(0, 200)}`;
}

interface MatchRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The first match of the pattern as UTF-16 indices, or null.
 * @throws Error if the pattern is too large for a text of this length; OverTime
 */
export function findPattern(pattern: RE2JS, text: string): MatchRange | null {
  if (pattern.programSize() * text.length > WORK_MAX) {
    throw new Error(`the pattern is too large for a text of ${text.length} characters`);
  }
  const find = (): MatchRange | null => {
    const matcher = pattern.matcher(text);
    return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null;
  };
  return pattern.programSize() * text.length > FREE_WORK
    ? runWithin(find, 'finding the pattern')
    : find();
}
