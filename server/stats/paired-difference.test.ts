import { describe, expect, test } from 'vitest';
import { newcombe } from '../domain';
import { createRandom } from '.';
import { pairedDifference, type Twice } from './paired-difference';

test('calibration.md 5.9 airway hyper-responsiveness before and after transplantation (Bentur 2009): -0.286 [-0.507, -0.026]', () => {
  // Fagerland, Lydersen, Laake 2014, the square-and-add interval.
  const found = pairedDifference({ both: 1, onlySecond: 1, onlyFirst: 7, neither: 12 });
  expect(found?.value).toBeCloseTo(-6 / 21, 12);
  expect(found?.low).toBeCloseTo(-0.507, 3);
  expect(found?.high).toBeCloseTo(-0.026, 3);
});

describe('calibration.md 5.9 the difference of paired shares', () => {
  test('is no data without items', () =>
    expect(pairedDifference({ both: 0, onlySecond: 0, onlyFirst: 0, neither: 0 })).toBeNull());

  test('equals that of independent shares if the two are uncorrelated', () => {
    const independent = newcombe(
      { numerator: 50, denominator: 100 },
      { numerator: 50, denominator: 100 },
    );
    // ad = bc: phi is 0.
    expect(pairedDifference({ both: 25, onlySecond: 25, onlyFirst: 25, neither: 25 })).toEqual(
      independent,
    );
  });

  test('swapped it is the same with the opposite sign', () => {
    const one = pairedDifference({ both: 40, onlySecond: 9, onlyFirst: 2, neither: 20 });
    const other = pairedDifference({ both: 40, onlySecond: 2, onlyFirst: 9, neither: 20 });
    expect(one?.value).toBeCloseTo(-(other?.value ?? 0), 12);
    expect(one?.low).toBeCloseTo(-(other?.high ?? 0), 12);
  });

  test.each<Twice>([
    { both: 10, onlySecond: 0, onlyFirst: 0, neither: 10 },
    { both: 20, onlySecond: 0, onlyFirst: 0, neither: 0 },
    { both: 0, onlySecond: 20, onlyFirst: 0, neither: 0 },
    { both: 0, onlySecond: 1, onlyFirst: 0, neither: 0 },
  ])('has finite ends around its value for %o', (twice) => {
    const found = pairedDifference(twice);
    expect(found?.low).toBeLessThanOrEqual(found?.value ?? Number.NaN);
    expect(found?.high).toBeGreaterThanOrEqual(found?.value ?? Number.NaN);
  });

  test('covers the true difference in some 95 of 100 seeded runs, and is narrower than for independent shares', () => {
    const random = createRandom(7);
    const runs = 3_000;
    const n = 80;
    let covered = 0;
    let narrower = 0;
    for (let run = 0; run < runs; run++) {
      // 0.45 both, 0.12 only second, 0.05 only first, the rest neither: a true difference of 0.07.
      const twice = { both: 0, onlySecond: 0, onlyFirst: 0, neither: 0 };
      for (let i = 0; i < n; i++) {
        const at = random();
        twice[
          at < 0.45 ? 'both' : at < 0.57 ? 'onlySecond' : at < 0.62 ? 'onlyFirst' : 'neither'
        ]++;
      }
      const found = pairedDifference(twice);
      if (found === null) throw new Error('no data');
      if (found.low <= 0.07 && found.high >= 0.07) covered++;
      const loose = newcombe(
        { numerator: twice.both + twice.onlySecond, denominator: n },
        { numerator: twice.both + twice.onlyFirst, denominator: n },
      );
      if (found.high - found.low < loose.high - loose.low) narrower++;
    }
    expect(covered / runs).toBeGreaterThan(0.935);
    expect(covered / runs).toBeLessThan(0.975);
    expect(narrower).toBe(runs);
  });
});
