import { jsonAsText, type PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import type { DataBlock, Draw } from '../fence';
import { addUsage, askJudge, type JudgeTask, noUsage } from './ask-judge';
import { customFormat } from './formats';
import { failureOf, type JudgeFailure, type JudgeOptions } from './judge-criteria';
import type { CustomOutput } from './custom-output';
import { mergeCustom, type CustomReply, customShape } from './custom-shape';
import { combineVotes, type CustomBallot, type CustomJudgement } from './custom-votes';
import { confidenceAfterQuotes, QuoteIndex, resolveQuotes } from './quotes';
import { type ShownText, showText } from './shorten';
import {
  askInWindows,
  confidenceSeen,
  crossReadings,
  planReading,
  readingCost,
  type WindowPlan,
  WINDOWS_MAX,
} from './windows';

/** The content of one question to custom judges. All but the prompt is untrusted. */
export interface CustomQuestion {
  /** Its placeholders are the names of `data`. */
  readonly prompt: PromptText;
  readonly output: CustomOutput;
  /** Empty if the prompt itself has one question. */
  readonly criteria: readonly {
    readonly name: string;
    readonly text: string;
    readonly weight: number;
    readonly mustPass: boolean;
  }[];
  /** Any JSON by placeholder; null or '' if there is nothing. */
  readonly data: ReadonlyMap<string, unknown>;
  /** Labelled work, as JSON; null if the definition requests none. */
  readonly examples: readonly unknown[] | null;
  readonly purpose: string;
}

export type CustomResult =
  | { readonly state: 'judged'; readonly judgement: CustomJudgement }
  | JudgeFailure;

/**
 * Code points of all data in one judge call; more is judged in windows (S-125). Each long text is
 * crossed with each other one, since a contradiction can be anywhere in both.
 */
export const CUSTOM_CHARS = 60_000;
const EXAMPLES_CHARS_MAX = 24_000;
/** A limit, not an estimate: some models reason before they answer. */
const OUTPUT_TOKENS = { base: 2_000, each: 600, max: 16_000 };

/**
 * Calls all judges in parallel, one for each chain, and combines their votes. Never throws for
 * errors of a judge.
 */
export async function judgeCustom(
  question: CustomQuestion,
  { judgeChains, deadlineMs }: Omit<JudgeOptions, 'metThreshold'>,
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<CustomResult> {
  const names = [...question.data.keys()];
  const texts = names.map((name) => jsonAsText(question.data.get(name)));
  const reading = planCustomReading(texts);
  const taskOf = composer(question, names, texts, deadlineMs);
  const judged = await Promise.all(
    (judgeChains.length === 0 ? [[]] : judgeChains).map((models) =>
      askInWindows(reading, taskOf, (task) => askJudge(task, models, ctx, draw)),
    ),
  );
  const usage = judged.reduce((sum, each) => addUsage(sum, each.usage), noUsage);
  const broken = judged.filter((each) => each.state === 'failed');
  const sources = names.map((name, i) => new QuoteIndex({ name, text: texts[i] ?? '' }));
  const read = judged.flatMap((each) =>
    each.state === 'judged'
      ? [ballotOf(each.model, mergeCustom(each.reply), sources, reading.leftOut)]
      : [],
  );
  if (read.length === 0) return failureOf(broken, usage);
  const weights = question.criteria.length === 0 ? [1] : question.criteria.map((c) => c.weight);
  return {
    state: 'judged',
    judgement: {
      ...combineVotes(
        read.map(({ ballot }) => ballot),
        question.output,
        weights,
      ),
      absent: broken.map(({ model, errorClass }) => `${model ?? 'judge'}: ${errorClass}`),
      leftOut: reading.leftOut,
      unresolvedQuotes: read.reduce((sum, { unresolved }) => sum + unresolved, 0),
      usage,
    },
  };
}

/** The code points of each text in one call: short texts whole, long ones by equal shares. */
function sharesOf(lengths: readonly number[]): readonly number[] {
  let left = CUSTOM_CHARS;
  const shares = new Map<number, number>();
  const byLength = lengths.map((length, at) => ({ length, at }));
  for (const [place, { length, at }] of byLength
    .toSorted((a, b) => a.length - b.length)
    .entries()) {
    const share = Math.min(length, Math.floor(left / (lengths.length - place)));
    shares.set(at, Math.max(1, share));
    left -= share;
  }
  return lengths.map((_, at) => shares.get(at) ?? 1);
}

/** The windows of all texts, so that each part of one is seen with each part of the others. */
function planCustomReading(texts: readonly string[]): WindowPlan {
  const shares = sharesOf(texts.map(({ length }) => length));
  const plans = texts.map((text, i) => planReading([text], shares[i] ?? 1));
  return plans.reduce(crossReadings, { overview: [], windows: [], leftOut: 0 });
}

/**
 * The cost of one judge's reading, for estimates: judge calls, and the characters of the data in
 * all of them.
 * @param lengths of the texts, in characters
 */
export function customReadingCost(lengths: readonly number[]): {
  readonly calls: number;
  readonly chars: number;
} {
  const shares = sharesOf(lengths);
  const shown = lengths.reduce((sum, length, i) => sum + Math.min(length, shares[i] ?? 1), 0);
  const costs = lengths.map((length, i) => readingCost(length, shares[i] ?? 1).calls);
  const windows = costs.reduce((product, calls) => product * Math.max(1, calls - 1), 1);
  const calls = windows === 1 || windows > WINDOWS_MAX ? 1 : windows + 1;
  return { calls, chars: calls * shown };
}

function composer(
  question: CustomQuestion,
  names: readonly string[],
  texts: readonly string[],
  deadlineMs: number,
): (shown: readonly (ShownText | null)[]) => JudgeTask<CustomReply> {
  const { criteria, output, prompt, examples } = question;
  const rubric: DataBlock = {
    name: 'criteria',
    value: criteria.map(({ name, text, mustPass }, i) => ({
      criterion: i + 1,
      name,
      text,
      ...(mustPass ? { must_pass: true } : {}),
    })),
    notes: [],
  };
  return (shown) => {
    const blocks = names.map((name, i): [string, DataBlock | null] => [
      name,
      blockOf(name, question.data.get(name), texts[i] ?? '', shown[i] ?? null),
    ]);
    return {
      question: {
        prompt,
        data: new Map<string, DataBlock | null>([
          ...blocks,
          ...(criteria.length === 0 ? [] : [['criteria', rubric] as const]),
          ...(examples === null ? [] : [['examples', examplesBlock(examples)] as const]),
        ]),
        reminder: criteria.length === 0 ? null : 'criteria',
        format: customFormat(output, criteria.length),
      },
      shape: customShape(output, criteria.length),
      purpose: question.purpose,
      maxOutputTokens: Math.min(
        OUTPUT_TOKENS.max,
        OUTPUT_TOKENS.base + OUTPUT_TOKENS.each * Math.max(1, criteria.length),
      ),
      deadlineMs,
    };
  };
}

/** JSON unchanged if the judge sees all of it, else its text as shown. */
function blockOf(
  name: string,
  value: unknown,
  text: string,
  shown: ShownText | null,
): DataBlock | null {
  if (text === '' || shown === null) return null;
  return { name, value: shown.text === text ? value : shown.text, notes: shown.notes };
}

/** Examples are work of others, so they are data like the work that is judged. */
function examplesBlock(examples: readonly unknown[]): DataBlock | null {
  if (examples.length === 0) return null;
  const text = JSON.stringify(examples);
  const shown = showText(text, EXAMPLES_CHARS_MAX);
  return {
    name: 'examples',
    value: shown.text === text ? examples : shown.text,
    notes: [
      'earlier work with the rulings of people: learn the standard from it, and judge none of it',
      ...shown.notes,
    ],
  };
}

function ballotOf(
  model: string,
  { parts, confidence }: CustomReply,
  sources: readonly QuoteIndex[],
  leftOut: number,
): { readonly ballot: CustomBallot; readonly unresolved: number } {
  let [unresolved, total] = [0, 0];
  const read = parts.map(({ index, value, answer, reasoning, quotes }) => {
    const resolved = resolveQuotes(quotes, sources);
    unresolved += resolved.unresolved;
    total += resolved.total;
    return {
      index,
      value,
      answer,
      reasoning: reasoning.toWellFormed(),
      evidence: [...resolved.evidence],
    };
  });
  const sure = confidenceAfterQuotes(confidence, { unresolved, total });
  return {
    ballot: { model, parts: read, confidence: confidenceSeen(sure, leftOut) },
    unresolved,
  };
}
