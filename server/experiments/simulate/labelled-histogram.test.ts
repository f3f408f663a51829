import { expect, test } from 'vitest';
import { labelledHistogram } from './labelled-histogram';

const rate = { key: 'pass_threshold', min: 0, max: 1 };

test.each([
  [0, 0],
  [0.0199, 0],
  [0.02, 0.02],
  [0.58, 0.58],
  [0.69996, 0.7],
  [1, 0.98],
  [1.5, 0.98],
  [-1, 0],
])('X-6 a score of %d is in the bin from %d', (score, low) => {
  const found = labelledHistogram(rate, [{ score, good: true }], 1);
  expect(found?.bins.filter(({ good }) => good > 0)).toMatchObject([{ low, good: 1, bad: 0 }]);
});

test('good and bad are counted separately, along the whole scale, and those without a score as well', () => {
  const found = labelledHistogram(
    { key: 'large', min: 0, max: 100 },
    [
      { score: 81, good: true },
      { score: 80, good: false },
      { score: 81.5, good: false },
    ],
    5,
  );
  expect(found?.bins).toHaveLength(50);
  expect(found?.bins[40]).toEqual({ low: 80, high: 82, good: 1, bad: 2 });
  expect(found?.unscored).toBe(2);
});

test('a threshold of something else than the score has no histogram', () => {
  expect(labelledHistogram({ ...rate, key: 'confidence_threshold' }, [], 5)).toBeNull();
});
