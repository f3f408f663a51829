import { z } from 'zod';
import { meetsThreshold } from '../../domain';
import type { EffectiveThresholds } from '../../thresholds';
import { thresholdValue } from '../asking';
import { type Rederived, rederived } from '../rederive';

type Native = 'pass' | 'partial' | 'fail';

const rate = z.number().nullable();

/**
 * The input of the decision on a task, other than its thresholds. Votes of a jury are stored as
 * counted at the time.
 */
export const TaskBasis = z.object({
  /** Nothing to judge, a failed required check, or a criterion below the mark that it states. */
  forced: z.boolean(),
  /**
   * The lowest value of the judged required criteria that state no mark; null if there are none.
   */
  must_pass: rate,
  /** A check is not met, required or not. */
  missed: z.boolean(),
  /** A check failed to run or was over budget: its result is unknown. */
  broken: z.boolean().default(false),
  /** A jury disagreed, or a judgement is incomplete. */
  disputed: z.boolean(),
  /** A jury was tied on a required criterion. */
  tied: z.boolean(),
  aggregate: rate,
  confidence: rate,
  /** Some criteria need a judge. */
  texts: z.boolean(),
  not_judged: z.enum(['over_budget', 'passed_over']).nullable(),
  /**
   * The caller may retry; otherwise a verdict other than a pass waits for a person. Missing in
   * bases of earlier releases.
   */
  retries_left: z.boolean().default(true),
  /**
   * A judge did not see everything: never a clean pass (S-125). Missing in bases of earlier
   * releases.
   */
  shortened: z.boolean().default(false),
});
export type TaskBasis = z.infer<typeof TaskBasis>;

export interface TaskVerdict {
  readonly verdict: Native | null;
  readonly needsHumanReview: boolean;
}

/**
 * FAIL: nothing to judge, a failed required check or criterion, or an aggregate below the fail
 * threshold; PASS: an aggregate from the pass threshold up, and no failed check; otherwise PARTIAL
 * (VS-24). A confidence below its threshold turns a would-be PASS into a PARTIAL, and always
 * notifies a person (VS-25). If a judge or check failed, or was not run for lack of budget, there
 * is no verdict unless it is a FAIL anyway. The same applies if judging was not requested: a
 * criterion without a judgement never passes, and no person is notified (VS-39). When no retries
 * are left, a person reviews every verdict other than a pass (VS-29).
 */
export function ruleTask(basis: TaskBasis, thresholds: EffectiveThresholds): TaskVerdict {
  const { aggregate, confidence, missed, disputed, texts, not_judged: notJudged } = basis;
  const isUnsure =
    confidence !== null &&
    !meetsThreshold(confidence, thresholdValue(thresholds, 'confidence_threshold', 0.5));
  const isOver = !basis.retries_left;
  const mustFail =
    basis.forced ||
    (basis.must_pass !== null &&
      !meetsThreshold(basis.must_pass, thresholdValue(thresholds, 'criterion_met_threshold', 0.7)));
  if (mustFail) return ruled('fail', isUnsure || disputed || isOver);
  if (basis.broken) return ruled(null, true);
  if (texts) {
    if (notJudged !== null) return ruled(null, notJudged === 'over_budget');
    if (aggregate === null || confidence === null) return ruled(null, true);
  }
  // Nothing measurable was requested (VS-11), so the confidence is full.
  if (aggregate === null) return ruled(missed ? 'partial' : 'pass', missed && isOver);
  const fails = !meetsThreshold(aggregate, thresholdValue(thresholds, 'fail_threshold', 0.4));
  // Checks are either met or not, so with checks alone the confidence is full even between the two
  // thresholds (VS-9).
  if (!texts)
    return ruled(fails ? 'fail' : missed ? 'partial' : 'pass', (fails || missed) && isOver);
  if (fails) return ruled('fail', isUnsure || disputed || isOver);
  const passes =
    meetsThreshold(aggregate, thresholdValue(thresholds, 'pass_threshold', 0.7)) &&
    !missed &&
    !basis.tied &&
    !isUnsure;
  // Text that the judge did not see can only revoke a pass; lower verdicts rest on the text that it
  // saw.
  const isOpen = passes && basis.shortened;
  return ruled(
    passes && !isOpen ? 'pass' : 'partial',
    isUnsure || disputed || isOpen || (!passes && isOver),
  );
}

export function rederiveTask(basis: TaskBasis, thresholds: EffectiveThresholds): Rederived {
  const { verdict, needsHumanReview } = ruleTask(basis, thresholds);
  return rederived(verdict, needsHumanReview, basis.not_judged === 'passed_over' && !basis.broken);
}

const ruled = (verdict: Native | null, needsHumanReview: boolean): TaskVerdict => ({
  verdict,
  needsHumanReview,
});
