import { describe, expect, test } from 'vitest';
import { rankCorrelation } from './rank-correlation';

const line = (n: number, of: (i: number) => number): [number, number][] =>
  Array.from({ length: n }, (_, i) => [i, of(i)]);

describe('rankCorrelation', () => {
  test('S-28 the same order is 1, the reverse −1, at any distances', () => {
    expect(rankCorrelation(line(20, (i) => i ** 3)).value).toBe(1);
    expect(rankCorrelation(line(20, (i) => -Math.exp(i / 9))).value).toBe(-1);
  });

  test('equal values share their rank', () => {
    // Ranks by hand: 0..9 twice against 0 for the first ten and 1 for the others; r =
    // 0.8703882797784892 for n = 20 in one step.
    const step = rankCorrelation(line(20, (i) => (i < 10 ? 0 : 1)));
    expect(step.value).toBeCloseTo(Math.sqrt(0.75 / (1 - 1 / 400)), 12);
    expect(step.n).toBe(20);
  });

  test('the interval is that of Bonett and Wright', () => {
    const { value, low, high } = rankCorrelation(line(50, (i) => (i * 37) % 50));
    const r = value ?? 0;
    const half = 1.959963984540054 * Math.sqrt((1 + (r * r) / 2) / 47);
    expect(low).toBeCloseTo(Math.tanh(Math.atanh(r) - half), 12);
    expect(high).toBeCloseTo(Math.tanh(Math.atanh(r) + half), 12);
  });

  test.each([
    ['nothing', []],
    ['fewer than twenty', line(19, (i) => i)],
    ['one side that is always the same', line(30, () => 0.7)],
  ])('X-12 of %s there is no value', (_, pairs) => {
    expect(rankCorrelation(pairs)).toEqual({ value: null, low: null, high: null, n: pairs.length });
  });

  test('NaN is refused', () => {
    expect(() => rankCorrelation([[Number.NaN, 1]])).toThrow(RangeError);
  });
});
