import { z } from 'zod';
import { type Action, meetsThreshold } from '../domain';
import { thresholdOf } from './asking';
import type { ConfigField } from './config-field';
import type { RunSetting } from './subject-kind';

/** What the three checkpoints have in common: the verdict by a score and a budget of retries that is the checkpoint's own. */

export const CheckpointVerdict = z.enum(['PASS', 'RETRY', 'FAIL']);
export type CheckpointVerdict = z.infer<typeof CheckpointVerdict>;

/** Why a verdict is not PASS: the score, faults that no score outweighs, or retries that are used up. */
export type FailedBy = 'score' | 'fault' | 'retries';

export interface CheckpointRuling {
  readonly verdict: CheckpointVerdict;
  /** Null for PASS. */
  readonly failedBy: FailedBy | null;
}

interface RuledBy {
  /** Below it no retry helps (SOAR-6); null where there is no floor (SOAR-23). */
  readonly floor: number | null;
  /** What is there cannot pass, whatever its score. */
  readonly faulty: boolean;
}

/**
 * The verdict for a score 0..1, in this order (SOAR-6 to SOAR-9): PASS from the pass threshold up, whichever attempt it is; FAIL below the
 * floor; RETRY while the budget lasts; FAIL. A score of null says only that there are faults.
 */
export function ruleCheckpoint(score: number | null, { floor, faulty }: RuledBy, setting: RunSetting<unknown>): CheckpointRuling {
  const passes = score !== null && meetsThreshold(score, thresholdOf(setting, 'pass_threshold', 0.7));
  if (passes && !faulty) return { verdict: 'PASS', failedBy: null };
  if (score !== null && floor !== null && !meetsThreshold(score, floor)) return { verdict: 'FAIL', failedBy: 'score' };
  if (setting.retries.used < setting.retries.budget) return { verdict: 'RETRY', failedBy: passes || score === null ? 'fault' : 'score' };
  return { verdict: 'FAIL', failedBy: 'retries' };
}

/** The step that a verdict on a decomposition or a synthesis asks for; none (null) is for a person. */
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
