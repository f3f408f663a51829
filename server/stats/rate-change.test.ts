import { describe, expect, it, test } from 'vitest';
import { reportFigure } from '../../testing/figures';
import { createRandom } from './random';
import { type DayShare, detectRateChange, significantTogether } from './rate-change';

/** Draws of a day: `perDay` verdicts at a pass rate. */
function dayOf(random: () => number, perDay: number, rate: number): DayShare {
  let passed = 0;
  for (let n = 0; n < perDay; n++) if (random() < rate) passed++;
  return { passed, decided: perDay };
}

const windowDays = 56;
const alpha = 0.05;

describe('a change of a rate', () => {
  it('is found on its day, with the counts of both sides', () => {
    const days = [
      ...Array.from({ length: 20 }, () => ({ passed: 38, decided: 50 })),
      ...Array.from({ length: 5 }, () => ({ passed: 24, decided: 50 })),
    ];
    const found = detectRateChange(days);
    expect(found).toMatchObject({
      at: 20,
      before: { passed: 760, decided: 1000 },
      after: { passed: 120, decided: 250 },
    });
    expect(found?.logE).toBeGreaterThan(Math.log(1e6));
  });

  it('equals the definition on a small series', () => {
    // By recursion: P(next success) = (successes + good) / (trials + good + bad).
    const mixture = (passed: number, failed: number, good = 0.5, bad = 0.5): number => {
      let likelihood = 1;
      for (let k = 0; k < passed; k++) likelihood *= (k + good) / (k + good + bad);
      for (let k = 0; k < failed; k++) likelihood *= (k + bad) / (passed + k + good + bad);
      return likelihood;
    };
    const days = [
      { passed: 30, decided: 40 },
      { passed: 22, decided: 30 },
      { passed: 5, decided: 25 },
    ];
    const constant = mixture(57, 38);
    const sides = [
      [0, 0, 57, 38],
      [30, 10, 27, 28],
      [52, 18, 5, 20],
    ] as const;
    const expected =
      sides.reduce((sum, [a, b, c, d]) => {
        const mean = (a + 0.5) / (a + b + 1);
        return sum + mixture(a, b) * mixture(c, d, 10 * mean, 10 * (1 - mean));
      }, 0) /
      3 /
      constant;
    expect(detectRateChange(days)?.logE).toBeCloseTo(Math.log(expected), 9);
  });

  it.each<[string, DayShare[]]>([
    ['no day', []],
    ['one day', [{ passed: 500, decided: 1000 }]],
    [
      '19 after',
      [
        { passed: 40, decided: 40 },
        { passed: 0, decided: 19 },
      ],
    ],
    ['days without verdicts', Array.from({ length: 9 }, () => ({ passed: 0, decided: 0 }))],
  ])('is not judged with too little data: %s', (_name, days) => {
    expect(detectRateChange(days)).toBeNull();
  });

  it('is no evidence in a constant series', () => {
    const days = Array.from({ length: 40 }, () => ({ passed: 45, decided: 50 }));
    expect(detectRateChange(days)?.logE).toBeLessThan(0);
  });
});

describe('several series', () => {
  it.each([
    [[], []],
    [[10, 0, 1], [0]],
    [[0, 0, 0], []],
    [[Math.log(20)], [0]],
    [[Math.log(19.9)], []],
    // The second passes only together with the first: 2 of 2 need e of at least 20.
    [
      [Math.log(41), Math.log(21)],
      [0, 1],
    ],
    [[Math.log(39), Math.log(19)], []],
  ])('with the logarithms %j, those at %j are significant', (logEs, expected) => {
    expect(significantTogether(logEs, alpha).toSorted((a, b) => a - b)).toEqual(expected);
  });
});

/** Days until a series is significant among `others` quiet ones; null if never. */
function daysToFind(seed: number, drop: number, others: number, followed: number): number | null {
  const random = createRandom(seed);
  const quiet = Array.from({ length: others }, (_, i) => {
    const rate = 0.6 + 0.35 * (i / Math.max(1, others));
    return Array.from({ length: windowDays - followed }, () => dayOf(random, 50, rate));
  });
  const series = Array.from({ length: windowDays - followed }, () => dayOf(random, 50, 0.8));
  for (let day = 1; day <= followed; day++) {
    series.push(dayOf(random, 50, 0.8 - drop));
    quiet.forEach((each, i) =>
      each.push(dayOf(random, 50, 0.6 + 0.35 * (i / Math.max(1, others)))),
    );
    const logEs = [series, ...quiet].map((each) => detectRateChange(each)?.logE ?? 0);
    if (significantTogether(logEs, alpha).includes(0)) return day;
  }
  return null;
}

test.each([
  ['many verdicts', 30, 0.5, 0.05],
  ['few verdicts', 4, 0.5, 0.05],
  ['rates near 1', 40, 0.985, 0.0015],
])(
  'over 100 quiet months of 10 series with %s, checked daily, at most 5 hold a false finding',
  (_name, perDay, lowest, step) => {
    let months = 0;
    for (let month = 0; month < 100; month++) {
      const random = createRandom(month + 1);
      const rates = Array.from({ length: 10 }, (_, i) => lowest + step * i);
      const series = rates.map((rate) =>
        Array.from({ length: windowDays }, () => dayOf(random, perDay, rate)),
      );
      let isFalse = false;
      for (let day = 0; day < 30 && !isFalse; day++) {
        series.forEach((each, i) => {
          each.push(dayOf(random, perDay, rates[i] ?? 0.5));
          each.shift();
        });
        const logEs = series.map((each) => detectRateChange(each)?.logE ?? 0);
        isFalse = significantTogether(logEs, alpha).length > 0;
      }
      if (isFalse) months++;
    }
    expect(months).toBeLessThanOrEqual(5);
  },
);

test.each([
  ['10 points at 50 a day', 0.1, { median: 10, ninetieth: 20 }],
  ['28 points at 50 a day', 0.28, { median: 2, ninetieth: 3 }],
])('power: of 60 drops of %s among 10 series, in days', (_name, drop, limits) => {
  const days = Array.from({ length: 60 }, (_, seed) => daysToFind(seed + 1, drop, 9, 21) ?? 99);
  const sorted = days.sort((a, b) => a - b);
  const [median = 99, ninetieth = 99] = [sorted[30], sorted[53]];
  reportFigure(`power for ${Math.round(drop * 100)} points at 50 a day`, { median, ninetieth });
  expect(median).toBeLessThanOrEqual(limits.median);
  expect(ninetieth).toBeLessThanOrEqual(limits.ninetieth);
});
