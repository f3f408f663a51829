import { meetsThreshold, type Score } from '../../domain';
import { type EvaluatorContext, measuredBy } from '../../evaluators';
import {
  type Judged,
  judgeSummary,
  readingCost,
  screenOutput,
  type SummaryFinding,
} from '../../evaluators/judges';
import {
  ASKING,
  firstJudgeChainOf,
  callsJudges,
  JUDGE_DEADLINE_MS,
  JUDGE_NODE_TIMEOUT_MS,
  scoreOfNoJudge,
  thresholdOf,
} from '../asking';
import type { NodeResult, PlanNode } from '../plan-node';
import type { RunSetting } from '../kind';
import type { MissionConfig, MissionSubject } from './subject';

const SCREENED_BY = 'judges.screen@1';
const EVALUATOR = 'judges.summary@1';
export const PROMPT = 'mission-summary';
export const OUTPUTS = 'outputs';
export const SUMMARY = 'summary';
const TITLE = 'The mission is reached';
const OUTPUTS_TITLE = 'The tasks handed something in';

/** The detail of the node `outputs`: tasks without an output to judge. */
export interface OutputsDetail {
  readonly empty: readonly string[];
  readonly allEmpty: boolean;
}

export interface SummaryDetail {
  /** Null if no judge was called. */
  readonly judged: Judged<SummaryFinding> | null;
}

/** Checks that there is an output, then makes one judge call (VS-17). */
export function planMission(
  subject: MissionSubject,
  setting: RunSetting<MissionConfig>,
): readonly PlanNode[] {
  const usesJudge = callsJudges(setting);
  return [
    {
      name: OUTPUTS,
      title: OUTPUTS_TITLE,
      evaluator: SCREENED_BY,
      needs: [],
      mustPass: true,
      weight: 0,
      cost: 0,
      timeoutMs: 10_000,
      run: () => screen(subject),
    },
    {
      name: SUMMARY,
      title: TITLE,
      evaluator: EVALUATOR,
      needs: [],
      mustPass: false,
      weight: 1,
      cost: usesJudge ? ASKING : 0,
      timeoutMs: JUDGE_NODE_TIMEOUT_MS,
      run: (_details, ctx) =>
        usesJudge ? judge(subject, setting, ctx) : resultWithoutJudge(setting),
    },
  ];
}

function screen({ tasks }: MissionSubject): NodeResult {
  const empty = tasks
    .filter(({ output }) => screenOutput(output) !== null)
    .map(({ task_id }) => task_id);
  const there = tasks.length - empty.length;
  const detail: OutputsDetail = { empty, allEmpty: there === 0 };
  const base = measuredBy(SCREENED_BY, OUTPUTS_TITLE);
  const reasoning = `${there} of ${tasks.length} tasks have an output that can be judged`;
  return {
    score: { ...base, state: 'scored', value: there / tasks.length, met: there > 0, reasoning },
    detail,
  };
}

function resultWithoutJudge(setting: RunSetting<MissionConfig>): NodeResult {
  const detail: SummaryDetail = { judged: null };
  return { score: scoreOfNoJudge(setting, EVALUATOR, TITLE), detail };
}

async function judge(
  subject: MissionSubject,
  setting: RunSetting<MissionConfig>,
  ctx: EvaluatorContext,
): Promise<NodeResult> {
  const prompt = setting.prompts.get(PROMPT);
  if (prompt === undefined) throw new Error(`there is no prompt "${PROMPT}"`);
  const tasks = subject.tasks.map(({ task_id, description, output, score, verdict }) => ({
    id: task_id,
    description,
    output,
    score,
    verdict,
  }));
  const judged = await judgeSummary(
    {
      prompt,
      mission: subject.description,
      tasks,
      outputChars: setting.config.output_chars,
      purpose: 'mission summary',
    },
    { models: firstJudgeChainOf(setting), deadlineMs: JUDGE_DEADLINE_MS },
    ctx,
  );
  const detail: SummaryDetail = { judged };
  const base = {
    ...measuredBy(EVALUATOR, TITLE),
    model: judged.model,
    prompt_version: prompt.version,
    cost_usd: judged.usage.costUsd,
  };
  if (judged.state === 'failed') {
    const reasoning = `${judged.errorClass}: ${judged.reason}`.slice(0, 1_000).toWellFormed();
    return { score: { ...base, state: 'failed', value: null, met: null, reasoning }, detail };
  }
  const { value, reasoning } = judged.reply;
  const met = meetsThreshold(value, thresholdOf(setting, 'pass_threshold', 0.7));
  const score: Score = {
    ...base,
    state: 'scored',
    value,
    met,
    reasoning: reasoning.toWellFormed(),
  };
  return { score, detail };
}

/** About four characters per token. */
export function estimateMission(
  { description, tasks }: MissionSubject,
  { config }: RunSetting<MissionConfig>,
): { readonly inputTokens: number; readonly outputTokens: number } {
  const { calls, chars } = readingCost(
    tasks.reduce((sum, { output }) => sum + output.length, 0),
    config.output_chars,
  );
  const given = tasks.reduce(
    (sum, each) => sum + Math.min(4_000, each.description.length),
    2 * Math.min(24_000, description.length),
  );
  return {
    inputTokens: calls * 1_300 + Math.ceil((chars + calls * given) / 4),
    outputTokens: calls * 400,
  };
}
