import { expect, test } from 'vitest';
import type { VerifierDetail } from '@/app/_trpc/outputs';
import { rateData, rateSteps } from './step-words';

type Rate = VerifierDetail['steps'][number]['rates']['catchRate'];

const none: Rate = {
  value: null,
  numerator: 0,
  denominator: 0,
  low: null,
  high: null,
  state: 'no_data',
};
const few: Rate = {
  value: 0.5,
  numerator: 5,
  denominator: 10,
  low: 0.24,
  high: 0.76,
  state: 'insufficient',
};
const many: Rate = {
  value: 0.8,
  numerator: 80,
  denominator: 100,
  low: 0.711,
  high: 0.867,
  state: 'on_target',
};
const step = {
  from: new Date('2026-11-16T00:00:00Z'),
  to: new Date('2026-11-23T00:00:00Z'),
  matrix: { caught: 80, missed: 20, rejected: 5, passed: 5 },
  rates: { catchRate: many, falseRejectionRate: few, agreement: none, overrideRate: none },
};

test('X-12 steps without data have no point and no band, fewer than 20 are hollow and show counts, 20 show rate, interval and counts', () => {
  const [drawn] = rateSteps([step], 'week');
  expect(drawn).toMatchObject({
    tick: '11-16',
    name: 'week from 2026-11-16',
    values: { catchRate: 0.8, falseRejectionRate: 0.5, agreement: null },
    bands: { catchRate: [0.711, 0.867], falseRejectionRate: [0.24, 0.76] },
    few: ['falseRejectionRate', 'agreement'],
    tooltips: {
      catchRate: '80.0% (71.1–86.7%) 80/100',
      falseRejectionRate: '5/10',
      agreement: 'no data',
    },
  });
});

test('the saved data has shares of 1 with their counts, and blanks where nothing was measured', () => {
  const { columns, rows } = rateData([step]);
  expect(rows[0]).toHaveLength(columns.length);
  expect(Object.fromEntries(columns.map((name, at) => [name, rows[0]?.[at]]))).toMatchObject({
    from: step.from,
    to: step.to,
    catchRate: 0.8,
    'falseRejectionRate denominator': 10,
    agreement: null,
  });
});
