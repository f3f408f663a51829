import { describe, expect, test } from 'vitest';
import type { Matrix } from '../domain';
import { isDrift } from './drifts';
import { type LostEvidence, trustOf, type TrustFacts, type TrustTargets } from './trust-of';

const targets: TrustTargets = { catchTarget: 0.7, falseRejectionTarget: 0.1, halfLifeDays: 90 };
const matrix = (caught: number, missed: number, rejected: number, passed: number): Matrix => ({
  caught,
  missed,
  rejected,
  passed,
});

/** By default all labels are new. */
function facts(own: Matrix, more: Partial<TrustFacts> = {}): TrustFacts {
  const labels = own.caught + own.missed + own.rejected + own.passed;
  return {
    matrix: own,
    effective: { labels, defects: own.caught + own.missed },
    slices: [],
    lost: [],
    ...more,
  };
}

const lost = (
  labels: number,
  defects: number,
  what: LostEvidence['what'] = 'policy',
): LostEvidence => ({
  what,
  why: 'Version 2 of its labelling policy is current',
  labels,
  defects,
});

const good = matrix(48, 2, 0, 50);

describe('calibration.md 5.11 the state of a verifier', () => {
  test.each([
    ['no label at all', facts(matrix(0, 0, 0, 0)), 'unmeasured', ['labels', 'defects']],
    ['19 labels', facts(matrix(10, 0, 0, 9)), 'unmeasured', ['labels']],
    ['9 bad ones', facts(matrix(9, 0, 0, 41)), 'unmeasured', ['defects']],
    [
      '20 labels with 10 bad ones, all right',
      facts(matrix(10, 0, 0, 10)),
      'provisional',
      ['catch_rate', 'false_rejection_rate'],
    ],
    [
      'V1: catch bound 0.7089, false rejections up to 0.1596',
      facts(matrix(42, 8, 15, 135)),
      'provisional',
      ['false_rejection_rate'],
    ],
    ['no good item', facts(matrix(48, 2, 0, 0)), 'provisional', ['good']],
    ['both targets met', facts(good), 'qualified', []],
    [
      'labels that count as 19.9',
      facts(good, { effective: { labels: 19.9, defects: 12 } }),
      'stale',
      ['label_age'],
    ],
    [
      'twenty labels some hours later',
      facts(good, { effective: { labels: 19.96, defects: 9.98 } }),
      'qualified',
      [],
    ],
    [
      'labels that count as 20',
      facts(good, { effective: { labels: 20, defects: 10 } }),
      'qualified',
      [],
    ],
    [
      'bad ones that count as 9.9',
      facts(good, { effective: { labels: 30, defects: 9.9 } }),
      'stale',
      ['label_age'],
    ],
    [
      'a required slice without labels',
      facts(good, { slices: [{ by: 'tier', value: 'large', matrix: matrix(0, 0, 0, 0) }] }),
      'provisional',
      ['slice', 'slice'],
    ],
    [
      'a required slice that misses its target',
      facts(good, { slices: [{ by: 'tier', value: 'large', matrix: matrix(20, 20, 0, 50) }] }),
      'provisional',
      ['slice'],
    ],
    [
      'a required slice that meets both',
      facts(good, { slices: [{ by: 'tier', value: 'large', matrix: good }] }),
      'qualified',
      [],
    ],
    [
      'lost, and enough of it',
      facts(matrix(0, 0, 0, 3), { lost: [lost(60, 30)] }),
      'stale',
      ['policy', 'labels', 'defects'],
    ],
    [
      'lost, and too little of it',
      facts(matrix(0, 0, 0, 3), { lost: [lost(10, 5)] }),
      'unmeasured',
      ['labels', 'defects'],
    ],
    ['lost and measured again', facts(good, { lost: [lost(60, 30)] }), 'qualified', []],
    [
      'a drift invalidated the labels',
      facts(matrix(0, 0, 0, 0), { lost: [lost(100, 50, 'drift')] }),
      'stale',
      ['drift', 'labels', 'defects'],
    ],
  ] as const)('%s', (_name, given, state, gaps) => {
    const found = trustOf(given, targets);
    expect([found.state, found.gaps.map(({ what }) => what)]).toEqual([state, gaps]);
  });

  test('a bound that is exactly its target keeps it, compared to four decimals (X-6)', () => {
    const { measures } = trustOf(facts(matrix(42, 8, 15, 135)), targets);
    const { catchRate, falseRejectionRate } = measures;
    expect(catchRate.bound).toBeCloseTo(0.7089, 4);
    expect(falseRejectionRate.bound).toBeCloseTo(0.1596, 4);
    const at = {
      ...targets,
      catchTarget: catchRate.bound ?? 0,
      falseRejectionTarget: falseRejectionRate.bound ?? 0,
    };
    expect(trustOf(facts(matrix(42, 8, 15, 135)), at).state).toBe('qualified');
    expect(
      trustOf(facts(matrix(42, 8, 15, 135)), { ...at, catchTarget: at.catchTarget + 0.0002 }).state,
    ).toBe('provisional');
    expect(
      trustOf(facts(matrix(42, 8, 15, 135)), {
        ...at,
        falseRejectionTarget: at.falseRejectionTarget - 0.0002,
      }).state,
    ).toBe('provisional');
  });

  test('calibration.md 5.1 labels of one session weigh less: wider bounds, and no qualification by them', () => {
    const alone = trustOf(facts(good), targets);
    const together = trustOf(facts(good, { weights: { bad: 0.2, good: 0.2 } }), targets);
    expect([alone.state, together.state]).toEqual(['qualified', 'provisional']);
    expect(together.measures.catchRate.bound).toBeLessThan(alone.measures.catchRate.bound ?? 0);
    expect(together.measures.catchRate.rate.low).toBeLessThan(
      alone.measures.catchRate.rate.low ?? 0,
    );
    expect(together.measures.falseRejectionRate.bound).toBeGreaterThan(
      alone.measures.falseRejectionRate.bound ?? 1,
    );
  });

  test('gaps are described in sentences with numbers, and there are none if all is sufficient', () => {
    const texts = (given: TrustFacts) => trustOf(given, targets).gaps.map(({ text }) => text);
    expect(texts(facts(matrix(2, 0, 0, 10)))).toEqual([
      '12 of 20 labels: 8 more needed.',
      '2 of 10 labels on bad items: 8 more needed.',
    ]);
    const [few] = texts(facts(matrix(17, 3, 0, 60)));
    expect(few).toMatch(
      /^The lower bound of the catch rate is 62\.1% \(17 of 20 caught\) and must reach 70%: at this rate about \d+ more labels/,
    );
    const more = Number(/about (\d+) more/.exec(few ?? '')?.[1]);
    const scale = (20 + more) / 20;
    expect(
      trustOf(
        facts(matrix(Math.round(17 * scale), 20 + more - Math.round(17 * scale), 0, 60)),
        targets,
      ).state,
    ).toBe('qualified');
    expect(texts(facts(matrix(30, 20, 0, 60)))[0]).toMatch(
      /at this rate no number of labels is enough\.$/,
    );
    expect(texts(facts(matrix(0, 0, 0, 0), { lost: [lost(60, 30)] }))[0]).toBe(
      'Version 2 of its labelling policy is current: 60 labels from before do not count.',
    );
    expect(texts(facts(good, { effective: { labels: 15.04, defects: 11 } }))).toEqual([
      '100 labels count as 15.0 by their age, and 20 are needed: after 90 days a label counts half.',
    ]);
  });
});

