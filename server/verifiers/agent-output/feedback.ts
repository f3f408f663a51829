import { meetsThreshold } from '../../domain';
import { lineOf, thresholdOf } from '../asking';
import type { CheckpointRuling } from '../checkpoint';
import type { RunSetting } from '../kind';
import { adviceLines, type OutputIssue } from './advice';
import type { ReadOutput } from './format';
import type { AgentOutputSubject } from './subject';

interface FeedbackInput {
  readonly subject: AgentOutputSubject;
  readonly read: ReadOutput;
  readonly issues: readonly OutputIssue[];
  readonly ruling: CheckpointRuling;
  readonly setting: RunSetting<unknown>;
}

const nameOf = ({ subgoal }: AgentOutputSubject): string =>
  subgoal.id === '' ? 'the subgoal' : `subgoal ${subgoal.id}`;

/**
 * A low confidence is not an issue when the format is invalid, but the next attempt should know
 * about it.
 */
function faultLines({ read: { confidence, errors }, issues, setting }: FeedbackInput): string[] {
  const isLow =
    errors.length > 0 &&
    confidence !== null &&
    !meetsThreshold(confidence, thresholdOf(setting, 'pass_threshold', 0.7));
  return [
    ...issues.map(({ message }) => `- ${message}`),
    ...(isLow ? [`- The confidence stated is ${confidence}`] : []),
  ];
}

/**
 * The feedback for the next attempt's prompt. From the second attempt on it includes advice for
 * each fault.
 */
export function retryText(input: FeedbackInput, otherAgent: string | null): string {
  const { subject, read, issues } = input;
  const { used, budget } = input.setting.retries;
  return [
    'PREVIOUS ATTEMPT FEEDBACK:',
    `Attempt ${used + 1} of ${budget + 1}: an output for ${nameOf(subject)}${read.agent === null ? '' : ` by ${read.agent}`} was not accepted.`,
    ...(subject.subgoal.description === ''
      ? []
      : [`Subgoal: ${lineOf(subject.subgoal.description)}`]),
    ...(read.summary === '' ? [] : [`Its summary: ${lineOf(read.summary)}`]),
    'What was wrong:',
    ...faultLines(input),
    ...(used === 0 ? [] : ['What to do about it:', ...adviceLines(issues)]),
    otherAgent === null
      ? 'Do the subgoal again in another way, and fix these points.'
      : 'Do the subgoal again, and avoid these faults.',
  ].join('\n');
}

/**
 * The deciding reason: a fault of the format or the agent, else the confidence; both if the
 * confidence ruled out a retry (SOAR-19).
 */
function whyOf({ issues, read, ruling, setting }: FeedbackInput): string {
  const decisive = issues.find(({ severity }) => severity === 'high')?.message;
  if (decisive === undefined) return `its confidence is ${read.confidence ?? 'not known'}`;
  if (ruling.failedBy !== 'score') return decisive;
  return `${decisive}; its confidence is ${read.confidence}, and below ${thresholdOf(setting, 'retry_threshold', 0.5)} there is no retry`;
}

/** The warning passed to the synthesis together with a failed output (SOAR-18). */
export function warningText(input: FeedbackInput): string {
  return `Only a part of ${nameOf(input.subject)} was reached (${whyOf(input)}): conclusions that depend on it are uncertain.`;
}

/** States the reason for the failure: the confidence or the number of retries (SOAR-13). */
export function failureText(input: FeedbackInput): string {
  const { subject, ruling, setting } = input;
  const { used } = setting.retries;
  const name = nameOf(subject);
  if (ruling.failedBy !== 'retries') return `The output for ${name} failed: ${whyOf(input)}`;
  return `No output for ${name} was accepted after ${used} ${used === 1 ? 'retry' : 'retries'}: ${whyOf(input)}`;
}
