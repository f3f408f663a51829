import {
  behindOrdinal,
  beforeOrdinal,
  leading,
  lettered,
  monthsBehindDay,
  numbered,
  starters,
  trailing,
} from './abbreviations';

/** A range of a text in UTF-16 indices, end exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Possible ends of a sentence: stops before white space, stops of scripts that use none after them,
 * and line ends. The engine's own segmenter is not used: it takes quadratic time in the number of
 * sentences (half a minute for 250 kB of initials) and knows no abbreviations.
 */
const BOUNDARY =
  /(?<![.!?…])[.!?…]+(?:[ \u00a0\u202f]»)?["'”’»“«)\]*_]{0,4}(?=\s|$)|[。！？｡]+[”’」』）]{0,2}|\n/gu;
/** The word before a period, with the periods inside it: "dr", "z.b", "c.-à-d". */
const WORD_BEFORE =
  /(?:^|[\s([“"'’„«])([\p{L}\p{M}§]{1,10}(?:[.’'-]{1,2}[\p{L}\p{M}]{1,4}){0,4})\.$/u;
/** "l'art", "d’ing". */
const ELISION = /^\p{L}{1,5}['’](?=\p{L})/u;
/** "U.S.", "J. R. R.", "EE. UU.", "n. Chr.": letters with a period each, or pairs of them. */
const LETTERS = /(?:^|[\s([“"'„«.])(?:\p{L}{1,2}\.\s?)+\p{L}{1,3}\.$/u;
const INITIAL = /(?:^|[\s([“"'„«.-])\p{Lu}\.$/u;
/** The first part of an abbreviation with spaces: "z. B.", "p. ej.", "m. in.". */
const FIRST_PART = /(?:^|[\s([“"'„«])\p{L}{1,2}\.$/u;
const NEXT_PART = /^\s\p{L}{1,3}\./u;
const ORDINAL = /(?:^|[\s([“"'„])\d{1,2}\.$/u;
const ROMAN = /\p{Lu}\p{Ll}+\s[IVX]{1,5}\.$/u;
/** "3. 5. 2024": a date continues with its month and year. */
const DATE_PART = /(?:^|[\s([“"'„])\d{1,2}\.$/u;
const NEXT_DATE_PART = /^\s(?:\d{1,2}\.\s?\d{2,4}|(?:19|20)\d\d)(?!\d)/u;
/** "06:00 a.m. EST": the time continues with its zone. */
const CLOCK = /[ap]\.\s?m\.$/iu;
const ZONE = /^\s{1,3}\p{Lu}{2,4}(?![\p{L}\p{N}])/u;
/** A quotation after which its sentence continues: 「はい。」と言った, “好。”他说. */
const QUOTE_END = /[”’」』）]$/u;
const CONTINUES_AFTER =
  /^(?:[とはがをにのもで、，]|って|[^。！？\n]{0,8}?(?:说|道|问|答|喊|写|表示|指出))/u;
const CONTEXT_BEFORE = 24;
const CONTEXT_AFTER = 40;
/**
 * A sentence may continue inside quotation marks up to this length: an unclosed mark must not
 * swallow the rest.
 */
const QUOTED_MAX = 600;

/**
 * By the opening mark: „ is closed by “, which opens in other languages; « and » are used both
 * ways.
 */
const CLOSED_BY: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“”'],
  ['«', '»'],
  ['»', '«'],
  ['「', '」'],
  ['『', '』'],
]);

/** The open mark after a character, or null. */
function quoteAfter(quote: string | null, sign: string): string | null {
  if (quote === null) return CLOSED_BY.has(sign) ? sign : null;
  return CLOSED_BY.get(quote)?.includes(sign) === true ? null : quote;
}

/** The sentences of a range in order, without the white space around them. Linear. */
export function sentencesIn(text: string, { start, end }: TextRange): readonly TextRange[] {
  const found: TextRange[] = [];
  let from = start;
  let scannedTo = start;
  let quote: string | null = null;
  const take = (to: number): void => {
    const stretch = trimmed(text, from, to);
    if (stretch !== null) found.push(stretch);
    from = to;
    quote = null;
  };
  BOUNDARY.lastIndex = start;
  for (
    let match = BOUNDARY.exec(text);
    match !== null && match.index < end;
    match = BOUNDARY.exec(text)
  ) {
    const to = Math.min(end, match.index + match[0].length);
    for (; scannedTo < to; scannedTo++) {
      const sign = text.charAt(scannedTo);
      if (quote !== null || sign === '"' || sign > '\u00aa') quote = quoteAfter(quote, sign);
    }
    if (quote !== null && to - from < QUOTED_MAX) continue;
    if (continuesAfter(text, match[0], to, from, end)) continue;
    take(to);
  }
  take(end);
  return found;
}

function continuesAfter(
  text: string,
  stop: string,
  to: number,
  from: number,
  end: number,
): boolean {
  const next = text.slice(to, Math.min(end, to + CONTEXT_AFTER));
  if (stop === '\n')
    return (
      /^[ \t]{0,8}\p{Ll}/u.test(next) &&
      !/[.!?:;…。！？]\s*$/u.test(text.slice(Math.max(from, to - 4), to))
    );
  if (/^[。！？｡]/u.test(stop)) return QUOTE_END.test(stop) && CONTINUES_AFTER.test(next);
  if (/^\s{1,3}\p{Ll}/u.test(next)) return true;
  if (stop !== '.') return false;
  const before = text.slice(Math.max(from, to - CONTEXT_BEFORE), to);
  // A list number is not a sentence.
  if (/^\s*(?:\d{1,3}|\p{L})\.$/u.test(text.slice(from, to).slice(-12)) && to - from <= 6)
    return next.trim() !== '';
  return isAbbreviation(before, next) || isOrdinal(before, next);
}

function isAbbreviation(before: string, next: string): boolean {
  const startsSentence = starters.has(/^\s{1,3}(\p{L}+)/u.exec(next)?.[1]?.toLowerCase() ?? '');
  if (CLOCK.test(before)) return ZONE.test(next);
  if (FIRST_PART.test(before) && NEXT_PART.test(next) && !lettered.test(before)) return true;
  const word = WORD_BEFORE.exec(before)?.[1]?.toLowerCase().replace(ELISION, '');
  if (word !== undefined) {
    if (leading.has(word)) return true;
    if (/^\s{1,3}[\dIVX]/u.test(next) && (numbered.has(word) || word.endsWith('str'))) return true;
    if (
      monthsBehindDay.has(word) &&
      /\d{1,2}\.?\s(?:de\s|di\s)?\p{L}+\.$/u.test(before) &&
      /^\s\d/u.test(next)
    )
      return true;
    if (trailing.has(word)) return !startsSentence;
  }
  if (LETTERS.test(before)) return !startsSentence;
  return INITIAL.test(before) && !lettered.test(before);
}

function isOrdinal(before: string, next: string): boolean {
  if (DATE_PART.test(before) && NEXT_DATE_PART.test(next)) return true;
  if (ROMAN.test(before))
    return !starters.has(/^\s{1,3}(\p{L}+)/u.exec(next)?.[1]?.toLowerCase() ?? '');
  return ORDINAL.test(before) && (behindOrdinal.test(next) || beforeOrdinal.test(before));
}

/** Null if no readable text remains. */
export function trimmed(text: string, start: number, end: number): TextRange | null {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return from < to ? { start: from, end: to } : null;
}

/** Space, tab, line ends, no-break and ideographic space. */
function isBlank(unit: number): boolean {
  return (
    unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0x3000 || unit === 0x202f
  );
}
