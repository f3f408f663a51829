/**
 * Tests on single UTF-16 code units, by number, since the scanner tests every character of an
 * answer.
 */

export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

const FOREIGN_LETTER = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/**
 * A letter that can make digits part of a name (`web1`). Only scripts that put spaces between words
 * count: in Chinese or Japanese text a figure directly touches its neighbours.
 */
export function isLetter(unit: number): boolean {
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
  // º and ª are degree and ordinal signs here, in any script.
  return unit !== 0xba && unit !== 0xaa && FOREIGN_LETTER.test(String.fromCharCode(unit));
}

/** Space, tab, no-break, thin and narrow no-break space: the blanks allowed inside a figure. */
export function isGap(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 0xa0 || unit === 0x202f || unit === 0x2009;
}

export function isSpace(unit: number): boolean {
  return isGap(unit) || unit === 10 || unit === 13 || unit === 0x3000;
}

/** First index at or after `at` that is not an ASCII digit. */
export function skipDigits(text: string, at: number): number {
  let i = at;
  while (i < text.length && isDigit(text.charCodeAt(i))) i++;
  return i;
}

const OTHER_DIGIT =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]/gu;

/** Digits of other scripts as ASCII ones, unit for unit, so that positions stay the same. */
export function toAsciiDigits(text: string): string {
  // Blocks of ten start at 0 or 6 modulo 16; the offset inside the block is the digit.
  return text.replace(OTHER_DIGIT, (digit) => {
    const unit = digit.charCodeAt(0);
    const zero = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10].find(
      (first) => unit >= first && unit < first + 10,
    );
    return String(unit - (zero ?? unit));
  });
}
