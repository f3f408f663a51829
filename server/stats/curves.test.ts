import fc from 'fast-check';
import { wilcoxonRankSum } from 'simple-statistics';
import { expect, test } from 'vitest';
import { wilson } from '../domain';
import { averagePrecision, bestYouden, rocAuc, type Scored, sweep } from './curves';
import { createRandom, normalDraw } from './random';
import { youden } from './summary';

const scores = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05];
const truth = [1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0];
const vector: Scored[] = scores.map((score, i) => ({ score, bad: truth[i] === 1 }));
const turned = vector.map(({ score, bad }) => ({ score: 1 - score, bad }));

const scoredOf = fc.array(
  fc.record({ score: fc.integer({ min: 0, max: 12 }), bad: fc.boolean() }),
  { minLength: 1, maxLength: 60 },
);
const both = (scored: readonly Scored[]): boolean =>
  scored.some(({ bad }) => bad) && scored.some(({ bad }) => !bad);

test('calibration.md 5.5 the vector: AUC 0.8333', () => {
  expect(rocAuc(vector)?.value).toBeCloseTo(0.8333, 4);
  expect(rocAuc(turned, 'below')?.value).toBeCloseTo(0.8333, 4);
});

test('calibration.md 5.5 the vector: J at most 0.5, tied at 0.3, 0.6, 0.7 and 0.85; of these the highest', () => {
  const tied = sweep(vector).filter((point) => Math.abs((youden(point) ?? 0) - 0.5) < 1e-12);
  expect(tied.map(({ threshold }) => threshold)).toEqual([0.3, 0.6, 0.7, 0.85]);
  expect(Math.max(...sweep(vector).map((point) => youden(point) ?? 0))).toBeCloseTo(0.5, 12);
  expect(bestYouden(sweep(vector))).toEqual({
    threshold: 0.85,
    caught: 3,
    missed: 3,
    rejected: 0,
    passed: 6,
  });
});

test('calibration.md 5.5 a sweep has every distinct score with its matrix, by the definition, on either scale', () => {
  fc.assert(
    fc.property(
      scoredOf,
      fc.constantFrom<'at_or_above' | 'below'>('at_or_above', 'below'),
      (scored, fails) => {
        const points = sweep(scored, fails);
        expect(points.map(({ threshold }) => threshold)).toEqual(
          [...new Set(scored.map(({ score }) => score))].sort((a, b) => a - b),
        );
        for (const { threshold, caught, missed, rejected, passed } of points) {
          const flagged = scored.filter(({ score }) =>
            fails === 'below' ? score < threshold : score >= threshold,
          );
          const rest = scored.filter((one) => !flagged.includes(one));
          const count = (items: readonly Scored[], bad: boolean): number =>
            items.filter((one) => one.bad === bad).length;
          expect([caught, missed, rejected, passed]).toEqual([
            count(flagged, true),
            count(rest, true),
            count(flagged, false),
            count(rest, false),
          ]);
        }
      },
    ),
    { seed: 55, numRuns: 200 },
  );
});

test('calibration.md 5.5 AUC is the share of pairs in which the bad one scores worse, and equals the rank sum of simple-statistics', () => {
  fc.assert(
    fc.property(scoredOf, (scored) => {
      fc.pre(both(scored));
      const [bad, good] = [true, false].map((kind) =>
        scored.filter((one) => one.bad === kind).map(({ score }) => score),
      );
      const [ones, others] = [bad ?? [], good ?? []];
      let pairs = 0;
      for (const one of ones)
        for (const other of others) pairs += one > other ? 1 : one === other ? 0.5 : 0;
      const auc = rocAuc(scored);
      expect(auc?.value).toBeCloseTo(pairs / (ones.length * others.length), 10);
      expect(rocAuc(scored, 'below')?.value).toBeCloseTo(1 - (auc?.value ?? 0), 10);
      const sum = wilcoxonRankSum(ones, others);
      expect(
        (sum - (ones.length * (ones.length + 1)) / 2) / (ones.length * others.length),
      ).toBeCloseTo(auc?.value ?? 0, 10);
    }),
    { seed: 551, numRuns: 200 },
  );
});

