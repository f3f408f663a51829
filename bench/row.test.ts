import { describe, expect, it } from 'vitest';
import { bound, compare, mockBound } from './row';

const steady = [100, 101, 99, 100, 102, 98, 100];

describe('rows of a bench (performance.md 4.0)', () => {
  it.each([
    { name: 'clears a floor that it must reach', times: 0.5, goal: { min: 0.45 }, met: true },
    {
      name: 'misses it where only the better end of the interval clears it',
      times: [0.4, 0.5, 0.4, 0.5, 0.4, 0.5, 0.4],
      goal: { min: 0.45 },
      met: false,
    },
    { name: 'clears a bound that it must not pass', times: 1.9, goal: { max: 2 }, met: true },
    {
      name: 'misses it where the worse end passes it',
      times: [1.9, 2.2, 1.9, 2.2, 1.9, 2.2, 2.2],
      goal: { max: 2 },
      met: false,
    },
  ])('a row $name', ({ times, goal, met }) => {
    const values = steady.map(
      (value, round) => value * (typeof times === 'number' ? times : (times[round] ?? 0)),
    );
    expect(compare({ figure: 'f', unit: 'u', assayValues: values, floor: steady, goal }).met).toBe(
      met,
    );
  });

  it('gives no verdict where the floor itself is noisy', () => {
    const floor = [50, 150, 60, 140, 100, 55, 145];
    const row = compare({ figure: 'f', unit: 'u', assayValues: floor, floor, goal: { min: 0.5 } });
    expect(row).toMatchObject({ ratio: 1, met: null });
    expect(row.note).toMatch(/^noisy, no verdict/);
  });

  it('gives no verdict where the load generator was the limit', () => {
    const noVerdict = mockBound(steady, [150]);
    expect(noVerdict).toMatch(/^mock-bound: .* 1\.5 times/);
    expect(
      compare({
        figure: 'f',
        unit: 'u',
        assayValues: steady,
        floor: steady,
        goal: { min: 0.5 },
        noVerdict,
      }).met,
    ).toBeNull();
    expect(mockBound(steady, [200])).toBeNull();
  });

  it('judges a figure without a floor by its worst value', () => {
    expect(
      bound({ figure: 'f', unit: 's', assayValues: [1, 2.1, 1], goal: { max: 2 } }),
    ).toMatchObject({
      met: false,
      low: 1,
      high: 2.1,
      ratio: null,
    });
  });
});
