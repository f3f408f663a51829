import { describe, expect, test } from 'vitest';
import {
  type ProbeJudgement,
  computeCanaryFindings,
  computeLengthFindings,
  computeOrderFindings,
  computeRepeatability,
  hasMoved,
} from './find-from-answers';

const none = { value: null, low: null, high: null, n: 0 };
const answer = (
  ordinal: number,
  variant: string,
  outcome: string,
  more: Partial<ProbeJudgement> = {},
): ProbeJudgement => ({
  ordinal,
  cluster: String(ordinal),
  variant,
  repeat: 0,
  outcome,
  score: null,
  parts: null,
  ...more,
});
const repeats = (
  ordinal: number,
  outcomes: readonly string[],
  scores: readonly (number | null)[] = [],
): ProbeJudgement[] =>
  outcomes.map((outcome, repeat) =>
    answer(ordinal, 'as_is', outcome, { repeat, score: scores[repeat] ?? null }),
  );

describe('calibration.md 5.8 repeatability', () => {
  test('flip rate, agreement of pairs, spread and ICC', () => {
    const found = computeRepeatability(
      [
        ...repeats(0, ['passed', 'passed', 'passed'], [0.9, 0.9, 0.9]),
        ...repeats(1, ['passed', 'failed', 'passed'], [0.7, 0.5, 0.7]),
        ...repeats(2, ['failed', 'failed', 'failed'], [0.1, 0.1, 0.1]),
      ],
      3,
    );
    expect(found.flips.value).toBeCloseTo(1 / 9, 12);
    expect(found.agreement.value).toBeCloseTo((1 + 1 / 3 + 1) / 3, 12);
    expect(found.moved).toMatchObject({ numerator: 1, denominator: 3, state: 'insufficient' });
    expect(found.deviation).toBeCloseTo(Math.sqrt(0.04 / 3 / 3), 12);
    expect(found.icc).toMatchObject({ n: 3, k: 3 });
    expect(found.icc.value).toBeGreaterThan(0.9);
    expect(found).toMatchObject({ undecided: 0, leftOut: 0 });
  });

  test('X-3 X-12 a failed judge is no flip, and without decisions there is no data', () => {
    const broken = computeRepeatability(
      [
        ...repeats(0, ['passed', 'inconclusive', 'passed'], [0.9, null, 0.9]),
        ...repeats(1, ['left_out', 'left_out', 'left_out']),
      ],
      3,
    );
    expect(broken.flips).toMatchObject({ value: 0, n: 1 });
    expect(broken.icc).toEqual({ value: null, n: 0, k: 3 });
    expect(broken).toMatchObject({
      undecided: 1,
      leftOut: 3,
      moved: { numerator: 0, denominator: 1 },
    });
    const nothing = computeRepeatability(repeats(0, ['inconclusive', 'inconclusive']), 2);
    expect(nothing).toMatchObject({
      flips: none,
      agreement: none,
      moved: { value: null, denominator: 0, state: 'no_data' },
      deviation: null,
    });
    expect(hasMoved([{ outcome: 'passed' }, { outcome: 'inconclusive' }])).toBe(false);
    expect(hasMoved([{ outcome: 'passed' }, { outcome: 'needs_review' }])).toBe(true);
  });
});

describe('calibration.md 5.8 S-28 order', () => {
  const both = (
    ordinal: number,
    given: string,
    changed: string,
    parts?: readonly [ProbeJudgement['parts'], ProbeJudgement['parts']],
  ) => [
    answer(ordinal, 'as_is', given, { parts: parts?.[0] ?? null }),
    answer(ordinal, 'reordered', changed, { parts: parts?.[1] ?? null }),
  ];
  const placed = (...met: readonly boolean[]) =>
    met.map((each, place) => ({ key: 'ab'[place] ?? '', place, met: each }));
  const reversed = (...met: readonly boolean[]) =>
    met.map((each, place) => ({ key: 'ba'[place] ?? '', place, met: each }));

  test('34 of 50: p 0.0153', () => {
    // In each item only the first position is met, or only the second: both criteria changed in the
    // same direction.
    const first = [placed(true, false), reversed(true, false)] as const;
    const second = [placed(false, true), reversed(false, true)] as const;
    const items = Array.from({ length: 25 }, (_, i) =>
      both(i, 'needs_review', 'needs_review', i < 17 ? first : second),
    ).flat();
    const found = computeOrderFindings([
      ...items,
      ...both(25, 'passed', 'passed', [placed(true, true), reversed(true, true)]),
    ]);
    expect(found.parts).toMatchObject({ n: 52, consistent: 2, first: 34, second: 16 });
    expect(found.parts?.p).toBeCloseTo(0.0153, 4);
    expect(found.consistent).toMatchObject({ numerator: 26, denominator: 26, value: 1 });
    expect(found.p).toBeNull();
  });

  test('inconsistent outcomes are counted by their direction; parts that keep their position, and kinds without parts, give no data', () => {
    const found = computeOrderFindings([
      ...both(0, 'passed', 'failed'),
      ...both(1, 'passed', 'needs_review'),
      ...both(2, 'failed', 'passed'),
      ...both(3, 'failed', 'failed'),
      ...both(4, 'inconclusive', 'failed'),
      ...both(5, 'left_out', 'left_out'),
    ]);
    expect(found).toMatchObject({
      onlyAsGiven: 2,
      onlyReordered: 1,
      parts: null,
      undecided: 1,
      leftOut: 2,
    });
    expect(found.p).toBeCloseTo(1, 12);
    expect(found.consistent).toMatchObject({ numerator: 1, denominator: 4 });
    const middle = [{ key: 'm', place: 1, met: true }];
    expect(
      computeOrderFindings(
        both(0, 'passed', 'passed', [middle, [{ key: 'm', place: 1, met: false }]]),
      ).parts,
    ).toMatchObject({ n: 0, p: null });
  });
});

