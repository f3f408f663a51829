import type { z } from 'zod';
import { deriveOutcome, type Outcome } from '../domain';
import type { EffectiveThresholds } from '../thresholds';
import { isShortened, withheld } from './shortened';

/**
 * A decision is made of two things: what was measured, and the thresholds. What a kind's decision
 * rests on besides its thresholds is its basis: small JSON that is stored with the verdict. The
 * kind decides by one pure function of both, when the verdict is made and when someone asks what
 * another threshold would have made of it, so that the two cannot differ (SOAR-33, calibration.md
 * 5.5).
 */
export interface Rederived {
  readonly verdict: string | null;
  readonly outcome: Outcome;
  readonly needsHumanReview: boolean;
}

/** The decision under some thresholds, of a basis that was read. */
export type Rederive = (thresholds: EffectiveThresholds) => Rederived;

/**
 * Why there is no verdict, where there is none: no one wanted one, so that the outcome is
 * `skipped`. Equal decisions are one object.
 */
export function rederived(
  verdict: string | null,
  needsHumanReview: boolean,
  passedOver: boolean,
): Rederived {
  const kept = (needsHumanReview ? withReview : withoutReview)[passedOver ? 1 : 0];
  const known = kept.get(verdict);
  if (known !== undefined) return known;
  const outcome =
    verdict === null ? (passedOver ? 'skipped' : 'inconclusive') : deriveOutcome(verdict);
  const made: Rederived = Object.freeze({ verdict, outcome, needsHumanReview });
  kept.set(verdict, made);
  return made;
}

/** Decisions are made by the million when values of a threshold are tried. Kinds have few words. */
type Kept = readonly [Map<string | null, Rederived>, Map<string | null, Rederived>];
const withReview: Kept = [new Map(), new Map()];
const withoutReview: Kept = [new Map(), new Map()];

/** Reads a stored basis strictly; null for one that this release cannot read. */
export function rederiveBy<Basis>(
  schema: z.ZodType<Basis>,
  rule: (basis: Basis, thresholds: EffectiveThresholds) => Rederived,
): (basis: unknown) => Rederive | null {
  return (stored) => {
    const read = schema.safeParse(stored);
    if (!read.success) return null;
    if (isShortened(stored)) return (thresholds) => withheld(rule(read.data, thresholds));
    return (thresholds) => rule(read.data, thresholds);
  };
}

/**
 * Key of the threshold that the basis says decides: it names one where the kind has several of
 * equal rank (code, by tier).
 */
export function decidingKey(basis: unknown): string {
  if (typeof basis !== 'object' || basis === null || !('key' in basis)) return 'pass_threshold';
  return typeof basis.key === 'string' ? basis.key : 'pass_threshold';
}
