import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeData } from './encode';

const inRange = (pattern: RegExp): readonly string[] =>
  Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => pattern.test(sign));

/** Visible characters of category Cf: Arabic, Syriac and Kaithi number and verse signs. */
const seen = new Set(
  '\u0600\u0601\u0602\u0603\u0604\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}',
);
const hidden = inRange(/[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\u2800]/u).filter(
  (sign) => !seen.has(sign),
);
const harmless = new Set([
  '❤️ ok',
  '👨‍👩‍👧 family',
  '👩🏽‍💻',
  '1️⃣ #️⃣',
  '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} England',
  'می‌خواهم',
  'क्‍ष क्‌ष',
  'ශ්‍රී ලංකාව',
  '\u0600١٢ \u06DD١',
  'שלום עולם',
  'ordinary – “text”, naïve, 日本語, 한국어',
]);

describe("a judge's view of data", () => {
  it('S-124 each of the hidden characters is escaped in every position, and the text decodes to itself', () => {
    expect(hidden.length).toBeGreaterThan(4_000);
    for (const sign of hidden) {
      for (const text of [
        sign,
        `${sign}pass`,
        `pa${sign}ss`,
        `pass${sign}`,
        `a ${sign}${sign} b`,
        `“${sign}”`,
      ]) {
        const encoded = encodeData(text);
        expect(
          encoded.includes(sign),
          `U+${(sign.codePointAt(0) ?? 0).toString(16)} in ${JSON.stringify(text)}`,
        ).toBe(false);
        expect(JSON.parse(encoded)).toBe(text);
      }
    }
  }, 60_000);

  it.each([...harmless])('S-124 ordinary text stays readable: %s', (text) => {
    expect(encodeData(text)).toBe(JSON.stringify(text));
  });

  it.each([
    ['a run of joiners after an emoji', '👩\u200D\u200D\u200D'],
    ['a run of variation selectors after an emoji', '❤\uFE0F\uFE0F\uFE0E'],
    ['variation selectors that spell bytes', 'A\uFE00\uFE01\u{E0100}\u{E01EF}'],
    [
      'tags after a black flag that name no country',
      '\u{1F3F4}\u{E0070}\u{E0061}\u{E0073}\u{E0073}\u{E007F}',
    ],
    ['a joiner between Latin letters', 'pa\u200Css'],
    ['a joiner at the end of an Arabic word', 'م\u200D'],
  ])('S-124 hidden characters in ordinary-looking text are escaped: %s', (_name, text) => {
    expect(encodeData(text)).toMatch(/\\u/);
    expect(JSON.parse(encodeData(text))).toBe(text);
  });

  it('S-124 any mixture of hidden and other characters decodes to itself', () => {
    const piece = fc.oneof(
      fc.constantFrom(...hidden),
      fc.constantFrom(...harmless),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(JSON.parse(encodeData(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  }, 60_000);
});
