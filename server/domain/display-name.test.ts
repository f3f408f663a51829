import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayName } from './display-name';

const name = displayName(100);
const ranges: readonly (readonly [from: number, to: number])[] = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x061c, 0x061c],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2069],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xd800, 0xdfff],
  [0xe0000, 0xe007f],
];
const refused = ranges.flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at),
);

describe('names', () => {
  it('every control, bidirectional, zero-width and tag character is refused, wherever it is in the name', () => {
    const place = fc.tuple(
      fc.constantFrom('', 'a', 'Ünïcode ', '名前'),
      fc.constantFrom(...refused),
      fc.constantFrom('', 'b', ' עברית'),
    );
    for (const code of refused)
      expect(name.safeParse(`a${String.fromCodePoint(code)}b`).success, code.toString(16)).toBe(
        false,
      );
    fc.assert(
      fc.property(
        place,
        ([before, code, after]) =>
          !name.safeParse(before + String.fromCodePoint(code) + after).success,
      ),
    );
  });

  it('letters, marks, digits, punctuation and emoji of any script are kept as they are', () => {
    const letters = fc
      .stringMatching(/^[\p{L}\p{N}\p{P}\p{S}]{1,40}$/u)
      .filter((text) => text.length <= 100);
    fc.assert(fc.property(letters, (text) => name.parse(text) === text));
    for (const text of ['Zoë', 'مرحبا', 'नमस्ते', '日本語', '🚀 launch', "O'Neil & Söhne <x>"])
      expect(name.parse(text)).toBe(text);
  });

  it('surrounding blanks are removed, and an empty text is not a name', () => {
    expect(name.parse('  a b ')).toBe('a b');
    for (const empty of ['', ' ', '   ']) expect(name.safeParse(empty).success).toBe(false);
    expect(name.safeParse('x'.repeat(101)).success).toBe(false);
  });
});
