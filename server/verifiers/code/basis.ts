import { z } from 'zod';
import { meetsThreshold, ModelTier } from '../../domain';
import { tierLimits } from '../../code';
import type { EffectiveThresholds } from '../../thresholds';
import { thresholdValue } from '../asking';
import { type Rederived, rederived } from '../rederive';

/** The input of the decision on code, other than its threshold. */
export const CodeBasis = z.object({
  /** The tier of the model that wrote the code, which selects the threshold. */
  key: ModelTier,
  /** Why the code was not scored: it was skipped, or its files could not be read. */
  end: z.enum(['skipped', 'broken']).nullable(),
  /** A wrong framework, or failed tests of the caller: FAIL at any score. */
  forced: z.boolean(),
  points: z.number(),
  /** The total if all gates that were not run had passed; null if all were run. */
  best: z.number().nullable(),
  /** A person should review a failure. */
  calls: z.boolean(),
  /** There is no verdict, because judging was not requested. */
  passed_over: z.boolean(),
});
export type CodeBasis = z.infer<typeof CodeBasis>;

/**
 * PASS from the threshold of the model's tier up. A wrong framework fails at any score (QEL-16),
 * and so do failed tests of the caller: by points alone (QEL-20) such code could pass every tier
 * with 85. If the gates were not run and would have decided, there is no verdict.
 */
export function ruleCode(
  { key, end, forced, points, best }: CodeBasis,
  thresholds: EffectiveThresholds,
): 'PASS' | 'FAIL' | null {
  if (end !== null) return null;
  if (forced) return 'FAIL';
  const pass = thresholdValue(thresholds, key, tierLimits[key].passThreshold);
  if (meetsThreshold(points, pass)) return 'PASS';
  return best !== null && meetsThreshold(best, pass) ? null : 'FAIL';
}

export function rederiveCode(basis: CodeBasis, thresholds: EffectiveThresholds): Rederived {
  const verdict = ruleCode(basis, thresholds);
  const calls =
    basis.end === 'skipped' ? false : verdict === null || (verdict === 'FAIL' && basis.calls);
  return rederived(verdict, calls, basis.end === 'skipped' || basis.passed_over);
}
