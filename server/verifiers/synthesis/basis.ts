import { z } from 'zod';
import type { EffectiveThresholds } from '../../thresholds';
import { inForce } from '../asking';
import { type CheckpointRuling, ruleCheckpoint } from '../checkpoint';
import { type Rederived, rederived } from '../rederive';
import { traceabilityOf } from './claim-support';

const count = z.number().int().min(0);

/** What the decision on a synthesis rests on besides its threshold. */
export const SynthesisBasis = z.object({
  /**
   * Claims of the answer, and of them those that rest on an output and those that no one decided;
   * null where no one could count them.
   */
  counted: z.object({ claims: count, supported: count, undecided: count }).nullable(),
  left: z.boolean(),
  /** A person is to look where there is no verdict. */
  calls: z.boolean(),
  /** Where there is no verdict none was wanted. */
  passed_over: z.boolean(),
});
export type SynthesisBasis = z.infer<typeof SynthesisBasis>;

/**
 * By traceability alone, without a floor: 0.1 is tried again while retries last (SOAR-22, SOAR-23).
 * Null where there is no claim (SOAR-24), and where undecided claims could tip it.
 */
export function ruleSynthesis(
  { counted, left }: SynthesisBasis,
  thresholds: EffectiveThresholds,
): CheckpointRuling | null {
  const score =
    counted === null ? null : traceabilityOf(counted, inForce(thresholds, 'pass_threshold', 0.7));
  return score === null
    ? null
    : ruleCheckpoint({ score, floor: false, faulty: false, left }, thresholds);
}

export function rederiveSynthesis(
  basis: SynthesisBasis,
  thresholds: EffectiveThresholds,
): Rederived {
  const verdict = ruleSynthesis(basis, thresholds)?.verdict ?? null;
  return rederived(verdict, verdict === null && basis.calls, basis.passed_over);
}
