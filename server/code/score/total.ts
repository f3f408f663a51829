import { compileCap, maxPoints } from './dimensions';
import type { Proof } from './proof';

/** What each dimension came to, in points and not rounded. */
export interface DimensionPoints {
  readonly files: number;
  readonly patterns: number;
  readonly framework: number;
  readonly complete: number;
  readonly proof: number;
}

export interface Total {
  /** Whole points, 0 to 100: what is shown is what is compared (QEL-21). */
  readonly total: number;
  /** The same without the bonus of a judge. */
  readonly beforeBonus: number;
  readonly capped: boolean;
  readonly rescaled: boolean;
}

const whole = (sum: number): number =>
  Math.round(Math.min(maxPoints.total, Math.max(0, sum)) + 1e-9);

/**
 * Adds up, caps, and rounds once. Where no gate could tell, the sum is of 70 points, and stays so
 * (`literal`) or is stretched to 100 (`rescale`, QEL-29). A compile failure caps at 50 before a
 * bonus is thought of, and a capped work gets none (QEL-49).
 */
export function totalOf(
  points: DimensionPoints,
  proof: Proof,
  neutralProof: 'literal' | 'rescale',
  bonus: number,
): Total {
  const { files, patterns, framework, complete } = points;
  const others = files + patterns + framework + complete;
  const rescaled = proof.share === null && neutralProof === 'rescale';
  const sum = rescaled
    ? (others / (maxPoints.total - maxPoints.proof)) * maxPoints.total
    : others + points.proof;
  const capped = proof.compileFailed && whole(sum) > compileCap;
  const beforeBonus = capped ? compileCap : whole(sum);
  const added = proof.compileFailed ? 0 : Math.min(maxPoints.semantic, Math.max(0, bonus));
  return { total: capped ? compileCap : whole(sum + added), beforeBonus, capped, rescaled };
}