test.each([
  [{ both: 40, better: 0, worse: 5 }, true],
  [{ both: 40, better: 0, worse: 4 }, false],
  [{ both: 40, better: 5, worse: 0 }, false],
  [{ both: 30, better: 5, worse: 5 }, true],
  [{ both: 200, better: 14, worse: 14 }, false],
  [{ both: 19, better: 5, worse: 5 }, false],
  [{ both: 0, better: 0, worse: 0 }, false],
] as const)(
  'calibration.md 5.9 two runs of an anchor set with the differences %j are drift: %s',
  (runs, found) => {
    const times = (count: number, side: 1 | 0 | -1) =>
      Array.from({ length: count }, (_, n) => ({ cluster: `${side} ${n}`, side }));
    const pairs = [
      ...times(runs.better, 1),
      ...times(runs.worse, -1),
      ...times(runs.both - runs.better - runs.worse, 0),
    ];
    expect(isDrift(pairs)).toBe(found);
  },
);

test('calibration.md 5.9 flips in one session alone are no drift', () => {
  const of = (cluster: (n: number) => string) =>
    Array.from({ length: 60 }, (_, n) => ({
      cluster: cluster(n),
      side: n < 12 ? (-1 as const) : (0 as const),
    }));
  expect(isDrift(of(String))).toBe(true);
  expect(isDrift(of((n) => (n < 12 ? 'one' : String(n))))).toBe(false);
});
