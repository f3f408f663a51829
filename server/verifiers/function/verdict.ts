import { type Issue, meetsThreshold } from '../../domain';
import type { FunctionOutcome, FunctionScore } from '../../evaluators/functions';
import { thresholdOf } from '../asking';
import type { JudgedDecision, RunSetting } from '../kind';
import { noJudgeCost, decideCustom, type CustomBasis, type CustomSubject } from '../custom';
import type { Walk } from '../plan-node';
import type { FunctionConfig } from './definition';
import type { FunctionDetail } from './detail';
import { NODE } from './plan';

const ISSUES_MAX = 100;

/** The verdict by the function's value (`ruleOwn`). Pure. */
export function decideFunction(
  walk: Walk,
  _subject: CustomSubject,
  setting: RunSetting<FunctionConfig>,
): JudgedDecision<FunctionDetail> {
  const outcome = outcomeOf(walk);
  const isReturned = outcome.state === 'returned';
  const basis: CustomBasis = {
    value: isReturned ? outcome.value : null,
    must_pass: isReturned ? outcome.mustPass : null,
    confidence: null,
    broken: !isReturned,
    disputed: false,
    not_judged: null,
  };
  const low = isReturned ? lowScores(outcome.scores, setting) : [];
  return decideCustom(
    {
      basis,
      issues: isReturned ? low.map(issueOf) : [faultIssue(outcome)],
      feedback: feedbackOf(low),
      detail: detailOf(outcome),
      judgeCost: noJudgeCost,
      toCache: null,
    },
    setting,
  );
}

/**
 * Safe cast: the detail comes from this kind's plan. A node that the walk itself ended has only a
 * score.
 */
function outcomeOf({ details, scores }: Walk): FunctionOutcome {
  const outcome = details.get(NODE) as FunctionOutcome | undefined;
  return (
    outcome ?? {
      state: 'failed',
      reason: scores[0]?.reasoning ?? 'the function was not run',
      line: null,
      stdout: '',
      durationMs: null,
    }
  );
}

/** Scores below the threshold, as the verdict compares the value. */
function lowScores(
  scores: readonly FunctionScore[],
  setting: RunSetting<FunctionConfig>,
): readonly FunctionScore[] {
  const threshold = thresholdOf(setting, 'pass_threshold', 0.5);
  return scores.filter(({ score }) => score !== null && !meetsThreshold(score, threshold));
}

const textOf = ({ name, reason, label }: FunctionScore): string | null => {
  const text = reason ?? label;
  if (name === null) return text;
  return text === null ? name : `${name}: ${text}`;
};

const issueOf = (score: FunctionScore): Issue => ({
  code: 'low_score',
  message: (textOf(score) ?? `the score is ${score.score}`).slice(0, 500).toWellFormed(),
  severity: score.mustPass ? 'high' : 'medium',
  path: null,
});

const faultIssue = ({ reason, line }: Extract<FunctionOutcome, { state: 'failed' }>): Issue => ({
  code: 'function_failed',
  message: line === null ? reason : `line ${line}: ${reason}`,
  severity: 'high',
  path: null,
});

function feedbackOf(low: readonly FunctionScore[]): string | null {
  const texts = low.slice(0, ISSUES_MAX).flatMap((score) => textOf(score) ?? []);
  return texts.length === 0 ? null : texts.join('\n').slice(0, 4_000).toWellFormed();
}

function detailOf(outcome: FunctionOutcome): FunctionDetail {
  const { stdout, durationMs } = outcome;
  const common = { stdout, duration_ms: durationMs };
  if (outcome.state === 'failed') {
    const { reason, line } = outcome;
    return { ...emptyDetail, ...common, error: { message: reason, line } };
  }
  const [first] = outcome.scores;
  if (first !== undefined && !outcome.isList) {
    const { label, reason, metadata } = first;
    return { ...emptyDetail, ...common, label, reason, metadata };
  }
  const scores = outcome.scores.map(({ name, mustPass, ...rest }) => ({
    ...rest,
    name: name ?? '',
    must_pass: mustPass,
  }));
  return { ...emptyDetail, ...common, scores };
}

const emptyDetail: Omit<FunctionDetail, 'stdout' | 'duration_ms'> = {
  label: null,
  reason: null,
  metadata: null,
  scores: [],
  error: null,
};
