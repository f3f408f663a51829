import { describe, expect, it } from 'vitest';
import { planSpending, type SpendingQuestion } from './spending';

const base: SpendingQuestion = {
  strategy: 'tiered',
  taskCostUsd: 0.4,
  bypassBelowUsd: 0.1,
  share: 0.3,
  spentUsd: 0,
  estimateUsd: 0.01,
  hasDependents: false,
  sampleRate: 0.2,
  sampleBucket: 0.5,
};

describe('spending on judging', () => {
  it.each<[string, Partial<SpendingQuestion>, string]>([
    ['VS-39 under the floor is bypassed', { taskCostUsd: 0.0999 }, 'bypassed'],
    ['VS-39 at the floor is judged', { taskCostUsd: 0.1 }, 'judge'],
    ['VS-39 another floor', { taskCostUsd: 0.3, bypassBelowUsd: 0.5 }, 'bypassed'],
    [
      'VS-39 a floor of 0 bypasses nothing',
      { taskCostUsd: 0, bypassBelowUsd: 0, estimateUsd: null },
      'judge',
    ],
    ['VS-39 a cost that nobody told is not under it', { taskCostUsd: null }, 'judge'],
    ['VS-38 at the budget is judged', { taskCostUsd: 0.1, estimateUsd: 0.03 }, 'judge'],
    [
      'VS-38 over the budget is not asked',
      { taskCostUsd: 0.1, estimateUsd: 0.030001 },
      'over_budget',
    ],
    ['VS-38 an unknown price is not bounded', { estimateUsd: null }, 'judge'],
    [
      'VS-41 what earlier attempts cost counts',
      { spentUsd: 0.115, estimateUsd: 0.01 },
      'over_budget',
    ],
    [
      'VS-40 always judges cheap work',
      { strategy: 'always', taskCostUsd: 0.05, estimateUsd: 0.001 },
      'judge',
    ],
    [
      'VS-40 always keeps to the budget',
      { strategy: 'always', taskCostUsd: 0.05, estimateUsd: 0.1 },
      'over_budget',
    ],
    [
      'VS-40 smart judges cheap work that others depend on',
      { strategy: 'smart', taskCostUsd: 0.05, hasDependents: true },
      'judge',
    ],
    ['VS-40 smart leaves other cheap work', { strategy: 'smart', taskCostUsd: 0.05 }, 'bypassed'],
    ['VS-40 smart judges dear work', { strategy: 'smart' }, 'judge'],
    ['VS-40 sample takes its share', { strategy: 'sample', sampleBucket: 0.1999 }, 'judge'],
    ['VS-40 sample leaves the rest', { strategy: 'sample', sampleBucket: 0.2 }, 'sampled_out'],
  ])('%s', (_title, changes, state) => {
    expect(planSpending({ ...base, ...changes })?.state ?? 'judge').toBe(state);
  });
});
