import { z } from 'zod';
import { meetsThreshold, ModelTier } from '../../domain';
import { tierLimits } from '../../code';
import type { EffectiveThresholds } from '../../thresholds';
import { inForce } from '../asking';
import { type Rederived, rederived } from '../rederive';

/** What the decision on code rests on besides its threshold. */
export const CodeBasis = z.object({
  /** The tier of the model that wrote it, whose threshold decides. */
  key: ModelTier,
  /** It is not scored, or its files could not be read. */
  end: z.enum(['skipped', 'broken']).nullable(),
  /** A wrong framework, or tests that were sent along and did not pass: whatever the points are. */
  forced: z.boolean(),
  points: z.number(),
  /**
   * What it would come to if the gates that were not run had all passed; null where they were run.
   */
  best: z.number().nullable(),
  /** A person is to look at it if it fails. */
  calls: z.boolean(),
  /** Where there is no verdict none was wanted. */
  passed_over: z.boolean(),
});
export type CodeBasis = z.infer<typeof CodeBasis>;

/**
 * PASS from the threshold of the model's tier up; a wrong framework fails whatever the points are
 * (QEL-16), and so do tests that were sent along and did not pass: by points alone (QEL-20) such
 * code could pass every tier with 85. Where the gates were not run and would have decided, there is
 * no verdict.
 */
export function ruleCode(
  { key, end, forced, points, best }: CodeBasis,
  thresholds: EffectiveThresholds,
): 'PASS' | 'FAIL' | null {
  if (end !== null) return null;
  if (forced) return 'FAIL';
  const pass = inForce(thresholds, key, tierLimits[key].passThreshold);
  if (meetsThreshold(points, pass)) return 'PASS';
  return best !== null && meetsThreshold(best, pass) ? null : 'FAIL';
}

export function rederiveCode(basis: CodeBasis, thresholds: EffectiveThresholds): Rederived {
  const verdict = ruleCode(basis, thresholds);
  const calls =
    basis.end === 'skipped' ? false : verdict === null || (verdict === 'FAIL' && basis.calls);
  return rederived(verdict, calls, basis.end === 'skipped' || basis.passed_over);
}
