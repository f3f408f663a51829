import { expect, test } from 'vitest';
import { findValue, type PlaceMark, splitAtPlaces, splitToken } from './places';

const mark = (path: string, text: string | null = null, figure = 0): PlaceMark => ({ path, figures: [figure], state: 'found', text });
const cut = (stretches: ReturnType<typeof splitAtPlaces>) => stretches.map((each) => [each.text, each.mark?.figures ?? null]);

test('spans of a text source are code points, end exclusive', () => {
  expect(cut(splitAtPlaces('🌧️ 12 mm, 🌞 8 h', [mark('text[12:13]', '8', 1), mark('text[3:5]', '12', 0)]))).toEqual([
    ['🌧️ ', null],
    ['12', [0]],
    [' mm, 🌞 ', null],
    ['8', [1]],
    [' h', null],
  ]);
});

test('a path without a span marks nothing in plain text', () => {
  expect(cut(splitAtPlaces('a 1', [mark('rows[0].x', '1')]))).toEqual([['a 1', null]]);
});

test('two figures in one JSON string are two places; a number is one', () => {
  expect(cut(splitToken('"from 3 to 5"', [mark('note', '3', 0), mark('note', '5', 1)]))).toEqual([
    ['"from ', null],
    ['3', [0]],
    [' to ', null],
    ['5', [1]],
    ['"', null],
  ]);
  expect(cut(splitToken('91.40', [mark('x', '91.40', 4), mark('x', '91.4', 5)]))).toEqual([['91.40', [4, 5]]]);
  expect(cut(splitToken('"\\u0033 %"', [mark('x', '3 %', 2)]))).toEqual([['"\\u0033 %"', [2]]]);
});

test('a value is found whole only', () => {
  expect(findValue('"41 and 1"', '1')).toBe(8);
  expect(findValue('"1.5 1"', '1')).toBe(5);
  expect(findValue('"41"', '1')).toBe(-1);
});
