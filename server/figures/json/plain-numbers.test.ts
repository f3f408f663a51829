import { describe, expect, test } from 'vitest';
import { readNumberTokens } from '../scan';
import { PlainNumbers } from './plain-numbers';
import { jsonUnits } from './units';

const LEAF = { markdown: false, numbering: false };

/** The figures read without the scanner, or null. */
function plainFigures(text: string): readonly string[] | null {
  const plain = new PlainNumbers();
  if (!plain.read(jsonUnits(text), 0, text.length)) return null;
  return Array.from(
    { length: plain.count },
    (_, i) => `${text.slice(plain.from[i], plain.to[i])}=${plain.values[i]}`,
  );
}

/** The result of the scanner. */
function scanned(text: string): readonly string[] {
  return readNumberTokens(text, LEAF).map(
    ({ from, to, value }) => `${text.slice(from, to)}=${Number(value)}`,
  );
}

describe('INT-21 strings that need no scanner', () => {
  test.each<[string, readonly string[] | null]>([
    ['web-12', []],
    ['HAT069', []],
    ['restarted after 312 s', ['312=312']],
    ['7', ['7=7']],
    ['up 3 of', null],
    ['disk 91.25 GB free', null],
    ['disk 91.25 gb free', ['91.25=91.25']],
    ['a-1.5 b 2', ['2=2']],
    ['usage-91.4%', null],
    ['EUR5', null],
    ['Rs5', null],
    ['EUR 5', null],
    ['v2', null],
    ['5g', null],
    ['5 million', null],
    ['5 percent', null],
    ['5 may', null],
    ['may 5', null],
    ['the 5', null],
    ['5 pm', null],
    ['5 x 10^3', null],
    ['5 to 7', null],
    ['5, 7', null],
    ['5 300', null],
    ['-5', null],
    ['1.2.3', null],
    ['www.a1', null],
    ['a/b 5', null],
    ['a@b 5', null],
    ['1234567890123456', null],
  ])('%j', (text, expected) => {
    expect(plainFigures(text)).toEqual(expected);
  });

  test('every result equals that of the scanner', () => {
    const pieces =
      'web- a Gate EUR Rs R v May mar the after of to s gb x million percent am p . , - _ 5 12 312 2024 07 3.5 1.25 0.5'.split(
        ' ',
      );
    let seed = 7;
    const next = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    let sure = 0;
    for (let i = 0; i < 20_000; i++) {
      const text = Array.from(
        { length: 1 + next(6) },
        () => `${pieces[next(pieces.length)] ?? ''}${next(2) === 0 ? ' ' : ''}`,
      ).join('');
      const found = plainFigures(text);
      if (found === null) continue;
      sure++;
      expect([text, found]).toEqual([text, scanned(text)]);
    }
    expect(sure).toBeGreaterThan(1_000);
  });
});
