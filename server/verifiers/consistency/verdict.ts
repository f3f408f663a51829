import type { Action, Issue } from '../../domain';
import { sumJudgeCost, isJudgingRequested, rounded } from '../asking';
import type { Walk } from '../plan-node';
import { shortenedIssues, withholdPass } from '../shortened';
import type { JudgedDecision, RunSetting } from '../kind';
import { basisOf, ruleConsistency } from './basis';
import { comparableOutputs, type PairDetail, pairNode, pairsOf } from './plan';
import type { ConsistencyConfig, ConsistencyDetail, ConsistencySubject } from './subject';

const ISSUES_MAX = 100;

/**
 * Consistent if every pair is; inconsistent if at least one is; inconclusive if a pair could not be
 * judged and none is inconsistent. The score is that of the worst pair. Fewer than two
 * outputs are consistent: 1.0, without a judge (VS-42). Pure.
 */
export function decideConsistency(
  walk: Walk,
  subject: ConsistencySubject,
  setting: RunSetting<ConsistencyConfig>,
): JudgedDecision<ConsistencyDetail> {
  const pairs = pairsOf(subject).map(([a, b]): PairDetail => {
    const detail = walk.details.get(pairNode(a.task_id, b.task_id)) as PairDetail | undefined;
    return (
      detail ?? {
        a: a.task_id,
        b: b.task_id,
        finding: null,
        consistent: null,
        tied: false,
        judged: [],
      }
    );
  });
  const found = pairs.flatMap(({ finding }) => (finding === null ? [] : [finding]));
  const basis = basisOf(
    pairs,
    isJudgingRequested(setting),
    setting.retries.used < setting.retries.budget,
  );
  const { verdict, needsHumanReview, ...ruling } = ruleConsistency(basis, setting.thresholds);
  const confidence = ruling.confidence === null ? null : rounded(ruling.confidence);
  const detail = detailOf(pairs, verdict, confidence);
  const leftOut = found.reduce((sum, each) => sum + each.leftOut, 0);
  const decided = {
    verdict,
    action: actionOf(verdict, needsHumanReview),
    score:
      verdict === null
        ? null
        : pairs.length === 0
          ? 1
          : rounded(Math.min(...found.map(({ value }) => value))),
    confidence,
    needsHumanReview,
    issues: issuesOf(pairs, subject, setting),
    feedback: verdict === 'inconsistent' ? feedbackOf(pairs) : null,
    detail,
    judgeCost: sumJudgeCost(
      pairs.flatMap(({ judged }) =>
        judged.map((each) => ({
          models: each.model === null ? [] : [each.model],
          answered: each.state === 'judged',
          retryAfterMs: each.state === 'failed' ? each.retryAfterMs : null,
          usage: each.usage,
        })),
      ),
    ),
    basis,
    toCache: null,
  };
  return withholdPass(decided, leftOut, verdict === 'consistent');
}

function actionOf(verdict: ConsistencyDetail['verdict'], needsHumanReview: boolean): Action {
  if (needsHumanReview) return 'escalate';
  if (verdict === null) return 'none';
  return verdict === 'consistent' ? 'accept' : 'retry';
}

function detailOf(
  pairs: readonly PairDetail[],
  verdict: ConsistencyDetail['verdict'],
  confidence: number | null,
): ConsistencyDetail {
  return {
    verdict,
    confidence,
    pairs: pairs.map(({ a, b, finding, consistent }) => ({
      a,
      b,
      score: finding === null ? null : rounded(finding.value),
      consistent,
      issues: (finding?.issues ?? []).map(({ description, severity }) => ({
        task_ids: [a, b],
        description: description.toWellFormed(),
        severity,
      })),
    })),
  };
}

function issuesOf(
  pairs: readonly PairDetail[],
  subject: ConsistencySubject,
  setting: RunSetting<ConsistencyConfig>,
): readonly Issue[] {
  const compared = new Set(comparableOutputs(subject));
  const all: Issue[] = [
    ...pairs.flatMap(({ a, b, finding }) =>
      (finding?.issues ?? []).map(({ description, severity }) =>
        issue('inconsistency', `${a} and ${b}: ${description}`, severity),
      ),
    ),
    ...pairs.flatMap(({ a, b, tied }) =>
      tied
        ? [issue('order_tie', `${a} and ${b}: the judge disagrees when they are swapped`, 'medium')]
        : [],
    ),
    ...pairs.flatMap(({ a, b, judged }) =>
      judged.flatMap((each) =>
        each.state === 'failed'
          ? [issue('judge_failed', `${a} and ${b}: ${each.errorClass}: ${each.reason}`, 'high')]
          : [],
      ),
    ),
    ...subject.outputs.flatMap((each) =>
      compared.has(each)
        ? []
        : [
            issue(
              'empty_output',
              `${each.task_id} has nothing to compare with the others`,
              'medium',
            ),
          ],
    ),
    ...(pairs.length > 0 && setting.notJudged !== null
      ? [issue('llm_skipped', `No judge was asked: ${setting.notJudged.reason}`, 'medium')]
      : []),
    ...(pairs.length > 0 && setting.notJudged === null && setting.judges.length === 0
      ? [
          issue(
            'no_judge',
            `No judge can be asked: ${setting.whyNone ?? 'no provider is configured'}`,
            'high',
          ),
        ]
      : []),
    ...pairs.flatMap(({ a, b, finding }) =>
      shortenedIssues(finding?.leftOut ?? 0, `${a}, ${b} and their context`, 'outputs'),
    ),
  ];
  if (all.length <= ISSUES_MAX) return all;
  return [
    ...all.slice(0, ISSUES_MAX - 1),
    issue('more_issues', `${all.length - ISSUES_MAX + 1} more issues`, 'low'),
  ];
}

function issue(code: string, message: string, severity: Issue['severity']): Issue {
  return { code, message: message.slice(0, 500).toWellFormed(), severity, path: null };
}

function feedbackOf(pairs: readonly PairDetail[]): string {
  const lines = pairs.flatMap(({ a, b, finding, consistent }) =>
    consistent === false
      ? (finding?.issues ?? []).map(
          ({ description, severity }) => `- ${a} and ${b} (${severity}): ${description}`,
        )
      : [],
  );
  return [
    'These outputs contradict each other. Decide which one is correct, and revise the other.',
    ...lines.slice(0, 50),
  ]
    .join('\n')
    .toWellFormed();
}
