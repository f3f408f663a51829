import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

function isSourced(answer: string, value: unknown): boolean {
  const source: Source = { id: 'tc1', label: 'tool', format: 'json', text: JSON.stringify(value) };
  const index = new SourceIndex([source]);
  return traceFigures(scanFigures(answer), answer, index).every(
    (found) => figureOf(found, index).sourced,
  );
}

/** The table of docs/reference/figures.md: words, a figure, accepted values, rejected values. */
const rows: readonly (readonly [
  words: string,
  figure: string,
  accepted: readonly number[],
  refused: readonly number[],
])[] = [
  ['over|more than|in excess of|upwards of', '70', [70.4, 74.2, 80], [70, 69.8, 65, 81]],
  ['over|more than', '100', [108, 110], [100, 97, 187]],
  ['at least|no less than|no fewer than|a minimum of|≥', '70', [70, 74.2], [69.8, 65, 81]],
  [
    'under|less than|fewer than|nearly|almost|just under|just short of|not quite',
    '100',
    [97, 91, 99.6],
    [100, 103, 3, 85],
  ],
  ['at most|no more than|a maximum of|not exceeding|≤', '70', [70, 66], [70.4, 72, 59]],
  ['up to|as many as|as much as', '70', [70, 70.3, 66], [72, 59]],
  ['above|exceeding|higher than', '70', [70, 74.2], [69.8, 81]],
  ['below|lower than', '70', [70, 66], [70.4, 59]],
  ['about|around|roughly|approximately|close to|~|≈', '100', [96, 104, 100], [94, 106, 120]],
  ['about|around|roughly', '70', [66, 74], [64, 76]],
  ['about|around', '12.5', [12.46, 12.58], [12.3, 12.7, 13.4]],
  ['about', '1,250', [1247, 1254], [1243, 1257]],
  ['over', '3.5', [3.58], [3.42, 3.61]],
  ['over|more than', '3 million', [3_200_000], [2_900_000, 4_100_000]],
  ['about', '3 million', [2_600_000, 3_400_000], [2_400_000, 3_600_000]],
];

describe('INT-18 a hedge allows the precision shown, in its own direction', () => {
  test.each(
    rows.flatMap(([words, figure, accepted, refused]) =>
      words.split('|').map((word) => [word, figure, accepted, refused] as const),
    ),
  )('%s %s', (word, figure, accepted, refused) => {
    const say = `There were ${word} ${figure} restarts.`;
    for (const value of accepted)
      expect([value, isSourced(say, { restarts: value })]).toEqual([value, true]);
    for (const value of refused)
      expect([value, isSourced(say, { restarts: value })]).toEqual([value, false]);
  });

  test.each([
    ['70+ restarts', 74, 66],
    ['70 or more restarts', 70, 66],
    ['70 or so restarts', 72, 62],
    ['70 or fewer restarts', 66, 74],
    ['over **70** restarts', 74, 66],
  ])('behind or around the figure: %s', (words, right, wrong) => {
    expect([
      isSourced(`There were ${words}.`, { restarts: right }),
      isSourced(`There were ${words}.`, { restarts: wrong }),
    ]).toEqual([true, false]);
  });

  test('comparisons, durations and words of the source are not hedges of a value', () => {
    expect(isSourced('The load is above the 80 limit.', { limit: 80 })).toBe(true);
    expect(isSourced('It ran over 5 days.', { days: 5 })).toBe(true);
    expect(isSourced('More than 1,200 people left.', { note: 'more than 1,200 people left' })).toBe(
      true,
    );
  });

  test('any figure, any hedge: never the other direction, never beyond one unit', () => {
    const hedge = fc.constantFrom(
      'over',
      'more than',
      'in excess of',
      'nearly',
      'almost',
      'under',
      'fewer than',
    );
    const figure = fc
      .tuple(fc.integer({ min: 2, max: 99 }), fc.integer({ min: 0, max: 3 }))
      .filter(([digits]) => digits % 10 !== 0);
    fc.assert(
      fc.property(
        hedge,
        figure,
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (word, [digits, power], share) => {
          const shown = digits * 10 ** power;
          const unit = Math.max(1, Math.min(10 ** power, shown / 5));
          const sign = /^(?:over|more|in)/u.test(word) ? 1 : -1;
          const say = `There were ${word} ${shown} restarts.`;
          const at = (units: number): number => Number((shown + sign * units * unit).toFixed(4));
          expect(isSourced(say, { restarts: at(share) })).toBe(true);
          expect(isSourced(say, { restarts: at(-share) })).toBe(false);
          expect(isSourced(say, { restarts: at(1.1 + share) })).toBe(false);
        },
      ),
    );
  });

  test('truncation is no rounding, with any number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 9_999 }),
        fc.integer({ min: 6, max: 9 }),
        (tenths, hundredths) => {
          const value = Number(`${Math.floor(tenths / 10)}.${tenths % 10}${hundredths}`);
          expect(isSourced(`It is ${(tenths / 10).toFixed(1)}.`, { value })).toBe(false);
          expect(isSourced(`It is ${((tenths + 1) / 10).toFixed(1)}.`, { value })).toBe(true);
        },
      ),
    );
  });
});
