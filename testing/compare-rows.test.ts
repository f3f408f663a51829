import { expect, test } from 'vitest';
import { compareRows, type TableRule } from './compare-rows';
import type { Row } from './old-database';

const rowOf = (id: string, values: Record<string, unknown> = {}): Row => ({
  key: id,
  values: { id, about: id, text: 'a', count: 2, ...values },
});
const columns = ['about', 'count', 'id', 'text'];
const before = [rowOf('1'), rowOf('2')];
const oldIds = new Set(['1', '2']);
const compare = (
  after: readonly Row[],
  rule: TableRule = {},
  now = columns,
  old = before,
): string[] =>
  compareRows(
    { table: { name: 't', keys: ['id'], columns }, before: old, after, columns: now },
    rule,
    oldIds,
  );

test('equal tables, and more columns, are no fault', () => {
  expect(compare(before)).toEqual([]);
  expect(compare(before, {}, [...columns, 'added'])).toEqual([]);
});

test.each<[string, readonly Row[], TableRule, readonly string[]]>([
  ['a lost row', [rowOf('1')], { addedBy: null }, ['t: the row 2 is lost']],
  ['a doubled row', [...before, rowOf('3')], {}, ['t: 2 old rows, 3 after the upgrade']],
  [
    'a doubled row about an old subject',
    [...before, rowOf('3', { about: '2' }), rowOf('4')],
    { addedBy: 'about' },
    ['t: 2 old rows, 3 after the upgrade'],
  ],
  [
    'a lost value',
    [rowOf('1'), rowOf('2', { text: null })],
    { changing: ['count'] },
    ['t: text of 2: "a", null'],
  ],
  [
    'a smaller counter',
    [rowOf('1', { count: 3 }), rowOf('2', { count: 1 })],
    { isGrowing: true, changing: ['text', 'about'] },
    ['t: count of 2: 2, 1'],
  ],
])('%s is reported', (_, after, rule, faults) => {
  expect(compare(after, rule)).toEqual(faults);
});

test('a missing column is reported', () => {
  expect(compare(before, {}, ['about', 'count', 'id'])).toEqual(['t: the column text is missing']);
});

test('a smaller counter within an object is reported', () => {
  const spread = (counts: unknown): Row[] => [rowOf('1', { count: counts })];
  const rule: TableRule = { isGrowing: true, changing: ['text', 'about'] };
  const old = spread({ a: 1, b: 1 });
  expect(compare(spread({ a: 2, b: 1, c: 1 }), rule, columns, old)).toEqual([]);
  expect(compare(spread({ a: 1, c: 1 }), rule, columns, old)).toEqual([
    't: count of 1: {"a":1,"b":1}, {"a":1,"c":1}',
  ]);
});

test('rows of new traffic, rows that are done, and columns that processes change, are no fault', () => {
  const after = [rowOf('1', { text: 'b', count: 5 }), rowOf('3')];
  const rule: TableRule = { addedBy: null, changing: ['text', 'count'], isFinishing: true };
  expect(compare(after, rule)).toEqual([]);
  expect(compare([...before, rowOf('3')], { addedBy: 'about' })).toEqual([]);
});
