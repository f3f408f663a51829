import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonUnits } from '../json/units';
import { PrintMap, WordPrints } from './fingerprint';

const MOST = 4;

function printOf(text: string): number {
  const words = new WordPrints();
  return words.readText(text, MOST) ? words.print(0, words.count) : 0;
}

describe('INT-2 names of rows by fingerprint', () => {
  test.each([
    ['web-12', 'WEB-12', true],
    ['Prague', ' prague, ', true],
    ['New York', 'new  york', true],
    ['web-1', 'web 1', false],
    ['web-1', 'web-12', false],
    ['web-', 'web', true],
    ['a.b', 'a..b', false],
    ['restarted after 3 s', 'restarted after 4 s', false],
  ])('%j and %j: %s', (one, two, same) => {
    expect(printOf(one) === printOf(two)).toBe(same);
  });

  test.each([
    'web-12',
    'New  York',
    'a_b.c:d/e',
    '--x--',
    'A1 b2 C3',
    'one two three four five',
    '',
    'x_',
  ])('units and text of %j are read alike', (text) => {
    const [one, two] = [new WordPrints(), new WordPrints()];
    const whole = one.readText(text, MOST);
    expect(two.readUnits(jsonUnits(text), 0, text.length, MOST)).toBe(whole);
    expect([two.count, two.print(0, two.count)]).toEqual([one.count, one.print(0, one.count)]);
  });

  test('words of any text are those of a pattern, and equal words have equal fingerprints', () => {
    const pieces = fc.constantFrom('web', '-', '12', ' ', 'A', '_', '.', 'é', '–', ':', 'Ada', '/');
    const text = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(''));
    const wordsOf = (each: string): readonly string[] =>
      each.toLowerCase().match(/[\p{L}\p{N}]+(?:[-_.:/][\p{L}\p{N}]+)*/gu) ?? [];
    fc.assert(
      fc.property(text, text, (one, other) => {
        const words = new WordPrints();
        expect(words.readText(one, Infinity)).toBe(true);
        const read = words.from
          .slice(0, words.count)
          .map((from, i) => one.slice(from, words.to[i]).toLowerCase());
        expect(read).toEqual(wordsOf(one));
        const print = words.print(0, words.count);
        words.readText(other, Infinity);
        expect(words.print(0, words.count) === print).toBe(
          wordsOf(one).join(' ') === wordsOf(other).join(' '),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('a map of fingerprints keeps its entries when it grows', () => {
    const map = new PrintMap(4);
    const prints = Array.from({ length: 500 }, (_, i) => printOf(`host-${i}`));
    for (const [i, print] of prints.entries()) map.set(print, i, i);
    expect(prints.map((print) => map.get(print))).toEqual(prints.map((_, i) => i));
    expect(map.get(printOf('host-500'))).toBeNull();
    map.set(printOf('host-7'), -1, 7);
    expect(map.get(printOf('host-7'))).toBe(-1);
  });
});
