import { expect, test } from 'vitest';
import { describeMoved, movedRows } from './moved';
import type { Row } from './row';

const row = (given: Partial<Row>): Row => ({
  figure: 'S1',
  unit: 'ms',
  assay: 5,
  floor: 1,
  peer: null,
  ratio: 5,
  low: 4,
  high: 6,
  goal: '<= 3',
  met: false,
  note: '',
  ...given,
});

test.each([
  ['an overlap', { low: 5.9, high: 8 }, []],
  ['no interval', { low: null, high: null }, []],
  ['lower, where low is the goal', { ratio: 2, low: 1, high: 3 }, [true]],
  ['higher, where low is the goal', { ratio: 9, low: 8, high: 10 }, [false]],
] as const)('%s', (_, change, expected) => {
  const moved = movedRows([row({})], [row(change)]);
  expect(moved.map(({ isBetter }) => isBetter)).toEqual(expected);
});

test('a higher figure is better if its goal is a minimum; without a goal it has only moved', () => {
  const up = { ratio: 9, low: 8, high: 10 };
  const of = (goal: string) => movedRows([row({ goal })], [row({ goal, ...up })])[0]?.isBetter;
  expect([of('>= 3'), of('-')]).toEqual([true, null]);
});

test('a figure that the stored run lacks has not moved', () => {
  expect(movedRows([], [row({})])).toEqual([]);
});

test('figures that became worse are listed first, with both intervals', () => {
  const before = [row({ figure: 'a' }), row({ figure: 'b' })];
  const after = [
    row({ figure: 'a', ratio: 2, low: 1, high: 3 }),
    row({ figure: 'b', ratio: 9, low: 8, high: 10 }),
  ];
  expect(describeMoved('scan', movedRows(before, after))).toEqual([
    'worse: scan: b: 5 [4, 6] -> 9 [8, 10]',
    'better: scan: a: 5 [4, 6] -> 2 [1, 3]',
  ]);
});
