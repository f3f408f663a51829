/** The replacements that made a text storable; the original is stored next to it. */
export interface CleanText {
  readonly text: string;
  readonly changed: boolean;
}

const NUL = '\u0000';
/**
 * U+2400, the visible symbol for NUL. One code point for one code point, so positions are valid in
 * the original too.
 */
const NUL_PICTURE = '\u2400';

/**
 * Text that PostgreSQL and a browser accept: NUL becomes its visible symbol, a lone surrogate
 * U+FFFD (reliability.md 3.2: text refuses NUL with 22021, and silently loses surrogates).
 */
export function cleanText(text: string): CleanText {
  const hasNul = text.includes(NUL);
  const wellFormed = text.isWellFormed();
  if (!hasNul && wellFormed) return { text, changed: false };
  const whole = wellFormed ? text : text.toWellFormed();
  return { text: hasNul ? whole.replaceAll(NUL, NUL_PICTURE) : whole, changed: true };
}

/** Length in Unicode code points (api.md, Conventions). */
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

/** UTF-16 index of a code point position; the text's length if it is beyond the end. */
export function utf16Index(text: string, codePoint: number): number {
  let index = 0;
  for (let seen = 0; seen < codePoint && index < text.length; seen++) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

/**
 * True if a string anywhere in the value contains a NUL or a lone surrogate. Depth is bounded by
 * the caller.
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
 * JSON text that `jsonb` takes: NULs and lone surrogates inside strings and keys are cleaned
 * (22P05, 22P02 otherwise).
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return suspectEscape.test(text) ? (JSON.stringify(cleanValue(value)) ?? 'null') : text;
}

/** A JSON value whose strings and keys are all cleaned. Depth is bounded by the caller. */
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
 * Any visible character: no space, control, lone combining mark, zero-width sign, or blank Braille
 * pattern.
 */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[^\p{Z}\p{C}\p{M}]/u;

/** True for a text without visible characters: white space and zero-width signs count as empty. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
