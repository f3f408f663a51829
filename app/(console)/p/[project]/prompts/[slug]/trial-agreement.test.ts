import { expect, test } from 'vitest';
import { pairedText } from './trial-agreement';

test.each([
  [12, 0, 0.000488, '(McNemar, mid-p < 0.001)'],
  [18, 7, 0.029, '(McNemar, mid-p 0.029)'],
  [0, 0, null, 'both are right about the same ones'],
])(
  'calibration.md 5.7 for %i better and %i worse no p-value is zero: mid-p %o',
  (better, worse, midP, words) => {
    const paired = { both: 24, better, worse, exactP: null, midP };
    expect(
      pairedText({ paired, version: 2, judge: null, productionVersion: 1, againstJudge: null }),
    ).toContain(words);
  },
);
