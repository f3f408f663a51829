import { describe, expect, test } from 'vitest';
import { decidePromotion, readWord } from './decide-promotion';
import { type GatePair, judgePromotion, type SliceName } from './judge-promotion';

const side = (outcome: string, costUsd: number | null = 0.002) => ({
  outcome,
  costUsd,
  latencyMs: 100,
});
const pair = (
  good: boolean,
  tried: string,
  other: string,
  slices: readonly SliceName[] = [],
): GatePair => ({
  cluster: 's',
  good,
  tried: side(tried, 0.003),
  other: side(other),
  slices,
});
let clusters = 0;
const times = (count: number, one: GatePair): GatePair[] =>
  Array.from({ length: count }, () => ({ ...one, cluster: `s${clusters++}` }));

const [right, wrong] = ['failed', 'passed'] as const;
/**
 * Of 40 bad and 40 good subjects, those that only A decided correctly and those that only B did;
 * both are correct on the rest.
 */
function pairs({
  bad = [0, 0],
  good = [0, 0],
}: {
  bad?: readonly [number, number];
  good?: readonly [number, number];
}): GatePair[] {
  return [
    ...times(bad[0], pair(false, right, wrong)),
    ...times(bad[1], pair(false, wrong, right)),
    ...times(40 - bad[0] - bad[1], pair(false, right, right)),
    ...times(good[0], pair(true, 'passed', 'failed')),
    ...times(good[1], pair(true, 'failed', 'passed')),
    ...times(40 - good[0] - good[1], pair(true, 'passed', 'passed')),
  ];
}

