import { expect, test } from 'vitest';
import { detectRateChange, significantTogether } from '../server/stats';
import { reportFigure } from '../testing/figures';
import { createCalendar } from './calendar.mjs';
import { makeTurns, smallModel } from './make-turns.mjs';

const now = new Date('2026-11-22T00:00:00Z');
const dayMs = 86_400_000;
const begin = now.getTime() - 29 * dayMs;
const dayOf = (at: Date): number => Math.floor((at.getTime() - begin) / dayMs);
const machine = {
  disk: { host: 'this-machine', disk_pct: 41.7, free_gib: 93.2 },
  memory: { host: 'this-machine', used_gib: 3.6, total_gib: 7.8 },
  load: { host: 'this-machine', cores: 2, load_5m: 0.58, up_hours: 7.7 },
};
/** Series of a project such as the demo's, which are tested together. */
const tested = 10;
const alpha = 0.05;
/** The shares of bad answers of the small model, which only its author knows. */
const [was, is] = [0.375, 0.75];

interface Answer {
  readonly day: number;
  readonly isSmall: boolean;
  readonly isGood: boolean;
  readonly isChanged: boolean;
}

/** The turns of `npm run demo` with its defaults, except for the seed. */
function answersOf(seed: number): readonly Answer[] {
  const calendar = createCalendar({ seed, now });
  return makeTurns({ run: 'r', count: 900, seed, faultRate: 0.25, now, machine, calendar }).map(
    ({ turn, fault, endedAt }) => ({
      day: dayOf(endedAt ?? now),
      isSmall: turn.model === smallModel,
      isGood: fault === null,
      isChanged: endedAt !== null && endedAt >= calendar.changedAt,
    }),
  );
}

const firstChanged = (answers: readonly Answer[]): number =>
  Math.min(...answers.filter(({ isChanged }) => isChanged).map(({ day }) => day));

/**
 * The first day on which the change is detectable: the likelihood ratio of the true rates, from the
 * true day on, passes the limit of the detector.
 */
function detectableOn(answers: readonly Answer[]): number {
  let logRatio = 0;
  for (let day = firstChanged(answers); day < 29; day++) {
    for (const { isGood } of answers.filter(
      (each) => each.day === day && each.isSmall && each.isChanged,
    ))
      logRatio += isGood ? Math.log((1 - is) / (1 - was)) : Math.log(is / was);
    if (logRatio >= Math.log(tested / alpha)) return day;
  }
  return Number.NaN;
}

/**
 * The first day at the end of which the detector finds the change, without knowing the rates or the
 * day.
 */
function foundOn(answers: readonly Answer[]): number {
  for (let day = firstChanged(answers); day < 29; day++) {
    const logEs = [true, false].map((isSmall) => {
      const days = Array.from({ length: day + 1 }, () => ({ passed: 0, decided: 0 }));
      for (const each of answers) {
        const counted = days[each.day];
        if (counted === undefined || each.isSmall !== isSmall) continue;
        counted.decided++;
        if (each.isGood) counted.passed++;
      }
      return detectRateChange(days)?.logE ?? 0;
    });
    const quiet = Array.from({ length: tested - 2 }, () => 0);
    if (significantTogether([...logEs, ...quiet], alpha).includes(0)) return day;
  }
  return Number.NaN;
}

/** Days from the first day on which the change is detectable until it is found. */
function delayOf(seed: number): number {
  const answers = answersOf(seed);
  return foundOn(answers) - detectableOn(answers);
}

test('the regression that the demo plants is found within a day of being detectable', () => {
  expect(delayOf(7)).toBeLessThanOrEqual(1);
});

test('with other seeds too, in the median', () => {
  const delays = Array.from({ length: 24 }, (_, n) => delayOf(n + 1)).toSorted((a, b) => a - b);
  reportFigure('days until the regression of the demo is found', {
    median: delays[12] ?? Number.NaN,
    most: delays.at(-1) ?? Number.NaN,
  });
  expect(delays.every((days) => days >= 0)).toBe(true);
  expect(delays[12]).toBeLessThanOrEqual(1);
  expect(delays.at(-1)).toBeLessThanOrEqual(5);
});
