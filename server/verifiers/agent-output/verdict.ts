import { type Action, meetsThreshold } from '../../domain';
import { sumJudgeCost, isJudgingRequested, thresholdOf } from '../asking';
import {
  type CheckpointBasis,
  type CheckpointRuling,
  hasRetries,
  ruleCheckpoint,
} from '../checkpoint';
import type { Walk } from '../plan-node';
import type { JudgedDecision, RunSetting } from '../kind';
import type { OutputFault, OutputIssue } from './advice';
import { failureText, retryText, warningText } from './feedback';
import { readOutput } from './format';
import { CONTENT, type ContentDetail, FORMAT, type FormatDetail } from './plan';
import type { AgentOutputConfig, AgentOutputDetail, AgentOutputSubject, NextStep } from './subject';

/**
 * Decides by the stated confidence and the format (SOAR-18). An invalid format, or an agent that
 * reports a failure, never passes: it is retried while retries are left (SOAR-19, SOAR-20). Pure.
 */
export function decideAgentOutput(
  walk: Walk,
  subject: AgentOutputSubject,
  setting: RunSetting<AgentOutputConfig>,
): JudgedDecision<AgentOutputDetail> {
  const read = (walk.details.get(FORMAT) as FormatDetail | undefined) ?? readOutput(subject.output);
  const content = (walk.details.get(CONTENT) as ContentDetail | undefined)?.issues ?? [];
  const { confidence, errors, failure } = read;
  const basis: CheckpointBasis = {
    score: confidence,
    floor: true,
    faulty: errors.length > 0 || failure !== null,
    left: hasRetries(setting),
    open: false,
    calls: false,
    passed_over: !isJudgingRequested(setting),
  };
  const ruling = ruleCheckpoint(basis, setting.thresholds);
  const { verdict } = ruling;
  const agent = otherAgent(subject, read.agent);
  const next = nextStep(ruling, agent, subject.subgoal.critical);
  const issues = [...issuesOf(read, thresholdOf(setting, 'pass_threshold', 0.7)), ...content];
  const feedbackInput = { subject, read, issues, ruling, setting };
  const retryFeedback = verdict === 'RETRY' ? retryText(feedbackInput, agent) : null;
  const error = verdict === 'FAIL' ? failureText(feedbackInput) : null;
  return {
    verdict,
    action: actions[next],
    score: confidence,
    confidence,
    needsHumanReview: false,
    issues,
    feedback: retryFeedback ?? error,
    detail: {
      subgoal: subject.subgoal,
      agent: read.agent,
      format_valid: errors.length === 0,
      format_errors: [...errors],
      confidence,
      verdict,
      next,
      next_agent: next === 'retry_other_agent' ? agent : null,
      warning: next === 'partial_with_warning' ? warningText(feedbackInput) : null,
      error,
      retry_feedback: retryFeedback,
    },
    judgeCost: sumJudgeCost([]),
    basis,
    toCache: null,
  };
}

/**
 * Callers follow the next step (SOAR-18): if the verifier may not block, the output is used, with a
 * warning that lists the findings.
 */
export function adviseAgentOutput(detail: AgentOutputDetail): AgentOutputDetail {
  if (actions[detail.next] === 'accept' || actions[detail.next] === 'accept_with_warning')
    return detail;
  return {
    ...detail,
    next: 'partial_with_warning',
    next_agent: null,
    warning: detail.warning ?? detail.error ?? detail.retry_feedback,
  };
}

const actions: Record<NextStep, Action> = {
  use: 'accept',
  retry_other_agent: 'retry',
  retry_same_agent: 'retry',
  partial_with_warning: 'accept_with_warning',
  abort_query: 'abort',
};

function nextStep(
  { verdict }: CheckpointRuling,
  otherAgent: string | null,
  critical: boolean,
): NextStep {
  if (verdict === 'PASS') return 'use';
  if (verdict === 'RETRY') return otherAgent === null ? 'retry_same_agent' : 'retry_other_agent';
  return critical ? 'abort_query' : 'partial_with_warning';
}

/**
 * The first agent other than the author of this output; null if there is none, or the author is
 * unknown.
 */
function otherAgent(
  { agents_available: agents }: AgentOutputSubject,
  own: string | null,
): string | null {
  if (own === null) return null;
  return agents.find((name) => name.trim().toLowerCase() !== own.toLowerCase()) ?? null;
}

function issuesOf(
  { errors, failure, confidence }: FormatDetail,
  passMark: number,
): readonly OutputIssue[] {
  const issue = (code: OutputFault, message: string): OutputIssue => ({
    code,
    message: message.slice(0, 500).toWellFormed(),
    severity: 'high',
    path: 'output',
  });
  const isLow = errors.length === 0 && confidence !== null && !meetsThreshold(confidence, passMark);
  return [
    ...errors.map((message) => issue('invalid_format', message)),
    ...(failure === null || failure.message === ''
      ? []
      : [issue('agent_failed', `The agent failed: ${failure.message}`)]),
    ...(isLow
      ? [
          {
            ...issue(
              'low_confidence',
              `The confidence stated is ${confidence}; an output passes from ${passMark}`,
            ),
            severity: 'medium' as const,
            path: 'output.confidence',
          },
        ]
      : []),
  ];
}
