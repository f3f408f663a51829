import { expect, test } from 'vitest';
import { chosenOf } from './shown-columns';

const columns = [
  { id: 'name', head: 'Name' },
  { id: 'model', head: 'Model', from: 'hidden md:table-cell' },
  { id: 'cost', head: 'Cost', from: 'hidden 2xl:table-cell' },
  { id: 'age', head: 'Age' },
];

const idsOf = (ids: readonly string[]) => chosenOf(columns, ids).map(({ id }) => id);

test.each([
  [[], ['name', 'age']],
  [['cost'], ['name', 'cost', 'age']],
  [
    ['cost', 'model'],
    ['name', 'model', 'cost', 'age'],
  ],
  [
    ['a column of an earlier release', 'model'],
    ['name', 'model', 'age'],
  ],
])('of the choice %j the table shows %j, in its own order', (ids, shown) => {
  expect(idsOf(ids)).toEqual(shown);
});

test('a chosen column is shown at any width', () => {
  expect(chosenOf(columns, ['cost']).find(({ id }) => id === 'cost')?.from).toBe('');
});
