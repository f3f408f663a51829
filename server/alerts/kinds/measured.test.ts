import { describe, expect, test } from 'vitest';
import { noCounts, ratesOf } from '../../measures';
import { measureFinding, isBeyond, type MeasuredKind } from './measured';

const rule = { enabled: true, windowMinutes: 1440, noData: 'ok', renotifyMinutes: null } as const;
const about = (kind: MeasuredKind['kind'], measure: MeasuredKind['measure']): MeasuredKind => ({
  kind,
  measure,
  title: 'Rate',
  severity: 'high',
  meaning: '',
  defaults: { ...rule, limit: null },
  counted: (k, n) => `${k} of ${n}`,
  none: 'nothing',
  advice: 'Do something.',
  href: () => '/rows',
});

const matrix = (caught: number, missed: number, rejected: number, passed: number) => ({
  ...noCounts,
  caught,
  missed,
  rejected,
  passed,
});
const state = (
  kind: MeasuredKind['kind'],
  measure: MeasuredKind['measure'],
  limit: number,
  counts = noCounts,
  retries = { retries: 0, passed: 0 },
) =>
  measureFinding(about(kind, measure), 'task', ratesOf(counts, { retries })[measure], {
    ...rule,
    limit,
  });

describe('SOAR-29 exactly the limit does not alert', () => {
  test.each([
    [12, 8, 'ok'],
    [11, 9, 'alerting'],
    [599, 401, 'alerting'],
    [600, 400, 'ok'],
    [13, 7, 'ok'],
  ])('SOAR-26 %i caught and %i missed: %s at 0.60', (caught, missed, expected) => {
    expect(state('catch_rate', 'catchRate', 0.6, matrix(caught, missed, 0, 0)).state).toBe(
      expected,
    );
  });

  test.each([
    [3, 17, 'ok'],
    [4, 16, 'alerting'],
    [150, 850, 'ok'],
    [151, 849, 'alerting'],
  ])('SOAR-27 %i false rejections and %i right ones: %s at 0.15', (rejected, passed, expected) => {
    expect(
      state('false_positive_rate', 'falsePositiveRate', 0.15, matrix(0, 0, rejected, passed)).state,
    ).toBe(expected);
  });

  test.each([
    [10, 20, 'ok'],
    [10, 21, 'alerting'],
    [11, 22, 'ok'],
  ])('SOAR-28 SOAR-30 %i of %i retries passed: %s at 0.50', (passed, retries, expected) => {
    expect(state('retry_success', 'retrySuccess', 0.5, noCounts, { retries, passed }).state).toBe(
      expected,
    );
  });

  test('every share of small integers is distinguished from its neighbours', () => {
    for (let n = 20; n <= 400; n++) {
      for (const limit of [0.05, 0.15, 0.5, 0.6, 0.7]) {
        for (const k of [Math.floor(limit * n), Math.ceil(limit * n)]) {
          const exact = Math.sign(100 * k - Math.round(limit * 100) * n);
          expect(
            [isBeyond('catch_rate', k / n, limit), isBeyond('false_positive_rate', k / n, limit)],
            `${k}/${n} ${limit}`,
          ).toEqual([exact < 0, exact > 0]);
        }
      }
    }
  });
});

test('X-12 nothing counted, and fewer than 20, are no data, with a message', () => {
  expect(state('catch_rate', 'catchRate', 0.6)).toMatchObject({
    state: 'no_data',
    value: null,
    message: 'Rate of Task: nothing in 1 day.',
  });
  expect(state('catch_rate', 'catchRate', 0.6, matrix(0, 19, 0, 0))).toMatchObject({
    state: 'no_data',
    value: null,
    message: 'Rate of Task: 0 of 19. A rate needs 20.',
  });
});

test('SOAR-31 an alert states what to do, with its numbers', () => {
  expect(state('catch_rate', 'catchRate', 0.6, matrix(11, 9, 0, 0))).toMatchObject({
    value: 0.55,
    limit: 0.6,
    message: 'Rate of Task: 55% (11 of 20) in 1 day, below the limit of 60%.',
    advice: 'Do something.',
    href: '/rows',
  });
  expect(state('catch_rate', 'catchRate', 0.6, matrix(12, 8, 0, 0))).toMatchObject({
    advice: null,
    message: expect.stringContaining('; the limit is 60%.'),
  });
});
