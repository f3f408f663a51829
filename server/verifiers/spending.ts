import type { NotJudged } from './kind';

/** Which work is judged (VS-40). Deterministic checks always run. */
export const strategies = ['always', 'smart', 'sample', 'tiered'] as const;
export type Strategy = (typeof strategies)[number];

export interface SpendingQuestion {
  readonly strategy: Strategy;
  /**
   * What the work cost, in US dollars; null where no one said. Then there is no floor and no
   * budget.
   */
  readonly taskCostUsd: number | null;
  /** Work that cost less is not judged (VS-39). */
  readonly bypassBelowUsd: number;
  /** Most that judging may cost, as a share of what the work cost (VS-38). */
  readonly share: number;
  /** Spent on judging the same work before, retries of it included (VS-41). */
  readonly spentUsd: number;
  /** What asking now will cost; null where the price is not known, and then it is not bounded. */
  readonly estimateUsd: number | null;
  readonly hasDependents: boolean;
  /** Share of the work that is judged under `sample`, and where this work is in 0..1. */
  readonly sampleRate: number;
  readonly sampleBucket: number;
}

/** US dollars are compared in millionths: 0.3 · 0.1 is 0.03, not less. */
const micros = (usd: number): number => Math.round(usd * 1_000_000);

/**
 * Null where a judge is asked, else why not. `always` asks for all work, `tiered` for all from the
 * floor up, `smart` for that and for whatever others depend on, `sample` for a share of what is
 * above the floor. "Under" the floor is strict. Nothing is asked that would exceed the budget.
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
