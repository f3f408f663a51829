import type { Action, Issue } from '../../domain';
import { sumJudgeCost, isJudgingRequested, rounded } from '../asking';
import type { Walk } from '../plan-node';
import { shortenedIssues } from '../shortened';
import type { JudgedDecision, RunSetting } from '../kind';
import { type MissionBasis, rederiveMission, ruleMission } from './basis';
import { OUTPUTS, type OutputsDetail, SUMMARY, type SummaryDetail } from './plan';
import type { MissionConfig, MissionDetail, MissionSubject } from './subject';

type Native = 'pass' | 'partial' | 'fail';

/**
 * Decides by the judge's score of the whole, as for a task (VS-24, VS-25); a mission without
 * outputs fails. Pure.
 */
export function decideMission(
  walk: Walk,
  subject: MissionSubject,
  setting: RunSetting<MissionConfig>,
): JudgedDecision<MissionDetail> {
  const outputs = walk.details.get(OUTPUTS) as OutputsDetail | undefined;
  const judged = (walk.details.get(SUMMARY) as SummaryDetail | undefined)?.judged ?? null;
  const finding = judged?.state === 'judged' ? judged.reply : null;
  const aggregate = finding === null ? null : rounded(finding.value);
  const confidence = finding === null ? null : rounded(finding.confidence);
  const basis: MissionBasis = {
    aggregate,
    confidence,
    empty: outputs?.allEmpty === true,
    wanted: isJudgingRequested(setting),
    shortened: (finding?.leftOut ?? 0) > 0,
    retries_left: setting.retries.used < setting.retries.budget,
  };
  const verdict = ruleMission(basis, setting.thresholds);
  const { needsHumanReview } = rederiveMission(basis, setting.thresholds);
  const weakest = (finding?.weakest ?? []).flatMap(({ index, reason }) => {
    const task = subject.tasks[index];
    return task === undefined ? [] : [{ task_id: task.task_id, reason: reason.toWellFormed() }];
  });
  const summary = finding?.summary.toWellFormed() ?? null;
  return {
    verdict,
    action: actionOf(verdict, needsHumanReview),
    score: aggregate,
    confidence,
    needsHumanReview,
    issues: issuesOf(outputs?.empty ?? [], judged, weakest, setting, finding?.leftOut ?? 0),
    feedback: verdict === null || verdict === 'pass' ? null : feedbackOf(summary, weakest),
    detail: { verdict, confidence, aggregate_score: aggregate, summary, weakest },
    judgeCost: sumJudgeCost(
      judged === null
        ? []
        : [
            {
              models: judged.model === null ? [] : [judged.model],
              answered: judged.state === 'judged',
              retryAfterMs: judged.state === 'failed' ? judged.retryAfterMs : null,
              usage: judged.usage,
            },
          ],
    ),
    basis,
    toCache: null,
  };
}

function actionOf(verdict: Native | null, needsHumanReview: boolean): Action {
  if (needsHumanReview) return 'escalate';
  if (verdict === null) return 'none';
  return verdict === 'pass' ? 'accept' : 'retry';
}

type Weakest = MissionDetail['weakest'];

function issuesOf(
  empty: readonly string[],
  judged: SummaryDetail['judged'],
  weakest: Weakest,
  { notJudged, judges, whyNone }: RunSetting<MissionConfig>,
  leftOut: number,
): readonly Issue[] {
  const issue = (
    code: string,
    message: string,
    severity: Issue['severity'],
    path: string | null = null,
  ): Issue => ({
    code,
    message: message.slice(0, 500).toWellFormed(),
    severity,
    path,
  });
  return [
    ...empty.map((id) =>
      issue('empty_output', `The task ${id} has no output that can be judged`, 'high', 'tasks'),
    ),
    ...weakest.map(({ task_id, reason }) =>
      issue('weak_task', `${task_id}: ${reason}`, 'medium', 'tasks'),
    ),
    ...(judged?.state === 'failed'
      ? [
          issue(
            'judge_failed',
            `The judge gave no judgement (${judged.errorClass}): ${judged.reason}`,
            'high',
          ),
        ]
      : []),
    ...(notJudged === null
      ? []
      : [issue('llm_skipped', `No judge was asked: ${notJudged.reason}`, 'medium')]),
    ...(notJudged === null && judges.length === 0
      ? [
          issue(
            'no_judge',
            `No judge can be asked: ${whyNone ?? 'no provider is configured'}`,
            'high',
          ),
        ]
      : []),
    ...shortenedIssues(leftOut, 'the mission and its outputs', 'tasks'),
  ];
}

function feedbackOf(summary: string | null, weakest: Weakest): string {
  const lines = weakest.map(({ task_id, reason }) => `- ${task_id}: ${reason}`);
  return [
    summary ?? 'The tasks of the mission have no output that can be judged.',
    ...(lines.length === 0 ? [] : ['Fix first:', ...lines]),
  ].join('\n');
}
