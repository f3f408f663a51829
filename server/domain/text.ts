/** A text made storable, and whether it had to be changed; if so, the original is stored too. */
export interface CleanText {
  readonly text: string;
  readonly changed: boolean;
}

const NUL = '\u0000';
/**
 * U+2400, the visible symbol for NUL. It replaces one code point by one, so that positions are also
 * valid in the original.
 */
const NUL_PICTURE = '\u2400';

/**
 * Text that PostgreSQL and browsers accept: NUL becomes its visible symbol, and a lone surrogate
 * becomes U+FFFD (reliability.md 3.2: the type `text` refuses NUL with 22021, and silently loses
 * surrogates).
 */
export function cleanText(text: string): CleanText {
  const hasNul = text.includes(NUL);
  const wellFormed = text.isWellFormed();
  if (!hasNul && wellFormed) return { text, changed: false };
  const whole = wellFormed ? text : text.toWellFormed();
  return { text: hasNul ? whole.replaceAll(NUL, NUL_PICTURE) : whole, changed: true };
}

/** The length in Unicode code points (api.md, Conventions). */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < text.length) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) i++;
    }
    count++;
  }
  return count;
}

/**
 * The UTF-16 index of a code point position; the length of the text if the position is beyond the
 * end.
 */
export function utf16Index(text: string, codePoint: number): number {
  let index = 0;
  for (let seen = 0; seen < codePoint && index < text.length; seen++) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

/**
 * True if a string anywhere in the value contains a NUL or a lone surrogate. The caller must limit
 * the depth.
 */
export function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(NUL) || !value.isWellFormed();
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).some(
      ([key, member]) => hasUnstorableText(key) || hasUnstorableText(member),
    );
  }
  return false;
}

/**
 * A quick test of JSON text: only text with such an escape can contain a NUL or a lone surrogate.
 */
export const suspectEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * JSON text that `jsonb` accepts: NULs and lone surrogates in strings and keys are replaced
 * (otherwise errors 22P05, 22P02).
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return suspectEscape.test(text) ? (JSON.stringify(cleanValue(value)) ?? 'null') : text;
}

/** A JSON value with all strings and keys cleaned. The caller must limit the depth. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value).text;
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [cleanText(key).text, cleanValue(member)]),
    );
  }
  return value;
}

/**
 * Any visible character, which excludes spaces, control characters, lone combining marks,
 * zero-width characters, and the blank Braille pattern.
 */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[^\p{Z}\p{C}\p{M}]/u;

/**
 * True for a text without visible characters: white space and zero-width characters count as empty.
 */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
