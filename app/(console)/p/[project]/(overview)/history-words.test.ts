import { expect, test } from 'vitest';
import { csvText } from '@/app/_ui/chart-data';
import { historyData, historySteps, partText } from './history-words';

const none = { passed: 0, failed: 0, needs_review: 0, steered: 0, inconclusive: 0, skipped: 0 };
const steps = [
  { at: new Date('2026-11-23T00:00:00Z'), outcomes: { ...none, passed: 1200, failed: 3 } },
  { at: new Date('2026-11-23T01:00:00Z'), outcomes: none },
];

test('the saved numbers are those of the chart, with their times', () => {
  expect(csvText(historyData({ step: 'hour', steps })).split('\r\n')).toEqual([
    'hour from,failed,needs_review,inconclusive,steered,skipped,passed',
    '2026-11-23T00:00:00.000Z,3,0,0,0,0,1200',
    '2026-11-23T01:00:00.000Z,0,0,0,0,0,0',
    '',
  ]);
});

test('hours are named by their time, days by their date', () => {
  expect(historySteps({ step: 'hour', steps }).map(({ tick, name }) => [tick, name])).toEqual([
    ['00:00', '2026-11-23, hour from 00:00 UTC'],
    ['01:00', '2026-11-23, hour from 01:00 UTC'],
  ]);
  expect(historySteps({ step: 'day', steps })[0]).toMatchObject({
    tick: '11-23',
    name: '2026-11-23',
  });
});

test('verdicts without an hour are reported, and nothing when there are none', () => {
  expect(partText({ verdicts: 1203, inSteps: 1203 })).toBeNull();
  expect(partText({ verdicts: 1203, inSteps: 3 })).toMatch(/^3 of 1,203 counted by the hour/);
});
