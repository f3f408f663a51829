import { expect, test } from 'vitest';
import type { ScoreGroup } from './curves';
import { type Counts, noCounts, ratesOf } from './rates';
import { alertsOf, correlationOf } from './report-correlation';
import { pearson } from '../stats';

/** `n` pairs: scores of good ones are high, up to `noise`. */
const scored = (n: number, noise: number): ScoreGroup[] => {
  const groups = new Map<number, { score: number; bad: number; good: number }>();
  for (let at = 0; at < n; at++) {
    const good = at % 2 === 0;
    const score = Math.round((good ? 0.9 : 0.1) * 100 + noise * ((at % 10) - 4.5) * 10) / 100;
    const group = groups.get(score) ?? { score, bad: 0, good: 0 };
    group[good ? 'good' : 'bad']++;
    groups.set(score, group);
  }
  return [...groups.values()];
};
const correlate = (groups: readonly ScoreGroup[], some: Partial<Counts> = {}) => {
  const pairs = groups.flatMap(({ score, bad, good }) => [
    ...Array.from({ length: bad }, () => [score, 0] as const),
    ...Array.from({ length: good }, () => [score, 1] as const),
  ]);
  return correlationOf(groups, ratesOf({ ...noCounts, ...some }, { correlation: pearson(pairs) }));
};
/** Many false rejections, and many missed failures. */
const poor: Partial<Counts> = { caught: 25, missed: 25, rejected: 25, passed: 25 };

test('SOAR-33 scores that correlate with the truth are on target, and others need recalibration', () => {
  expect(correlate(scored(100, 0))).toMatchObject({
    state: 'on_target',
    pearson: { value: expect.closeTo(1, 9), n: 100 },
    advice: [],
  });
  const loose = correlate(scored(100, 3));
  expect(loose.pearson.value).toBeLessThan(0.7);
  expect(loose).toMatchObject({
    state: 'recalibrate',
    advice: [expect.stringContaining('calibrate')],
  });
  expect(loose.spearman.value).not.toBeNull();
});

test('SOAR-33 fewer than 100 pairs are shown, and nothing is suggested, however poor', () => {
  const few = correlate(scored(98, 3), poor);
  expect(few).toMatchObject({ state: 'insufficient', advice: [] });
  expect(few.pearson.value).not.toBeNull();
});

test('SOAR-33, X-12: a series that does not vary has no correlation', () => {
  expect(correlate([{ score: 0.7, bad: 60, good: 60 }])).toMatchObject({
    state: 'no_data',
    pearson: { value: null, n: 120 },
    advice: [],
  });
  expect(
    correlate([
      { score: 0.1, bad: 0, good: 60 },
      { score: 0.7, bad: 0, good: 60 },
    ]),
  ).toMatchObject({ state: 'no_data' });
  expect(correlate([])).toMatchObject({ state: 'no_data', pearson: { value: null, n: 0 } });
});

test.each([
  [
    'many false rejections',
    { caught: 45, missed: 5, rejected: 20, passed: 30 },
    [/lower the threshold/u],
  ],
  [
    'many missed failures',
    { caught: 25, missed: 25, rejected: 2, passed: 48 },
    [/raise the threshold/u],
  ],
  ['both', poor, [/no threshold mends both/u]],
  ['neither', { caught: 45, missed: 5, rejected: 2, passed: 48 }, []],
] as const)('SOAR-34 %s', (_, matrix, advice) => {
  const { advice: given } = correlate(scored(100, 0), matrix);
  expect(given).toHaveLength(advice.length);
  for (const [at, pattern] of advice.entries()) expect(given[at]).toMatch(pattern);
});

test.each([
  ['caught 59 of 100', { caught: 59, missed: 41, passed: 900 }, {}, ['catchRate']],
  ['caught 60 of 100', { caught: 60, missed: 40, passed: 900 }, {}, []],
  ['rejected 16 of 100', { caught: 50, rejected: 16, passed: 34 }, {}, ['falsePositiveRate']],
  ['rejected 15 of 100', { caught: 50, rejected: 15, passed: 35 }, {}, []],
  ['49 of 100 retries', {}, { retries: { retries: 100, passed: 49 } }, ['retrySuccess']],
  ['50 of 100 retries', {}, { retries: { retries: 100, passed: 50 } }, []],
  ['too few to decide', { caught: 1, missed: 18 }, {}, []],
] as const)('SOAR-31, SOAR-29: %s', (_, matrix, more, alerts) => {
  const found = alertsOf(ratesOf({ ...noCounts, ...matrix }, more));
  expect(found.map(({ measure }) => measure)).toEqual(alerts);
  for (const { action } of found) expect(action).toMatch(/^Review /u);
});