/** DeLong's variance from the pairs themselves. */
function delongOfPairs(scored: readonly Scored[]): number {
  const [bad, good] = [scored.filter((one) => one.bad), scored.filter((one) => !one.bad)];
  const kernel = (one: Scored, other: Scored): number =>
    one.score > other.score ? 1 : one.score === other.score ? 0.5 : 0;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const spread = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + (one - mean(values)) ** 2, 0) /
    (values.length - 1) /
    values.length;
  const ofBad = bad.map((one) => mean(good.map((other) => kernel(one, other))));
  const ofGood = good.map((other) => mean(bad.map((one) => kernel(one, other))));
  return spread(ofBad) + spread(ofGood);
}

test("calibration.md 5.5 AUC's interval is DeLong's, computed from all pairs, and contains the truth", () => {
  expect(rocAuc(vector)?.se).toBeCloseTo(Math.sqrt(delongOfPairs(vector)), 12);
  const two = [0, 2, 1, 3]
    .map((score) => ({ score, bad: score > 1 }))
    .concat({ score: 2.5, bad: false });
  expect(rocAuc(two)?.se).toBeCloseTo(Math.sqrt(delongOfPairs(two)), 12);
  const random = createRandom(55);
  let held = 0;
  for (let run = 0; run < 500; run++) {
    const scored = Array.from({ length: 120 }, (_, i) => ({
      score: normalDraw(random) + (i % 3 === 0 ? 1 : 0),
      bad: i % 3 === 0,
    }));
    const auc = rocAuc(scored);
    // Φ(1/√2).
    if (auc && auc.low <= 0.760_25 && auc.high >= 0.760_25) held++;
    expect(auc?.se).toBeCloseTo(Math.sqrt(delongOfPairs(scored)), 10);
  }
  expect(held / 500).toBeGreaterThan(0.915);
});

test('calibration.md 5.5 a score that separates five from five does not prove that it always will', () => {
  const parted = Array.from({ length: 10 }, (_, i) => ({ score: i, bad: i > 4 }));
  expect(rocAuc(parted)).toEqual({ value: 1, se: 0, ...wilson(5, 5) });
  expect(rocAuc(parted)?.low).toBeLessThan(0.6);
});

test('calibration.md 5.5 average precision: by hand, by the definition, and the share of bad if all scores are equal', () => {
  // Bad at places 1, 2, 3, 5, 7, 9 of the vector.
  expect(averagePrecision(vector)).toBeCloseTo((1 + 1 + 1 + 4 / 5 + 5 / 7 + 6 / 9) / 6, 12);
  expect(averagePrecision(turned, 'below')).toBeCloseTo(averagePrecision(vector) ?? 0, 12);
  fc.assert(
    fc.property(scoredOf, (scored) => {
      fc.pre(scored.some(({ bad }) => bad));
      const points = [...sweep(scored)].reverse();
      let [sum, before] = [0, 0];
      for (const { caught, missed, rejected } of points) {
        const recall = caught / (caught + missed);
        if (caught > 0) sum += (recall - before) * (caught / (caught + rejected));
        before = recall;
      }
      expect(averagePrecision(scored)).toBeCloseTo(sum, 10);
    }),
    { seed: 552, numRuns: 200 },
  );
  expect(averagePrecision(vector.map(({ bad }) => ({ score: 1, bad })))).toBe(0.5);
});

test('X-12 calibration.md 5.5 with one class, or without items, there is no curve', () => {
  const bad = vector.filter((one) => one.bad);
  const good = vector.filter((one) => !one.bad);
  expect(sweep([])).toEqual([]);
  expect([
    rocAuc([]),
    rocAuc(bad),
    rocAuc(good),
    averagePrecision(good),
    averagePrecision([]),
  ]).toEqual([null, null, null, null, null]);
  expect([bestYouden([]), bestYouden(sweep(bad))]).toEqual([null, null]);
  expect(() => sweep([{ score: Number.NaN, bad: true }])).toThrow(RangeError);
});
