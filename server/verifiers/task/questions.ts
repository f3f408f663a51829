import { createHash } from 'node:crypto';
import type { EvaluatorContext } from '../../evaluators';
import {
  CONTEXT_CHARS_MAX,
  type CriteriaQuestion,
  judgeCriteria,
  Judgement,
  type JudgementResult,
  noUsage,
  readingCost,
  TASK_CHARS_MAX,
  WINDOWING,
} from '../../evaluators/judges';
import { JUDGE_DEADLINE_MS, judgeChainsOf, thresholdOf } from '../asking';
import type { RunSetting } from '../kind';
import { qualities, sourceQualities, type TaskConfig } from './config';
import { isCheck, type TaskSubject, type TextCriterion } from './subject';

/** One question for judges, and the criteria that it covers. */
export interface TaskQuestion {
  /** Identifies the question within its plan and its cached answer. */
  readonly key: string;
  readonly question: CriteriaQuestion;
  /** Indexes among the criteria for judges. */
  readonly criteria: readonly number[];
}

const SLUGS = {
  rubric: 'task-rubric',
  binary: 'task-binary',
  criteria_match: 'task-criteria',
} as const;

export const promptSlugOf = (subject: TaskSubject): string => SLUGS[subject.scoring_mode];

/** The criteria for judges, in the caller's order. */
export const textsOf = (subject: TaskSubject): readonly TextCriterion[] =>
  subject.success_criteria.flatMap((criterion) => (isCheck(criterion) ? [] : [criterion]));

/** The qualities that the rubric scores for this work; none in the other modes. */
export function dimensionsOf(
  subject: TaskSubject,
  config: TaskConfig,
): readonly { readonly name: string; readonly meaning: string }[] {
  if (subject.scoring_mode !== 'rubric') return [];
  return [...qualities, ...sourceQualities.filter(({ name }) => config.dimensions.includes(name))];
}

/**
 * The questions for judges about this work: one for everything, or one per criterion and then one
 * for the qualities (VS-17). None without criteria for judges.
 */
export function questionsOf(
  subject: TaskSubject,
  { config, prompts }: RunSetting<TaskConfig>,
): readonly TaskQuestion[] {
  const texts = textsOf(subject);
  const prompt = prompts.get(promptSlugOf(subject));
  if (texts.length === 0) return [];
  if (prompt === undefined) throw new Error(`there is no prompt "${promptSlugOf(subject)}"`);
  const ask = (
    key: string,
    criteria: readonly number[],
    dimensions: CriteriaQuestion['dimensions'],
  ): TaskQuestion => ({
    key,
    criteria,
    question: {
      mode: subject.scoring_mode,
      prompt,
      task: subject.task_description,
      criteria: texts.flatMap(({ text, must_pass }, i) =>
        criteria.includes(i) ? [{ text, mustPass: must_pass }] : [],
      ),
      dimensions,
      output: subject.task_output,
      context: subject.shared_context,
      outputChars: config.output_chars,
      purpose: `task ${key}`,
    },
  });
  const dimensions = dimensionsOf(subject, config);
  const every = texts.map((_, i) => i);
  if (config.judging === 'together') return [ask('criteria', every, dimensions)];
  return [
    ...every.map((i) => ask(`criterion ${i + 1}`, [i], [])),
    ...(dimensions.length === 0 ? [] : [ask('quality', [], dimensions)]),
  ];
}

/**
 * Sends each question once for all nodes that need its answer; uses the cached answer to an equal
 * question if there is one (VS-43).
 */
export function answerOnce(
  setting: RunSetting<TaskConfig>,
): (question: TaskQuestion, ctx: EvaluatorContext) => Promise<Answer> {
  const kept = parseCached(setting.cached);
  const asked = new Map<string, Promise<Answer>>();
  const metThreshold = thresholdOf(setting, 'criterion_met_threshold', 0.7);
  const judgeOptions = {
    judgeChains: judgeChainsOf(setting),
    deadlineMs: JUDGE_DEADLINE_MS,
    metThreshold,
  };
  return (question, ctx) => {
    const known = asked.get(question.key);
    if (known !== undefined) return known;
    const earlier = kept.get(question.key);
    const answer: Promise<Answer> =
      earlier === undefined
        ? judgeCriteria(question.question, judgeOptions, ctx).then((result) => ({
            key: question.key,
            result,
            cached: false,
          }))
        : Promise.resolve({
            key: question.key,
            result: { state: 'judged', judgement: { ...earlier, usage: noUsage } },
            cached: true,
          });
    asked.set(question.key, answer);
    return answer;
  };
}

export interface Answer {
  /** The key of its question. */
  readonly key: string;
  readonly result: JudgementResult;
  readonly cached: boolean;
}

/** An unreadable entry counts as not cached. */
function parseCached(kept: unknown): ReadonlyMap<string, Judgement> {
  if (typeof kept !== 'object' || kept === null) return new Map();
  return new Map(
    Object.entries(kept).flatMap(([key, value]) => {
      const judgement = Judgement.safeParse(value);
      return judgement.success ? [[key, judgement.data] as const] : [];
    }),
  );
}

/**
 * A hash of the judge's whole input and of every setting that affects the decision: output, task,
 * criteria, context, prompt version, judges, thresholds, config (VS-43). Null if the run calls no
 * judge.
 */
export function cacheKeyOf(subject: TaskSubject, setting: RunSetting<TaskConfig>): string | null {
  if (textsOf(subject).length === 0 || setting.judges.length === 0 || setting.notJudged !== null)
    return null;
  const { task_output, task_description, success_criteria, shared_context, scoring_mode } = subject;
  const parts = [
    WINDOWING,
    [task_output, task_description, success_criteria, shared_context, scoring_mode],
    setting.prompts.get(promptSlugOf(subject))?.version,
    [setting.judges, setting.fallbackJudges],
    [...setting.thresholds]
      .map(([key, { value }]) => [key, value])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    setting.config,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Assumes four characters per token, a reply of 120 tokens per criterion and 60 per quality, and a
 * system message of 400 tokens.
 */
export function estimateOf(
  subject: TaskSubject,
  setting: RunSetting<TaskConfig>,
): { readonly inputTokens: number; readonly outputTokens: number } {
  const questions = questionsOf(subject, setting);
  const { calls, chars } = readingCost(subject.task_output.length, setting.config.output_chars);
  const given =
    Math.min(subject.task_description.length, TASK_CHARS_MAX) +
    Math.min(subject.shared_context.length, CONTEXT_CHARS_MAX);
  let [inputTokens, outputTokens] = [0, 0];
  for (const { question } of questions) {
    const rubric = question.criteria.reduce((sum, { text }) => sum + text.length, 0);
    inputTokens +=
      calls * 400 +
      Math.ceil((calls * (question.prompt.text.length + given + 2 * rubric) + chars) / 4);
    outputTokens +=
      calls * (100 + 120 * question.criteria.length + 60 * question.dimensions.length);
  }
  return { inputTokens, outputTokens };
}
