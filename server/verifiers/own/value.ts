import { z } from 'zod';
import { type Action, type Issue, meetsThreshold } from '../../domain';
import type { EffectiveThresholds } from '../../thresholds';
import { inForce } from '../asking';
import type { Asked, JudgedDecision, RunSetting } from '../kind';
import { type Rederived, rederiveBy, rederived } from '../rederive';

/** The native verdicts of a project's own verifiers, the best first. */
export const ownVerdicts = ['pass', 'fail'] as const;
type Native = (typeof ownVerdicts)[number];

const rate = z.number().min(0).max(1).nullable();

/** The input of the decision of a project's own verifier, other than its thresholds. */
export const OwnBasis = z.object({
  /** 0..1; null: unscored, or broken. */
  value: rate,
  /** The lowest value of the parts that must pass; null if there are none. */
  must_pass: rate,
  /** Null: the verifier states none. */
  confidence: rate,
  /** A judge, a check or the function failed: there is no value. */
  broken: z.boolean(),
  /** Several judges or votes disagreed without a majority. */
  disputed: z.boolean(),
  not_judged: z.enum(['over_budget', 'passed_over']).nullable(),
});
export type OwnBasis = z.infer<typeof OwnBasis>;

interface OwnVerdict {
  readonly verdict: Native | null;
  readonly needsHumanReview: boolean;
}

/**
 * The value decides: pass from `pass_threshold` up, for the value and for each part that must pass
 * (online.md 3). Without a value there is no verdict; a person reviews it if the verifier broke or
 * its judges disagreed, or if its confidence is below `confidence_threshold`.
 */
export function ruleOwn(basis: OwnBasis, thresholds: EffectiveThresholds): OwnVerdict {
  const { value, must_pass: mustPass, confidence } = basis;
  if (basis.broken) return { verdict: null, needsHumanReview: true };
  if (basis.not_judged !== null && value === null)
    return { verdict: null, needsHumanReview: basis.not_judged === 'over_budget' };
  if (value === null) return { verdict: null, needsHumanReview: basis.disputed };
  const threshold = inForce(thresholds, 'pass_threshold', 0.5);
  const passes =
    meetsThreshold(value, threshold) && (mustPass === null || meetsThreshold(mustPass, threshold));
  const isUnsure =
    confidence !== null &&
    !meetsThreshold(confidence, inForce(thresholds, 'confidence_threshold', 0.5));
  return { verdict: passes ? 'pass' : 'fail', needsHumanReview: isUnsure || basis.disputed };
}

/** The same rule under any thresholds, for a stored basis. */
export const rederiveOwn = rederiveBy(OwnBasis, (basis, thresholds): Rederived => {
  const { verdict, needsHumanReview } = ruleOwn(basis, thresholds);
  return rederived(verdict, needsHumanReview, basis.not_judged === 'passed_over' && !basis.broken);
});

/** The result of a verifier on one subject. */
export interface OwnFinding<Detail> {
  readonly basis: OwnBasis;
  readonly issues: readonly Issue[];
  readonly feedback: string | null;
  readonly detail: Detail;
  readonly asked: Asked;
  /** As in `JudgedDecision`. */
  readonly keep: unknown;
}

/** The decision on a finding. Pure. */
export function decideOwn<Detail>(
  { basis, ...finding }: OwnFinding<Detail>,
  { thresholds, retries }: Pick<RunSetting<unknown>, 'thresholds' | 'retries'>,
): JudgedDecision<Detail> {
  const { verdict, needsHumanReview } = ruleOwn(basis, thresholds);
  return {
    ...finding,
    verdict,
    needsHumanReview,
    action: actionOf(verdict, needsHumanReview, retries.used < retries.budget),
    score: basis.broken ? null : basis.value,
    confidence: basis.confidence,
    basis,
    keep: verdict === null ? null : finding.keep,
  };
}

function actionOf(verdict: Native | null, needsHumanReview: boolean, mayRetry: boolean): Action {
  if (needsHumanReview) return 'escalate';
  if (verdict === null) return 'none';
  if (verdict === 'pass') return 'accept';
  return mayRetry ? 'retry' : 'reject';
}

/** For verifiers that call no model. */
export const askedNothing: Asked = {
  calls: 0,
  tokens: 0,
  costUsd: 0,
  priceUnknown: false,
  model: null,
  retryAfterMs: null,
};
