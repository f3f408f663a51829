import { describe, expect, it, test } from 'vitest';
import { dollars } from '../wording';
import { testCaught } from './catch-rates';
import { adviceOf } from './detect';
import { testCost, testJudge, testVolume } from './levels';
import type { TestedSeries } from './series';
import { windowDays } from './window';

const days = <Value>(valueOf: (day: number) => Value): Value[] =>
  Array.from({ length: windowDays }, (_, day) => valueOf(day));

/** The first day with the new level, and the evidence required for a single series. */
const at = 45;
const needed = Math.log(20);
const since = new Date('2026-11-10T00:00:00Z');

/** The message of a change that is found; null if there is none. */
function messageOf(series: TestedSeries | null): string | null {
  return series?.isWorse === true && series.logE >= needed ? series.changed('2026-11-10') : null;
}

describe('the cost of an answer', () => {
  const cost = (after: number) =>
    testCost(
      'small',
      days((day) => ({ sum: 40 * (day < at ? 0.002 + (day % 3) * 0.0001 : after), count: 40 })),
    );

  it('that rises is found with both means and its rows', () => {
    const found = cost(0.005);
    expect(messageOf(found)).toBe(
      'Cost per answer of small rose from $0.0021 to $0.005 since 2026-11-10.',
    );
    expect(found).toMatchObject({ at, series: 'small', verifier: null });
    expect(found?.href(since)).toBe('/traces?model=small&from=2026-11-10T00%3A00%3A00.000Z');
    expect(found?.href(null)).toBe('/traces?model=small');
  });

  it.each([
    ['by less than 10%', 0.00225],
    ['not at all', 0.0021],
    ['but falls', 0.001],
  ])('that rises %s is not reported', (_name, after) => {
    expect(messageOf(cost(after))).toBeNull();
  });

  it('is not judged by few days', () => {
    expect(
      testCost(
        'small',
        days((day) => ({ sum: 1, count: day < at ? 0 : 40 })),
      ),
    ).toBeNull();
  });
});

describe('a volume', () => {
  const weekly = (day: number): number => (day % 7 < 5 ? 500 : 50) + (day % 3);

  it('that falls is compared with the same weekdays', () => {
    const counts = days((day) => (day < at ? weekly(day) : Math.round(weekly(day) / 5)));
    const found = testVolume('verifier', 'task', counts);
    expect(messageOf(found)).toMatch(
      /^Verdicts of Task fell from 3\d\d a day to \d\d a day since 2026-11-10, compared by weekday\.$/,
    );
    expect(found?.series).toBe('verifier:task');
    expect(found?.href(since)).toContain('/verdicts?verifier=task&from=');
  });

  it('that stops is found as such', () => {
    const found = testVolume(
      'turns',
      '',
      days((day) => (day < at ? 300 + (day % 5) : 0)),
    );
    expect(messageOf(found)).toBe('Turns stopped on 2026-11-10: there were 302 a day before.');
  });

  it.each([
    ['a weekend', days(weekly)],
    ['today, which is not over', days((day) => (day === windowDays - 1 ? 0 : 300 + (day % 5)))],
    ['the days before the first turn', days((day) => (day < 20 ? 0 : 300 + (day % 5)))],
    ['two a day', days((day) => (day < at ? 2 : 0))],
    ['a fall of 10%', days((day) => (day < at ? 300 : 270))],
  ])('has no finding for %s', (_name, counts) => {
    expect(messageOf(testVolume('route', 'chat', counts))).toBeNull();
  });
});

describe('failures of a judge', () => {
  const judge = (before: (day: number) => number, after: number) =>
    testJudge(
      'openai:judge',
      days((day) => ({ sum: day < at ? before(day) : after, count: 200 })),
    );

  it('that rise are found', () => {
    expect(messageOf(judge(() => 0, 20))).toBe(
      'Failed calls to openai:judge rose from 0% to 10% since 2026-11-10.',
    );
  });

  it('of single days, or of less than a point, are none', () => {
    expect(messageOf(judge((day) => (day % 9 === 0 ? 150 : 0), 0))).toBeNull();
    expect(messageOf(judge(() => 0, 1))).toBeNull();
  });
});

test('a catch rate that falls is found, and one that rises is not', () => {
  const caught = (before: number, after: number) =>
    testCaught(
      'task:self',
      days((day) => ({ passed: day < at ? before : after, decided: 6 })),
    );
  const found = caught(5, 1);
  expect(messageOf(found)).toBe(
    'Task, of its own work caught 16.7% of 66 labelled failures since 2026-11-10, and 83.3% of 270 labelled failures before.',
  );
  expect(found?.quiet).toContain('caught 70.2% of 336 labelled failures in 56 days');
  expect(messageOf(caught(1, 5))).toBeNull();
});

test('the advice names the changes of the day before, of the day and of the day after', () => {
  const mark = (day: string, target: string | null) => ({
    at: new Date(`2026-11-${day}T12:00:00Z`),
    action: 'settings.update',
    target,
  });
  expect(adviceOf('volume_fell', [], since)).toBe(
    'Check the clients, their keys and the rules: no setting changed around that day.',
  );
  const far = [mark('08', 'early'), mark('12', 'late')];
  expect(adviceOf('cost_rose', far, since)).toBe(adviceOf('cost_rose', [], since));
  const near = [mark('09', 'a'), mark('10', null), mark('11', 'c'), mark('11', 'd')];
  expect(adviceOf('cost_rose', [...far, ...near], since)).toBe(
    'Check what changed around that day: settings.update a, settings.update, settings.update c and 1 more.',
  );
});

test.each([
  [0.0000012, '$0.0000012'],
  [0.00512, '$0.0051'],
  [0.25, '$0.25'],
  [1.5, '$1.50'],
  [1234.567, '$1,234.57'],
])('%d is shown as %s', (usd, text) => {
  expect(dollars(usd)).toBe(text);
});
