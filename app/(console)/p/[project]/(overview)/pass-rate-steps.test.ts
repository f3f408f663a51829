import { expect, test } from 'vitest';
import { csvText } from '@/app/_ui/chart-data';
import { partText, rateData, ratePoints, rateSteps } from './pass-rate-steps';

const none = { passed: 0, failed: 0, needs_review: 0, steered: 0, inconclusive: 0, skipped: 0 };
const hours = [
  { at: new Date('2026-11-23T00:00:00Z'), outcomes: { ...none, passed: 1200, failed: 300 } },
  { at: new Date('2026-11-23T01:00:00Z'), outcomes: none },
  { at: new Date('2026-11-23T02:00:00Z'), outcomes: { ...none, passed: 6, failed: 2, skipped: 9 } },
  { at: new Date('2026-11-23T03:00:00Z'), outcomes: { ...none, passed: 3, failed: 1 } },
];

const days = (count: number, passed: number) =>
  Array.from({ length: count }, (_, day) => ({
    at: new Date(Date.UTC(2026, 10, 1 + day)),
    outcomes: { ...none, passed, failed: 1 },
  }));

test('the saved numbers are those of the chart, with their times', () => {
  expect(csvText(rateData(rateSteps({ step: 'hour', steps: hours }))).split('\r\n')).toEqual([
    'hour from,failed,needs_review,inconclusive,steered,skipped,passed',
    '2026-11-23T00:00:00.000Z,300,0,0,0,0,1200',
    '2026-11-23T01:00:00.000Z,0,0,0,0,0,0',
    '2026-11-23T02:00:00.000Z,2,0,0,0,9,6',
    '2026-11-23T03:00:00.000Z,1,0,0,0,0,3',
    '',
  ]);
});

test('a point has its interval from 20 verdicts; fewer are counts, and under 5 there is no point', () => {
  const points = ratePoints(rateSteps({ step: 'hour', steps: hours }), 1);
  expect(points.map(({ tick, values }) => [tick, values['passed']])).toEqual([
    ['00:00', 0.8],
    ['01:00', null],
    ['02:00', 0.75],
    ['03:00', null],
  ]);
  expect(points[0]?.tooltips).toEqual({ passed: '80.0% (77.9–81.9%), 1,200/1,500' });
  expect(points[0]?.bands?.['passed']?.[0]).toBeCloseTo(0.779, 3);
  expect(points[2]).toMatchObject({ tooltips: { passed: '6/8' }, few: ['passed'] });
  expect(points[2]?.bands).toBeUndefined();
});

test('a weight below 1 widens the interval', () => {
  const [point] = ratePoints(rateSteps({ step: 'hour', steps: hours }), 0.25);
  expect(point?.bands?.['passed']?.[0]).toBeCloseTo(0.756, 2);
});

test.each([
  [30, 30, 'day', 30],
  [30, 5, 'week', 5],
  [28, 5, 'week', 4],
  [7, 5, 'day', 7],
] as const)('%i days with %i passed each are shown by %s', (count, passed, step, length) => {
  const shown = rateSteps({ step: 'day', steps: days(count, passed) });
  expect([shown.step, shown.steps.length]).toEqual([step, length]);
  const sum = shown.steps.reduce((total, { outcomes }) => total + outcomes.passed, 0);
  expect(sum).toBe(count * passed);
});

test('weeks are counted back from the end of the period', () => {
  const { steps } = rateSteps({ step: 'day', steps: days(30, 5) });
  expect(
    steps.map(({ at, to }) => [at, to].map((each) => each.toISOString().slice(5, 10))),
  ).toEqual([
    ['11-01', '11-03'],
    ['11-03', '11-10'],
    ['11-10', '11-17'],
    ['11-17', '11-24'],
    ['11-24', '12-01'],
  ]);
});

test('verdicts without an hour are reported, and nothing when there are none', () => {
  expect(partText({ verdicts: 1203, inSteps: 1203 })).toBeNull();
  expect(partText({ verdicts: 1203, inSteps: 3 })).toMatch(/^3 of 1,203 counted by the hour/);
});
