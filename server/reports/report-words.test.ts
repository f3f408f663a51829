import { expect, test } from 'vitest';
import { measureShare } from '../measures';
import type { ReportedMeasure } from './report-content';
import {
  changeText,
  correlationText,
  findingsOf,
  kappaText,
  measureText,
  moneyText,
  movedSentence,
  periodText,
} from './report-words';

test.each([
  [measureShare(0, 0), 'no data'],
  [measureShare(19, 19), '19/19'],
  [measureShare(42, 50), '84.0% (71.5–91.7%), 42/50'],
  [measureShare(0, 50), '0.0% (0.0–7.1%), 0/50'],
])('X-12 a share of nothing is no data, under 20 there are counts only: %j', (measure, text) => {
  expect(measureText(measure)).toBe(text);
});

test.each([
  [
    {
      value: 0.707,
      numerator: null,
      denominator: 200,
      low: 0.5959,
      high: 0.8181,
      state: 'on_target' as const,
    },
    '0.707 (0.596 to 0.818), n 200',
  ],
  [
    {
      value: 0.5,
      numerator: null,
      denominator: 12,
      low: 0,
      high: 1,
      state: 'insufficient' as const,
    },
    'n 12',
  ],
  [
    {
      value: null,
      numerator: null,
      denominator: 0,
      low: null,
      high: null,
      state: 'no_data' as const,
    },
    'no data',
  ],
  [
    {
      value: -0.0001,
      numerator: null,
      denominator: 30,
      low: -0.3,
      high: 0.3,
      state: 'on_target' as const,
    },
    '0.000 (−0.300 to 0.300), n 30',
  ],
])('kappa is not a share', (measure, text) => {
  expect(kappaText(measure)).toBe(text);
});

test.each([
  [{ value: 0.12, low: -0.0435, high: 0.2767 }, '+12.0 points (−4.3 to +27.7)'],
  [{ value: 0.12, low: 0.01, high: 0.2 }, 'rose +12.0 points (+1.0 to +20.0)'],
  [{ value: -0.12, low: -0.2, high: -0.01 }, 'fell −12.0 points (−20.0 to −1.0)'],
  [null, 'too few to compare'],
])('a change is named only if its interval excludes zero: %j', (difference, text) => {
  expect(changeText(difference)).toBe(text);
});

const verifierWith = (
  verifier: string,
  difference: { value: number; low: number; high: number } | null,
) => {
  const share = { numerator: 0, denominator: 0, difference: null };
  return {
    verifier,
    before: { pass_rate: { ...share, difference }, catch_rate: share, false_rejection_rate: share },
  };
};
const still = { value: 0.02, low: -0.05, high: 0.09 };
const fell = { value: -0.12, low: -0.2, high: -0.01 };
const nothing =
  'There is no pass rate to compare with the period before: that takes 20 verdicts of a verifier in both.';

test.each([
  ['no verifier', [], nothing],
  ['too few of each', [verifierWith('task', null), verifierWith('code', null)], nothing],
  ['one that stayed', [verifierWith('task', still)], 'No pass rate moved by more than chance.'],
  [
    'one that stayed and one of too few',
    [verifierWith('task', still), verifierWith('code', null)],
    'No pass rate moved by more than chance. Of 1 verifier there are too few verdicts to compare.',
  ],
  [
    'one that fell',
    [verifierWith('task', fell), verifierWith('code', still)],
    'Pass rates that moved: task fell −12.0 points (−20.0 to −1.0).',
  ],
])('X-12 no data is no all-clear: %s', (_, verifiers, text) => {
  expect(movedSentence(verifiers)).toBe(text);
});

test('money and periods', () => {
  expect([moneyText(0), moneyText(0.00001), moneyText(0.0123), moneyText(12.5, 1)]).toEqual([
    '$0',
    '<$0.0001',
    '$0.0123',
    'at least $12.50',
  ]);
  expect(periodText({ from: '2026-11-16T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' })).toBe(
    '2026-11-16 to 2026-11-22',
  );
  expect(periodText({ from: '2026-11-22T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' })).toBe(
    '2026-11-22',
  );
});

const pearson = (
  value: number | null,
  denominator: number,
  state: ReportedMeasure['state'],
): ReportedMeasure => ({
  value,
  numerator: null,
  denominator,
  low: value === null ? null : value - 0.1,
  high: value === null ? null : value + 0.1,
  state,
});
test.each([
  [pearson(null, 0, 'no_data'), 'no data'],
  [pearson(0.8, 12, 'insufficient'), 'n 12'],
  [pearson(0.8, 60, 'insufficient'), '0.800 (0.700 to 0.900), n 60, too few pairs to go by'],
  [pearson(0.8, 120, 'on_target'), '0.800 (0.700 to 0.900), n 120'],
  [
    pearson(0.5, 120, 'off_target'),
    '0.500 (0.400 to 0.600), n 120, below 0.7: calibrate the scores again',
  ],
])('SOAR-33 the correlation of scores with labels', (measure, text) => {
  expect(correlationText(measure)).toBe(text);
});

test('findings are the active alerts, then those that began in the period and ended', () => {
  const task = { kind: 'pass_rate_fell', series: 'task/m', name: 'Task, m', severity: 'high' };
  const code = { kind: 'drift', series: 'code', name: 'Code', severity: 'medium' };
  const event = { message: 'Then.', found: 1, at: '2026-11-20T00:00:00.000Z' };
  const found = findingsOf({
    alerts: {
      now: [{ ...task, message: 'Now.', advice: 'Compare.', since: '2026-11-20T00:00:00.000Z' }],
      events: [
        { ...code, ...event, event: 'recovered' },
        { ...code, ...event, event: 'began' },
        { ...task, ...event, event: 'began' },
      ],
      events_left_out: 0,
    },
  });
  expect(found.map(({ message, advice, hasEnded }) => [message, advice, hasEnded])).toEqual([
    ['Now.', 'Compare.', false],
    ['Then.', null, true],
  ]);
});
