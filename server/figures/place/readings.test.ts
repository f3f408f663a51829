import { describe, expect, test } from 'vitest';
import { readingsOf } from './readings';

/** `a` is a figure, `N` a name; the readings by the positions of names. */
function read(order: string, inOrder = false): readonly (readonly number[])[] {
  const at = (letter: string): { from: number; to: number }[] =>
    Array.from(order).flatMap((each, i) => (each === letter ? [{ from: i, to: i + 1 }] : []));
  return readingsOf(at('a'), at('N'), [], inOrder);
}

describe('INT-2 readings of a sentence', () => {
  test.each<[string, readonly (readonly number[])[]]>([
    [
      'NaNa',
      [
        [0, 1],
        [0, 1],
      ],
    ],
    [
      'aNaN',
      [
        [0, 1],
        [0, 1],
      ],
    ],
    [
      'NNaa',
      [
        [1, 1],
        [0, 1],
      ],
    ],
    [
      'aNNa',
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    ],
    ['Naa', [[0, 0]]],
    ['aa', []],
    ['N', []],
  ])('%s', (order, expected) => {
    expect(read(order)).toEqual(expected);
  });

  test('figures that follow the order of names have no other reading', () => {
    expect(read('NNaa', true)).toEqual([[0, 1]]);
  });
});
