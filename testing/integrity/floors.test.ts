import { describe, expect, test } from 'vitest';
import { judgeAudited } from './audited/judge';
import { floors, generated } from './floors';
import { faults } from './generator/generate';
import { judgeGenerated } from './generator/judge';

const flaggedRate = (judged: readonly { readonly flagged: boolean }[]): number => {
  expect(judged.length).toBeGreaterThan(0);
  return judged.filter(({ flagged }) => flagged).length / judged.length;
};

describe('INT-2 figures of the audited set', () => {
  const marks = judgeAudited();

  test('wrong ones are caught', () => {
    expect(flaggedRate(marks.filter(({ wrong }) => wrong !== null))).toBeGreaterThanOrEqual(
      floors.audited.catchRate,
    );
  });

  test('right ones that a source states are not flagged', () => {
    const stated = marks.filter(({ wrong, calculated }) => wrong === null && !calculated);
    expect(flaggedRate(stated)).toBeLessThanOrEqual(floors.audited.falseAlarmRate);
  });

  test('INT-19 correct calculations are explained', () => {
    expect(flaggedRate(marks.filter(({ calculated }) => calculated))).toBeLessThanOrEqual(
      floors.audited.calculatedFlaggedRate,
    );
  });
});

describe('INT-2 generated sentences', () => {
  const cases = judgeGenerated(generated.seed, generated.rounds);

  test('correct ones are not flagged', () => {
    expect(flaggedRate(cases.filter(({ planted }) => planted.length === 0))).toBeLessThanOrEqual(
      floors.generated.falseAlarmRate,
    );
  });

  test.each(faults)('planted %s faults are caught', (fault) => {
    const own = cases.filter(({ kind, planted }) => kind === fault && planted.length > 0);
    expect(flaggedRate(own)).toBeGreaterThanOrEqual(floors.generated.catchRates[fault]);
  });
});
