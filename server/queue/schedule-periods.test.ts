import { describe, expect, test } from 'vitest';
import { AssayError } from '../platform';
import { checkTiming, nextPeriod, periodsBetween } from './schedule-periods';

const isLong = process.env.ASSAY_LONG === '1';
/** From noon of 1 January 2026 to noon of 1 January of another year. */
const { until, days: dayCount } = isLong
  ? { until: '2029-01-01T12:00:00Z', days: 1096 }
  : { until: '2027-01-01T12:00:00Z', days: 365 };

const iso = (dates: readonly (Date | null)[]): (string | undefined)[] =>
  dates.map((date) => date?.toISOString().replace(':00.000Z', 'Z'));

describe('R-48 the next period, at any moment of a night in which the clock changes', () => {
  test.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:29:59Z', '2026-10-25T00:30Z'],
    // 02:30 the first time, between the two, and the second time.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10:00Z', '2026-10-26T01:30Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T01:29:59Z', '2026-10-26T01:30Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:00Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-30T00:30Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-03-29T01:29:00Z', '2026-03-30T00:30Z'],
    ['30 1 * * *', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-02T06:30Z'],
    ['30 1 * * *', 'America/New_York', '2026-11-01T06:10:00Z', '2026-11-02T06:30Z'],
    ['30 2 * * *', 'America/New_York', '2026-03-08T06:59:59Z', '2026-03-08T07:00Z'],
    ['30 2 * * *', 'America/New_York', '2026-03-08T07:00:00Z', '2026-03-09T06:30Z'],
    ['0 6 * * 1', 'UTC', '2026-11-23T06:00:00Z', '2026-11-30T06:00Z'],
  ])('%s in %s after %s is %s', (cron, zone, after, next) => {
    expect(iso([nextPeriod({ cron, zone }, new Date(after))])).toEqual([next]);
  });

  test.each(['Europe/Berlin', 'America/New_York'])(
    `in %s a daily time occurs once on each of ${dayCount} days, by either function`,
    (zone) => {
      for (const time of ['0 0', '30 1', '0 2', '30 2', '59 2', '0 3', '15 23']) {
        const timing = { cron: `${time} * * *`, zone };
        const periods = periodsBetween(
          timing,
          new Date('2026-01-01T12:00:00Z'),
          new Date(until),
          5_000,
        );
        const days = periods.map((at) =>
          new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at),
        );
        expect([periods.length, new Set(days).size], time).toEqual([dayCount, dayCount]);
        // From any moment between two periods, the next period is the same.
        for (const [n, at] of periods.entries()) {
          if (n % 37 !== 0 || n === 0) continue;
          expect(nextPeriod(timing, new Date(at.getTime() - 1_000))).toEqual(at);
        }
      }
    },
  );
});

test('at most the given number of periods is returned, in order, including the last moment', () => {
  const hourly = { cron: '0 * * * *', zone: 'UTC' };
  const [from, until] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T05:00:00Z')];
  expect(iso(periodsBetween(hourly, from, until, 10))).toEqual(
    [1, 2, 3, 4, 5].map((hour) => `2026-01-01T0${hour}:00Z`),
  );
  expect(periodsBetween(hourly, from, until, 2)).toHaveLength(2);
  expect(periodsBetween({ cron: 'often', zone: 'UTC' }, from, until, 10)).toEqual([]);
});

describe('an invalid timing is refused, naming the field', () => {
  test.each([
    ['* * * *', 'UTC', 'cron'],
    ['* * * * * *', 'UTC', 'cron'],
    ['@daily', 'UTC', 'cron'],
    ['60 * * * *', 'UTC', 'cron'],
    ['a b c d e', 'UTC', 'cron'],
    ['0 0 31 2 *', 'UTC', 'cron'],
    ['0 6 * * *', 'Mars/Olympus', 'zone'],
    ['0 6 * * *', '', 'zone'],
  ])('%s in "%s"', (cron, zone, path) => {
    let thrown: unknown;
    try {
      checkTiming({ cron, zone });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AssayError);
    expect((thrown as AssayError).details.map((detail) => detail.path)).toEqual([path]);
  });
  test.each([
    ['61 * * * *', 'must have a valid minute: 0 to 59, or *'],
    ['0 24 * * *', 'must have a valid hour: 0 to 23, or *'],
    ['0 6 0 * *', 'must have a valid day of month: 1 to 31'],
    ['0 6 * 13 *', 'must have a valid month: 1 to 12'],
    ['0 6 * * 8', 'must have a valid day of week: 0 to 7'],
    ['*/0 * * * *', 'must have a valid minute: 0 to 59'],
    ['* * * *', 'must have five fields'],
  ])('R-48 %s is reported with the field and its range', (cron, words) => {
    let thrown: unknown;
    try {
      checkTiming({ cron, zone: 'UTC' });
    } catch (error) {
      thrown = error;
    }
    expect((thrown as AssayError).details[0]?.message).toMatch(
      new RegExp(`^${words.replaceAll('*', String.raw`\*`)}`),
    );
  });
  test('a valid timing is accepted', () =>
    expect(() => checkTiming({ cron: '0 6 * * 1-5', zone: 'Europe/Berlin' })).not.toThrow());
});
