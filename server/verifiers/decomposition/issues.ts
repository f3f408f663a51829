import type { Issue } from '../../domain';
import type { StructureDetail } from '../../evaluators/subgoals';
import { rounded } from '../asking';
import type { CheckpointVerdict } from '../checkpoint';
import { shortenedIssues } from '../shortened';
import type { RunSetting } from '../kind';
import type { DecompositionConfig } from './config';
import type { FoundScores } from './judging';
import type { DecompositionSubject } from './subject';

const ISSUES_MAX = 100;
const MESSAGE_MAX = 500;
/** SOAR-4: tolerated difference between the judge's stated overall score and the computed one. */
const SUM_TOLERANCE = 0.01;

export interface IssuesOf {
  readonly structure: StructureDetail | null;
  readonly found: FoundScores | null;
  readonly overall: number | null;
  readonly verdict: CheckpointVerdict | null;
  readonly subject: DecompositionSubject;
  readonly setting: RunSetting<DecompositionConfig>;
}

/**
 * Findings made without a judge, then findings of the judge, then notes on the judging; at most a
 * hundred.
 */
export function issuesOf(given: IssuesOf): readonly Issue[] {
  const { structure, found } = given;
  const finding = found?.state === 'found' ? found.finding : null;
  const all: Issue[] = [
    ...(structure?.findings ?? []).map(({ code, message, severity, path }) =>
      issue(code, message, severity, path),
    ),
    ...(finding?.issues ?? []).map(({ message, severity }) =>
      issue('judged', message, severity, 'decomposition'),
    ),
    ...statedIssues(given),
    ...judgingIssues(given),
  ];
  if (all.length <= ISSUES_MAX) return all;
  return [
    ...all.slice(0, ISSUES_MAX - 1),
    issue('more_issues', `${all.length - ISSUES_MAX + 1} more issues`, 'low', null),
  ];
}

/**
 * Records that the judge's stated total or verdict differs from the computed one; it has no effect
 * (SOAR-4, SOAR-10).
 */
function statedIssues({ found, overall, verdict }: IssuesOf): readonly Issue[] {
  if (found?.state !== 'found' || overall === null) return [];
  const { statedOverall, statedVerdict } = found.finding;
  const isOff =
    statedOverall !== null && rounded(Math.abs(statedOverall - overall)) > SUM_TOLERANCE;
  return [
    ...(isOff
      ? [
          issue(
            'overall_corrected',
            `The judge stated ${statedOverall} overall; its scores come to ${overall}`,
            'low',
            null,
          ),
        ]
      : []),
    ...(statedVerdict !== null && verdict !== null && statedVerdict !== verdict
      ? [
          issue(
            'verdict_corrected',
            `The judge stated ${statedVerdict}; by the rule it is ${verdict}`,
            'low',
            null,
          ),
        ]
      : []),
  ];
}

function judgingIssues({ structure, found, subject, setting }: IssuesOf): readonly Issue[] {
  const { notJudged, judges, whyNone } = setting;
  const issues: Issue[] = [];
  if (structure === null)
    issues.push(issue('structure_unchecked', 'The structure could not be checked', 'high', null));
  if (found?.state === 'failed') {
    const { errorClass, reason } = found.judged;
    issues.push(
      issue('judge_failed', `The judge gave no judgement (${errorClass}): ${reason}`, 'high', null),
    );
  }
  const leftOut = found?.state === 'found' ? found.finding.leftOut : 0;
  issues.push(
    ...shortenedIssues(leftOut, 'the decomposition and what it was judged by', 'decomposition'),
  );
  // A faulty structure needs no judge.
  if (subject.scores !== null || structure?.faulty === true) return issues;
  if (notJudged !== null)
    issues.push(issue('llm_skipped', `No judge was asked: ${notJudged.reason}`, 'medium', null));
  else if (judges.length === 0) {
    issues.push(
      issue(
        'no_judge',
        `No judge can be asked: ${whyNone ?? 'no provider is configured'}`,
        'high',
        null,
      ),
    );
  }
  return issues;
}

function issue(
  code: string,
  message: string,
  severity: Issue['severity'],
  path: string | null,
): Issue {
  return {
    code,
    message: (message.length > MESSAGE_MAX
      ? `${message.slice(0, MESSAGE_MAX)}…`
      : message
    ).toWellFormed(),
    severity,
    path,
  };
}
