import type { Action } from '../../domain';
import { sumJudgeCost, rounded } from '../asking';
import type { Walk } from '../plan-node';
import type { JudgedDecision, RunSetting } from '../kind';
import { ruleTask, type TaskBasis, type TaskVerdict } from './basis';
import type { TaskConfig } from './config';
import { detailOf } from './describe';
import type { TaskDetail } from './detail';
import { feedbackOf } from './feedback';
import { issuesOf } from './issues';
import { likertThreshold } from './judge-nodes';
import { judgementsToCache, type Measured, type MeasuredCriterion, measuredOf } from './measured';
import { dimensionsOf } from './questions';
import type { TaskSubject } from './subject';

/** The decision, before it is described. */
export interface TaskRuling extends TaskVerdict {
  readonly action: Action;
  readonly aggregate: number | null;
  readonly confidence: number | null;
}

/** The verdict on a task, by `ruleTask`, and its description. Pure. */
export function decideTask(
  walk: Walk,
  subject: TaskSubject,
  setting: RunSetting<TaskConfig>,
): JudgedDecision<TaskDetail> {
  const measured = measuredOf(
    walk,
    subject,
    dimensionsOf(subject, setting.config).map(({ name }) => name),
  );
  const basis = basisOf(measured, subject, setting);
  const ruled = ruleTask(basis, setting.thresholds);
  const { aggregate, confidence } = basis;
  const ruling: TaskRuling = { ...ruled, aggregate, confidence, action: actionOf(ruled) };
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
    judgeCost: sumJudgeCost(measured.judgeCalls),
    basis,
    toCache: ruling.verdict === null ? null : judgementsToCache(walk),
  };
}

function basisOf(
  measured: Measured,
  subject: TaskSubject,
  { notJudged, retries }: RunSetting<TaskConfig>,
): TaskBasis {
  const { screened, checks, texts, judgements } = measured;
  const hasOwnMark = ({ criterion }: (typeof texts)[number]): boolean =>
    subject.scoring_mode === 'rubric' && likertThreshold(criterion.text) !== null;
  const values = texts.flatMap((each) =>
    each.criterion.must_pass && !each.tied && each.score?.state === 'scored' && !hasOwnMark(each)
      ? [each.score.value]
      : [],
  );
  return {
    forced:
      screened !== null ||
      checks.some(missesMustPass) ||
      texts.filter(hasOwnMark).some(missesMustPass),
    must_pass: values.length === 0 ? null : Math.min(...values),
    missed: checks.some(({ score }) => score?.met === false),
    broken: measured.broken.length > 0,
    disputed: judgements.some(
      ({ criteria, absent }) =>
        absent.length > 0 || criteria.some(({ vote }) => vote !== 'unanimous'),
    ),
    tied: texts.some((each) => each.tied && each.criterion.must_pass),
    aggregate: aggregateOf(measured),
    confidence: confidenceOf(measured),
    texts: texts.length > 0,
    shortened: judgements.some(({ leftOut }) => leftOut > 0),
    not_judged:
      notJudged === null ? null : notJudged.state === 'over_budget' ? 'over_budget' : 'passed_over',
    retries_left: retries.used < retries.budget,
  };
}

/** A tied jury does not count as a missed criterion: a person decides. */
function missesMustPass({
  criterion,
  score,
  tied,
}: MeasuredCriterion<{ readonly must_pass: boolean }>): boolean {
  return criterion.must_pass && score?.met === false && !tied;
}

/**
 * Weighted mean, to 4 decimals, of the judged criteria; if there are none, of the checks. Checks do
 * not count if there are judged criteria: three trivial checks that pass would lift a poor answer
 * above the threshold. Null if one of them has no score, since the mean of the others would belong
 * to another rubric, and if all weights are zero.
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

/**
 * The judge's confidence in the whole; the lowest one if there were several questions (VS-26). Null
 * if no judge answered.
 */
function confidenceOf({ judgements, texts }: Measured): number | null {
  if (judgements.length === 0 || texts.length === 0) return null;
  return rounded(Math.min(...judgements.map(({ confidence }) => confidence)));
}

/** The retries are the caller's (VS-27 to VS-29) and use no other budget. */
function actionOf({ verdict, needsHumanReview }: TaskVerdict): Action {
  if (needsHumanReview) return 'escalate';
  if (verdict === null) return 'none';
  return verdict === 'pass' ? 'accept' : 'retry';
}
