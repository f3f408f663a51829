import type { ModelTier } from '../../domain';
import { maxPoints } from './dimensions';

/** Range of totals in which a judge may add points, inclusive (QEL-49). */
const semanticBand = { low: 65, high: 85 } as const;

export interface SemanticCase {
  readonly enabled: boolean;
  readonly tier: ModelTier;
  /** After caps, rounded. */
  readonly beforeBonus: number;
  readonly compileFailed: boolean;
  readonly violation: boolean;
}

/** Why no judge is called for bonus points, in words; null if one is (QEL-49). */
export function whyNoBonus({
  enabled,
  tier,
  beforeBonus,
  compileFailed,
  violation,
}: SemanticCase): string | null {
  if (!enabled) return 'the semantic judge is switched off';
  if (tier !== 'large' && tier !== 'xlarge') return `models of tier ${tier} get no bonus`;
  if (violation) return 'no bonus overturns a wrong framework';
  if (compileFailed) return 'no bonus lifts what does not compile';
  const { low, high } = semanticBand;
  return beforeBonus < low || beforeBonus > high
    ? `${beforeBonus} points lie outside of ${low} to ${high}`
    : null;
}

/** Points for a judgement of 0..1: that share of 15. */
export const bonusOf = (value: number): number =>
  maxPoints.semantic * Math.min(1, Math.max(0, value));
