import { type Action, meetsThreshold } from '../../domain';
import { askedOf, rounded, thresholdOf } from '../asking';
import type { Walk } from '../kind';
import type { JudgedDecision, RunSetting } from '../subject-kind';
import type { TaskConfig } from './config';
import { detailOf } from './describe';
import type { TaskDetail } from './detail';
import { feedbackOf } from './feedback';
import { issuesOf } from './issues';
import { keepOf, type Measured, type MeasuredCriterion, measuredOf } from './measured';
import { dimensionsOf } from './questions';
import type { TaskSubject } from './subject';

type Native = 'pass' | 'partial' | 'fail';

/** What was decided, before it is put into words. */
export interface TaskRuling {
  readonly verdict: Native | null;
  readonly action: Action;
  readonly aggregate: number | null;
  readonly confidence: number | null;
  readonly needsHumanReview: boolean;
}

/**
 * The verdict of a task. Pure. FAIL: nothing to judge, a check or criterion that must pass and does not, or an aggregate below the fail
 * threshold; PASS: an aggregate from the pass threshold up, and no check missed; otherwise PARTIAL (VS-24). A confidence below its
 * threshold makes a would-be PASS a PARTIAL, and always calls a person (VS-25). A judge that broke, or was not asked for lack of budget,
 * leaves no verdict unless it is a FAIL anyway. Where judges were not to be asked, the checks decide (VS-39).
 */
export function decideTask(walk: Walk, subject: TaskSubject, setting: RunSetting<TaskConfig>): JudgedDecision<TaskDetail> {
  const measured = measuredOf(
    walk,
    subject,
    dimensionsOf(subject, setting.config).map(({ name }) => name),
  );
  const ruling = ruleTask(measured, setting);
  const issues = issuesOf(measured, ruling, setting);
  return {
    verdict: ruling.verdict,
    action: ruling.action,
    score: ruling.aggregate,
    confidence: ruling.confidence,
    needsHumanReview: ruling.needsHumanReview,
    issues,
    feedback: feedbackOf(measured, ruling, subject, setting),
    detail: detailOf(measured, ruling, subject, setting),
    asked: askedOf(measured.told),
    keep: ruling.verdict === null ? null : keepOf(walk),
  };
}

function ruleTask(measured: Measured, setting: RunSetting<TaskConfig>): TaskRuling {
  const aggregate = aggregateOf(measured);
  const confidence = confidenceOf(measured);
  const threshold = (key: string, standard: number): number => thresholdOf(setting, key, standard);
  const mustFail = measured.screened !== null || [...measured.checks, ...measured.texts].some(missesMustPass);
  const missed = measured.checks.some(({ score }) => score?.met === false);
  const disputed = measured.judgements.some(
    ({ criteria, absent }) => absent.length > 0 || criteria.some(({ vote }) => vote !== 'unanimous'),
  );
  const ruled = (verdict: Native | null, unsure: boolean): TaskRuling => {
    const needsHumanReview = unsure || verdict === null;
    return { verdict, action: actionOf(verdict, needsHumanReview, setting), aggregate, confidence, needsHumanReview };
  };
  if (mustFail)
    return ruled('fail', (confidence !== null && !meetsThreshold(confidence, threshold('confidence_threshold', 0.5))) || disputed);
  if (measured.texts.length > 0) {
    if (setting.notJudged?.state === 'over_budget') return ruled(null, true);
    if (setting.notJudged !== null) return ruled(missed ? 'partial' : 'pass', false);
    if (aggregate === null || confidence === null) return ruled(null, true);
  }
  // Nothing that could be measured was asked for (VS-11): there is no more to know.
  if (aggregate === null) return ruled(missed ? 'partial' : 'pass', false);
  const fails = !meetsThreshold(aggregate, threshold('fail_threshold', 0.4));
  // Checks alone are met or missed: between the two thresholds there is no more to know either (VS-9).
  if (measured.texts.length === 0) return ruled(fails ? 'fail' : missed ? 'partial' : 'pass', false);
  const sure = confidence === null || meetsThreshold(confidence, threshold('confidence_threshold', 0.5));
  const unsure = disputed || !sure;
  if (fails) return ruled('fail', unsure);
  const tied = measured.texts.some((each) => each.tied && each.criterion.must_pass);
  const passes = meetsThreshold(aggregate, threshold('pass_threshold', 0.7)) && !missed && !tied && sure;
  return ruled(passes ? 'pass' : 'partial', unsure);
}

/** A jury that is split in half has not found that it is not met: that is for a person. */
function missesMustPass({ criterion, score, tied }: MeasuredCriterion<{ readonly must_pass: boolean }>): boolean {
  return criterion.must_pass && score?.met === false && !tied;
}

/**
 * Weighted mean, to 4 decimals, of the criteria that judges judged; where there are none of those, of the checks. Checks beside them do
 * not count: three trivial checks that pass would lift a poor answer over the threshold. Null when one of them has no score: a mean of
 * the others would be one of another rubric, and when the weights are all zero.
 */
function aggregateOf({ texts, checks }: Measured): number | null {
  const ranked = texts.length > 0 ? texts : checks.filter(({ score }) => score?.state === 'scored');
  let [sum, weights] = [0, 0];
  for (const { criterion, score } of ranked) {
    if (score?.state !== 'scored') return null;
    sum += score.value * criterion.weight;
    weights += criterion.weight;
  }
  return weights === 0 ? null : rounded(sum / weights);
}

/** The judge's own value for the whole; of several questions the least (VS-26). Null where no judge spoke. */
function confidenceOf({ judgements, texts }: Measured): number | null {
  if (judgements.length === 0 || texts.length === 0) return null;
  return rounded(Math.min(...judgements.map(({ confidence }) => confidence)));
}

/** VS-27 to VS-29: retries are those of the caller, and no other budget is spent by them. */
function actionOf(verdict: Native | null, needsHumanReview: boolean, { retries }: RunSetting<TaskConfig>): Action {
  if (needsHumanReview) return 'escalate';
  if (verdict === 'pass') return 'accept';
  return retries.used < retries.budget ? 'retry' : 'escalate';
}
