/** A stretch of a text in UTF-16 indices, end exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a sentence may end: stops before white space, stops of scripts that set none behind them, and line ends. The engine's own
 * segmenter is not used: it takes quadratic time in the number of sentences (half a minute for 250 kB of initials).
 */
const BOUNDARY = /(?<![.!?…])[.!?…]+["'”’»)\]*_]{0,4}(?=\s|$)|[。！？]+["”’」』]?|\n/gu;
/** A point behind these ends no sentence, whatever follows. */
const SHORT = /(?:^|[\s([“"'])(?:mr|mrs|ms|dr|prof|st|vs|cf|ca|approx|dept|gen|sen|rep|e\.g|i\.e|z\.b|d\.h|bzw|p\.ex|u\.a)\.$/iu;
const INITIAL = /(?:^|[\s([“"'.])\p{Lu}\.$/u;
/** "No. 5", "Fig. 3": only before a number; "the answer is no." ends a sentence. */
const NUMBERED = /(?:^|[\s([“"'])(?:no|nos|nr|fig|figs|eq|ch|sec|vol|p|pp)\.$/iu;
/** "06:00 a.m. EST": the zone goes on with the time. */
const CLOCK = /[ap]\.m\.$/iu;
const ZONE = /^\s{1,3}\p{Lu}{2,4}(?![\p{L}\p{N}])/u;
const LOOK_BACK = 12;
/** A sentence goes on inside quotation marks, but not for ever: a mark that is never closed must not swallow the rest. */
const QUOTED_MAX = 600;

/** The sentences of a stretch in order, without the white space around them. Linear. */
export function sentencesIn(text: string, { start, end }: Stretch): readonly Stretch[] {
  const found: Stretch[] = [];
  let from = start;
  let looked = start;
  let isQuoted = false;
  const take = (to: number): void => {
    const stretch = trimmed(text, from, to);
    if (stretch !== null) found.push(stretch);
    from = to;
    isQuoted = false;
  };
  BOUNDARY.lastIndex = start;
  for (let match = BOUNDARY.exec(text); match !== null && match.index < end; match = BOUNDARY.exec(text)) {
    const to = Math.min(end, match.index + match[0].length);
    for (; looked < to; looked++) {
      const sign = text.charAt(looked);
      if (sign === '"') isQuoted = !isQuoted;
      else if (sign === '“') isQuoted = true;
      else if (sign === '”') isQuoted = false;
    }
    if (isQuoted && to - from < QUOTED_MAX) continue;
    if (goesOn(text, match[0], to, from, end)) continue;
    take(to);
  }
  take(end);
  return found;
}

function goesOn(text: string, stop: string, to: number, from: number, end: number): boolean {
  const next = text.slice(to, Math.min(end, to + 8));
  if (stop === '\n') return /^[ \t]{0,8}\p{Ll}/u.test(next) && !/[.!?:;…。！？]\s*$/u.test(text.slice(Math.max(from, to - 4), to));
  if (/^\s{1,3}\p{Ll}/u.test(next)) return true;
  if (!stop.startsWith('.')) return false;
  const before = text.slice(Math.max(from, to - LOOK_BACK), to);
  if (SHORT.test(before) || INITIAL.test(before)) return true;
  return (NUMBERED.test(before) && /^\s{1,3}\d/u.test(next)) || (CLOCK.test(before) && ZONE.test(next));
}

/** Null where nothing is left that a reader could take for words. */
export function trimmed(text: string, start: number, end: number): Stretch | null {
  let [from, to] = [start, end];
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return from < to ? { start: from, end: to } : null;
}

/** Space, tab, line ends, no-break and ideographic space. */
function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0x3000 || unit === 0x202f;
}
