import { z } from 'zod';
import type { PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import { askJudge, type Judged, type JudgeTask } from './ask-judge';
import { type DecompositionReply, decompositionShape, plainTexts } from './decomposition-reply';
import type { DataBlock, Draw } from '../fence';
import { decompositionFormat } from './formats';
import { lowest, mergeTexts } from './merge-windows';
import { type ShownText, showText } from './shorten';
import { askInWindows, planReading, type WindowedReply } from './windows';

/** A decomposition and its request. Everything but the prompt is untrusted. */
export interface DecompositionQuestion {
  readonly prompt: PromptText;
  /** Reviewed by a model of its own kind, or by one that looks for faults (SOAR-2). */
  readonly option: 'self' | 'adversarial';
  readonly query: string;
  readonly complexity: string;
  /** JSON. */
  readonly decomposition: unknown;
  /** JSON: the available agents; null if unknown. */
  readonly agents: readonly unknown[] | null;
  readonly environment: string | null;
  /** Each a text or JSON. */
  readonly context: readonly unknown[];
  /** Findings of the deterministic checks. */
  readonly findings: readonly string[];
  /**
   * Code points of the decomposition in one judge call; a longer one is judged in windows (S-125).
   */
  readonly shownChars: number;
  readonly purpose: string;
}

const rate = z.number().min(0).max(1);

/** A judge's findings, as cached for reuse. Scores 0..1. */
export const DecompositionFinding = z.object({
  scores: z.object({
    completeness: rate,
    consistency: rate,
    groundedness: rate,
    routability: rate,
  }),
  /** The judge's own total and verdict: for audit (SOAR-4, SOAR-10). */
  statedOverall: rate.nullable(),
  statedVerdict: z.string().nullable(),
  reasoning: z.string(),
  issues: z.array(z.object({ message: z.string(), severity: z.enum(['low', 'medium', 'high']) })),
  suggestions: z.array(z.string()),
  /** The judge; null if the caller supplied the scores. */
  model: z.string().nullable(),
  /** Code points that the judge was not shown, of the decomposition and its context. */
  leftOut: z.number().int(),
});
export type DecompositionFinding = z.infer<typeof DecompositionFinding>;

const QUERY_CHARS_MAX = 24_000;
const AGENTS_CHARS_MAX = 48_000;
const CONTEXT_CHARS_MAX = 48_000;
const FINDINGS_CHARS_MAX = 24_000;
const OUTPUT_TOKENS = 4_000;

/** Calls one judge about one decomposition, once (SOAR-2). Never throws for errors of the judge. */
export async function judgeDecomposition(
  question: DecompositionQuestion,
  options: { readonly models: readonly string[]; readonly deadlineMs: number },
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<Judged<DecompositionFinding>> {
  const query = showText(question.query, QUERY_CHARS_MAX);
  const { agents, environment, context, findings } = question;
  const given = [
    agents === null ? null : showJson('agents', agents, AGENTS_CHARS_MAX),
    environment === null
      ? null
      : { block: { name: 'environment', value: environment, notes: [] }, leftOut: 0 },
    context.length === 0 ? null : showJson('context', context, CONTEXT_CHARS_MAX),
    findings.length === 0 ? null : showJson('findings', findings, FINDINGS_CHARS_MAX),
  ];
  const names = ['agents', 'environment', 'context', 'findings'];
  const reading = planReading(
    [JSON.stringify(question.decomposition) ?? 'null'],
    question.shownChars,
  );
  const taskOf = ([shown]: readonly (ShownText | null)[]): JudgeTask<DecompositionReply> => ({
    question: {
      prompt: question.prompt,
      data: new Map<string, DataBlock | null>([
        [
          'query',
          {
            name: 'query',
            value: query.text,
            notes: [`its complexity is ${question.complexity}`, ...query.notes],
          },
        ],
        ['decomposition', blockOfJson('decomposition', question.decomposition, shown ?? null)],
        ...names.map((name, i): [string, DataBlock | null] => [name, given[i]?.block ?? null]),
      ]),
      reminder: 'query',
      format: decompositionFormat(question.option),
    },
    shape: decompositionShape(question.option),
    purpose: question.purpose,
    maxOutputTokens: OUTPUT_TOKENS,
    deadlineMs: options.deadlineMs,
  });
  const judged = await askInWindows(reading, taskOf, (task) =>
    askJudge(task, options.models, ctx, draw),
  );
  if (judged.state === 'failed') return judged;
  const leftOut = given.reduce(
    (sum, each) => sum + (each?.leftOut ?? 0),
    reading.leftOut + query.leftOut,
  );
  return { ...judged, reply: mergeReplies(judged.reply, judged.model, leftOut) };
}

/**
 * The lowest of each score, and every issue of any call; the stated total and verdict are those of
 * the whole.
 */
function mergeReplies(
  { whole, windows }: WindowedReply<DecompositionReply>,
  model: string,
  leftOut: number,
): DecompositionFinding {
  const lowestOf = (
    name: 'completeness' | 'consistency' | 'groundedness' | 'routability',
  ): number =>
    lowest(
      whole[name],
      windows.map((each) => each[name]),
    );
  return {
    scores: {
      completeness: lowestOf('completeness'),
      consistency: lowestOf('consistency'),
      groundedness: lowestOf('groundedness'),
      routability: lowestOf('routability'),
    },
    statedOverall: whole.overall,
    statedVerdict: whole.verdict,
    reasoning: whole.reasoning.toWellFormed(),
    issues: [whole, ...windows].flatMap(({ issues }) => issues),
    suggestions: [
      ...plainTexts(
        mergeTexts(
          whole.suggestions,
          windows.map(({ suggestions }) => suggestions),
        ),
      ),
    ],
    model,
    leftOut,
  };
}

/** JSON unchanged if it is short enough and contains no base64, else its text, shortened. */
function showJson(
  name: string,
  value: unknown,
  charsMax: number,
): { readonly block: DataBlock; readonly leftOut: number } {
  const shown = showText(JSON.stringify(value) ?? 'null', charsMax);
  return { block: blockOfJson(name, value, shown), leftOut: shown.leftOut };
}

function blockOfJson(name: string, value: unknown, shown: ShownText | null): DataBlock {
  if (shown === null) return { name, value: '', notes: [] };
  return {
    name,
    value: shown.text === JSON.stringify(value) ? value : shown.text,
    notes: shown.notes,
  };
}
