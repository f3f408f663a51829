import { expect, test } from 'vitest';
import { type Matrix, sharesOf, shareValue } from '../../domain';
import { type EffectiveThresholds, listThresholdKeys } from '../../thresholds';
import type { Rederived } from '../../verifiers';
import { kinds } from '../../verifiers';
import { createRandom, youden } from '../../stats';
import { weightsOfClusters } from '../../measures';
import type { History, HistoryGroup } from './history';
import type { PlannedSimulation } from './plan-simulation';
import { suggestThresholds } from './suggest';
import { decideAll, outcomeCost, tallyOf, withCandidate } from './tally';

const known = listThresholdKeys('task').find(({ key }) => key === 'pass_threshold');
if (known === undefined) throw new Error('task has no pass_threshold');
const [task] = [...kinds.values()].filter(({ name }) => name === 'task');
if (task === undefined) throw new Error('there is no kind task');
const trial: PlannedSimulation = {
  verifier: 'task',
  kind: task,
  key: 'pass_threshold',
  missionId: null,
  taskId: null,
  from: undefined,
  stored: [],
  known,
  current: known.standard,
};
const origin = { missionId: null, taskId: null, own: null };

/**
 * Fails below one threshold, passes from the other on, and requests a person for scores in between.
 */
function decideBy(score: number): (thresholds: EffectiveThresholds) => Rederived {
  return (thresholds) => {
    const value = (key: string): number => thresholds.get(key)?.value ?? Number.NaN;
    if (score < value('fail_threshold'))
      return { verdict: 'fail', outcome: 'failed', needsHumanReview: false };
    const passes = score >= value('pass_threshold');
    return {
      verdict: passes ? 'pass' : 'partial',
      outcome: passes ? 'passed' : 'needs_review',
      needsHumanReview: false,
    };
  };
}

/**
 * `skill`: how much more often a better score is good; 0 is an uninformative judge, below 0 one
 * that is wrong.
 */
function history(seed: number, skill: number, size = 400): History {
  const random = createRandom(seed);
  const groups = Array.from({ length: size }, (_, n): HistoryGroup => {
    const score = Math.round(random() * 100) / 100;
    const good = random() < 0.6 + skill * (score - 0.5);
    const part = (['train', 'development', 'test'] as const)[n % 3] ?? 'train';
    const parts = { train: 0, development: 0, test: 0, [part]: 1 };
    return { decide: decideBy(score), origin, good, items: [{ id: `v${n}`, atMicros: n }], parts };
  });
  return {
    groups,
    unknown: 0,
    recorded: { caught: 0, missed: 0, rejected: 0, passed: 0 },
    weights: weightsOfClusters([]),
    scores: [],
  };
}

const at = ({ groups }: History, value: number, part: 'all' | 'test') =>
  tallyOf(groups, decideAll(groups, 'task', withCandidate([], trial.key, trial, value)), part);
const prices = { missed: 10, rejected: 1, review: 1 };
const shareOf = (matrix: Matrix, of: 'catchRate' | 'falsePositiveRate'): number =>
  shareValue(sharesOf(matrix)[of]) ?? Number.NaN;

test.each(
  [-0.8, -0.3, 0, 0.3, 0.8].flatMap((skill) =>
    [1, 2, 3, 4, 5].map((seed) => [skill, seed] as const),
  ),
)(
  'SOAR-34 for a judge of skill %d (seed %d) every suggested value separates good from bad on the held-out half, and is better there',
  async (skill, seed) => {
    const given = history(seed, skill);
    const suggestions = await suggestThresholds(
      trial,
      given,
      at(given, trial.current, 'all'),
      prices,
    );
    const before = at(given, trial.current, 'test');
    for (const { rule, value, direction } of suggestions) {
      if (value === null) continue;
      const after = at(given, value, 'test');
      expect(direction).toBe(value < trial.current ? 'lower' : 'raise');
      expect(youden(after), `${rule} ${value}`).toBeGreaterThan(0);
      const better = {
        least_cost: outcomeCost(after, prices) < outcomeCost(before, prices),
        max_youden: (youden(after) ?? 0) > (youden(before) ?? 0),
        catch_within_limit: shareOf(after, 'catchRate') > shareOf(before, 'catchRate'),
        false_negatives: shareOf(after, 'catchRate') > shareOf(before, 'catchRate'),
        false_positives: shareOf(after, 'falsePositiveRate') < shareOf(before, 'falsePositiveRate'),
      };
      expect(better[rule], `${rule} ${value}`).toBe(true);
    }
  },
);

test('every outcome has its cost: a partial result is a review, and a value that leaves all to people has the cost of all reviews', () => {
  const given = history(9, 0.8);
  const all = at(given, 1, 'all');
  const partial = given.groups.filter(
    ({ decide }) => decide(new Map()).outcome === 'needs_review',
  ).length;
  expect(partial).toBe(400);
  expect(all.caught + all.missed + all.rejected + all.passed + all.reviews).toBe(400);
  expect(all.reviews).toBeGreaterThan(at(given, trial.current, 'all').reviews);
  expect(outcomeCost(all, { missed: 0, rejected: 0, review: 1 })).toBe(all.reviews);
});
