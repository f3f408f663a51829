import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfDay, lastDays, rangeText, readDay, startOfDay, writeDay } from './day-words';

const day = (text: string) => readDay(text) ?? new Date(Number.NaN);

describe('days', () => {
  test('every day is read as it is written', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(1900, 0, 1), max: new Date(2200, 0, 1), noInvalidDate: true }),
        (at) => {
          const start = startOfDay(at);
          expect(readDay(writeDay(at))?.getTime()).toBe(start.getTime());
          expect(writeDay(endOfDay(at))).toBe(writeDay(start));
        },
      ),
    );
  });

  test.each(['', '2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '2026-01-01T00:00', 'today'])(
    '%j is not a day',
    (text) => {
      expect(readDay(text)).toBeNull();
    },
  );

  test('the last 7 days are today and the six before it, over a change of the month', () => {
    const { from, to } = lastDays(7, new Date(2026, 10, 3, 15, 4));
    expect([from, to].map((at) => at && writeDay(at))).toEqual(['2026-10-28', '2026-11-03']);
  });
});

describe('a range in words', () => {
  const from = day('2026-11-10');
  const to = endOfDay(day('2026-11-12'));
  test.each([
    [{ from: null, to: null }, 'Any time'],
    [{ from, to: null }, 'Since 10 Nov 2026'],
    [{ from: null, to }, 'Until 12 Nov 2026'],
    [{ from, to }, '10 – 12 Nov 2026'],
    [{ from, to: endOfDay(from) }, '10 Nov 2026'],
    [{ from: new Date(2026, 10, 10, 9, 30), to: null }, 'Since 10 Nov, 9:30'],
  ])('%o', (range, words) => {
    expect(rangeText(range, 'en-GB').replace(/\s+/g, ' ')).toBe(words);
  });

  test('the order of day and month is that of the locale', () => {
    expect(rangeText({ from, to: null }, 'en-US')).toBe('Since Nov 10, 2026');
    expect(rangeText({ from, to: null }, 'de')).toBe('Since 10. Nov. 2026');
  });
});
