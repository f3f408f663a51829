import { expect, test } from 'vitest';
import { type Answered, answerOf, pointsText, stateOfAnswer } from './answer';

const better: Answered = {
  verifier: 'refund-policy',
  experiment: 'exp_b',
  difference: { value: 0.04, low: 0.01, high: 0.07 },
  pAdjusted: 0.0104,
  items: { improved: 12, regressed: 4, same: 184, unpaired: 0 },
  itemsNeeded: { thisDifference: 392, fivePoints: 251 },
};

test.each<[string, Partial<Answered>, string | null, string]>([
  [
    'an improvement',
    {},
    null,
    'refund-policy: 4.0 points better than the baseline (95% without adjustment: 1.0 to 7.0), p 0.010 after Holm; 12 items improved, 4 regressed.',
  ],
  [
    'a regression of one of several runs',
    {
      difference: { value: -0.04, low: -0.07, high: -0.01 },
      pAdjusted: 0.0001,
      items: { improved: 1, regressed: 9, same: 190, unpaired: 0 },
    },
    'short answers',
    'refund-policy, short answers: 4.0 points worse than the baseline (95% without adjustment: −7.0 to −1.0), p < 0.001 after Holm; 1 item improved, 9 regressed.',
  ],
  [
    'data that cannot tell, with the items that would be needed',
    { pAdjusted: 0.41, itemsNeeded: { thisDifference: 1640, fivePoints: 300 } },
    null,
    'refund-policy: the data show no clear difference from the baseline. 4.0 points better (95% without adjustment: 1.0 to 7.0), p 0.410 after Holm; 12 items improved, 4 regressed of 200. About 1,640 items would be needed to find a difference of this size.',
  ],
  [
    'no difference at all',
    {
      difference: { value: 0, low: -0.02, high: 0.02 },
      pAdjusted: 1,
      items: { improved: 0, regressed: 0, same: 40, unpaired: 1 },
      itemsNeeded: { thisDifference: null, fivePoints: 120 },
    },
    null,
    'refund-policy: the data show no clear difference from the baseline. No difference (95% without adjustment: −2.0 to 2.0), p 1.000 after Holm; 0 items improved, 0 regressed of 40. About 120 items would be needed to find a difference of 5 points.',
  ],
  [
    'under 20 pairs only counts, even if they are clear',
    { pAdjusted: 0.004, items: { improved: 10, regressed: 0, same: 2, unpaired: 0 } },
    null,
    'refund-policy: better than the baseline, p 0.004 after Holm; 10 items improved, 0 regressed.',
  ],
  [
    'few pairs that cannot tell',
    {
      pAdjusted: 0.5,
      items: { improved: 2, regressed: 1, same: 3, unpaired: 0 },
      itemsNeeded: { thisDifference: null, fivePoints: null },
    },
    null,
    'refund-policy: the data show no clear difference from the baseline. 2 items improved, 1 regressed of 6.',
  ],
  [
    'no pairs',
    { difference: null, pAdjusted: null },
    null,
    'refund-policy: no item was passed or failed in both runs.',
  ],
])('%s', (_name, part, run, sentence) => {
  expect(answerOf({ ...better, ...part }, run)).toBe(sentence);
});

test('the sign of a difference decides only together with its p', () => {
  expect(stateOfAnswer({ ...better, pAdjusted: 0.0499 })).toBe('better');
  expect(stateOfAnswer({ ...better, pAdjusted: 0.05 })).toBe('unclear');
  expect(stateOfAnswer({ ...better, difference: { value: -0.1, low: null, high: null } })).toBe(
    'worse',
  );
});

test('a value rounded to zero has no sign', () => {
  expect([0.0004, -0.0004, -0.015].map(pointsText)).toEqual(['0.0', '0.0', '−1.5']);
});
