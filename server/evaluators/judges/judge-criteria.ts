import type { PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import {
  addUsage,
  askJudge,
  type Judged,
  type JudgeErrorClass,
  type JudgeTask,
  type JudgeUsage,
  noUsage,
} from './ask-judge';
import type { DataBlock, Draw } from '../fence';
import { criteriaFormat } from './formats';
import { combineJury } from './jury';
import type { Judgement, JudgedCriterion } from './judgement';
import { confidenceAfterQuotes, QuoteIndex, resolveQuotes } from './quotes';
import { type CriteriaReply, criteriaShape, type ScoringMode } from './shapes';
import { mergeCriteria } from './merge-windows';
import { type ShownText, showText } from './shorten';
import { askInWindows, confidenceSeen, planReading } from './windows';

/** The content of one question to the judges. All texts but the prompt are untrusted. */
export interface CriteriaQuestion {
  readonly mode: ScoringMode;
  readonly prompt: PromptText;
  readonly task: string;
  readonly criteria: readonly { readonly text: string; readonly mustPass: boolean }[];
  /** Further scores of the whole, each with its meaning; only in the rubric. */
  readonly dimensions: readonly { readonly name: string; readonly meaning: string }[];
  readonly output: string;
  /** The author's context; '' if unknown. */
  readonly context: string;
  /** Code points of the output in one judge call; a longer one is judged in windows (S-125). */
  readonly outputChars: number;
  readonly purpose: string;
}

/** The judges to call. */
export interface JudgeOptions {
  /**
   * One entry per judge: its model, then the fallbacks if that model cannot be called. Empty if
   * there is no judge.
   */
  readonly judgeChains: readonly (readonly string[])[];
  readonly deadlineMs: number;
  /** A criterion is met from this value on, to compare the votes of a jury. */
  readonly metThreshold: number;
}

/** No judge returned a result. */
export interface JudgeFailure {
  readonly state: 'failed';
  readonly errorClass: JudgeErrorClass;
  readonly reason: string;
  readonly models: readonly string[];
  readonly retryAfterMs: number | null;
  readonly usage: JudgeUsage;
}

export type JudgementResult =
  | { readonly state: 'judged'; readonly judgement: Judgement }
  | JudgeFailure;

/** Code points of the task and of the context in each call. The rest counts as not shown. */
export const TASK_CHARS_MAX = 24_000;
export const CONTEXT_CHARS_MAX = 48_000;
/**
 * A limit, not an estimate: reasons for a criterion take about 150 tokens, and some models reason
 * before they answer.
 */
const OUTPUT_TOKENS = { base: 2_000, each: 600, max: 16_000 };

/**
 * Calls all judges in parallel and combines their judgements (VS-44). Never throws for errors of a
 * judge.
 */
export async function judgeCriteria(
  question: CriteriaQuestion,
  judgeOptions: JudgeOptions,
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<JudgementResult> {
  const given = {
    task: showText(question.task, TASK_CHARS_MAX),
    context: showText(question.context, CONTEXT_CHARS_MAX),
  };
  const reading = planReading([question.output], question.outputChars);
  const leftOut = reading.leftOut + given.task.leftOut + given.context.leftOut;
  const taskOf = ([shown]: readonly (ShownText | null)[]): JudgeTask<CriteriaReply> =>
    composeTask(question, given, shown ?? null, judgeOptions.deadlineMs);
  const judgeChains = judgeOptions.judgeChains.length === 0 ? [[]] : judgeOptions.judgeChains;
  const judged = await Promise.all(
    judgeChains.map((models) =>
      askInWindows(reading, taskOf, (task) => askJudge(task, models, ctx, draw)),
    ),
  );
  const usage = judged.reduce((sum, each) => addUsage(sum, each.usage), noUsage);
  const sources = [
    new QuoteIndex({ name: 'output', text: question.output }),
    new QuoteIndex({ name: 'context', text: question.context }),
    new QuoteIndex({ name: 'task', text: question.task }),
  ];
  const single = judged.flatMap((each) =>
    each.state === 'judged'
      ? [judgementOf(each.model, mergeCriteria(each.reply), sources, leftOut)]
      : [],
  );
  const broken = judged.filter((each) => each.state === 'failed');
  const combined = combineJury(single, judgeOptions.metThreshold);
  if (combined === null) return failureOf(broken, usage);
  return {
    state: 'judged',
    judgement: {
      ...combined,
      absent: broken.map(({ model, errorClass }) => `${model ?? 'judge'}: ${errorClass}`),
      usage,
    },
  };
}

function composeTask(
  question: CriteriaQuestion,
  given: { readonly task: ShownText; readonly context: ShownText },
  shown: ShownText | null,
  deadlineMs: number,
): JudgeTask<CriteriaReply> {
  const { mode, criteria, dimensions } = question;
  const names = dimensions.map(({ name }) => name);
  const rubric = {
    criteria: criteria.map(({ text, mustPass }, i) => ({
      criterion: i + 1,
      text,
      ...(mustPass ? { must_pass: true } : {}),
    })),
    ...(dimensions.length === 0
      ? {}
      : { quality: dimensions.map(({ name, meaning }) => ({ dimension: name, meaning })) }),
  };
  const data = new Map<string, DataBlock | null>([
    ['task', blockOf('task', given.task)],
    ['criteria', { name: 'criteria', value: rubric, notes: [] }],
    ['context', question.context === '' ? null : blockOf('context', given.context)],
    ['output', { name: 'output', value: shown?.text ?? '', notes: shown?.notes ?? [] }],
  ]);
  return {
    question: {
      prompt: question.prompt,
      data,
      reminder: 'criteria',
      format: criteriaFormat(mode, criteria.length, names),
    },
    shape: criteriaShape(mode, criteria.length, names),
    purpose: question.purpose,
    maxOutputTokens: Math.min(
      OUTPUT_TOKENS.max,
      OUTPUT_TOKENS.base + OUTPUT_TOKENS.each * (criteria.length + names.length),
    ),
    deadlineMs,
  };
}

function blockOf(name: string, { text: value, notes }: ShownText): DataBlock {
  return { name, value, notes };
}

function judgementOf(
  model: string,
  reply: CriteriaReply,
  sources: readonly QuoteIndex[],
  leftOut: number,
): Omit<Judgement, 'absent' | 'usage'> {
  let unresolvedQuotes = 0;
  let quotes = 0;
  const criteria = reply.criteria
    .toSorted((a, b) => a.criterion - b.criterion)
    .map((each): JudgedCriterion => {
      const resolved = resolveQuotes(each.quotes, sources);
      unresolvedQuotes += resolved.unresolved;
      quotes += resolved.total;
      return {
        index: each.criterion - 1,
        value: each.value,
        reasoning: each.reasoning,
        evidence: [...resolved.evidence],
        confidence: confidenceSeen(confidenceAfterQuotes(each.confidence, resolved), leftOut),
        vote: 'unanimous',
      };
    });
  return {
    models: [model],
    criteria,
    quality: [...reply.quality],
    suggestions: reply.suggestions.slice(0, 5),
    confidence: confidenceSeen(
      confidenceAfterQuotes(reply.confidence, { unresolved: unresolvedQuotes, total: quotes }),
      leftOut,
    ),
    leftOut,
    unresolvedQuotes,
  };
}

/** No judge returned a result. Reports the longest wait that a provider requested. */
export function failureOf(
  broken: readonly Extract<Judged<unknown>, { state: 'failed' }>[],
  usage: JudgeUsage,
): JudgeFailure {
  const [first] = broken;
  const waits = broken.flatMap(({ retryAfterMs }) => (retryAfterMs === null ? [] : [retryAfterMs]));
  return {
    state: 'failed',
    errorClass: first?.errorClass ?? 'no_provider',
    reason: [
      ...new Set(
        broken.map(({ model, reason }) =>
          model === null || reason.includes(model) ? reason : `${model}: ${reason}`,
        ),
      ),
    ].join('; '),
    models: broken.flatMap(({ model }) => (model === null ? [] : [model])),
    retryAfterMs: waits.length === 0 ? null : Math.max(...waits),
    usage,
  };
}
