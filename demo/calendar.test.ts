import { expect, test } from 'vitest';
import { createCalendar } from './calendar.mjs';
import { makeTurns, smallModel } from './make-turns.mjs';
import { createMeters, describe } from './progress.mjs';

const dayMs = 86_400_000;
const now = new Date('2026-11-22T15:30:00Z'); // a Sunday
const calendar = createCalendar({ seed: 7, now });

test('four weeks of times, in order, none in the future, with more of them week by week and fewer on Saturdays and Sundays', () => {
  const moments = calendar.momentsOf(2000, 11);
  expect(moments.toSorted((a, b) => a.getTime() - b.getTime())).toEqual(moments);
  const ages = moments.map((at) => (now.getTime() - at.getTime()) / dayMs);
  expect(Math.min(...ages)).toBeGreaterThan(0);
  expect(Math.max(...ages)).toBeGreaterThan(27);
  expect(Math.max(...ages)).toBeLessThan(28.1);
  const [old, , , young] = [3, 2, 1, 0].map(
    (week) => ages.filter((age) => Math.floor(age / 7) === week).length,
  );
  expect(young).toBeGreaterThan(1.4 * (old ?? 0));
  const weekend = moments.filter((at) => at.getUTCDay() % 6 === 0).length;
  expect(weekend / 2000).toBeLessThan(0.2);
  const night = moments.filter((at) => at.getUTCHours() < 7 || at.getUTCHours() >= 19).length;
  expect(night / 2000).toBeLessThan(0.2);
});

test('the same seed gives the same times, another seed different ones; no follow-up time is in the future', () => {
  expect(createCalendar({ seed: 7, now }).momentsOf(50, 11)).toEqual(calendar.momentsOf(50, 11));
  expect(createCalendar({ seed: 8, now }).momentsOf(50, 11)).not.toEqual(
    calendar.momentsOf(50, 11),
  );
  const at = new Date(now.getTime() - 60_000);
  expect([calendar.after(at, 0.5), calendar.after(at, 600)]).toEqual([
    new Date(now.getTime() - 30_000),
    now,
  ]);
});

test('the smaller model errs at its rate before the exchange, twice as often after it; the larger one as before', () => {
  const turns = makeTurns({ run: 'r', count: 4000, seed: 7, faultRate: 0.16, now, calendar });
  const rate = (isSmall: boolean, isAfter: boolean): number => {
    const some = turns.filter(
      ({ turn, endedAt }) =>
        (turn.model === smallModel) === isSmall &&
        (endedAt ?? now) >= calendar.changedAt === isAfter,
    );
    return some.filter(({ fault }) => fault !== null).length / some.length;
  };
  const planted: readonly [boolean, boolean, number][] = [
    [true, false, 0.24],
    [true, true, 0.48],
    [false, false, 0.08],
    [false, true, 0.08],
  ];
  for (const [isSmall, isAfter, about] of planted)
    expect(Math.abs(rate(isSmall, isAfter) - about), `${isSmall} ${isAfter}`).toBeLessThan(0.05);
});

test('progress shows count, rate and time left, at intervals', () => {
  expect(describe('tasks', 30, 120, 10)).toBe('tasks: 30 of 120, 3.0 a second, about 30 s left');
  expect(describe('tasks', 120, 120, 40)).toBe('tasks: 120 in 40.0 s');
  expect(describe('tasks', 0, 120, 0)).toBe('tasks: 0 of 120, 0.0 a second');
  const lines: string[] = [];
  let at = 0;
  const { add } = createMeters({
    write: (text) => lines.push(text),
    isTerminal: false,
    now: () => at,
  })('turns', 4);
  for (let n = 0; n < 4; n++) {
    at += 6_000;
    add();
  }
  expect(lines).toEqual([
    '  turns: 2 of 4, 0.2 a second, about 12 s left\n',
    '  turns: 4 in 24.0 s\n',
  ]);
});
