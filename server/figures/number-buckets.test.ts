import { describe, expect, test } from 'vitest';
import { NumberBuckets } from './number-buckets';

function between(numbers: readonly number[], low: number, high: number): readonly number[] {
  const found: number[] = [];
  new NumberBuckets(Float64Array.from(numbers), numbers.length).between(low, high, (position) => {
    found.push(position);
    return true;
  });
  return found;
}

describe('INT-18 numbers by value', () => {
  test.each<[readonly number[], number, number, readonly number[]]>([
    [[3, 1, 2, 1], 1, 2, [1, 3, 2]],
    [[-0, 0, -1e-300, 1e-300], 0, 0, [0, 1]],
    [[Infinity, -Infinity, 1e308, 5], 5, Infinity, [3, 2, 0]],
    [[-5, -4.5, -6], -6, -4.5, [2, 0, 1]],
    [[], 1, 2, []],
  ])('%j from %d to %d', (numbers, low, high, expected) => {
    expect(between(numbers, low, high)).toEqual(expected);
  });

  test('results equal those of a full sort', () => {
    let seed = 3;
    const random = (): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    };
    const numbers = Array.from(
      { length: 5_000 },
      () => Math.round((random() - 0.3) * 10 ** Math.floor(random() * 7)) / 100,
    );
    const sorted = numbers
      .map((number, position) => ({ number, position }))
      .sort((a, b) => a.number - b.number || a.position - b.position);
    for (let i = 0; i < 200; i++) {
      const low = numbers[Math.floor(random() * numbers.length)] ?? 0;
      const high = low + random() ** 4 * 1_000;
      const expected = sorted
        .filter(({ number }) => number >= low && number <= high)
        .map(({ position }) => position);
      expect(between(numbers, low, high)).toEqual(expected);
    }
  });

  test('a visitor ends the search', () => {
    let seen = 0;
    new NumberBuckets(Float64Array.of(1, 1, 1), 3).between(0, 2, () => ++seen < 2);
    expect(seen).toBe(2);
  });
});
