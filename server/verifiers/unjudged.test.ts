import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveThresholds } from '../thresholds';
import { rederiveConsistency } from './consistency/basis';
import { rederiveMission } from './mission/basis';
import { rederiveTask, type TaskBasis } from './task/basis';

/**
 * Work without a judgement never passes, and a person is notified whenever the decision requires
 * it.
 */

const rate = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));
const bases: fc.Arbitrary<TaskBasis> = fc.record({
  forced: fc.boolean(),
  must_pass: rate,
  missed: fc.boolean(),
  broken: fc.boolean(),
  disputed: fc.boolean(),
  tied: fc.boolean(),
  aggregate: rate,
  confidence: rate,
  texts: fc.boolean(),
  not_judged: fc.constantFrom(null, 'over_budget' as const, 'passed_over' as const),
  retries_left: fc.boolean(),
  shortened: fc.boolean(),
});
const thresholds = fc.double({ min: 0, max: 1, noNaN: true }).map((pass) => {
  const given = new Map([['pass_threshold', pass]]);
  return resolveThresholds({ verifier: 'task', missionId: null, taskId: null }, [], given);
});

describe('a task', () => {
  test('VS-39 a criterion without a judgement never passes, at any checks and thresholds', () => {
    fc.assert(
      fc.property(bases, thresholds, (basis, limits) => {
        fc.pre(basis.texts && basis.not_judged !== null);
        expect(['skipped', 'inconclusive', 'failed']).toContain(
          rederiveTask(basis, limits).outcome,
        );
      }),
    );
  });

  test('VS-39 below the cost floor it is skipped and awaits no one, unless it fails or a check broke', () => {
    fc.assert(
      fc.property(bases, thresholds, (drawn, limits) => {
        const basis = {
          ...drawn,
          texts: true,
          forced: false,
          must_pass: null,
          broken: false,
          not_judged: 'passed_over' as const,
        };
        expect(rederiveTask(basis, limits)).toEqual({
          verdict: null,
          outcome: 'skipped',
          needsHumanReview: false,
        });
      }),
    );
  });

  test('VS-39 a check that broke is no skipped work: it is inconclusive and awaits a person', () => {
    fc.assert(
      fc.property(bases, thresholds, (drawn, limits) => {
        const basis = { ...drawn, forced: false, must_pass: null, broken: true };
        expect(rederiveTask(basis, limits)).toEqual({
          verdict: null,
          outcome: 'inconclusive',
          needsHumanReview: true,
        });
      }),
    );
  });

  test('VS-29 without retries left all that is judged and no pass awaits a person', () => {
    fc.assert(
      fc.property(bases, thresholds, (drawn, limits) => {
        const { verdict, outcome, needsHumanReview } = rederiveTask(
          { ...drawn, retries_left: false },
          limits,
        );
        fc.pre(outcome !== 'skipped' && verdict !== 'pass');
        expect(needsHumanReview).toBe(true);
      }),
    );
  });
});

const pairs = { complete: true, confidence: 0.9, split: [], wanted: true };

test.each([
  [
    'mission',
    rederiveMission(
      {
        aggregate: 0.5,
        confidence: 0.9,
        empty: false,
        wanted: true,
        shortened: false,
        retries_left: false,
      },
      new Map(),
    ),
  ],
  [
    'mission without outputs',
    rederiveMission(
      {
        aggregate: null,
        confidence: null,
        empty: true,
        wanted: true,
        shortened: false,
        retries_left: false,
      },
      new Map(),
    ),
  ],
  ['consistency', rederiveConsistency({ ...pairs, weakest: 0.2, retries_left: false }, new Map())],
])('VS-29 a %s without retries left awaits a person', (_kind, ruled) => {
  expect(ruled).toMatchObject({ needsHumanReview: true });
});

test.each([
  [
    'mission',
    rederiveMission(
      {
        aggregate: 0.5,
        confidence: 0.9,
        empty: false,
        wanted: true,
        shortened: false,
        retries_left: true,
      },
      new Map(),
    ),
  ],
  ['consistency', rederiveConsistency({ ...pairs, weakest: 0.2, retries_left: true }, new Map())],
])('VS-29 a %s with retries left goes back to its caller', (_kind, ruled) => {
  expect(ruled).toMatchObject({ needsHumanReview: false });
});
