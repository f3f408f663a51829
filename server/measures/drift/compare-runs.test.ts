import { describe, expect, test } from 'vitest';
import { compareRuns, type ItemTwice } from './compare-runs';

let clusters = 0;
const items = (count: number, item: Omit<ItemTwice, 'cluster'>): ItemTwice[] =>
  Array.from({ length: count }, () => ({ ...item, cluster: `s${clusters++}` }));

/** 50 bad and 50 good: the second run passes 6 more bad ones, fails 1 good one, and corrects 2. */
const frozen = [
  ...items(40, { good: false, before: 'failed', after: 'failed' }),
  ...items(6, { good: false, before: 'failed', after: 'passed' }),
  ...items(2, { good: false, before: 'passed', after: 'failed' }),
  ...items(2, { good: false, before: 'passed', after: 'passed' }),
  ...items(48, { good: true, before: 'passed', after: 'passed' }),
  ...items(1, { good: true, before: 'passed', after: 'failed' }),
  ...items(1, { good: true, before: 'failed', after: 'failed' }),
];

test('calibration.md 5.9 flips, better and worse with mid-p McNemar, and the judge’s part subtracted from the headline', () => {
  const found = compareRuns(frozen, {
    before: { passed: 800, decided: 1000 },
    after: { passed: 700, decided: 1000 },
  });
  expect(found.flips).toMatchObject({ numerator: 9, denominator: 100, value: 0.09 });
  expect([found.better, found.worse]).toEqual([2, 7]);
  // The exact p of 2 in 9 is 2 (1 + 9 + 36) / 512; the mid-p subtracts 36 / 512.
  expect(found.p).toBeCloseTo(56 / 512, 12);
  expect(found.headline).toMatchObject({ n: 2000 });
  expect(found.headline.value).toBeCloseTo(-0.1, 12);
  // Passes: 53 before, 56 after.
  expect(found.judgePart.value).toBeCloseTo(0.03, 12);
  expect(found.judgePart.n).toBe(100);
  expect(found.systemPart.value).toBeCloseTo(-0.13, 12);
  expect(found.systemPart.n).toBe(100);
  for (const part of [found.headline, found.judgePart, found.systemPart]) {
    expect(part.low ?? 1).toBeLessThan(part.value ?? 0);
    expect(part.high ?? -1).toBeGreaterThan(part.value ?? 0);
  }
  // The system's part has a wider interval than either of the others.
  const width = ({ low, high }: { low: number | null; high: number | null }) =>
    (high ?? 0) - (low ?? 0);
  expect(width(found.systemPart)).toBeGreaterThan(
    Math.max(width(found.headline), width(found.judgePart)),
  );
});

test('items of one session carry less information: wider, and less certain of a change', () => {
  const inSessions = frozen.map((item, at) => ({
    ...item,
    cluster: `session ${Math.floor(at / 10)}`,
  }));
  const [alone, together] = [compareRuns(frozen, null), compareRuns(inSessions, null)];
  expect([together.better, together.worse]).toEqual([alone.better, alone.worse]);
  expect(together.p).toBeGreaterThan(alone.p ?? 1);
  expect(together.judgePart.value).toBe(alone.judgePart.value);
  expect(together.judgePart.low).toBeLessThan(alone.judgePart.low ?? -1);
  expect(together.flips.high).toBeGreaterThan(alone.flips.high ?? 1);
});

describe('X-3 items that one of the two did not decide count nowhere', () => {
  test.each(['inconclusive', 'left_out', 'needs_review', 'skipped', null])(
    '%s is neither a flip nor an agreement',
    (outcome) => {
      const undecided = [
        ...items(30, { good: false, before: 'failed', after: outcome }),
        ...items(30, { good: true, before: outcome, after: 'passed' }),
      ];
      expect(compareRuns([...frozen, ...undecided], null)).toEqual(compareRuns(frozen, null));
    },
  );
});

describe('X-12 values without data are null', () => {
  test('no item that both decided', () => {
    const found = compareRuns(items(1, { good: true, before: null, after: 'passed' }), null);
    expect(found.flips).toMatchObject({ value: null, denominator: 0, state: 'no_data' });
    expect([found.p, found.judgePart.value, found.systemPart.value]).toEqual([null, null, null]);
  });
  test('no verdicts in production, or none on one side', () => {
    const none = { passed: 0, decided: 0 };
    for (const production of [
      null,
      { before: none, after: none },
      { before: none, after: { passed: 5, decided: 9 } },
    ]) {
      const found = compareRuns(frozen, production);
      expect([found.headline.value, found.headline.low, found.systemPart.value]).toEqual([
        null,
        null,
        null,
      ]);
      expect(found.judgePart.value).not.toBeNull();
    }
  });
  test('runs that agree completely have no p', () => {
    expect(
      compareRuns(items(20, { good: true, before: 'passed', after: 'passed' }), null).p,
    ).toBeNull();
  });
});
