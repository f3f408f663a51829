import { z } from 'zod';
import { type Action, meetsThreshold } from '../domain';
import type { EffectiveThresholds } from '../thresholds';
import { inForce } from './asking';
import type { ConfigField } from './config-field';
import { type Rederived, rederived } from './rederive';
import type { RunSetting } from './kind';

/**
 * What the three checkpoints have in common: the verdict by a score and a budget of retries that is
 * the checkpoint's own.
 */

export const CheckpointVerdict = z.enum(['PASS', 'RETRY', 'FAIL']);
export type CheckpointVerdict = z.infer<typeof CheckpointVerdict>;

/**
 * Why a verdict is not PASS: the score, faults that no score outweighs, or retries that are used
 * up.
 */
export type FailedBy = 'score' | 'fault' | 'retries';

export interface CheckpointRuling {
  readonly verdict: CheckpointVerdict;
  /** Null for PASS. */
  readonly failedBy: FailedBy | null;
}

/** What a checkpoint's decision rests on besides its thresholds. */
export const CheckpointBasis = z.object({
  score: z.number().nullable(),
  /** Below its threshold no retry helps (SOAR-6); not so where there is no floor (SOAR-23). */
  floor: z.boolean(),
  /** What is there cannot pass, whatever its score. */
  faulty: z.boolean(),
  /** There are retries left. */
  left: z.boolean(),
  /** Nothing can be told: a score is missing that would decide. */
  open: z.boolean(),
  /** A person is to look where there is no verdict. */
  calls: z.boolean(),
  /** Where there is no verdict none was wanted. */
  passed_over: z.boolean(),
});
export type CheckpointBasis = z.infer<typeof CheckpointBasis>;

export const hasRetries = ({ retries }: Pick<RunSetting<unknown>, 'retries'>): boolean =>
  retries.used < retries.budget;

/**
 * The verdict for a score 0..1, in this order (SOAR-6 to SOAR-9): PASS from the pass threshold up,
 * whichever attempt it is; FAIL below the floor; RETRY while the budget lasts; FAIL. A score of
 * null says only that there are faults.
 */
export function ruleCheckpoint(
  { score, floor, faulty, left }: Pick<CheckpointBasis, 'score' | 'floor' | 'faulty' | 'left'>,
  thresholds: EffectiveThresholds,
): CheckpointRuling {
  const passes =
    score !== null && meetsThreshold(score, inForce(thresholds, 'pass_threshold', 0.7));
  if (passes && !faulty) return { verdict: 'PASS', failedBy: null };
  if (
    score !== null &&
    floor &&
    !meetsThreshold(score, inForce(thresholds, 'retry_threshold', 0.5))
  )
    return { verdict: 'FAIL', failedBy: 'score' };
  if (left) return { verdict: 'RETRY', failedBy: passes || score === null ? 'fault' : 'score' };
  return { verdict: 'FAIL', failedBy: 'retries' };
}

/** The ruling of a basis; null where nothing can be told. */
export function rulingOf(
  basis: CheckpointBasis,
  thresholds: EffectiveThresholds,
): CheckpointRuling | null {
  return basis.open ? null : ruleCheckpoint(basis, thresholds);
}

export function rederiveCheckpoint(
  basis: CheckpointBasis,
  thresholds: EffectiveThresholds,
): Rederived {
  const verdict = rulingOf(basis, thresholds)?.verdict ?? null;
  return rederived(verdict, verdict === null && basis.calls, basis.passed_over);
}

/**
 * The step that a verdict on a decomposition or a synthesis asks for; none (null) is for a person.
 */
export function checkpointAction(verdict: CheckpointVerdict | null): Action {
  if (verdict === null) return 'escalate';
  if (verdict === 'PASS') return 'accept';
  return verdict === 'RETRY' ? 'retry' : 'reject';
}

/** SOAR-6: two retries, three attempts. */
export const RetryBudget = z.number().int().min(0).max(5).default(2);

export const retryField: ConfigField = {
  key: 'retry_budget',
  name: 'Retries',
  meaning: 'How often the work may be made anew before it fails. Each checkpoint counts its own.',
  type: 'number',
  least: 0,
  most: 5,
  whole: true,
};
