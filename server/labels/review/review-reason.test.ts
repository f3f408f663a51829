import { expect, test } from 'vitest';
import { minProbability, lotOf, probabilityAt } from './audit-draw';
import { type ReviewFacts, reviewReason } from './review-reason';

const plain: ReviewFacts = {
  kind: 'task',
  outcome: 'passed',
  score: 0.9,
  threshold: 0.7,
  confidence: 0.9,
  needsHumanReview: false,
  judged: true,
  grave: [],
  jurySplit: false,
  otherwise: [],
  reported: null,
  lot: 0.5,
};
const settings = { auditRate: 0.05, uncertainBand: 0.05 };
const why = (facts: Partial<ReviewFacts>, changed: Partial<typeof settings> = {}) =>
  reviewReason({ ...plain, ...facts }, { ...settings, ...changed });

test.each<[string, Partial<ReviewFacts>, readonly string[] | null]>([
  ['a clear verdict', {}, null],
  ['a skipped verdict', { outcome: 'skipped', needsHumanReview: true, grave: ['x'], lot: 0 }, null],
  [
    'an undecided verdict without a judge call',
    { outcome: 'inconclusive', judged: false, lot: 0 },
    null,
  ],
  [
    'a verdict that a judge could not decide',
    { outcome: 'inconclusive', score: null, confidence: null, lot: 0 },
    ['must_see'],
  ],
  ['a verdict for which the verifier requests a person', { needsHumanReview: true }, ['must_see']],
  ['a verdict with a grave issue', { outcome: 'failed', grave: ['No source'] }, ['must_see']],
  ['a score at the edge of the band', { score: 0.75 }, ['uncertain']],
  ['a score beyond the band', { score: 0.751 }, null],
  ['a score below the threshold', { outcome: 'failed', score: 0.66 }, ['uncertain']],
  [
    'points, whose band is a share of 100',
    { kind: 'code', score: 74, threshold: 70 },
    ['uncertain'],
  ],
  ['points beyond the band', { kind: 'code', score: 76, threshold: 70 }, null],
  ['a score without a threshold', { threshold: null }, null],
  ['low confidence', { confidence: 0.49 }, ['uncertain']],
  ['confidence at the limit', { confidence: 0.5 }, null],
  ['a contradicting result of another verifier', { otherwise: ['integrity'] }, ['disagreement']],
  ['a split jury', { jurySplit: true }, ['disagreement']],
  ['a contradicting report', { reported: false }, ['disagreement']],
  ['a random draw', { lot: 0.049 }, ['audit']],
  ['a draw exactly at the rate', { lot: 0.05 }, null],
  [
    'all reasons',
    { needsHumanReview: true, score: 0.7, otherwise: ['integrity'], lot: 0 },
    ['must_see', 'uncertain', 'disagreement', 'audit'],
  ],
])('in the review queue: %s', (_, facts, queues) => {
  expect(why(facts)?.queues ?? null).toEqual(queues);
});

test('a probability is stored exactly where the audit drew, independently of the other reasons', () => {
  expect(why({ lot: 0 })).toMatchObject({ probability: 0.05, reason: null });
  expect(why({ lot: 0, needsHumanReview: true })).toMatchObject({ probability: 0.05 });
  expect(why({ needsHumanReview: true })).toMatchObject({ probability: null });
});

test('more urgent items come first: requested ones, then the sample, then grave, disputed, and those nearest to their thresholds', () => {
  const order = [
    why({ needsHumanReview: true }),
    why({ lot: 0 }),
    why({ outcome: 'failed', grave: ['x'] }),
    why({ otherwise: ['integrity'] }),
    why({ score: 0.7 }),
    why({ score: 0.72 }),
    why({ score: 0.75 }),
  ].map((place) => place?.priority ?? 0);
  expect(order).toEqual(order.toSorted((a, b) => b - a));
  expect(new Set(order).size).toBe(order.length);
});

test('a band of 0 needs no scores, and a rate of 0 draws nothing', () => {
  expect(why({ score: 0.7 }, { uncertainBand: 0 })).toBeNull();
  expect(why({ lot: 0 }, { auditRate: 0 })).toBeNull();
});

test('calibration.md 5.4: probabilities have a floor above 0, and the draw is uniform and repeatable', () => {
  expect([0, 1e-9, 0.05, 1].map(probabilityAt)).toEqual([null, minProbability, 0.05, 1]);
  const lots = Array.from({ length: 20_000 }, (_, n) => lotOf('a-secret', 'prj_1', `ver_${n}`));
  expect(lotOf('a-secret', 'prj_1', 'ver_7')).toBe(lots[7]);
  expect(lotOf('another', 'prj_1', 'ver_7')).not.toBe(lots[7]);
  expect(lotOf('a-secret', 'prj_2', 'ver_7')).not.toBe(lots[7]);
  // Kolmogorov-Smirnov: the 99.9% bound of the greatest distance to the uniform distribution is
  // 1.95 / √n.
  const sorted = lots.toSorted((a, b) => a - b);
  const distance = Math.max(
    ...sorted.map((lot, n) =>
      Math.max(Math.abs(lot - n / sorted.length), Math.abs(lot - (n + 1) / sorted.length)),
    ),
  );
  expect(distance).toBeLessThan(1.95 / Math.sqrt(lots.length));
  expect(Math.max(...lots)).toBeLessThan(1);
});
