import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

/** The figures of an answer that are not sourced. */
function flagged(answer: string, value: unknown): readonly string[] {
  const isText = typeof value === 'string';
  const text = isText ? value : JSON.stringify(value);
  const source: Source = { id: 'tc1', label: 'tool', format: isText ? 'text' : 'json', text };
  const index = new SourceIndex([source]);
  return traceFigures(scanFigures(answer, [source]), answer, index)
    .map((found) => figureOf(found, index))
    .flatMap(({ text: shown, sourced }) => (sourced ? [] : [shown]));
}

const YEARS = [41.2, 43.9, 46.4, 46.1, 46.2, 46.3, 49.8, 52.6, 55.1, 57.9];
const series = `date,value\n${YEARS.map((value, i) => `${2001 + i},${value}`).join('\n')}`;

describe('INT-18 words of change and the two values next to them', () => {
  test.each<readonly [answer: string, expected: readonly string[]]>([
    ['The rate rose from 41.2 to 43.9.', []],
    ['The rate fell from 41.2 to 43.9.', ['43.9']],
    ['The rate rose from 46.4 in 2003 to 46.1 in 2004.', ['46.1']],
    ['There was a decrease from 46.4 in 2003 to 46.1 in 2004.', []],
    ['The rate was 49.8, up from 46.3.', []],
    ['The rate was 46.3, up from 49.8.', ['49.8']],
    ['The rate doubled from 41.2 to 57.9.', ['57.9']],
    ['The rate was unchanged, from 41.2 to 43.9.', ['43.9']],
    ['The rate ranged from 41.2 to 57.9.', []],
    ['The rate did not fall from 41.2 to 43.9.', []],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, series)).toEqual(expected);
  });

  test('any two values: a rise is right where they rise, and wrong where they fall', () => {
    const value = fc.integer({ min: 110, max: 990 });
    fc.assert(
      fc.property(value, value, fc.constantFrom('rose', 'climbed', 'increased'), (a, b, word) => {
        fc.pre(a !== b);
        const rows = [{ item: 'pens' }, { item: 'inks' }].map((row, i) => ({
          ...row,
          stock: i === 0 ? a : b,
        }));
        const found = flagged(`The stock ${word} from ${a} to ${b}.`, rows);
        expect(found).toEqual(a < b ? [] : [String(b)]);
      }),
      { seed: 23, numRuns: 200 },
    );
  });
});

describe('INT-18 words of a trend and the series', () => {
  test.each<readonly [answer: string, expected: readonly string[]]>([
    ['The data shows a steady increase from 2001 to 2003.', []],
    ['The data shows a steady decrease from 2001 to 2003.', ['2003']],
    ['From 2007 to 2010, the rate declined.', ['2010']],
    ['The rate fell in 2004.', []],
    ['The rate fell in 2008.', ['2008']],
    ['The rate was stable from 2003 to 2006.', []],
    ['The rate remained stable from 2001 to 2010.', []],
    ['The rate remained stable from 2006 to 2010.', ['2010']],
    ['There was a significant jump in 2007.', []],
    ['There was a significant jump in 2005.', ['2005']],
    ['The rate fluctuated from 2007 to 2010.', ['2010']],
    ['The rate has remained above 46 since 2003.', []],
    ['The rate has remained below 46.3 since 2003.', ['46.3']],
    ['There was no increase from 2003 to 2004.', []],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, series)).toEqual(expected);
  });

  test('a series in any order of its lines has the same course', () => {
    const lines = YEARS.map((value, i) => `${2001 + i},${value}`);
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        const text = `date,value\n${shuffled.join('\n')}`;
        expect(flagged('The rate declined from 2001 to 2010.', text)).toEqual(['2010']);
        expect(flagged('The rate increased from 2001 to 2010.', text)).toEqual([]);
      }),
      { seed: 23, numRuns: 50 },
    );
  });
});

describe('INT-18 opposite words of running text', () => {
  const text =
    'Clients saw a 35% increase in output and a 50% reduction in delays. We plan to open over 100 shops.';
  test.each<readonly [answer: string, expected: readonly string[]]>([
    ['Clients report a 35% increase in output.', []],
    ['Clients report a 35% decrease in output.', ['35%']],
    ['Delays were reduced by 50%.', []],
    ['Delays increased by 50%.', ['50%']],
    ['They plan more than 100 shops.', []],
    ['They plan fewer than 100 shops.', ['100']],
    ['They plan 100 shops.', []],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, text)).toEqual(expected);
  });
});
