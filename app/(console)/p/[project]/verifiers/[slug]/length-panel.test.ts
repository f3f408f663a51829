import { expect, test } from 'vitest';
import { lengthText } from './length-panel';

test.each([
  [
    { value: 0.42, low: 0.2, high: 0.6, n: 120 },
    '+0.42 (+0.20 to +0.60), n 120. Longer outputs score higher. Check whether they are better or only longer.',
  ],
  [
    { value: -0.42, low: -0.6, high: -0.2, n: 1200 },
    '−0.42 (−0.60 to −0.20), n 1,200. Longer outputs score lower. Check whether they are worse or only longer.',
  ],
  [
    { value: 0.1, low: -0.1, high: 0.3, n: 90 },
    '+0.10 (−0.10 to +0.30), n 90. No correlation of score and length is measurable.',
  ],
  [{ value: null, low: null, high: null, n: 7 }, 'Unmeasured: n 7, under 20.'],
  [
    { value: null, low: null, high: null, n: 30 },
    'Unmeasured: all scores, or all lengths, are the same (n 30).',
  ],
])('S-28 X-12 the length effect %j in words', (effect, text) => {
  expect(lengthText({ ...effect, days: 30 })).toBe(text);
});
