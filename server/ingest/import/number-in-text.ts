import type { NumberPosition } from './label-mapping';

/** Maximum distance from a word to its number, in characters. */
const nearChars = 60;
const NUMBER = /\d{1,15}(?:\.\d{1,15})?/;

/**
 * Extracts the number from a text, such as a judge's grade within its reasoning. Tries the
 * positions in order; without positions the whole text must be the number. Null if there is none.
 * Linear in the length of the text, for each word.
 */
export function numberInText(
  text: string,
  places: readonly NumberPosition[] | undefined,
): number | null {
  if (places === undefined) return wholeNumber(text);
  for (const place of places) {
    const found = place === 'last' ? lastNumber(text) : numberAfter(text, place.after);
    if (found !== null) return found;
  }
  return null;
}

function wholeNumber(text: string): number | null {
  const trimmed = text.trim();
  // Also "1e3" and "0.5", as in JSON; empty text is not 0, and Infinity is not a grade.
  const value = trimmed === '' ? Number.NaN : Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/**
 * The first number after the last occurrence of any of the words, in the same line. An occurrence
 * without a number is ignored.
 */
function numberAfter(text: string, words: readonly string[]): number | null {
  // Lower-cased separately: lower-casing the whole text may change its length.
  const lower = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  let best: { readonly at: number; readonly value: number } | null = null;
  for (const word of words) {
    const lowerWord = word.toLowerCase();
    for (
      let at = lower.lastIndexOf(lowerWord);
      at !== -1;
      at = at === 0 ? -1 : lower.lastIndexOf(lowerWord, at - 1)
    ) {
      const found = firstNumber(text, at + lowerWord.length);
      if (found === null) continue;
      if (best === null || found.at > best.at) best = found;
      break;
    }
  }
  return best?.value ?? null;
}

/** The first number at or after this offset. */
function firstNumber(
  text: string,
  from: number,
): { readonly at: number; readonly value: number } | null {
  const near = text.slice(from, from + nearChars + 1);
  const start = near.search(/[\d\n]/);
  const digits =
    start === -1 || near[start] === '\n'
      ? null
      : NUMBER.exec(text.slice(from + start, from + start + 32));
  return digits === null
    ? null
    : { at: from + start, value: signed(text, from + start, digits[0]) };
}

/** Digits inside a word, as in "gpt4", are not a number. */
function lastNumber(text: string): number | null {
  let last: number | null = null;
  for (const match of text.matchAll(/(?<![\w.])\d{1,15}(?:\.\d{1,15})?(?!\w)/g))
    last = signed(text, match.index, match[0]);
  return last;
}

/** A minus after a digit or letter is a dash: "0-4". */
function signed(text: string, at: number, digits: string): number {
  const isMinus = text[at - 1] === '-' && !/\w/.test(text[at - 2] ?? ' ');
  return isMinus ? -Number(digits) : Number(digits);
}
