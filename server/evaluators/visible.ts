/**
 * The one place that decides which characters a judge sees escaped (S-29, S-124): every character
 * that a reader does not see, or that changes the order in which a reader sees others. That is
 * Unicode's category Cf and its property Default_Ignorable (zero-width and bidirectional
 * characters, soft hyphens, tags, fillers, variation selectors), C1 controls, line and paragraph
 * separators, and the blank Braille pattern.
 *
 * Ordinary text keeps the characters it needs to look right:
 * - a joiner between two characters of an emoji sequence, or between two letters of a script that
 *   joins letters;
 * - one variation selector 15 or 16 after a character that has an emoji form;
 * - the tags of the three subdivision flags that Unicode recommends;
 * - Arabic and Syriac number and verse signs, which are Cf and visible. Direction marks are always
 *   escaped: a legitimate one cannot be distinguished from a hidden one, and no judge needs them.
 */
const FLAG_TAGS = ['gbeng', 'gbsct', 'gbwls']
  .map((tags) =>
    Array.from(tags, (tag) => String.fromCodePoint(0xe0000 + (tag.codePointAt(0) ?? 0))).join(''),
  )
  .join('|');
const SEEN_SIGNS = '\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}';
const HIDDEN = new RegExp(
  `\\u{1F3F4}(?:${FLAG_TAGS})\\u{E007F}|(?![${SEEN_SIGNS}])[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u007F-\\u009F\\u2028\\u2029\\u2800]`,
  'gu',
);

const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const EMOJI_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;
const EMOJI_AFTER = /\p{Extended_Pictographic}/u;
const HAS_EMOJI_FORM = /[\p{Emoji}\p{Extended_Pictographic}]/u;

/**
 * JSON text with each hidden character written as its escape: it still decodes to the same value.
 */
export function escapeHidden(json: string): string {
  return json.replaceAll(HIDDEN, (sign: string, at: number) =>
    isOrdinary(sign, at, json) ? sign : escapeSign(sign),
  );
}

/** `\u200b`; two escapes for a character of two code units. */
export function escapeSign(sign: string): string {
  return Array.from(
    { length: sign.length },
    (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
}

function isOrdinary(sign: string, at: number, text: string): boolean {
  if (sign.startsWith('\u{1F3F4}')) return true;
  const before = signBefore(text, at);
  const after = signAt(text, at + sign.length);
  switch (sign) {
    case '\uFE0E':
    case '\uFE0F':
      return HAS_EMOJI_FORM.test(before);
    case '\u200D':
      return (
        (EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after)) ||
        (JOINED.test(before) && JOINED.test(after))
      );
    case '\u200C':
      return JOINED.test(before) && JOINED.test(after);
    default:
      return false;
  }
}

function signAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function signBefore(text: string, at: number): string {
  const isPair =
    at >= 2 &&
    /[\uDC00-\uDFFF]/.test(text.charAt(at - 1)) &&
    /[\uD800-\uDBFF]/.test(text.charAt(at - 2));
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}
