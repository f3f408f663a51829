import type { Issue, Score } from '../domain';
import type { VerdictDecision, Walk } from './plan-node';

/** Prefix of the reasoning of a score whose node was over budget. */
export const OVER_BUDGET = 'over budget';

export const isOverBudget = ({ state, reasoning }: Score): boolean =>
  state === 'failed' && reasoning?.startsWith(OVER_BUDGET) === true;

/**
 * The decision of a walk with a node over budget: there is no verdict, regardless of the other
 * scores, and none is computed later. Null if no node was over budget.
 */
export function undecidedOverBudget(
  walk: Walk,
):
  | (Omit<VerdictDecision<unknown>, 'detail' | 'issues'> & { readonly issues: readonly Issue[] })
  | null {
  const over = walk.scores.filter(isOverBudget);
  if (over.length === 0) return null;
  return {
    verdict: null,
    action: 'escalate',
    score: null,
    confidence: null,
    needsHumanReview: true,
    feedback: null,
    issues: over.map(
      ({ name, reasoning }): Issue => ({
        code: 'over_budget',
        message: `${name}: ${reasoning ?? OVER_BUDGET}`,
        severity: 'high',
        path: null,
      }),
    ),
  };
}
