import type { Score } from '../../domain';
import { measuredBy } from '../../evaluators';
import { checkEvaluator, describeCheck, runCheck } from '../../evaluators/checks';
import { describeHidden, findHiddenText, screenOutput } from '../../evaluators/judges';
import type { Details, NodeResult, PlanNode } from '../plan-node';
import type { RunSetting } from '../kind';
import type { TaskConfig } from './config';
import { judgeNodes } from './judge-nodes';
import { isCheck, type TaskSubject } from './subject';

/**
 * Format first, then completeness, accuracy and the other qualities: free checks before expensive
 * judges (VS-8, VS-15).
 */

export const SCREEN = 'screen';
const SCREEN_TITLE = 'There is something to judge';
const SCREENED_BY = 'judges.screen@1';
const TIMEOUT_MS = 10_000;

export const checkNode = (index: number): string => `check ${index + 1}`;

export function planTask(
  subject: TaskSubject,
  setting: RunSetting<TaskConfig>,
): readonly PlanNode[] {
  const checks = subject.success_criteria.filter(isCheck);
  const free = { cost: 0, timeoutMs: TIMEOUT_MS };
  return [
    {
      ...free,
      name: SCREEN,
      title: SCREEN_TITLE,
      evaluator: SCREENED_BY,
      needs: [],
      mustPass: true,
      weight: 0,
      run: () => screen(subject),
    },
    ...checks.map(
      (criterion, i): PlanNode => ({
        ...free,
        name: checkNode(i),
        title: describeCheck({ check: criterion.check, value: criterion.value }),
        evaluator: checkEvaluator(criterion.check),
        needs: [],
        mustPass: criterion.must_pass,
        weight: criterion.weight,
        run: (details) => check(criterion, subject, details),
      }),
    ),
    ...judgeNodes(subject, setting),
  ];
}

/**
 * Whether `{}`, `[]` and `""` are complete answers: only checks decide, and one of them is about
 * JSON.
 */
function isAskedFor({ success_criteria: criteria, task_output: output }: TaskSubject): boolean {
  if (!criteria.every(isCheck) || !criteria.some(({ check: name }) => name === 'json_schema'))
    return false;
  try {
    JSON.parse(output);
    return true;
  } catch {
    return false;
  }
}

/** An output without content fails here, without a judge (VS-14, S-26). */
function screen(subject: TaskSubject): NodeResult {
  const base = measuredBy(SCREENED_BY, SCREEN_TITLE);
  const screened = screenOutput(subject.task_output);
  const found = screened !== null && isAskedFor(subject) ? null : screened;
  const hidden = found === null ? findHiddenText(subject.task_output) : [];
  const reasoning =
    found?.message ??
    (hidden.length === 0
      ? 'the output can be judged'
      : `the output contains ${describeHidden(hidden)}`);
  const score: Score = {
    ...base,
    state: 'scored',
    value: found === null ? 1 : 0,
    met: found === null,
    reasoning,
  };
  return { score, detail: { stopped: found !== null, screened: found, hidden } };
}

/** Checks stop at the first failed required one; the rest are not run (VS-11). */
function check(
  criterion: { check: string; value?: unknown; must_pass: boolean },
  subject: TaskSubject,
  details: Details,
): NodeResult {
  const request = { check: criterion.check, value: criterion.value };
  for (const detail of details.values()) {
    if (
      typeof detail !== 'object' ||
      detail === null ||
      !('stopped' in detail) ||
      detail.stopped !== true
    )
      continue;
    const base = measuredBy(checkEvaluator(criterion.check), describeCheck(request));
    const score: Score = {
      ...base,
      state: 'unscored',
      value: null,
      met: null,
      reasoning: 'not run: an earlier check must pass and did not',
    };
    return { score, detail: { stopped: false, score } };
  }
  const score = runCheck(request, subject.task_output);
  return { score, detail: { stopped: criterion.must_pass && score.met === false, score } };
}
