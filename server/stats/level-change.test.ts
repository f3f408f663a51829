import { describe, expect, it, test } from 'vitest';
import { reportFigure } from '../../testing/figures';
import { detectLevelChange, type LevelOptions } from './level-change';
import { createRandom, normalDraw, type Random } from './random';
import { detectRateChange, significantTogether } from './rate-change';

const windowDays = 56;
const from = 28;
const alpha = 0.05;
/**
 * Simulated months, and how many of them may contain a false finding: two of so few may be chance.
 */
const [quietMonths, falseMax] = process.env.ASSAY_LONG === '1' ? [100, 5] : [25, 2];

describe('a change of daily values', () => {
  it('is found on its day', () => {
    const days = Array.from(
      { length: windowDays },
      (_, i) => (i < 49 ? 100 : 200) + ((i * 7) % 11),
    );
    const found = detectLevelChange(days, { side: 'higher', from, period: 7 });
    expect(found?.at).toBe(49);
    expect(found?.logE).toBeGreaterThan(Math.log(1000));
    expect(detectLevelChange(days, { side: 'lower', from, period: 7 })?.logE).toBeLessThan(0);
  });

  it('equals the definition on a small series', () => {
    // 16 values, and three of which two exceed all of them and one all but two.
    const days = [...Array.from({ length: 16 }, (_, i) => (i * 5) % 16), 14.5, 100, 99];
    // By recursion: P(next exceeds all but k of n) = (k + 1 + exceeded) / (n + 1 + counted).
    const ratio = (n: number, k: number, exceeds: readonly boolean[]): number => {
      const all = [0.5, 0.8, 0.95].map((supposed) => {
        let [e, exceeded] = [1, 0];
        for (const [nth, does] of exceeds.entries()) {
          const chance = (k + 1 + exceeded) / (n + 1 + nth);
          e *= does ? supposed / chance : (1 - supposed) / (1 - chance);
          if (does) exceeded++;
        }
        return e;
      });
      return all.reduce((sum, e) => sum + e, 0) / all.length;
    };
    const from16 = [
      ratio(16, 0, [false, true, true]),
      ratio(16, 2, [true, true, true]),
      ratio(16, 4, [true, true, true]),
    ];
    const from17 = [
      ratio(17, 0, [true, true]),
      ratio(17, 2, [true, true]),
      ratio(17, 4, [true, true]),
    ];
    const from18 = [ratio(18, 0, [false]), ratio(18, 2, [true]), ratio(18, 4, [true])];
    const all = [...from16, ...from17, ...from18];
    const expected = all.reduce((sum, e) => sum + e, 0) / all.length;
    const found = detectLevelChange(days, { side: 'higher', from: 16, period: 1 });
    expect(found?.logE).toBeCloseTo(Math.log(expected), 9);
    expect(found?.at).toBe(17);
  });

  it.each<[string, number, (number | null)[]]>([
    ['no day', 0, []],
    [
      '13 values before',
      33,
      [...Array.from({ length: 13 }, () => 1), ...Array.from({ length: 20 }, () => null), 9, 9],
    ],
    ['one value after', 40, [...Array.from({ length: 40 }, () => 1), 9]],
  ])('is not judged with too little data: %s', (_name, first, days) => {
    expect(detectLevelChange(days, { side: 'higher', from: first, period: 1 })).toBeNull();
  });

  it('is no evidence in equal values, nor in a week with its weekdays', () => {
    const equal = Array.from({ length: windowDays }, () => 0);
    expect(detectLevelChange(equal, { side: 'lower', from, period: 7 })?.logE).toBeLessThan(0);
    const weekly = Array.from({ length: windowDays }, (_, i) => (i % 7 < 5 ? 500 : 20));
    expect(detectLevelChange(weekly, { side: 'lower', from, period: 7 })?.logE).toBeLessThan(0);
  });
});

/** The mean cost of 50 answers, log-normal with heavy tails; `day` multiplies a whole day. */
function meanCost(random: Random, scale: number): number {
  const day = Math.exp(0.15 * normalDraw(random));
  let sum = 0;
  for (let n = 0; n < 50; n++) sum += scale * day * Math.exp(1.2 * normalDraw(random));
  return sum / 50;
}

/** A count of a day, with three times the variance of a Poisson count and its weekday's level. */
function volume(random: Random, day: number, level: number): number {
  const expected = level * (day % 7 < 5 ? 1 : 0.3);
  return Math.max(0, Math.round(expected + Math.sqrt(3 * expected) * normalDraw(random)));
}

