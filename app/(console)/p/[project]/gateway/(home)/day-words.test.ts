import { expect, test } from 'vitest';
import { dayData, daySteps } from './day-words';

const none = {
  steers: { fixed: 0, not_fixed: 0, worse: 0, unknown: 0 },
  withheld: 0,
  undelivered: 0,
  deliveryDelay: { n: 0, p50: null, p95: null, p99: null },
};
const days = [
  { ...none, day: '2026-11-22' },
  {
    day: '2026-11-23',
    steers: { fixed: 3, not_fixed: 1, worse: 0, unknown: 2 },
    withheld: 1,
    undelivered: 4,
    deliveryDelay: { n: 7, p50: 40.5, p95: 90, p99: 91 },
  },
];

test('X-12 a day without buffered answers has no time, and zero steers are shown as zero', () => {
  const [quiet, busy] = daySteps(days);
  expect(quiet).toMatchObject({ values: { fixed: 0, p50: null, p95: null }, tooltips: {} });
  expect(busy).toMatchObject({
    values: { fixed: 3, unknown: 2, p50: 40.5 },
    tooltips: { p50: '41 ms (of 7)' },
  });
});

test('the saved data has a row per day, with all drawn and stated values', () => {
  const { columns, rows } = dayData(days);
  expect(rows.map((row) => row.length)).toEqual([columns.length, columns.length]);
  expect(rows[1]).toEqual([new Date('2026-11-23T00:00:00Z'), 3, 1, 0, 2, 1, 4, 7, 40.5, 90, 91]);
});