test('calibration.md 5.8 length: flips with their direction, and Wilson’s interval', () => {
  const found = computeLengthFindings(
    Array.from({ length: 20 }, (_, i) => [
      answer(i, 'as_is', 'failed'),
      answer(i, 'padded', i < 6 ? 'passed' : 'failed'),
    ]).flat(),
    none,
  );
  expect(found).toMatchObject({
    toPassed: 6,
    fromPassed: 0,
    flips: { numerator: 6, denominator: 20 },
    slope: none,
  });
  expect(found.flips.low).toBeCloseTo(0.1455, 4);
  expect(found.flips.high).toBeCloseTo(0.519, 3);
  expect(found.p).toBeCloseTo(2 / 64, 12);
});

test('S-26 S-27 canaries that passed are named and counted; an undecided one is not a pass', () => {
  const named = new Map([
    [0, { name: 'order', what: 'An order' }],
    [1, { name: 'empty', what: 'Nothing' }],
  ]);
  const found = computeCanaryFindings(
    [
      answer(0, 'canary', 'passed'),
      answer(0, 'canary', 'passed', { repeat: 1 }),
      answer(0, 'canary', 'failed', { repeat: 2 }),
      answer(1, 'canary', 'failed'),
      answer(2, 'canary', 'inconclusive'),
      answer(3, 'canary', 'needs_review'),
    ],
    named,
  );
  expect(found).toMatchObject({
    passed: 1,
    stopped: 2,
    undecided: 1,
    named: [{ name: 'order', what: 'An order', times: 2 }],
  });
  expect(found.rate).toMatchObject({ numerator: 2, denominator: 5 });
});

describe('calibration.md 5.1 items of one session carry less information', () => {
  const items = (cluster: (at: number) => string): ProbeJudgement[] =>
    Array.from({ length: 40 }, (_, at) => {
      const moves = Math.floor(at / 4) % 2 === 0;
      return [
        answer(at, 'as_is', 'passed', { cluster: cluster(at) }),
        answer(at, 'reordered', moves ? 'failed' : 'passed', { cluster: cluster(at) }),
        answer(at, 'padded', moves ? 'failed' : 'passed', { cluster: cluster(at) }),
      ];
    }).flat();
  const single = items(String);
  const inSessions = items((at) => `session ${Math.floor(at / 4)}`);
  const again = (answers: readonly ProbeJudgement[]): ProbeJudgement[] =>
    answers.map((each) => ({ ...each, variant: 'as_is' }));
  test.each([
    ['order', (of: ProbeJudgement[]) => computeOrderFindings(of).consistent],
    ['length', (of: ProbeJudgement[]) => computeLengthFindings(of, none).flips],
    ['repeats that moved', (of: ProbeJudgement[]) => computeRepeatability(again(of), 3).moved],
    ['flips of repeats', (of: ProbeJudgement[]) => computeRepeatability(again(of), 3).flips],
  ] as const)('%s', (_, of) => {
    const [one, other] = [of(single), of(inSessions)];
    expect(other.value).toBe(one.value);
    expect((other.high ?? 0) - (other.low ?? 0)).toBeGreaterThan(
      1.7 * ((one.high ?? 0) - (one.low ?? 0)),
    );
  });

  test('so do repeats of one canary', () => {
    const found = (of: readonly (readonly [number, string])[]) =>
      computeCanaryFindings(
        of.map(([at, outcome], repeat) => answer(at, 'canary', outcome, { repeat })),
        new Map(),
      ).rate;
    const outcome = (at: number): string => (at % 4 === 0 ? 'passed' : 'failed');
    const repeated = found(
      Array.from({ length: 60 }, (_, n) => [n % 20, outcome(n % 20)] as const),
    );
    const once = found(Array.from({ length: 20 }, (_, n) => [n, outcome(n)] as const));
    expect(repeated).toMatchObject({ numerator: 15, denominator: 60 });
    expect(repeated.high).toBeGreaterThanOrEqual(once.high ?? 1);
  });
});