describe('the promotion gate', () => {
  test('SOAR-37 losses of one session are not significant', () => {
    const all = pairs({ bad: [0, 12] });
    expect(judgePromotion(all).verdict).toBe('worse');
    const isLost = ({ good, tried }: GatePair): boolean => !good && tried.outcome === wrong;
    const ofOneSession = all.map((one) => (isLost(one) ? { ...one, cluster: 'session' } : one));
    expect(judgePromotion(ofOneSession)).toMatchObject({
      verdict: 'not_worse',
      catchRate: { better: 0, worse: 12, midP: 0.5 },
    });
  });

  // Mid-p of 6 against 0 is 2 · 2^-6 − 2^-6 = 0.0156; of 4 against 0 it is 0.0625.
  test.each([
    ['nothing differs', {}, 'not_worse'],
    ['a catch rate lost beyond chance', { bad: [0, 6] }, 'worse'],
    ['one lost within chance', { bad: [0, 4] }, 'not_worse'],
    ['a catch rate won beyond chance', { bad: [6, 0] }, 'better'],
    ['false rejections lost beyond chance', { good: [0, 6] }, 'worse'],
    ['fewer false rejections', { good: [6, 0] }, 'better'],
    ['more caught, with more false rejections', { bad: [20, 0], good: [0, 8] }, 'worse'],
    ['many pairs in both directions', { bad: [18, 7] }, 'better'],
    ['many pairs in the other direction', { bad: [7, 18] }, 'worse'],
  ] as const)('SOAR-37 %s', (_name, counts, verdict) => {
    expect(judgePromotion(pairs(counts)).verdict).toBe(verdict);
  });

  test('X-1 both are reported with their numbers: rates with intervals, pairs, p and cost', () => {
    const found = judgePromotion(pairs({ bad: [7, 18] }));
    expect(found.catchRate).toMatchObject({
      items: 40,
      better: 7,
      worse: 18,
      tried: { numerator: 22 },
      other: { numerator: 33 },
    });
    // calibration.md 5.7: 18 against 7 has mid-p 0.0290.
    expect(found.catchRate.midP).toBeCloseTo(0.029, 4);
    // (1.960 + 0.842) · √(25/40/40).
    expect(found.catchRate.detectable).toBeCloseTo(0.3502, 3);
    expect(found.cost).toEqual({
      tried: expect.closeTo(0.003, 9),
      other: expect.closeTo(0.002, 9),
      ratio: expect.closeTo(1.5, 9),
    });
    expect(found.reasons[0]).toBe(
      'Catch rate 55.0% (39.8–69.3%, 22/40) against 82.5% (68.1–91.3%, 33/40); of 40 bad subjects that both decided it alone is right about 7, the other alone about 18 (mid-p 0.029): worse.',
    );
    expect(found.reasons.join(' ')).not.toMatch(/false positive/i);
  });

  test.each([
    [
      '19 subjects',
      [...times(10, pair(false, wrong, right)), ...times(9, pair(true, 'passed', 'passed'))],
    ],
    [
      '9 bad subjects',
      [...times(9, pair(false, wrong, right)), ...times(40, pair(true, 'passed', 'passed'))],
    ],
    [
      '9 good subjects',
      [...times(40, pair(false, wrong, right)), ...times(9, pair(true, 'passed', 'passed'))],
    ],
    [
      'too few decided by both',
      [
        ...times(12, pair(false, 'partial', 'needs_review')),
        ...times(40, pair(true, 'passed', 'passed')),
      ],
    ],
    ['none', []],
  ] as const)(
    'X-12 %s are too few to decide, and the detectable difference is reported',
    (_name, given) => {
      const { verdict, reasons } = judgePromotion(given);
      expect(verdict).toBe('insufficient');
      expect(reasons[0]).toContain('the gate needs 20, of them 10 bad and 10 good');
      expect(reasons.some((reason) => reason.includes('would show a difference'))).toBe(
        given.length > 0,
      );
    },
  );

  test('X-3 an option cannot pass by deciding nothing: undecided subjects count against it', () => {
    const given = [...pairs({}).slice(6), ...times(6, pair(false, 'partial', right))];
    const { verdict, undecided, catchRate } = judgePromotion(given);
    expect(catchRate).toMatchObject({ better: 0, worse: 0, midP: null });
    expect(undecided).toMatchObject({ tried: 6, other: 0, better: 0, worse: 6 });
    expect(verdict).toBe('worse');
    // All of them are excluded: with nothing left to compare, the gate must not pass.
    expect(
      judgePromotion(pairs({}).map((one) => ({ ...one, tried: side('needs_review') }))).verdict,
    ).toBe('worse');
  });

  test.each([
    ['the tried option', { tried: side('inconclusive') }],
    ['the current option', { other: side('inconclusive') }],
    ['both', { tried: side('inconclusive'), other: side('inconclusive') }],
  ])(
    'an outage is no result: up to 5 %% without a result of %s are left out, beyond that the trial could not run',
    (_name, out) => {
      const hundred = [
        ...times(50, pair(false, right, wrong)),
        ...times(50, pair(true, 'passed', 'passed')),
      ];
      const broken = (n: number) => hundred.map((one, i) => (i < n ? { ...one, ...out } : one));
      const within = judgePromotion(broken(5));
      expect(within).toMatchObject({
        verdict: 'better',
        items: 95,
        bad: 45,
        inconclusive: 5,
        undecided: { tried: 0, other: 0 },
      });
      const beyond = judgePromotion(broken(6));
      expect(beyond).toMatchObject({ verdict: 'could_not_run', items: 94, inconclusive: 6 });
      expect(beyond.reasons).toEqual([
        expect.stringContaining('6 of 100 subjects have no result with one of the options'),
      ]);
      expect(judgePromotion(broken(100))).toMatchObject({ verdict: 'could_not_run', items: 0 });
    },
  );

  test('a lost slice is a veto, after Holm over the compared slices', () => {
    const large: SliceName = { by: 'tier', value: 'large' };
    const small: SliceName = { by: 'tier', value: 'small' };
    const lost = [
      ...times(7, pair(false, wrong, right, [large])),
      ...times(5, pair(true, 'passed', 'passed', [large])),
    ];
    const won = [
      ...times(9, pair(false, right, wrong, [small])),
      ...times(5, pair(true, 'passed', 'passed', [small])),
    ];
    const found = judgePromotion([...lost, ...won]);
    // 2^-7 · 2 − 2^-7 = 0.0078 of the one, 0.0020 of the other; Holm doubles the smaller alone.
    expect(found.slices).toMatchObject([
      { value: 'small', items: 14, adjustedP: expect.closeTo(0.0039, 4), isLost: false },
      {
        value: 'large',
        items: 12,
        adjustedP: expect.closeTo(0.0078, 4),
        isLost: true,
        isRequired: false,
      },
    ]);
    expect(found.verdict).toBe('worse');
    expect(found.reasons.at(-1)).toContain('The slice tier large is lost');
    // Required slices are compared regardless of their size; other small ones are not.
    const named = judgePromotion([...lost, ...won], [{ by: 'model', value: 'm' }]);
    expect(named.slices).toMatchObject([
      { by: 'model', value: 'm', items: 0, midP: null, isLost: false, isRequired: true },
    ]);
    expect(named.verdict).toBe('not_worse');
    expect(judgePromotion([...lost.slice(0, 9), ...pairs({})]).slices).toEqual([]);
  });
});

test.each([
  ['advise', 'worse', false, 'refused'],
  ['advise', 'worse', true, 'forced'],
  ['advise', 'not_worse', false, 'promoted'],
  ['advise', 'insufficient', false, 'promoted'],
  ['advise', 'could_not_run', false, 'promoted'],
  ['require', 'could_not_run', true, 'refused'],
  ['advise', 'not_tried', true, 'promoted'],
  ['require', 'better', false, 'waiting'],
  ['require', 'not_worse', true, 'waiting'],
  ['require', 'worse', true, 'refused'],
  ['require', 'insufficient', false, 'refused'],
  ['require', 'not_tried', true, 'refused'],
] as const)(
  'a gate set to %s, for a finding %s (forced: %s): %s',
  (mode, verdict, isForced, state) => {
    expect(decidePromotion(mode, verdict, isForced)).toBe(state);
  },
);

test('nothing is forced without a reason', () => {
  const someone = {
    actor: { kind: 'user', id: 'usr_1', label: 'a@example.org', role: 'admin', operator: false },
  } as const;
  expect(() => readWord(someone, { force: true, reason: '  ' })).toThrow('is required');
  expect(readWord(someone, { force: true, reason: ' The release is broken. ' })).toEqual({
    isForced: true,
    reason: 'The release is broken.',
  });
});
