import { expect, test } from 'vitest';
import { bucketOf } from '../spreads';
import { scaleOf, scoreBins } from './score-bins';

const bucketsOf = (...values: readonly number[]) =>
  values.map((value) => ({ bucket: bucketOf(value), count: 1 }));
const binOf = (value: number, max: number): number =>
  scoreBins(max, { all: bucketsOf(value), failed: [], unclassified: [] }).findIndex(
    ({ count }) => count === 1,
  );

test.each([1, 100])(
  'round scores of a scale to %d are in the bin that begins with them, so on the right side of a threshold',
  (max) => {
    const wanted = Array.from({ length: 20 }, (_, at) => at);
    expect(wanted.map((at) => binOf((at / 20) * max, max))).toEqual(wanted);
    // The end of the scale has no separate bin.
    expect(binOf(max, max)).toBe(19);
  },
);

test('scores outside the scale are counted at its ends, and none is lost', () => {
  const bins = scoreBins(1, {
    all: bucketsOf(-3, 0, 0.5, 7),
    failed: bucketsOf(0),
    unclassified: bucketsOf(7),
  });
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(4);
  expect(bins[0]).toMatchObject({ count: 2, failed: 1, unclassified: 0 });
  expect(bins[19]).toMatchObject({ count: 1, failed: 0, unclassified: 1 });
});

test.each([
  [[0.2, 1], null, 1],
  [[0.2, 55], null, 100],
  [[100], null, 100],
  [[], null, 1],
  [[0.4], 100, 100],
])('scores of %j with thresholds up to %j are drawn to %d', (values, max, scale) => {
  expect(scaleOf(bucketsOf(...values), max)).toBe(scale);
});
