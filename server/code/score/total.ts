import { compileCap, maxPoints } from './dimensions';
import type { Proof } from './proof';

/** The points of each dimension, not rounded. */
export interface DimensionPoints {
  readonly files: number;
  readonly patterns: number;
  readonly framework: number;
  readonly complete: number;
  readonly proof: number;
}

export interface Total {
  /** Whole points, 0 to 100: the displayed number is the compared one (QEL-21). */
  readonly total: number;
  /** The same without the judge's bonus. */
  readonly beforeBonus: number;
  readonly capped: boolean;
  readonly rescaled: boolean;
}

const rounded = (sum: number): number =>
  Math.round(Math.min(maxPoints.total, Math.max(0, sum)) + 1e-9);

/**
 * Adds up, caps, and rounds once. If no gate had a result, the maximum is 70 points (`literal`), or
 * the total is scaled to 100 (`rescale`, QEL-29). A compile failure caps the total at 50 before any
 * bonus, and capped work gets no bonus (QEL-49).
 */
export function scoreTotal(
  points: DimensionPoints,
  proof: Proof,
  neutralProof: 'literal' | 'rescale',
  bonus: number,
): Total {
  const { files, patterns, framework, complete } = points;
  const otherPoints = files + patterns + framework + complete;
  const rescaled = proof.share === null && neutralProof === 'rescale';
  const sum = rescaled
    ? (otherPoints / (maxPoints.total - maxPoints.proof)) * maxPoints.total
    : otherPoints + points.proof;
  const capped = proof.compileFailed && rounded(sum) > compileCap;
  const beforeBonus = capped ? compileCap : rounded(sum);
  const added = proof.compileFailed ? 0 : Math.min(maxPoints.semantic, Math.max(0, bonus));
  return { total: capped ? compileCap : rounded(sum + added), beforeBonus, capped, rescaled };
}
