import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesText, splitCounts, splitsText } from './dataset-words';

test.each([
  [{ items: 0, splits: {} }, '–'],
  [{ items: 3, splits: {} }, '–'],
  [{ items: 5, splits: { dev: 2, held_out: 3 } }, 'held_out 3, dev 2'],
  [{ items: 2005, splits: { dev: 2000, b: 2, a: 2 } }, 'dev 2,000, a 2, b 2, no split 1'],
])('%j has the splits %s', (dataset, text) => {
  expect(splitsText(dataset)).toBe(text);
});

test('the counts of splits add up to the items', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 1000 })),
      fc.nat(1000),
      (splits, rest) => {
        const items = Object.values(splits).reduce((sum, count) => sum + count, rest);
        const counts = splitCounts({ items, splits });
        expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(items);
      },
    ),
  );
});

test.each([
  [{ added: 0, changed: 0, removed: 0 }, 'no change'],
  [{ added: 1200, changed: 0, removed: 1 }, '1,200 added, 1 removed'],
  [{ added: 0, changed: 2, removed: 0, unchanged: 4 }, '2 changed, 4 unchanged'],
])('%j reads %s', (counts, text) => {
  expect(changesText(counts)).toBe(text);
});
