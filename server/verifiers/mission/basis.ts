import { z } from 'zod';
import { meetsThreshold } from '../../domain';
import type { EffectiveThresholds } from '../../thresholds';
import { thresholdValue } from '../asking';
import { type Rederived, rederived } from '../rederive';

type Native = 'pass' | 'partial' | 'fail';

/** The input of the decision on a mission, other than its thresholds. */
export const MissionBasis = z.object({
  /** The judge's score of the mission as a whole; null if it returned none. */
  aggregate: z.number().nullable(),
  confidence: z.number().nullable(),
  /** The mission submitted no output. */
  empty: z.boolean(),
  wanted: z.boolean(),
  /**
   * The judge did not see everything: never a clean pass (S-125). Missing in bases of earlier
   * releases.
   */
  shortened: z.boolean().default(false),
  /**
   * The caller may retry; otherwise a verdict other than a pass waits for a person. Missing in
   * bases of earlier releases.
   */
  retries_left: z.boolean().default(true),
});
export type MissionBasis = z.infer<typeof MissionBasis>;

/** Same rule as for a task (VS-24, VS-25). */
export function ruleMission(
  { aggregate, confidence, empty, shortened }: MissionBasis,
  thresholds: EffectiveThresholds,
): Native | null {
  if (empty) return 'fail';
  if (aggregate === null) return null;
  if (!meetsThreshold(aggregate, thresholdValue(thresholds, 'fail_threshold', 0.4))) return 'fail';
  const isGood = meetsThreshold(aggregate, thresholdValue(thresholds, 'pass_threshold', 0.7));
  return isGood && !isUnsure(confidence, thresholds) && !shortened ? 'pass' : 'partial';
}

export function rederiveMission(basis: MissionBasis, thresholds: EffectiveThresholds): Rederived {
  const verdict = ruleMission(basis, thresholds);
  // No person is notified where judging was not requested; if it was too expensive, or failed, one
  // is.
  const isOver = verdict !== null && verdict !== 'pass' && !basis.retries_left;
  const isOpen = isOver || (verdict === 'partial' && basis.shortened);
  return rederived(
    verdict,
    isOpen || isUnsure(basis.confidence, thresholds) || (verdict === null && basis.wanted),
    !basis.wanted,
  );
}

const isUnsure = (confidence: number | null, thresholds: EffectiveThresholds): boolean =>
  confidence !== null &&
  !meetsThreshold(confidence, thresholdValue(thresholds, 'confidence_threshold', 0.5));
