import { z } from 'zod';
import { meetsThreshold } from '../../domain';
import type { EffectiveThresholds } from '../../thresholds';
import { inForce } from '../asking';
import { type Rederived, rederived } from '../rederive';

type Native = 'pass' | 'partial' | 'fail';

const rate = z.number().nullable();

/**
 * What the decision on a task rests on besides its thresholds. Votes of a jury are kept as they
 * were counted when it sat.
 */
export const TaskBasis = z.object({
  /**
   * Nothing to judge, or a check that must pass and does not, or a criterion that states its own
   * mark and misses it.
   */
  forced: z.boolean(),
  /**
   * Least value of the judged criteria that must pass and have no mark of their own; null where
   * there is none.
   */
  must_pass: rate,
  /** A check is not met, whether or not it must pass. */
  missed: z.boolean(),
  /** A check broke or was over budget: what it would have found is not known. */
  broken: z.boolean().default(false),
  /** A jury was not of one mind, or a judgement lacks something. */
  disputed: z.boolean(),
  /** A jury was split in half on a criterion that must pass. */
  tied: z.boolean(),
  aggregate: rate,
  confidence: rate,
  /** There are criteria that a judge has to judge. */
  texts: z.boolean(),
  not_judged: z.enum(['over_budget', 'passed_over']).nullable(),
  /**
   * The caller may retry: else what is not a pass waits for a person. Bases of earlier releases do
   * not have it.
   */
  retries_left: z.boolean().default(true),
  /**
   * A judge was not shown everything: never a clean pass (S-125). Bases of earlier releases do not
   * have it.
   */
  shortened: z.boolean().default(false),
});
export type TaskBasis = z.infer<typeof TaskBasis>;

export interface TaskVerdict {
  readonly verdict: Native | null;
  readonly needsHumanReview: boolean;
}

/**
 * FAIL: nothing to judge, a check or criterion that must pass and does not, or an aggregate below
 * the fail threshold; PASS: an aggregate from the pass threshold up, and no check missed; otherwise
 * PARTIAL (VS-24). A confidence below its threshold makes a would-be PASS a PARTIAL, and always
 * calls a person (VS-25). A judge or check that broke, or was not asked for lack of budget, leaves
 * no verdict unless it is a FAIL anyway. Neither does a judge that was not to be asked: a
 * criterion without a judgement is never passed, and no person is awaited (VS-39). Without retries
 * left a person decides about all that is no pass (VS-29).
 */
export function ruleTask(basis: TaskBasis, thresholds: EffectiveThresholds): TaskVerdict {
  const { aggregate, confidence, missed, disputed, texts, not_judged: notJudged } = basis;
  const isUnsure =
    confidence !== null &&
    !meetsThreshold(confidence, inForce(thresholds, 'confidence_threshold', 0.5));
  const isOver = !basis.retries_left;
  const mustFail =
    basis.forced ||
    (basis.must_pass !== null &&
      !meetsThreshold(basis.must_pass, inForce(thresholds, 'criterion_met_threshold', 0.7)));
  if (mustFail) return ruled('fail', isUnsure || disputed || isOver);
  if (basis.broken) return ruled(null, true);
  if (texts) {
    if (notJudged !== null) return ruled(null, notJudged === 'over_budget');
    if (aggregate === null || confidence === null) return ruled(null, true);
  }
  // Nothing that could be measured was asked for (VS-11): there is no more to know.
  if (aggregate === null) return ruled(missed ? 'partial' : 'pass', missed && isOver);
  const fails = !meetsThreshold(aggregate, inForce(thresholds, 'fail_threshold', 0.4));
  // Checks alone are met or missed: between the two thresholds there is no more to know either
  // (VS-9).
  if (!texts)
    return ruled(fails ? 'fail' : missed ? 'partial' : 'pass', (fails || missed) && isOver);
  if (fails) return ruled('fail', isUnsure || disputed || isOver);
  const passes =
    meetsThreshold(aggregate, inForce(thresholds, 'pass_threshold', 0.7)) &&
    !missed &&
    !basis.tied &&
    !isUnsure;
  // What the judge did not see can only take a pass away; the lower verdicts rest on what it saw.
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
