import type { NotJudged } from './kind';

/** Strategies that select the work to judge (VS-40). Deterministic checks always run. */
export const strategies = ['always', 'smart', 'sample', 'tiered'] as const;
export type Strategy = (typeof strategies)[number];

export interface SpendingQuestion {
  readonly strategy: Strategy;
  /**
   * The cost of the work, in US dollars; null if unknown, in which case there is no floor and no
   * budget.
   */
  readonly taskCostUsd: number | null;
  /** Work that cost less is not judged (VS-39). */
  readonly bypassBelowUsd: number;
  /** Maximum cost of judging, as a share of the cost of the work (VS-38). */
  readonly share: number;
  /** Cost so far of judging the same work, including its retries (VS-41). */
  readonly spentUsd: number;
  /**
   * The estimated cost of judging now; null if the price is unknown, in which case it is not
   * limited.
   */
  readonly estimateUsd: number | null;
  readonly hasDependents: boolean;
  /** Share of the work that is judged under `sample`, and the position of this work in 0..1. */
  readonly sampleRate: number;
  readonly sampleBucket: number;
}

/** Compares US dollars in millionths: 0.3 · 0.1 is 0.03, not less. */
const micros = (usd: number): number => Math.round(usd * 1_000_000);

/**
 * Null if a judge is called, else why not. `always` judges all work; `tiered` judges work that
 * costs at least the floor; `smart` also judges work that other work depends on; `sample` judges a
 * share of the work that costs at least the floor. No call may exceed the budget.
 */
export function planSpending(question: SpendingQuestion): NotJudged | null {
  const { strategy, taskCostUsd, bypassBelowUsd, share, spentUsd, estimateUsd } = question;
  const isCheap = taskCostUsd !== null && micros(taskCostUsd) < micros(bypassBelowUsd);
  if (isCheap && strategy !== 'always' && !(strategy === 'smart' && question.hasDependents)) {
    return { state: 'bypassed', reason: 'below_cost_floor' };
  }
  if (strategy === 'sample' && question.sampleBucket >= question.sampleRate)
    return { state: 'sampled_out', reason: 'not_in_sample' };
  if (
    taskCostUsd !== null &&
    estimateUsd !== null &&
    micros(spentUsd + estimateUsd) > micros(share * taskCostUsd)
  ) {
    return { state: 'over_budget', reason: 'judging_would_exceed_the_budget' };
  }
  return null;
}
