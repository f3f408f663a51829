import { expect, test } from 'vitest';
import type { Rule } from '@/app/_trpc/outputs';
import { coverageOf, coverageText } from './coverage';

type Counts = Partial<Record<Rule['decided'][number]['state'], number>>;

const rule = (decided: Counts, more: Partial<Rule> = {}): Rule => ({
  name: 'r',
  version: 1,
  verifier: 'task',
  verifierTargets: ['turn', 'trace'],
  target: 'turn',
  filter: {},
  mapping: null,
  sampling: 1,
  sampleBy: 'subject',
  every: null,
  delaySeconds: 0,
  dailyBudget: null,
  dailyBudgetUsd: null,
  sources: null,
  enabled: true,
  ...more,
  decided: Object.entries(decided).map(([state, count]) => ({
    state: state as Rule['decided'][number]['state'],
    count,
  })),
  spentToday: null,
  createdBy: 'test',
  updatedAt: new Date(0),
});

test.each<[string, readonly Rule[], string]>([
  ['no rule of the verifier', [rule({ run: 5 }, { verifier: 'code' })], 'no rule'],
  ['only a disabled rule', [rule({ run: 5 }, { enabled: false })], 'no rule'],
  ['nothing arrived', [rule({})], 'no turns yet'],
  ['a share', [rule({ run: 50, sampled_out: 940, filtered: 10 })], '5% of turns'],
  ['a small share', [rule({ run: 1, sampled_out: 9999 })], '< 0.1% of turns'],
  ['none', [rule({ filtered: 10 })], '0% of turns'],
  ['no subject is not sent', [rule({ run: 1, no_subject: 3 })], '25% of turns'],
  [
    'two rules: duplicates are sent once',
    [rule({ run: 60, filtered: 40 }), rule({ run: 10, duplicate: 60, filtered: 30 })],
    '70% of turns',
  ],
  [
    'targets apart',
    [rule({ run: 1, filtered: 1 }), rule({ run: 2 }, { target: 'session' })],
    '50% of turns, 100% of sessions',
  ],
])('coverage: %s', (_, rules, text) => {
  expect(coverageText(coverageOf(rules, 'task'))).toBe(text);
});
