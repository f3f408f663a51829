import type { NounHit } from './keywords';

/** The number of structural elements that one part of a request requires (QEL-19). */
export interface ElementCount {
  readonly of: CountedKind;
  readonly count: number;
  /** Position in the request, in UTF-16 code units. */
  readonly at: number;
}
export type CountedKind = 'class' | 'function' | 'route';

const numbers: ReadonlyMap<string, number> = new Map(
  [
    [
      'one',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'eight',
      'nine',
      'ten',
      'eleven',
      'twelve',
    ],
    ['eine', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn'],
    ['une', 'deux', 'trois', 'quatre', 'cinq'],
    ['una', 'dos', 'tres', 'cuatro', 'cinco'],
  ].flatMap((language) => language.map((word, i): [string, number] => [word, i + 1])),
);

/** At most two words between a number and its noun: "six empty public functions". */
const WORDS_BETWEEN = 2;
const BEFORE_CHARS = 48;

/**
 * Counts in a request, in the order of its text; none over 99. "with 3 endpoints", "six empty
 * functions".
 */
export function findCounts(request: string, nouns: readonly NounHit[]): ElementCount[] {
  const found: ElementCount[] = [];
  for (const { kind, word, at } of nouns) {
    if ((kind !== 'class' && kind !== 'function' && kind !== 'route') || !/[sn]$/.test(word))
      continue;
    const count = numberBefore(request.slice(Math.max(0, at - BEFORE_CHARS), at));
    if (count > 0) found.push({ of: kind, count, at });
  }
  return found;
}

/** Reads backwards over words and blanks; 0 if there is no number. */
function numberBefore(before: string): number {
  if (!before.endsWith(' ')) return 0;
  const words = before.trimEnd().split(' ');
  for (let i = words.length - 1; i >= Math.max(0, words.length - 1 - WORDS_BETWEEN); i--) {
    const word = (words[i] ?? '').toLowerCase();
    const number = numbers.get(word) ?? (/^\d{1,2}$/.test(word) ? Number(word) : 0);
    if (number > 0) return number;
    if (!/^[a-zà-ÿ-]{1,20}$/.test(word) || /^(?:of|the|in|for|to|and|or|with|by)$/.test(word))
      return 0;
  }
  return 0;
}
