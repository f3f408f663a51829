import { expect, test } from 'vitest';
import { compareFigures } from './figures';

test('a figure that only one side has is different, and so is one in its last digit', () => {
  const actual = {
    rows: 3,
    judges: { a: { kappa: 0.12344, n: 3 }, more: { n: 1 } },
    none: null,
    whole: 1,
  };
  const expected = {
    rows: 3,
    judges: { a: { kappa: 0.1235, n: 3 } },
    none: 0.5,
    whole: 0.9999,
    lost: 2,
  };
  const compared = compareFigures('set', actual, expected);
  expect(compared.map(({ figure, actual, expected }) => [figure, actual, expected])).toEqual([
    ['rows', '3', '3'],
    ['judges · a · kappa', '0.1234', '0.1235'],
    ['judges · a · n', '3', '3'],
    ['none', null, '0.5000'],
    ['whole', '1.0000', '0.9999'],
    ['lost', null, '2'],
    ['judges · more · n', '1', null],
  ]);
});
