import { expect, test } from 'vitest';
import type { Drift } from '../../measures';
import { effectiveRules } from '../effective-rules';
import { canaryFinding } from './canary-passed';
import { driftFinding } from './drift';
import { stalledFindings } from './intake-stalled';
import { outageFinding } from './judge-outage';

const rule = {
  enabled: true,
  limit: 0.5,
  windowMinutes: 15,
  noData: 'ok',
  renotifyMinutes: null,
} as const;

test.each([
  [5, 5, 'ok'],
  [5, 6, 'alerting'],
  [0, 4, 'no_data'],
  [0, 5, 'alerting'],
])('R-58 %i calls answered and %i failed: %s', (answered, failed, state) => {
  expect(
    outageFinding(
      { provider: 'openai', model: 'gpt', answered, failed, problem: 'rate_limited' },
      rule,
    ).state,
  ).toBe(state);
});

const none = { fast: null, slow: null, in_hand: false, silent: 5 };
test.each([
  ['no work waits', none, ['ok', 'ok', 'ok']],
  ['R-20 work that has waited for exactly the limit', { ...none, fast: 30 }, ['ok', 'ok', 'ok']],
  ['R-20 work that has waited for longer', { ...none, fast: 30.1 }, ['alerting', 'ok', 'ok']],
  ['R-25 judging that no one claims', { ...none, slow: 31 }, ['ok', 'alerting', 'ok']],
  [
    'judging that waits behind other judging',
    { ...none, slow: 31, in_hand: true },
    ['ok', 'ok', 'ok'],
  ],
  ['R-20 workers without reports', { ...none, silent: 181 }, ['ok', 'ok', 'alerting']],
  ['R-20 there was never a worker', { ...none, silent: null }, ['ok', 'ok', 'no_data']],
])('%s', (_, row, states) => {
  expect(stalledFindings(row, 30).map(({ state }) => state)).toEqual(states);
});

test.each([
  ['S-26 one passed', 1, 5, 'alerting'],
  ['all were stopped', 0, 6, 'ok'],
  ['X-3 an unreadable judge stopped nothing', 0, 0, 'no_data'],
  ['X-3 one is undecided', 0, 5, 'no_data'],
  ['nothing was found', null, null, 'no_data'],
])('canaries: %s', (_, passed, stopped, state) => {
  expect(canaryFinding({ slug: 'task', version: 1, items: 6, passed, stopped }).state).toBe(state);
});

/** The members that the alert reads. */
function driftOf(
  items: number,
  flipped: number,
  better: number,
  worse: number,
  p: number | null,
): Drift {
  const flips = {
    value: items === 0 ? null : flipped / items,
    numerator: flipped,
    denominator: items,
    low: null,
    high: null,
    state: items === 0 ? 'no_data' : items < 20 ? 'insufficient' : 'on_target',
  } as const;
  return { flips, better, worse, p, set: { id: 'anc', name: 'gold', items } } as unknown as Drift;
}

test.each([
  ['judged only once', null, 'no_data'],
  ['nothing decided', driftOf(0, 0, 0, 0, null), 'no_data'],
  ['exactly a tenth flipped', driftOf(20, 2, 1, 1, 1), 'ok'],
  ['more than a tenth flipped, with the same agreement', driftOf(20, 3, 2, 1, 1), 'alerting'],
  ['significantly worse', driftOf(100, 8, 0, 8, 0.004), 'alerting'],
  ['significantly better', driftOf(100, 8, 8, 0, 0.004), 'ok'],
  ['few items, some flipped', driftOf(10, 3, 1, 2, 0.6), 'no_data'],
  ['few items, significantly worse', driftOf(10, 8, 0, 8, 0.004), 'alerting'],
  ['few items, none flipped', driftOf(10, 0, 0, 0, null), 'ok'],
])('drift: %s', (_, drift, state) => {
  expect(driftFinding({ slug: 'task', id: 'anc', name: 'gold' }, drift).state).toBe(state);
});

test('the rule of a verifier precedes that of the kind, and that the default', () => {
  const put = {
    ...rule,
    kind: 'catch_rate',
    updatedBy: 'a',
    updatedAt: new Date(1),
    limitSetAt: new Date(0),
  };
  const all = { ...put, verifier: null, limit: 0.7, windowMinutes: 60 };
  const own = { ...put, verifier: 'decomposition', limit: 0.8, windowMinutes: 120 };
  const { ruleFor, windowsOf, limitSetAt } = effectiveRules([all, own], new Date(9));
  expect(
    ['decomposition', 'decomposition:self', 'task'].map(
      (verifier) => ruleFor('catch_rate', verifier).limit,
    ),
  ).toEqual([0.8, 0.8, 0.7]);
  expect(ruleFor('retry_success', 'task').limit).toBe(0.5);
  expect(windowsOf('catch_rate')).toEqual([60, 120]);
  expect([limitSetAt('catch_rate', 'task'), limitSetAt('retry_success', 'task')]).toEqual([
    new Date(0),
    new Date(9),
  ]);
});
