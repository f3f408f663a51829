import { z } from 'zod';
import { meetsThreshold } from '../../domain';
import type { EffectiveThresholds } from '../../thresholds';
import { inForce } from '../asking';
import { type Rederived, rederived } from '../rederive';

type Native = 'pass' | 'partial' | 'fail';

/** What the decision on a mission rests on besides its thresholds. */
export const MissionBasis = z.object({
  /** The judge's score of the whole; null where it gave none. */
  aggregate: z.number().nullable(),
  confidence: z.number().nullable(),
  /** The mission handed in nothing. */
  empty: z.boolean(),
  wanted: z.boolean(),
  /**
   * The judge was not shown everything: never a clean pass (S-125). Bases of earlier releases do
   * not have it.
   */
  shortened: z.boolean().default(false),
  /**
   * The caller may retry: else what is not a pass waits for a person. Bases of earlier releases do
   * not have it.
   */
  retries_left: z.boolean().default(true),
});
export type MissionBasis = z.infer<typeof MissionBasis>;

/** As a task is ruled (VS-24, VS-25). */
export function ruleMission(
  { aggregate, confidence, empty, shortened }: MissionBasis,
  thresholds: EffectiveThresholds,
): Native | null {
  if (empty) return 'fail';
  if (aggregate === null) return null;
  if (!meetsThreshold(aggregate, inForce(thresholds, 'fail_threshold', 0.4))) return 'fail';
  const isGood = meetsThreshold(aggregate, inForce(thresholds, 'pass_threshold', 0.7));
  return isGood && !isUnsure(confidence, thresholds) && !shortened ? 'pass' : 'partial';
}

export function rederiveMission(basis: MissionBasis, thresholds: EffectiveThresholds): Rederived {
  const verdict = ruleMission(basis, thresholds);
  // No person is awaited where judging was not wanted; where it was too expensive, or broke, one
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
  !meetsThreshold(confidence, inForce(thresholds, 'confidence_threshold', 0.5));
