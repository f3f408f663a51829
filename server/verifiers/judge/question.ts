import { createHash } from 'node:crypto';
import {
  type EvaluationSubject,
  jsonAsText,
  messageText,
  type PromptText,
  subjectMembers,
} from '../../domain';
import type { EvaluatorContext } from '../../evaluators';
import {
  judgeCustom,
  noUsage,
  CustomJudgement,
  type CustomQuestion,
  customReadingCost,
  type CustomResult,
  WINDOWING,
} from '../../evaluators/judges';
import { JUDGE_DEADLINE_MS, judgeChainsOf } from '../asking';
import type { LabelledExample, RunSetting } from '../kind';
import { CustomSubject, valueOfVariable } from '../custom';
import { type JudgeConfig, usedPlaceholders } from './definition';

export type JudgeSetting = RunSetting<JudgeConfig>;

/** @throws Error if the run has no prompt, which is a fault of the engine */
export function promptOf({ config, prompts }: JudgeSetting): PromptText {
  const prompt = prompts.get(config.judge.prompt);
  if (prompt === undefined) throw new Error(`there is no prompt "${config.judge.prompt}"`);
  return prompt;
}

/** The values that a prompt shows of a subject, by placeholder. */
export function dataOf(subject: CustomSubject, prompt: PromptText): ReadonlyMap<string, unknown> {
  return new Map(
    usedPlaceholders(prompt.text).map((name) => [name, shownValue(subject, name) ?? null]),
  );
}

/**
 * The first placeholder that nothing can fill: a later edit of the prompt may name a variable that
 * the mapping does not have. Null if there is none.
 */
export function unfilledPlaceholder(
  { variables }: CustomSubject,
  prompt: PromptText,
): string | null {
  return (
    usedPlaceholders(prompt.text).find(
      (name) => !Object.hasOwn(variables, name) && !subjectNames.has(name),
    ) ?? null
  );
}

const subjectNames: ReadonlySet<string> = new Set([
  ...Object.values(subjectMembers).flat(),
  'subject',
]);

function shownValue(subject: CustomSubject, name: string): unknown {
  const value = valueOfVariable(subject, name);
  return name === 'input' && !Object.hasOwn(subject.variables, name)
    ? shownInput(subject.subject.input)
    : value;
}

/**
 * The input without members that repeat each other: an object as sent, the text of a single message
 * of the user, otherwise the messages.
 */
function shownInput(input: EvaluationSubject['input']): unknown {
  const { last_user: _last, system: _system, messages, ...otherMembers } = input;
  const hasOthers = Object.keys(otherMembers).length > 0;
  const [only] = messages;
  if (messages.length === 1 && only?.role === 'user')
    return hasOthers ? otherMembers : messageText(only.content);
  if (messages.length === 0) return hasOthers ? otherMembers : null;
  return { ...otherMembers, messages };
}

const exampleChars = 1_500;

/** Labelled examples as the judge sees them: the same placeholders, shortened, with the ruling. */
function examplesOf({ examples = [], config }: JudgeSetting, prompt: PromptText): unknown[] | null {
  if (config.judge.examples === 0) return null;
  return examples.flatMap(({ subject, passes, reason }: LabelledExample) => {
    const read = CustomSubject.safeParse(subject);
    if (!read.success) return [];
    const shown = [...dataOf(read.data, prompt)].map(([name, value]) => {
      const text = jsonAsText(value);
      return [name, text.length > exampleChars ? `${cut(text)}…` : (value ?? null)] as const;
    });
    return [
      {
        ...Object.fromEntries(shown),
        ruling: passes ? 'pass' : 'fail',
        ...(reason === null ? {} : { reason: reason.slice(0, exampleChars).toWellFormed() }),
      },
    ];
  });
}

const cut = (text: string): string => text.slice(0, exampleChars).toWellFormed();

export function questionOf(subject: CustomSubject, setting: JudgeSetting): CustomQuestion {
  const { judge, name } = setting.config;
  const prompt = promptOf(setting);
  return {
    prompt,
    output: judge.output,
    criteria: judge.criteria.map(({ must_pass: mustPass, ...criterion }) => ({
      ...criterion,
      mustPass,
    })),
    data: dataOf(subject, prompt),
    examples: examplesOf(setting, prompt),
    purpose: `judge ${name}`.slice(0, 100),
  };
}

/** An answer of the judges, or the cached one (VS-43). */
export interface JudgeAnswer {
  readonly result: CustomResult;
  readonly cached: boolean;
}

/** Calls the judge once for all nodes of the plan. An unreadable cached answer counts as none. */
export function answerOnce(
  subject: CustomSubject,
  setting: JudgeSetting,
): (ctx: EvaluatorContext) => Promise<JudgeAnswer> {
  let answer: Promise<JudgeAnswer> | null = null;
  return (ctx) => (answer ??= find(subject, setting, ctx));
}

async function find(
  subject: CustomSubject,
  setting: JudgeSetting,
  ctx: EvaluatorContext,
): Promise<JudgeAnswer> {
  const cached = CustomJudgement.safeParse(setting.cached);
  if (cached.success)
    return {
      result: { state: 'judged', judgement: { ...cached.data, usage: noUsage } },
      cached: true,
    };
  const { votes } = setting.config.judge;
  const judgeChains = judgeChainsOf(setting).flatMap((chain) =>
    Array.from({ length: votes }, () => chain),
  );
  const options = { judgeChains, deadlineMs: JUDGE_DEADLINE_MS };
  return { result: await judgeCustom(questionOf(subject, setting), options, ctx), cached: false };
}

/**
 * A hash of the judge's whole input and of every setting that affects the decision (VS-43). Null if
 * the run calls no judge.
 */
export function cacheKeyOf(subject: CustomSubject, setting: JudgeSetting): string | null {
  if (setting.judges.length === 0 || setting.notJudged !== null) return null;
  const { prompt, data, examples } = questionOf(subject, setting);
  const parts = [
    WINDOWING,
    [...data],
    subject.subject.output,
    [prompt.version, prompt.text],
    examples,
    [setting.judges, setting.fallbackJudges],
    [...setting.thresholds]
      .map(([key, { value }]) => [key, value])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    setting.config,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * For all votes of one judge. Assumes four characters per token, a system message of 400 tokens, and
 * a reply of 100 tokens plus 200 per criterion.
 */
export function estimateOf(
  subject: CustomSubject,
  setting: JudgeSetting,
): { readonly inputTokens: number; readonly outputTokens: number } {
  const { prompt, data, criteria, examples } = questionOf(subject, setting);
  const { votes } = setting.config.judge;
  const lengths = [...data.values()].map((value) => jsonAsText(value).length);
  const { calls, chars } = customReadingCost(lengths);
  const rubric = criteria.reduce((sum, { text }) => sum + 2 * text.length, 0);
  const shown = examples === null ? 0 : JSON.stringify(examples).length;
  const input = calls * (400 + Math.ceil((prompt.text.length + rubric + shown) / 4));
  return {
    inputTokens: votes * (input + Math.ceil(chars / 4)),
    outputTokens: votes * calls * (100 + 200 * Math.max(1, criteria.length)),
  };
}
