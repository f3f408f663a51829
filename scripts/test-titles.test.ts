import { expect, test } from 'vitest';
import { findNumbers, findTitles } from './test-titles.mjs';

const systems = ['AB', 'XY'];

test('numbers one by one, and ranges', () => {
  expect(findNumbers('AB-1 AB-2: counts', systems)).toEqual(['AB-1', 'AB-2']);
  expect(findNumbers('XY-4 to XY-6', systems)).toEqual(['XY-4', 'XY-5', 'XY-6']);
  expect(findNumbers('XY-4..6, AB-9–AB-10', systems)).toEqual([
    'XY-4',
    'XY-5',
    'XY-6',
    'AB-9',
    'AB-10',
  ]);
});

test('text that only looks like a number is none', () => {
  expect(findNumbers('CAB-1, ab-2, AB-x, x-AB-3', systems)).toEqual([]);
  expect(findNumbers('AB-1 to the end', systems)).toEqual(['AB-1']);
});

test('titles of tests, tables and groups; none of tests that do not run', () => {
  const source = [
    "test('AB-1 one', () => {});",
    'it(`AB-2 two ${x}`, fn);',
    "describe('AB-3 three', () => {});",
    "test.each([[1, 2], [3, 4]])('AB-4 four %s', fn);",
    "it.each(rows)('AB-5 five', fn);",
    "test.skip('AB-6 six', fn);",
    "test.todo('AB-7 seven');",
    "test.each([\n  { a: 1 },\n])('AB-8 eight', fn);",
    "test.runIf(absent(x) === null)('AB-11 eleven', fn);",
    "test.skipIf(isLong)(\n  'AB-12 twelve',\n  fn);",
    "test.each([1, 2] as const)('AB-10 ten %s', fn);",
    "expect(text).toBe('AB-9');",
  ].join('\n');
  const numbers = findTitles(source).flatMap((title) => findNumbers(title, systems));
  expect(numbers.sort()).toEqual([
    'AB-1',
    'AB-10',
    'AB-11',
    'AB-12',
    'AB-2',
    'AB-3',
    'AB-4',
    'AB-5',
    'AB-8',
  ]);
});
