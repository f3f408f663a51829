import type { z } from 'zod';
import { deriveOutcome, type Outcome } from '../domain';
import type { EffectiveThresholds } from '../thresholds';
import { isShortened, withheld } from './shortened';

/**
 * A decision depends on the measured values and on the thresholds. The measured input of a kind's
 * decision is its basis: small JSON, stored with the verdict. The kind decides by one pure function
 * of both, when the verdict is made and when someone asks for the verdict under another threshold,
 * so that the two cannot differ (SOAR-33, calibration.md 5.5).
 */
export interface Rederived {
  readonly verdict: string | null;
  readonly outcome: Outcome;
  readonly needsHumanReview: boolean;
}

/** The decision under some thresholds, for a parsed basis. */
export type Rederive = (thresholds: EffectiveThresholds) => Rederived;

/**
 * Whether a missing verdict was not requested, so that the outcome is `skipped`. Equal decisions
 * are one object.
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

/**
 * Trying thresholds makes decisions by the million. Kinds have few verdicts, so the objects are
 * shared.
 */
type Kept = readonly [Map<string | null, Rederived>, Map<string | null, Rederived>];
const withReview: Kept = [new Map(), new Map()];
const withoutReview: Kept = [new Map(), new Map()];

/** Parses a stored basis strictly; null for one that this release cannot read. */
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
 * Key of the deciding threshold: the basis names it if the kind has several of equal rank (code, by
 * tier).
 */
export function decidingKey(basis: unknown): string {
  if (typeof basis !== 'object' || basis === null || !('key' in basis)) return 'pass_threshold';
  return typeof basis.key === 'string' ? basis.key : 'pass_threshold';
}
