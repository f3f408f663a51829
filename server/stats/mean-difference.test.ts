// How often runs without a difference are reported as different, and how often the stated number of
// items finds one, by simulation: 2,000 pairs of runs per setting, 20,000 under ASSAY_LONG=1.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportFigure } from '../../testing/figures';
import { holm, mcNemar } from './compare';
import { itemsToExclude, pairsNeeded } from './items-needed';
import { meanDifference, signFlip } from './mean-difference';
import { pairedDifference } from './paired-difference';
import { createRandom, normalDraw, type Random } from './random';

const runs = process.env.ASSAY_LONG === '1' ? 20_000 : 2000;
/** Choices of sign in each run: enough for a level of 5%. */
const choices = 399;
/** Of a stated 5%, within 2 points. */
const mostErrors = 0.07;
/** Of a stated power of 0.8, within 2 points. */
const leastPower = 0.78;

const each = (items: number) => Array.from({ length: items });
const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** The share of runs for which `isFound` holds. */
function shareOf(seed: number, isFound: (random: Random, run: number) => boolean): number {
  const random = createRandom(seed);
  let found = 0;
  for (let run = 0; run < runs; run++) if (isFound(random, run)) found++;
  return found / runs;
}

describe('no true difference', () => {
  test.each([20, 60, 200])('McNemar with %i items is wrong in at most 5%', (items) => {
    const share = shareOf(items, (random) => {
      let [better, worse] = [0, 0];
      for (const _ of each(items)) {
        const ease = random();
        const [one, other] = [random() < ease, random() < ease];
        if (one && !other) better++;
        if (other && !one) worse++;
      }
      return (mcNemar(better, worse).exactP ?? 1) < 0.05;
    });
    reportFigure(`McNemar, ${items} items, no difference, p < 0.05`, { share: share });
    expect(share).toBeLessThanOrEqual(mostErrors);
  });

  // Repetitions of an item are correlated by its difficulty, which both runs share, and by a bias
  // of each run on the item.
  test.each([
    { name: 'pass rates', items: 12, isScore: false },
    { name: 'pass rates', items: 80, isScore: false },
    { name: 'scores', items: 12, isScore: true },
    { name: 'scores', items: 80, isScore: true },
  ])('5 repetitions, $name of $items items: wrong in at most 7%', ({ items, isScore, name }) => {
    const repetitions = 5;
    const oneRun = (random: Random, ease: number): number => {
      const lean = 0.7 * normalDraw(random);
      return sumOf(
        each(repetitions).map(() => {
          const drawn = ease + lean + 0.5 * normalDraw(random);
          return (isScore ? Math.exp(drawn) : drawn > 0 ? 1 : 0) / repetitions;
        }),
      );
    };
    const draw = (random: Random) =>
      each(items).map(() => {
        const ease = normalDraw(random);
        return oneRun(random, ease) - oneRun(random, ease);
      });
    const byTest = shareOf(items, (random, run) => signFlip(draw(random), run, choices) < 0.05);
    reportFigure(`sign flips, ${name} of ${items} items, no difference, p < 0.05`, {
      share: byTest,
    });
    expect(byTest).toBeLessThanOrEqual(mostErrors);
  });

  // Heavy tails, where the percentile bootstrap and BCa are too narrow.
  test.each([6, 10, 20, 40, 80])(
    'the interval of %i log-normal scores excludes 0 in at most 7%',
    (items) => {
      const share = shareOf(items, (random, run) => {
        const groups = each(items).map(() => ({
          n: 1,
          sum: Math.exp(normalDraw(random)) - Math.exp(normalDraw(random)),
        }));
        const found = meanDifference(groups, { seed: run, choices });
        return found?.low != null && found.high !== null && (found.low > 0 || found.high < 0);
      });
      reportFigure(`interval of ${items} items, no difference, without 0`, { share });
      expect(share).toBeLessThanOrEqual(mostErrors);
    },
  );
});

