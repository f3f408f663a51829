import { z } from 'zod';
import { type Action, type Issue, meetsThreshold } from '../../domain';
import type { EffectiveThresholds } from '../../thresholds';
import { thresholdValue } from '../asking';
import type { JudgeCost, JudgedDecision, RunSetting } from '../kind';
import { type Rederived, rederiveBy, rederived } from '../rederive';

/** The native verdicts of custom verifiers, the best first. */
export const customVerdicts = ['pass', 'fail'] as const;
type Native = (typeof customVerdicts)[number];

const rate = z.number().min(0).max(1).nullable();

/** The input of the decision of a custom verifier, other than its thresholds. */
export const CustomBasis = z.object({
  /** 0..1; null if unscored, or broken. */
  value: rate,
  /** The lowest value of the parts that must pass; null if there are none. */
  must_pass: rate,
  /** Null if the verifier states none. */
  confidence: rate,
  /** A judge, a check or the function failed: there is no value. */
  broken: z.boolean(),
  /** Several judges or votes disagreed without a majority. */
  disputed: z.boolean(),
  not_judged: z.enum(['over_budget', 'passed_over']).nullable(),
});
export type CustomBasis = z.infer<typeof CustomBasis>;

interface CustomVerdict {
  readonly verdict: Native | null;
  readonly needsHumanReview: boolean;
}

/**
 * The value decides: pass from `pass_threshold` up, for the value and for each part that must pass
 * (online.md 3). Without a value there is no verdict; a person reviews it if the verifier broke or
 * its judges disagreed, or if its confidence is below `confidence_threshold`.
 */
export function ruleCustom(basis: CustomBasis, thresholds: EffectiveThresholds): CustomVerdict {
  const { value, must_pass: mustPass, confidence } = basis;
  if (basis.broken) return { verdict: null, needsHumanReview: true };
  if (basis.not_judged !== null && value === null)
    return { verdict: null, needsHumanReview: basis.not_judged === 'over_budget' };
  if (value === null) return { verdict: null, needsHumanReview: basis.disputed };
  const threshold = thresholdValue(thresholds, 'pass_threshold', 0.5);
  const passes =
    meetsThreshold(value, threshold) && (mustPass === null || meetsThreshold(mustPass, threshold));
  const isUnsure =
    confidence !== null &&
    !meetsThreshold(confidence, thresholdValue(thresholds, 'confidence_threshold', 0.5));
  return { verdict: passes ? 'pass' : 'fail', needsHumanReview: isUnsure || basis.disputed };
}

/** The same rule under any thresholds, for a stored basis. */
export const rederiveCustom = rederiveBy(CustomBasis, (basis, thresholds): Rederived => {
  const { verdict, needsHumanReview } = ruleCustom(basis, thresholds);
  return rederived(verdict, needsHumanReview, basis.not_judged === 'passed_over' && !basis.broken);
});

/** The result of a verifier on one subject. */
export interface CustomFinding<Detail> {
  readonly basis: CustomBasis;
  readonly issues: readonly Issue[];
  readonly feedback: string | null;
  readonly detail: Detail;
  readonly judgeCost: JudgeCost;
  /** As in `JudgedDecision`. */
  readonly toCache: unknown;
}

/** The decision on a finding. Pure. */
export function decideCustom<Detail>(
  { basis, ...finding }: CustomFinding<Detail>,
  { thresholds, retries }: Pick<RunSetting<unknown>, 'thresholds' | 'retries'>,
): JudgedDecision<Detail> {
  const { verdict, needsHumanReview } = ruleCustom(basis, thresholds);
  return {
    ...finding,
    verdict,
    needsHumanReview,
    action: actionOf(verdict, needsHumanReview, retries.used < retries.budget),
    score: basis.broken ? null : basis.value,
    confidence: basis.confidence,
    basis,
    toCache: verdict === null ? null : finding.toCache,
  };
}

function actionOf(verdict: Native | null, needsHumanReview: boolean, mayRetry: boolean): Action {
  if (needsHumanReview) return 'escalate';
  if (verdict === null) return 'none';
  if (verdict === 'pass') return 'accept';
  return mayRetry ? 'retry' : 'reject';
}

/** For verifiers that call no model. */
export const noJudgeCost: JudgeCost = {
  calls: 0,
  tokens: 0,
  costUsd: 0,
  priceUnknown: false,
  model: null,
  retryAfterMs: null,
};
