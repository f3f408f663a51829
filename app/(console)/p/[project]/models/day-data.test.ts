import { expect, test } from 'vitest';
import { modelData, scaleOfScores } from './day-data';

const models = [
  {
    model: 'm',
    passed: 3,
    failed: 1,
    weight: 1,
    days: [
      { day: '2026-11-22', passed: 0, failed: 0 },
      { day: '2026-11-23', passed: 3, failed: 1 },
    ],
  },
];
const scores = [
  { model: 'm', days: [{ day: '2026-11-23', spread: { n: 4, p50: 0.7, p95: 1, p99: 1 } }] },
];
const day = new Date('2026-11-23T00:00:00Z');

test('a row per day with results, with the score of the chosen verifier', () => {
  expect(modelData(models, null, null).rows).toEqual([['m', day, 3, 1]]);
  expect(modelData(models, scores, 'task')).toEqual({
    columns: ['model', 'day', 'passed', 'failed', 'median score by task', 'scores by task'],
    rows: [['m', day, 3, 1, 0.7, 4]],
  });
  expect(modelData(models, [], 'task').rows).toEqual([['m', day, 3, 1, null, 0]]);
});

test('all models are drawn on one scale', () => {
  expect(scaleOfScores([])).toBe(1);
  expect(scaleOfScores(scores)).toBe(1);
  const points = [
    { model: 'm', days: [{ day: '2026-11-23', spread: { n: 1, p50: 72, p95: 80, p99: 80 } }] },
  ];
  expect(scaleOfScores(points)).toBe(100);
});