describe('items needed', () => {
  test.each([
    { difference: 0.05, discordant: 0.1 },
    { difference: 0.05, discordant: 0.3 },
    { difference: 0.1, discordant: 0.12 },
    { difference: 0.2, discordant: 0.4 },
    { difference: 0.3, discordant: 0.35 },
    { difference: 0.5, discordant: 0.5 },
  ])('power at a difference of $difference, discordant $discordant', (of) => {
    const items = pairsNeeded(of);
    expect(items).not.toBeNull();
    const found = shareOf(11, (random) => {
      let [better, worse] = [0, 0];
      for (let item = 0; item < (items ?? 0); item++) {
        const drawn = random();
        if (drawn < (of.discordant + of.difference) / 2) better++;
        else if (drawn < of.discordant) worse++;
      }
      return (mcNemar(better, worse).exactP ?? 1) < 0.05;
    });
    reportFigure(`power at ${items} items (${of.difference}, ${of.discordant})`, { share: found });
    expect(found).toBeGreaterThanOrEqual(leastPower);
  });

  test('the same for repetitions, from the mean square of the differences', () => {
    const shift = 0.2;
    const draw = (random: Random): number => {
      let sum = 0;
      for (let repetition = 0; repetition < 3; repetition++)
        sum += (random() < 0.5 + shift ? 1 : 0) - (random() < 0.5 ? 1 : 0);
      return sum / 3;
    };
    const random = createRandom(3);
    const sample = each(5000).map(() => draw(random));
    const discordant = sumOf(sample.map((one) => one * one)) / sample.length;
    const items = pairsNeeded({ difference: shift, discordant }) ?? 0;
    const found = shareOf(
      12,
      (next, run) =>
        signFlip(
          each(items).map(() => draw(next)),
          run,
        ) < 0.05,
    );
    reportFigure(`power at ${items} items with 3 repetitions`, { share: found });
    expect(found).toBeGreaterThanOrEqual(leastPower);
  });

  test('unknown without a difference or items that differ', () => {
    expect(pairsNeeded({ difference: 0, discordant: 0.2 })).toBeNull();
    expect(pairsNeeded({ difference: 0.05, discordant: 0 })).toBeNull();
  });

  test('fewer for a larger difference, more for a larger discordant share', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.4, noNaN: true }),
        fc.double({ min: 0.5, max: 1, noNaN: true }),
        (difference, discordant) => {
          const of = (more: number, other: number) =>
            pairsNeeded({ difference: difference + more, discordant: discordant - other }) ?? 0;
          expect(of(0.05, 0)).toBeLessThanOrEqual(of(0, 0));
          expect(of(0, 0.1)).toBeLessThanOrEqual(of(0, 0));
        },
      ),
    );
  });

  test('items that exclude a limit: Wilson no longer contains it', () => {
    expect(itemsToExclude(0.85, 0.9)).toBe(139);
    expect(itemsToExclude(0.9, 0.9)).toBeNull();
  });
});

describe('edge cases', () => {
  const options = { seed: 1 };
  const ofItems = (...sums: number[]) => sums.map((sum) => ({ n: 1, sum }));

  test('no pairs', () => {
    expect(meanDifference([], options)).toBeNull();
    expect(pairedDifference({ both: 0, onlySecond: 0, onlyFirst: 0, neither: 0 })).toBeNull();
  });

  test.each([1, 2, 5])('%i pairs have a value and no interval', (items) => {
    const sums = each(items).map((_, i) => (i + 1) / items);
    expect(meanDifference(ofItems(...sums), options)).toEqual({
      value: expect.closeTo((items + 1) / (2 * items), 10) as number,
      low: null,
      high: null,
      p: 2 / 2 ** items,
    });
  });

  test('all the same: p is 1, without an interval', () => {
    expect(meanDifference(ofItems(0, 0, 0), options)).toEqual({
      value: 0,
      low: null,
      high: null,
      p: 1,
    });
    expect(mcNemar(0, 0).exactP).toBeNull();
  });

  test('ties: as many better as worse', () => {
    expect(meanDifference(ofItems(1, -1, 1, -1), options)?.p).toBe(1);
    expect(mcNemar(2, 2).exactP).toBe(1);
  });

  test('every item changes in the same way: the exact share', () => {
    expect(signFlip([1, 1, 1, 1, 1], 1)).toBe(2 / 32);
    expect(signFlip([1 / 3, 2 / 6, 1 / 3], 1)).toBe(2 / 8);
  });

  test('signs of single items are those of McNemar', () => {
    const sums = [...each(9).map(() => 1), ...each(3).map(() => -1), 0, 0];
    expect(signFlip(sums, 1)).toBeCloseTo(mcNemar(9, 3).exactP ?? 0, 10);
  });

  test('a p below what random signs resolve is bounded, never 0', () => {
    const p = signFlip(
      each(500).map(() => 1),
      1,
    );
    expect(p).toBeGreaterThan(0);
    expect(p).toBeLessThan(1e-100);
  });

  test('the same seed gives the same answer; the interval contains the value', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
        fc.integer(),
        (sums, seed) => {
          const groups = ofItems(...sums);
          const given = { seed, choices: 199, range: [-1, 1] as const };
          const found = meanDifference(groups, given);
          expect(meanDifference(groups, given)).toEqual(found);
          expect(found?.low ?? -1).toBeLessThanOrEqual(found?.value ?? -1);
          expect(found?.high ?? 1).toBeGreaterThanOrEqual(found?.value ?? 1);
        },
      ),
    );
  });

  test('Holm over a family: monotone, at most 1, and the error of the family is at most 5%', () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
    expect(holm([0.5, 0.5])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
    const share = shareOf(5, (random) => Math.min(...holm(each(8).map(() => random()))) < 0.05);
    expect(share).toBeLessThanOrEqual(mostErrors);
  });
});
