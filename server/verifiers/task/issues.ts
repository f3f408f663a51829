import type { Issue } from '../../domain';
import { describeHidden, type JudgementResult } from '../../evaluators/judges';
import type { RunSetting } from '../kind';
import type { TaskConfig } from './config';
import type { Measured } from './measured';
import type { TaskRuling } from './verdict';
import { shortenedIssues } from '../shortened';

const ISSUES_MAX = 100;
const TEXT_MAX = 300;

const checkCodes: ReadonlyMap<string, string> = new Map([
  ['regex', 'pattern_mismatch'],
  ['min_length', 'too_short'],
  ['max_length', 'too_long'],
  ['word_count', 'word_count'],
  ['required_sections', 'missing_section'],
  ['json_schema', 'schema_mismatch'],
  ['urls_valid', 'malformed_url'],
  ['keywords', 'missing_keyword'],
]);

/** The issues of the verdict, the most severe kinds first; at most a hundred. */
export function issuesOf(
  measured: Measured,
  ruling: TaskRuling,
  setting: RunSetting<TaskConfig>,
): readonly Issue[] {
  const { screened, checks, texts } = measured;
  const all: Issue[] = [
    ...(screened === null ? [] : [issue(screened.code, screened.message, 'high', 'task_output')]),
    ...checks.flatMap(({ criterion, score, position }) => {
      const path = `success_criteria[${position}]`;
      if (score?.state === 'unscored') {
        return score.reasoning?.startsWith('left out') === true
          ? [issue('unknown_check', score.reasoning, 'low', path)]
          : [];
      }
      if (score?.met !== false) return [];
      const code = checkCodes.get(criterion.check) ?? 'check_failed';
      return [
        issue(
          code,
          `${score.name}: ${score.reasoning ?? ''}`,
          criterion.must_pass ? 'high' : 'medium',
          path,
        ),
      ];
    }),
    ...texts.flatMap(({ criterion, score, position, tied }) => {
      if (score?.met !== false) return [];
      const path = `success_criteria[${position}]`;
      if (tied)
        return [issue('jury_tie', `The judges are split on: ${criterion.text}`, 'medium', path)];
      return [
        issue(
          'criterion_not_met',
          `Not met: ${criterion.text}`,
          criterion.must_pass ? 'high' : 'medium',
          path,
        ),
      ];
    }),
    ...measured.broken.map(({ name, reasoning }) =>
      issue('check_broke', `${name}: ${reasoning ?? 'it broke'}`, 'high', 'success_criteria'),
    ),
    ...judgingIssues(measured, setting),
    ...(ruling.aggregate === null &&
    ruling.verdict === 'pass' &&
    measured.texts.length === 0 &&
    measured.checks.length === 0
      ? [
          issue(
            'no_criteria',
            'Nothing was asked of the output, so there is nothing to measure',
            'low',
            'success_criteria',
          ),
        ]
      : []),
  ];
  if (all.length <= ISSUES_MAX) return all;
  return [
    ...all.slice(0, ISSUES_MAX - 1),
    issue('more_issues', `${all.length - ISSUES_MAX + 1} more issues`, 'low', null),
  ];
}

function judgingIssues(
  measured: Measured,
  { notJudged, whyNone, judges }: RunSetting<TaskConfig>,
): Issue[] {
  const { judgements, failures, hidden, texts } = measured;
  const leftOut = Math.max(0, ...judgements.map((each) => each.leftOut));
  const unresolved = judgements.reduce((sum, each) => sum + each.unresolvedQuotes, 0);
  const absent = judgements.flatMap((each) => each.absent);
  const found: Issue[] = [];
  if (texts.length > 0 && notJudged !== null) {
    found.push(
      issue(
        'llm_skipped',
        `No judge was asked: ${notJudged.reason}`,
        notJudged.state === 'over_budget' ? 'medium' : 'low',
        null,
      ),
    );
  } else if (texts.length > 0 && judges.length === 0) {
    found.push(
      issue(
        'no_judge',
        `No judge can be asked: ${whyNone ?? 'no provider is configured'}`,
        'high',
        null,
      ),
    );
  }
  for (const failure of failures)
    found.push(issue('judge_failed', failureText(failure), 'high', null));
  if (absent.length > 0)
    found.push(
      issue('jury_incomplete', `Judges without a result: ${absent.join(', ')}`, 'medium', null),
    );
  if (judgements.some(({ criteria }) => criteria.some(({ vote }) => vote === 'majority'))) {
    found.push(
      issue('jury_disagreement', 'The judges do not agree on every criterion', 'medium', null),
    );
  }
  if (hidden.length > 0)
    found.push(
      issue(
        'hidden_text',
        `The output contains ${describeHidden(hidden)}`,
        'medium',
        'task_output',
      ),
    );
  found.push(...shortenedIssues(leftOut, 'the output and what it was judged by', 'task_output'));
  if (unresolved > 0)
    found.push(
      issue(
        'unresolved_quotes',
        `${unresolved} passages that the judge quotes are in no output`,
        'low',
        null,
      ),
    );
  return found;
}

function failureText({
  errorClass,
  reason,
}: Extract<JudgementResult, { state: 'failed' }>): string {
  return `The judge gave no judgement (${errorClass}): ${reason}`;
}

function issue(
  code: string,
  message: string,
  severity: Issue['severity'],
  path: string | null,
): Issue {
  return {
    code,
    message: (message.length > TEXT_MAX
      ? `${message.slice(0, TEXT_MAX)}…`
      : message
    ).toWellFormed(),
    severity,
    path,
  };
}
