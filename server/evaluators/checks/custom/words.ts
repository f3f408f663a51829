/**
 * Words for n-gram measures: runs of letters and digits in lower case; in scripts without spaces
 * each character counts. Punctuation is omitted.
 */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu;

export const comparedWords = (text: string): string[] =>
  text.normalize('NFKC').toLowerCase().match(WORD) ?? [];

/** Characters of a text up to which n-grams are compared. */
const CHARS_MAX = 1_000_000;

/** @throws Error if a text is too long */
export function checkLengths(...texts: readonly string[]): void {
  for (const { length } of texts)
    if (length > CHARS_MAX)
      throw new Error(`a text has ${length} characters; at most ${CHARS_MAX} are compared`);
}
