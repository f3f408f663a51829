import { expect, test } from 'vitest';
import { caughtText, costData, costSteps } from './caught-cost-words';

const step = {
  from: new Date('2026-11-16T00:00:00Z'),
  to: new Date('2026-11-23T00:00:00Z'),
  usd: 1.5,
  judged: 300,
  flagged: 60,
  flaggedLabelled: 40,
  caughtLabelled: 30,
  caught: 45,
  usdPerCaught: 1.5 / 45,
};
const few = { ...step, flaggedLabelled: 3, caughtLabelled: 2, caught: null, usdPerCaught: null };

test('X-12 under 20 labels of flagged verdicts there is no number of caught defects, and no cost of one', () => {
  expect(caughtText(step)).toBe('about 45 (30/40 of the labelled)');
  expect(caughtText(few)).toBe('2/3 of the labelled: fewer than 20 labels');
  expect(caughtText({ ...few, flaggedLabelled: 0 })).toBe('no data');
  expect(costSteps({ step: 'week', steps: [few] })[0]?.values).toEqual({
    usd: 1.5,
    flagged: 60,
    caught: null,
    each: null,
  });
});

test('the saved data has a row per step, with blanks for unknown values', () => {
  const { columns, rows } = costData({ steps: [step, few] });
  expect(rows.map((row) => row.length)).toEqual([columns.length, columns.length]);
  expect(rows[1]?.slice(-2)).toEqual([null, null]);
});
