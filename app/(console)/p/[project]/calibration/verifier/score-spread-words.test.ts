import { expect, test } from 'vitest';
import { binText, placeLines, scoreData, scorePart, scoreSeries } from './score-spread-words';

const bin = (low: number, count: number, failed: number, unclassified = 0) => ({
  low,
  high: low + 0.05,
  count,
  failed,
  unclassified,
});

test('a bar is described by its parts, and only existing parts have a label', () => {
  const bins = [bin(0.3, 5, 5), bin(0.8, 10, 1)];
  expect(scoreSeries({ bins }).map(({ key }) => key)).toEqual(['others', 'failed']);
  expect(scoreSeries({ bins: [bin(0.3, 5, 0, 5)] }).map(({ key }) => key)).toEqual([
    'unclassified',
  ]);
  expect(scoreData({ bins }).rows).toEqual([
    [0.3, 0.35, 5, 0, 0, 5],
    [0.8, 0.85, 1, 9, 0, 10],
  ]);
});

test('the number of verdicts with a score is stated when some had none', () => {
  const spread = { n: 182, p50: 0.7, p95: 1, p99: 1 };
  expect(scorePart({ spread, verdicts: 240 })).toBe('182 of 240 verdicts scored');
  expect(scorePart({ spread, verdicts: 182 })).toBeNull();
});

test('bins are named on their scale', () => {
  expect([binText({ low: 0.7, high: 0.75 }), binText({ low: 55, high: 60 })]).toEqual([
    '0.70–0.75',
    '55–60',
  ]);
});

test('labels of thresholds close together are in separate rows, distant ones share one', () => {
  const at = (...values: readonly number[]) =>
    values.map((value) => ({ key: `t_${value}`, value, meaning: '' }));
  expect(placeLines(at(85, 55, 65, 75, 80), 100).map(({ value, row }) => [value, row])).toEqual([
    [55, 0],
    [65, 1],
    [75, 2],
    [80, 3],
    [85, 4],
  ]);
  expect(placeLines(at(0.9, 0.05), 1).map(({ row, toLeft }) => [row, toLeft])).toEqual([
    [0, false],
    [0, true],
  ]);
  expect(placeLines(at(0.7, 0.4), 1).map(({ row }) => row)).toEqual([0, 1]);
});
