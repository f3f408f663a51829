import { meetsThreshold, type Score } from '../../domain';
import { type EvaluatorContext, measuredBy } from '../../evaluators';
import {
  type Judged,
  judgePair,
  PAIR_CONTEXT_CHARS_MAX,
  pairCost,
  type PairFinding,
  screenOutput,
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
import type { ConsistencyConfig, ConsistencySubject, TaskOutput } from './subject';

const EVALUATOR = 'judges.pair@1';
export const PROMPT = 'consistency-pair';

/** The detail of a pair's node: its judgements, in one order or both. */
export interface PairDetail {
  readonly a: string;
  readonly b: string;
  /** Null if the pair could not be judged, or judging was not requested. */
  readonly finding: PairFinding | null;
  readonly consistent: boolean | null;
  /** The two orders had different results. */
  readonly tied: boolean;
  readonly judged: readonly Judged<PairFinding>[];
}

/** Outputs with content: an empty one contradicts nothing. */
export function comparableOutputs(subject: ConsistencySubject): readonly TaskOutput[] {
  return subject.outputs.filter(({ output }) => screenOutput(output) === null);
}

export function pairsOf(
  subject: ConsistencySubject,
): readonly (readonly [TaskOutput, TaskOutput])[] {
  const outputs = comparableOutputs(subject);
  return outputs.flatMap((a, i) => outputs.slice(i + 1).map((b) => [a, b] as const));
}

export const pairNode = (a: string, b: string): string => JSON.stringify([a, b]);

/** One question per pair of outputs (VS-42); fewer than two outputs need no judge. */
export function planConsistency(
  subject: ConsistencySubject,
  setting: RunSetting<ConsistencyConfig>,
): readonly PlanNode[] {
  const usesJudge = callsJudges(setting);
  return pairsOf(subject).map(
    ([a, b]): PlanNode => ({
      name: pairNode(a.task_id, b.task_id),
      title: titleOf(a, b),
      evaluator: EVALUATOR,
      needs: [],
      mustPass: false,
      weight: 1,
      cost: usesJudge ? ASKING : 0,
      timeoutMs: JUDGE_NODE_TIMEOUT_MS,
      run: (_details, ctx) =>
        usesJudge ? judge(a, b, subject, setting, ctx) : resultWithoutJudge(a, b, setting),
    }),
  );
}

const titleOf = (a: TaskOutput, b: TaskOutput): string =>
  `${a.task_id} and ${b.task_id} fit together`;

function resultWithoutJudge(
  a: TaskOutput,
  b: TaskOutput,
  setting: RunSetting<ConsistencyConfig>,
): NodeResult {
  const detail: PairDetail = {
    a: a.task_id,
    b: b.task_id,
    finding: null,
    consistent: null,
    tied: false,
    judged: [],
  };
  return { score: scoreOfNoJudge(setting, EVALUATOR, titleOf(a, b)), detail };
}

async function judge(
  a: TaskOutput,
  b: TaskOutput,
  subject: ConsistencySubject,
  setting: RunSetting<ConsistencyConfig>,
  ctx: EvaluatorContext,
): Promise<NodeResult> {
  const prompt = setting.prompts.get(PROMPT);
  if (prompt === undefined) throw new Error(`there is no prompt "${PROMPT}"`);
  const judgeOptions = { models: firstJudgeChainOf(setting), deadlineMs: JUDGE_DEADLINE_MS };
  const ask = (first: TaskOutput, second: TaskOutput): Promise<Judged<PairFinding>> =>
    judgePair(
      {
        prompt,
        first: { id: first.task_id, output: first.output },
        second: { id: second.task_id, output: second.output },
        context: subject.shared_context,
        outputChars: setting.config.output_chars,
        purpose: 'consistency pair',
      },
      judgeOptions,
      ctx,
    );
  const judged = await Promise.all(
    setting.config.both_orders ? [ask(a, b), ask(b, a)] : [ask(a, b)],
  );
  const base = {
    ...measuredBy(EVALUATOR, titleOf(a, b)),
    model: [...new Set(judged.flatMap(({ model }) => model ?? []))].join(' + ') || null,
    prompt_version: prompt.version,
    cost_usd: judged.reduce((sum, { usage }) => sum + usage.costUsd, 0),
  };
  const broken = judged.find((each) => each.state === 'failed');
  if (broken?.state === 'failed') {
    const score: Score = {
      ...base,
      state: 'failed',
      value: null,
      met: null,
      reasoning: `${broken.errorClass}: ${broken.reason}`.slice(0, 1_000).toWellFormed(),
    };
    const detail: PairDetail = {
      a: a.task_id,
      b: b.task_id,
      finding: null,
      consistent: null,
      tied: false,
      judged,
    };
    return { score, detail };
  }
  const findings = judged.flatMap((each) => (each.state === 'judged' ? [each.reply] : []));
  const { finding, consistent, tied } = combine(
    findings,
    thresholdOf(setting, 'pass_threshold', 0.7),
  );
  const detail: PairDetail = { a: a.task_id, b: b.task_id, finding, consistent, tied, judged };
  const { value, reasoning, evidence } = finding;
  return {
    score: {
      ...base,
      state: 'scored',
      value,
      met: consistent,
      reasoning: reasoning.toWellFormed(),
      evidence: [...evidence],
    },
    detail,
  };
}

/**
 * Consistent: a score from the threshold up and no issue of high severity, regardless of the
 * judge's own conclusion (VS-42).
 */
function isConsistent(
  { value, issues }: Pick<PairFinding, 'value' | 'issues'>,
  threshold: number,
): boolean {
  return meetsThreshold(value, threshold) && !issues.some(({ severity }) => severity === 'high');
}

/**
 * Results that differ between the two orders are a tie: mean score, half the confidence, and not
 * consistent (S-28).
 */
function combine(
  findings: readonly PairFinding[],
  threshold: number,
): { finding: PairFinding; consistent: boolean; tied: boolean } {
  const [first, second] = findings;
  if (first === undefined) throw new Error('a pair has a finding');
  if (second === undefined)
    return { finding: first, consistent: isConsistent(first, threshold), tied: false };
  const [one, other] = [isConsistent(first, threshold), isConsistent(second, threshold)];
  const tied = one !== other;
  const finding: PairFinding = {
    value: (first.value + second.value) / 2,
    reasoning: tied
      ? `In one order: ${first.reasoning}\nIn the other: ${second.reasoning}`
      : first.reasoning,
    confidence: Math.min(first.confidence, second.confidence) * (tied ? 0.5 : 1),
    issues: [...first.issues, ...second.issues],
    evidence: [...first.evidence, ...second.evidence],
    leftOut: Math.max(first.leftOut, second.leftOut),
  };
  return { finding, consistent: one && other, tied };
}

/** About four characters per token. */
export function estimateConsistency(
  subject: ConsistencySubject,
  { config }: RunSetting<ConsistencyConfig>,
): { readonly inputTokens: number; readonly outputTokens: number } {
  const times = config.both_orders ? 2 : 1;
  const pairs = pairsOf(subject);
  const context = Math.min(subject.shared_context.length, PAIR_CONTEXT_CHARS_MAX);
  let [inputTokens, outputTokens] = [0, 0];
  for (const [a, b] of pairs) {
    const { calls, chars } = pairCost(a.output.length, b.output.length, config.output_chars);
    inputTokens += times * (calls * (1_300 + Math.ceil(context / 4)) + Math.ceil(chars / 4));
    outputTokens += times * calls * 250;
  }
  return { inputTokens, outputTokens };
}