/** A share of failures: none on most days, and many during an outage of one day. */
const failures = (random: Random): number => (random() < 0.1 ? random() * 0.5 : 0);

/** 50 verdicts of a day at a pass rate. */
const verdictsOf = (random: Random, rate: number) => ({
  passed: Array.from({ length: 50 }, () => random() < rate).filter(Boolean).length,
  decided: 50,
});

test(`over ${quietMonths} quiet months of 16 series of all kinds, checked daily, at most ${falseMax} hold a false finding`, () => {
  let months = 0;
  for (let month = 0; month < quietMonths; month++) {
    const random = createRandom(month + 1);
    const draws = [
      ...Array.from({ length: 4 }, () => (): number => meanCost(random, 0.002)),
      ...Array.from(
        { length: 4 },
        () =>
          (day: number): number =>
            -volume(random, day, 200),
      ),
      ...Array.from({ length: 4 }, () => (): number => failures(random)),
    ];
    const series = draws.map((draw) => Array.from({ length: windowDays }, (_, day) => draw(day)));
    const rates = [0.6, 0.8, 0.9, 0.97].map((rate) => ({
      rate,
      days: Array.from({ length: windowDays }, () => verdictsOf(random, rate)),
    }));
    let isFalse = false;
    for (let day = 0; day < 30 && !isFalse; day++) {
      for (const { rate, days } of rates) days.push(verdictsOf(random, rate));
      series.forEach((each, i) => {
        each.push(draws[i]?.(windowDays + day) ?? 0);
      });
      const logEs = series.map(
        (each, i) =>
          detectLevelChange(each.slice(-windowDays), {
            side: 'higher',
            from,
            period: i < 8 ? 7 : 1,
          })?.logE ?? 0,
      );
      const ofRates = rates.map(({ days }) => detectRateChange(days.slice(-windowDays))?.logE ?? 0);
      isFalse = significantTogether([...logEs, ...ofRates], alpha).length > 0;
    }
    if (isFalse) months++;
  }
  reportFigure('quiet months of all kinds with a false finding', { months, of: quietMonths });
  expect(months).toBeLessThanOrEqual(falseMax);
});

/** Days until a change of a series among 9 without evidence is found; 99 if never. */
function daysToFind(
  draw: (day: number, isAfter: boolean) => number,
  options: Pick<LevelOptions, 'side' | 'period'>,
): number {
  const days = Array.from({ length: windowDays - 21 }, (_, day) => draw(day, false));
  for (let after = 1; after <= 21; after++) {
    days.push(draw(days.length, true));
    const logE = detectLevelChange(days, { ...options, from })?.logE ?? 0;
    if (significantTogether([logE, ...Array.from({ length: 9 }, () => 0)], alpha).includes(0))
      return after;
  }
  return 99;
}

test.each([
  [
    'a cost that doubles',
    { side: 'higher', period: 7 } as const,
    (random: Random) => (_day: number, isAfter: boolean) =>
      meanCost(random, isAfter ? 0.004 : 0.002),
    { median: 6, ninetieth: 10 },
  ],
  [
    'a volume that stops',
    { side: 'lower', period: 7 } as const,
    (random: Random) => (day: number, isAfter: boolean) => (isAfter ? 0 : volume(random, day, 200)),
    { median: 5, ninetieth: 5 },
  ],
  [
    'a volume that halves',
    { side: 'lower', period: 7 } as const,
    (random: Random) => (day: number, isAfter: boolean) => volume(random, day, isAfter ? 100 : 200),
    { median: 5, ninetieth: 6 },
  ],
  [
    'failures of 10% each day',
    { side: 'higher', period: 1 } as const,
    (random: Random) => (_day: number, isAfter: boolean) =>
      isAfter ? 0.05 + 0.1 * random() : failures(random),
    { median: 6, ninetieth: 8 },
  ],
])('power: of 60 changes of %s among 10 series, in days', (name, options, drawOf, limits) => {
  const days = Array.from({ length: 60 }, (_, seed) =>
    daysToFind(drawOf(createRandom(seed + 1)), options),
  ).sort((a, b) => a - b);
  const [median = 99, ninetieth = 99] = [days[30], days[53]];
  reportFigure(`power for ${name}`, { median, ninetieth });
  expect(median).toBeLessThanOrEqual(limits.median);
  expect(ninetieth).toBeLessThanOrEqual(limits.ninetieth);
});
