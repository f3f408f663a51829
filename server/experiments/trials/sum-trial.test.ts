import { describe, expect, test } from 'vitest';
import { type ComparedSubject, isFlip, sumTrial } from './sum-trial';

let clusters = 0;
const times = (count: number, row: ComparedSubject): ComparedSubject[] =>
  Array.from({ length: count }, () => ({ ...row, cluster: `s${clusters++}` }));
const compared = (good: boolean, outcome: string, production: string | null): ComparedSubject => ({
  cluster: 's',
  good,
  outcome,
  production: production === null ? null : { outcome: production },
});

describe('a trial', () => {
  const rows = [
    ...times(18, compared(false, 'failed', 'passed')),
    ...times(7, compared(true, 'failed', 'passed')),
    ...times(20, compared(true, 'passed', 'passed')),
    ...times(3, compared(false, 'inconclusive', 'failed')),
    ...times(2, compared(true, 'needs_review', 'skipped')),
  ];

  test('X-1 SOAR-26 SOAR-27 counts both versions by the same rates, positive being flagged as failing', () => {
    const { tried, production } = sumTrial(rows);
    expect(tried.matrix).toEqual({ caught: 18, missed: 0, rejected: 7, passed: 20 });
    expect(tried.rates.agreement).toMatchObject({ numerator: 38, denominator: 45, value: 38 / 45 });
    // Wilson, 95%, of 38 in 45.
    expect(tried.rates.agreement.low).toBeCloseTo(0.7122, 4);
    expect(tried.rates.agreement.high).toBeCloseTo(0.9225, 4);
    expect(tried.rates.catchRate).toMatchObject({ numerator: 18, denominator: 18 });
    expect(tried.rates.falsePositiveRate).toMatchObject({ numerator: 7, denominator: 45 });
    expect(production?.matrix).toEqual({ caught: 3, missed: 18, rejected: 0, passed: 27 });
  });

  test('X-3 undecided subjects of a version are outside its rates and the comparison', () => {
    const { tried, production, paired } = sumTrial(rows);
    expect([tried.undecided, production?.undecided]).toEqual([5, 2]);
    expect([tried.inconclusive, production?.inconclusive]).toEqual([3, 0]);
    expect(paired).toMatchObject({ both: 45, better: 18, worse: 7 });
    expect(paired?.midP).toBeCloseTo(0.029, 4);
  });

  test('subjects of one session carry less information: wider intervals, and a difference of one session is none', () => {
    const inSessions = rows.map((row, i) => ({ ...row, cluster: `session ${Math.floor(i / 9)}` }));
    const [single, clustered] = [sumTrial(rows), sumTrial(inSessions)];
    expect(clustered.tried.matrix).toEqual(single.tried.matrix);
    const width = ({
      low,
      high,
    }: {
      readonly low: number | null;
      readonly high: number | null;
    }): number => (high ?? 0) - (low ?? 0);
    expect(width(clustered.tried.rates.agreement)).toBeGreaterThan(
      width(single.tried.rates.agreement),
    );
    expect(clustered.paired).toMatchObject({ both: 45, better: 18, worse: 7 });
    expect(clustered.paired?.midP).toBeGreaterThan(0.2);
  });

  test('X-12 nothing judged yet is no rate, and without another version there is no comparison', () => {
    const { tried, production, paired } = sumTrial([]);
    expect(tried.rates.agreement).toMatchObject({ value: null, state: 'no_data' });
    expect([production, paired]).toEqual([null, null]);
    expect(sumTrial([compared(true, 'passed', null)])).toMatchObject({
      tried: { matrix: { passed: 1 } },
      production: null,
      paired: null,
    });
  });
});

test.each([
  ['passed', 'failed', true],
  ['inconclusive', 'passed', false],
  ['passed', 'inconclusive', false],
  ['needs_review', 'passed', true],
  ['inconclusive', 'needs_review', false],
  ['failed', 'failed', false],
  ['passed', null, false],
])('%s where production answers %s: a flip is %s', (outcome, production, flip) => {
  expect(isFlip(compared(true, outcome, production))).toBe(flip);
});
