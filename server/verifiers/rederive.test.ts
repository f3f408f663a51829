import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EffectiveThresholds, listThresholdKeys, resolveThresholds } from '../thresholds';
import { type CheckpointBasis, rulingOf } from './checkpoint';
import { type CodeBasis, ruleCode } from './code/basis';
import { basisOf, type ConsistencyBasis, ruleConsistency } from './consistency/basis';
import type { PairDetail } from './consistency/plan';
import { type MissionBasis, ruleMission } from './mission/basis';
import { builtIn, decidingKey, kinds } from './index';
import { ruleSynthesis, type SynthesisBasis } from './synthesis/basis';
import { ruleTask, type TaskBasis } from './task/basis';

const rate = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000);
const maybe = fc.option(rate, { nil: null });
const flag = fc.boolean();

/** Bases of each kind, generated from its own schema. */
const bases: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  task: fc.record({
    forced: fc.boolean(),
    must_pass: maybe,
    missed: flag,
    broken: flag,
    disputed: flag,
    tied: flag,
    aggregate: maybe,
    confidence: maybe,
    texts: flag,
    not_judged: fc.constantFrom('over_budget', 'passed_over', null),
    retries_left: flag,
    shortened: flag,
  }) satisfies fc.Arbitrary<TaskBasis>,
  mission: fc.record({
    aggregate: maybe,
    confidence: maybe,
    empty: flag,
    wanted: flag,
    shortened: flag,
    retries_left: flag,
  }) satisfies fc.Arbitrary<MissionBasis>,
  consistency: fc
    .tuple(fc.array(pair(), { maxLength: 4 }), flag, flag)
    .map((drawn) => basisOf(...drawn)),
  code: fc.record({
    key: fc.constantFrom('tiny', 'small', 'medium', 'large', 'xlarge'),
    end: fc.constantFrom('skipped', 'broken', null, null, null),
    forced: flag,
    points: fc.integer({ min: 0, max: 100 }),
    best: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
    calls: flag,
    passed_over: flag,
  }) satisfies fc.Arbitrary<CodeBasis>,
  decomposition: checkpoint(),
  'agent-output': checkpoint(),
  synthesis: fc.record({
    counted: fc.option(
      fc
        .tuple(
          fc.integer({ min: 0, max: 12 }),
          fc.integer({ min: 0, max: 12 }),
          fc.integer({ min: 0, max: 12 }),
        )
        .map(([supported, undecided, rest]) => ({
          claims: supported + undecided + rest,
          supported,
          undecided,
        })),
      { nil: null },
    ),
    left: flag,
    calls: flag,
    passed_over: flag,
  }) satisfies fc.Arbitrary<SynthesisBasis>,
};

/** The result of a judge called in one order or in both; a pair without a finding failed. */
function pair(): fc.Arbitrary<PairDetail> {
  const reply = fc.record({
    value: rate,
    confidence: rate,
    severity: fc.constantFrom('low', 'high'),
  });
  return fc.option(fc.array(reply, { minLength: 1, maxLength: 2 }), { nil: [] }).map((replies) => {
    const judged = replies.map(({ value, confidence, severity }) => ({
      state: 'judged',
      reply: { value, confidence, issues: [{ description: 'x', severity }] },
    }));
    return {
      a: 'a',
      b: 'b',
      finding: judged[0]?.reply ?? null,
      consistent: null,
      tied: false,
      judged,
    } as unknown as PairDetail;
  });
}

function checkpoint(): fc.Arbitrary<CheckpointBasis> {
  return fc.record({
    score: maybe,
    floor: flag,
    faulty: flag,
    left: flag,
    open: flag,
    calls: flag,
    passed_over: flag,
  });
}

/** The verdict rule that each kind's `decide` calls. */
const rules: Readonly<
  Record<string, (basis: never, thresholds: EffectiveThresholds) => string | null>
> = {
  task: (basis: TaskBasis, at) => ruleTask(basis, at).verdict,
  mission: (basis: MissionBasis, at) => ruleMission(basis, at),
  consistency: (basis: ConsistencyBasis, at) => ruleConsistency(basis, at).verdict,
  code: (basis: CodeBasis, at) => ruleCode(basis, at),
  decomposition: (basis: CheckpointBasis, at) => rulingOf(basis, at)?.verdict ?? null,
  'agent-output': (basis: CheckpointBasis, at) => rulingOf(basis, at)?.verdict ?? null,
  synthesis: (basis: SynthesisBasis, at) => ruleSynthesis(basis, at)?.verdict ?? null,
};

/** The better a verdict is for the work, the greater its rank; no verdict ranks in the middle. */
const ranks = new Map<string | null, number>([
  ['pass', 2],
  ['PASS', 2],
  ['consistent', 2],
  ['partial', 1],
  [null, 1],
  ['RETRY', 0],
  ['FAIL', 0],
  ['fail', 0],
  ['inconsistent', 0],
]);

const names = Object.keys(bases);
const arbitraryOf = (kind: string): fc.Arbitrary<unknown> => bases[kind] ?? fc.constant(null);
const rederiverOf = (kind: string) => kinds.get(kind)?.rederive ?? (() => null);
const at = (kind: string, key: string, value: number): EffectiveThresholds =>
  resolveThresholds({ verifier: kind, missionId: null, taskId: null }, [
    { key, missionId: '', taskId: '', version: 1, value },
  ]);

test('SOAR-33 every kind that has a threshold can make its decision again, and no other', () => {
  for (const [slug, { rederive }] of builtIn)
    expect([slug, rederive !== undefined]).toEqual([slug, listThresholdKeys(slug).length > 0]);
  expect(names.toSorted()).toEqual(
    [...builtIn.keys()].filter((slug) => listThresholdKeys(slug).length > 0).toSorted(),
  );
});

describe.each(names)('%s', (kind) => {
  const keys = listThresholdKeys(kind);

  test('SOAR-33 a basis that was stored and read back gives the verdict that its rule gives', () => {
    fc.assert(
      fc.property(
        arbitraryOf(kind),
        fc.constantFrom(...keys),
        rate,
        (basis, { key, min, max }, share) => {
          const thresholds = at(kind, key, min + share * (max - min));
          const stored: unknown = JSON.parse(JSON.stringify(basis));
          const decided = rederiverOf(kind)(stored)?.(thresholds);
          expect(decided?.verdict).toBe(rules[kind]?.(basis as never, thresholds));
          expect(JSON.stringify(basis).length).toBeLessThan(400);
        },
      ),
    );
  });

  test('X-6 a higher threshold never makes a verdict better', () => {
    fc.assert(
      fc.property(
        arbitraryOf(kind),
        fc.constantFrom(...keys),
        rate,
        rate,
        (basis, { key, min, max }, one, other) => {
          const decide = rederiverOf(kind)(basis);
          const values = [one, other]
            .toSorted((a, b) => a - b)
            .map((share) => min + share * (max - min));
          const [low, high] = values.map((value) =>
            ranks.get(decide?.(at(kind, key, value)).verdict ?? null),
          );
          expect(high).toBeLessThanOrEqual(low ?? -1);
        },
      ),
    );
  });

  test('a basis of another shape is not read', () => {
    for (const basis of [null, 7, 'x', [], {}]) expect(rederiverOf(kind)(basis)).toBeNull();
  });
});

test('QEL-23 of code the tier of the model names the threshold that decides', () => {
  expect(decidingKey({ key: 'large' })).toBe('large');
  for (const basis of [null, 3, {}, { key: 3 }]) expect(decidingKey(basis)).toBe('pass_threshold');
});
