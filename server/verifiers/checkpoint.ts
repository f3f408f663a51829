import { z } from 'zod';
import { type Action, meetsThreshold } from '../domain';
import type { EffectiveThresholds } from '../thresholds';
import { thresholdValue } from './asking';
import type { ConfigField } from './config-field';
import { type Rederived, rederived } from './rederive';
import type { RunSetting } from './kind';

/**
 * Shared by the three checkpoints: the verdict depends on a score and on the retry budget of the
 * checkpoint.
 */

export const CheckpointVerdict = z.enum(['PASS', 'RETRY', 'FAIL']);
export type CheckpointVerdict = z.infer<typeof CheckpointVerdict>;

/**
 * Why a verdict is not PASS: the score, faults that override the score, or an exhausted retry
 * budget.
 */
export type FailedBy = 'score' | 'fault' | 'retries';

export interface CheckpointRuling {
  readonly verdict: CheckpointVerdict;
  /** Null for PASS. */
  readonly failedBy: FailedBy | null;
}

/** The input of a checkpoint's decision, other than its thresholds. */
export const CheckpointBasis = z.object({
  score: z.number().nullable(),
  /**
   * A score below its threshold fails without a retry (SOAR-6); false for kinds without a floor
   * (SOAR-23).
   */
  floor: z.boolean(),
  /** The work has a fault that rules out a pass at any score. */
  faulty: z.boolean(),
  /** The budget has retries left. */
  left: z.boolean(),
  /** No decision is possible: a score that would decide is missing. */
  open: z.boolean(),
  /** If there is no verdict, a person should review. */
  calls: z.boolean(),
  /** There is no verdict, because judging was not requested. */
  passed_over: z.boolean(),
});
export type CheckpointBasis = z.infer<typeof CheckpointBasis>;

export const hasRetries = ({ retries }: Pick<RunSetting<unknown>, 'retries'>): boolean =>
  retries.used < retries.budget;

/**
 * The verdict for a score 0..1, in this order (SOAR-6 to SOAR-9): PASS from the pass threshold up,
 * at any attempt; FAIL below the floor; RETRY while retries are left; otherwise FAIL. A null score
 * means that only faults are known.
 */
export function ruleCheckpoint(
  { score, floor, faulty, left }: Pick<CheckpointBasis, 'score' | 'floor' | 'faulty' | 'left'>,
  thresholds: EffectiveThresholds,
): CheckpointRuling {
  const passes =
    score !== null && meetsThreshold(score, thresholdValue(thresholds, 'pass_threshold', 0.7));
  if (passes && !faulty) return { verdict: 'PASS', failedBy: null };
  if (
    score !== null &&
    floor &&
    !meetsThreshold(score, thresholdValue(thresholds, 'retry_threshold', 0.5))
  )
    return { verdict: 'FAIL', failedBy: 'score' };
  if (left) return { verdict: 'RETRY', failedBy: passes || score === null ? 'fault' : 'score' };
  return { verdict: 'FAIL', failedBy: 'retries' };
}

/** The ruling for a basis; null if no decision is possible. */
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
 * The next step after a verdict on a decomposition or a synthesis; without a verdict (null) a
 * person decides.
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
  meaning: 'How often the work may be done again before it fails. Each checkpoint counts its own.',
  type: 'number',
  min: 0,
  max: 5,
  whole: true,
};
