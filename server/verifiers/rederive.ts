import type { z } from 'zod';
import { deriveOutcome, type Outcome } from '../domain';
import type { EffectiveThresholds } from '../thresholds';
import { isShortened, withheld } from './shortened';

/**
 * A decision depends on measured values and on thresholds. The measured part of a kind's input is
 * its basis: small JSON, stored with the verdict. The kind decides by one pure function of both,
 * when the verdict is made and when it is recomputed under another threshold, so that the two
 * cannot differ (SOAR-33, calibration.md 5.5).
 */
export interface Rederived {
  readonly verdict: string | null;
  readonly outcome: Outcome;
  readonly needsHumanReview: boolean;
}

/** The decision under some thresholds, for a parsed basis. */
export type Rederive = (thresholds: EffectiveThresholds) => Rederived;

/**
 * The shared object for a decision. Without a verdict the outcome is `skipped` if judging was not
 * requested (`passedOver`), and otherwise `inconclusive`.
 */
export function rederived(
  verdict: string | null,
  needsHumanReview: boolean,
  passedOver: boolean,
): Rederived {
  const byVerdict = (needsHumanReview ? withReview : withoutReview)[passedOver ? 1 : 0];
  const known = byVerdict.get(verdict);
  if (known !== undefined) return known;
  const outcome =
    verdict === null ? (passedOver ? 'skipped' : 'inconclusive') : deriveOutcome(verdict);
  const decision: Rederived = Object.freeze({ verdict, outcome, needsHumanReview });
  byVerdict.set(verdict, decision);
  return decision;
}

/**
 * Comparing thresholds creates millions of decisions. Kinds have few verdicts, so the objects are
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
