import { expect, test } from 'vitest';
import { cheapestIndex, curvePoints, indexAt, thresholdText } from './curve-points';

// calibration.md 5.5: defect scores .95 .9 .85 .8 .7 .65 .6 .4 .3 .2 .1 .05, inverted so that low
// scores are bad.
const scored = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05].map(
  (defect, at) => ({
    score: 1 - defect,
    bad: [1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0][at] === 1,
  }),
);
const many = (threshold: number, flagged: boolean, bad: boolean): number =>
  scored.filter((each) => each.score < threshold === flagged && each.bad === bad).length;
const points = [...scored.map(({ score }) => score), 1].map((threshold) => ({
  threshold,
  caught: many(threshold, true, true),
  missed: many(threshold, false, true),
  rejected: many(threshold, true, false),
  passed: many(threshold, false, false),
}));

test('calibration.md 5.5 with a miss at 10 and a false rejection at 1 the lowest cost is 3, where all bad subjects are caught', () => {
  const priced = curvePoints(points, { miss: 10, reject: 1, review: 0 });
  const best = priced[cheapestIndex(priced)];
  expect(best).toMatchObject({
    cost: 3,
    caught: 6,
    missed: 0,
    rejected: 3,
    passed: 3,
    catchRate: 1,
    falseRejectionRate: 0.5,
  });
  // On the scale of defects 0.3 and above; on this scale everything below the next score, 0.8.
  expect(best?.threshold).toBeCloseTo(0.8, 9);
});

test('each flagged one costs a review, so expensive reviews lower the cheapest threshold', () => {
  const expensive = curvePoints(points, { miss: 10, reject: 1, review: 100 });
  expect(expensive[cheapestIndex(expensive)]).toMatchObject({ caught: 0, rejected: 0, cost: 60 });
});

test('X-12 a share without a denominator is null: nothing flagged has no precision', () => {
  const [first] = curvePoints(points, { miss: 1, reject: 1, review: 0 });
  expect(first).toMatchObject({ catchRate: 0, falseRejectionRate: 0, precision: null });
});

test.each([
  [0, 0],
  [0.05, 0],
  [0.06, 1],
  [0.5, 7],
  [7, 12],
])('a threshold of %d decides as point %d does', (threshold, index) => {
  expect(indexAt(points, threshold)).toBe(index);
});

test('without points none is the cheapest, and none is at a threshold', () => {
  expect([cheapestIndex([]), indexAt([], 0.5)]).toEqual([-1, -1]);
});

test.each([
  [0.7, '0.7'],
  [0.1 + 0.2, '0.3'],
  [72.53, '72.53'],
  [0.123456, '0.1235'],
])('%d reads %s', (threshold, text) => {
  expect(thresholdText(threshold)).toBe(text);
});
