import { z } from 'zod';
import type { EffectiveThresholds } from '../../thresholds';
import { thresholdValue } from '../asking';
import { type CheckpointRuling, ruleCheckpoint } from '../checkpoint';
import { type Rederived, rederived } from '../rederive';
import { traceabilityOf } from './claim-support';

const count = z.number().int().min(0);

/** The input of the decision on a synthesis, other than its threshold. */
export const SynthesisBasis = z.object({
  /**
   * The numbers of claims, of claims supported by an output, and of undecided claims; null if they
   * could not be counted.
   */
  counted: z.object({ claims: count, supported: count, undecided: count }).nullable(),
  left: z.boolean(),
  /** If there is no verdict, a person should review. */
  calls: z.boolean(),
  /** There is no verdict, because judging was not requested. */
  passed_over: z.boolean(),
});
export type SynthesisBasis = z.infer<typeof SynthesisBasis>;

/**
 * Decides by traceability alone, without a floor: even 0.1 is retried while retries are left
 * (SOAR-22, SOAR-23). Null without a claim (SOAR-24), and if undecided claims could change the
 * verdict.
 */
export function ruleSynthesis(
  { counted, left }: SynthesisBasis,
  thresholds: EffectiveThresholds,
): CheckpointRuling | null {
  const score =
    counted === null
      ? null
      : traceabilityOf(counted, thresholdValue(thresholds, 'pass_threshold', 0.7));
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
