import { meetsThreshold } from '../../domain';
import { measuredBy } from '../../evaluators';
import { thresholdOf } from '../asking';
import type { NodeResult, PlanNode } from '../plan-node';
import type { RunSetting } from '../kind';
import { checkContent, type ContentIssue } from './content';
import { type ReadOutput, readOutput } from './format';
import type { AgentOutputConfig, AgentOutputSubject } from './subject';

export const FORMAT = 'format';
export const CONTENT = 'content';
const CONFIDENCE = 'confidence';
const TIMEOUT_MS = 10_000;
/** The number of kinds of content fault that are checked. */
const CONTENT_CHECKS = 3;

export type FormatDetail = ReadOutput;
export interface ContentDetail {
  readonly issues: readonly ContentIssue[];
}

/**
 * Checks the format, the content and the stated confidence; no model is called (SOAR-16, SOAR-17).
 */
export function planAgentOutput(
  subject: AgentOutputSubject,
  setting: RunSetting<AgentOutputConfig>,
): readonly PlanNode[] {
  const read = readOutput(subject.output);
  const free = { needs: [], mustPass: false, cost: 0, timeoutMs: TIMEOUT_MS };
  const checked = (
    name: string,
    title: string,
    weight: number,
    run: (evaluator: string) => NodeResult,
  ): PlanNode => {
    const evaluator = `agent-output.${name}@1`;
    return { ...free, name, title, weight, evaluator, run: () => run(evaluator) };
  };
  return [
    checked(FORMAT, 'The output has its form', 0, (evaluator) => scoreFormat(read, evaluator)),
    checked(CONTENT, 'The summary fits its subgoal', 0, (evaluator) =>
      scoreContent(read, subject.subgoal.description, evaluator),
    ),
    checked(CONFIDENCE, 'Confidence', 1, (evaluator) => scoreConfidence(read, setting, evaluator)),
  ];
}

function scoreFormat(read: ReadOutput, evaluator: string): NodeResult {
  const base = measuredBy(evaluator, 'The output has its form');
  const met = read.errors.length === 0;
  const reasoning = read.errors.join('; ') || null;
  return { score: { ...base, state: 'scored', value: met ? 1 : 0, met, reasoning }, detail: read };
}

function scoreContent(read: ReadOutput, subgoal: string, evaluator: string): NodeResult {
  const base = measuredBy(evaluator, 'The summary fits its subgoal');
  const detail: ContentDetail = { issues: checkContent(read, subgoal) };
  if (read.summary === '') {
    const reasoning = 'there is no summary';
    return { score: { ...base, state: 'unscored', value: null, met: null, reasoning }, detail };
  }
  const value = (CONTENT_CHECKS - detail.issues.length) / CONTENT_CHECKS;
  const reasoning = detail.issues.map(({ message }) => message).join('; ') || null;
  const met = detail.issues.length === 0;
  return { score: { ...base, state: 'scored', value, met, reasoning }, detail };
}

function scoreConfidence(
  { confidence: value }: ReadOutput,
  setting: RunSetting<AgentOutputConfig>,
  evaluator: string,
): NodeResult {
  const base = measuredBy(evaluator, 'Confidence');
  if (value === null) {
    const reasoning = 'the output states none from 0 to 1';
    return { score: { ...base, state: 'unscored', value, met: null, reasoning }, detail: null };
  }
  const met = meetsThreshold(value, thresholdOf(setting, 'pass_threshold', 0.7));
  const reasoning = 'as the agent states it';
  return { score: { ...base, state: 'scored', value, met, reasoning }, detail: null };
}
