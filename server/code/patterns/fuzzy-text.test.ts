import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editsAllowed, FuzzyText } from './fuzzy-text';
import { GramIndex } from './gram-index';
import { MyersPattern, type Nearest } from './myers';

/** Sellers' matrix, a column a character: slow and plain. */
function nearestSlowly(pattern: string, text: string, max: number): Nearest | null {
  let column = Array.from({ length: pattern.length + 1 }, (_, i) => i);
  let best: Nearest | null = null;
  for (let j = 1; j <= text.length; j++) {
    const next = [0];
    for (let i = 1; i <= pattern.length; i++) {
      const replaced = (column[i - 1] ?? 0) + (pattern[i - 1] === text[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (column[i] ?? 0) + 1, (next[i - 1] ?? 0) + 1));
    }
    column = next;
    const distance = column[pattern.length] ?? 0;
    if (distance <= max && (best === null || distance < best.distance)) best = { distance, end: j };
  }
  return best;
}

/** Few letters, so that there are many matches. */
const word = (alphabet: string, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength, maxLength })
    .map((letters) => letters.join(''));

/** A text that contains the pattern with some edits. */
const planted = fc
  .record({
    pattern: word('abcdefgh é', 1, 150),
    before: word('abcdefgh é', 0, 400),
    after: word('abcdefgh é', 0, 400),
    edits: fc.array(fc.record({ at: fc.nat(160), how: fc.constantFrom('drop', 'add', 'change') }), {
      maxLength: 24,
    }),
  })
  .map(({ pattern, before, after, edits }) => {
    const letters = pattern.split('');
    for (const { at, how } of edits)
      letters.splice(
        Math.min(at, letters.length),
        how === 'add' ? 0 : 1,
        ...(how === 'drop' ? [] : ['x']),
      );
    return { pattern, text: before + letters.join('') + after };
  });

describe('fuzzy search', () => {
  test('QEL-14 the bit-parallel search finds what the plain matrix finds, at the same place', () => {
    fc.assert(
      fc.property(planted, fc.nat(40), ({ pattern, text }, max) => {
        expect(new MyersPattern(pattern).search(text, 0, text.length, max)).toEqual(
          nearestSlowly(pattern, text, max),
        );
      }),
      { numRuns: 400 },
    );
  });

  test('QEL-14 the windows of the index hold every place within the edits', () => {
    let indexed = 0;
    fc.assert(
      fc.property(planted, ({ pattern, text }) => {
        const max = editsAllowed(pattern);
        const windows = new GramIndex(text).windows(pattern, max);
        if (windows === null) return;
        indexed++;
        let best: Nearest | null = null;
        for (const { from, to } of windows)
          best =
            new MyersPattern(pattern).search(
              text,
              from,
              to,
              best === null ? max : best.distance - 1,
            ) ?? best;
        expect(best).toEqual(nearestSlowly(pattern, text, max));
      }),
      { numRuns: 600 },
    );
    expect(indexed).toBeGreaterThan(25);
  });

  test('QEL-14 one text gives many patterns the same answers as the plain matrix', () => {
    const text = Array.from(
      { length: 300 },
      (_, i) =>
        `export function step${i * 7}(input: Row[]): number { return input.length + ${i}; }`,
    ).join('\n');
    const fuzzy = new FuzzyText(text);
    const patterns = [
      'export function step70(inptu: Row[]): nubmer { return input.length',
      'export function sstep14(input: Row[]): number { return input.length + 2; }',
      'class Nothing extends Something implements Nowhere',
      'function step707(input',
      'funktion step1400(imput',
      'return input.length + 299',
      'return inputs.lenght + 150; }',
    ];
    for (const pattern of patterns) {
      const max = editsAllowed(pattern);
      const found = fuzzy.find(pattern, max);
      const slowly = nearestSlowly(pattern, text, max);
      // For a verbatim match the first position is returned without a search.
      const expected =
        slowly?.distance === 0
          ? { distance: 0, end: text.indexOf(pattern) + pattern.length }
          : slowly;
      expect(found, pattern).toEqual(expected);
    }
  });

  test.each([
    ['/api/tasks', '/api/task', 1],
    ['/users', '/user', null],
    ['abcdefghijklmnopqrst', 'abcdefghijklmnopq', 3],
    ['abcdefghijklmnopqrst', 'abcdefghijklmnop', null],
    ['exact', 'so exact it is', 0],
  ])('QEL-14 "%s" in "%s" is %s edits away, inclusive at 15 %', (pattern, text, distance) => {
    expect(new FuzzyText(text).find(pattern, editsAllowed(pattern))?.distance ?? null).toBe(
      distance,
    );
  });
});
