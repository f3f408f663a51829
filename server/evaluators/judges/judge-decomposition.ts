import { z } from 'zod';
import type { PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import { askJudge, type Judged, type JudgeTask } from './ask-judge';
import { type DecompositionReply, decompositionShape, plainTexts } from './decomposition-reply';
import type { DataBlock, Draw } from './fence';
import { decompositionFormat } from './formats';
import { showText } from './shorten';

/** A decomposition and what it was made from. All but the prompt is untrusted. */
export interface DecompositionQuestion {
  readonly prompt: PromptText;
  /** Read over by its own kind, or by one who looks for what is wrong (SOAR-2). */
  readonly option: 'self' | 'adversarial';
  readonly query: string;
  readonly complexity: string;
  /** JSON. */
  readonly decomposition: unknown;
  /** JSON: who is there; null where nobody said. */
  readonly agents: readonly unknown[] | null;
  readonly environment: string | null;
  /** Each a text or JSON. */
  readonly context: readonly unknown[];
  /** What was found without a judge. */
  readonly findings: readonly string[];
  /** Code points of the decomposition that a judge is shown. */
  readonly shownChars: number;
  readonly purpose: string;
}

const rate = z.number().min(0).max(1);

/** What a judge found: what is kept of it to be used again, too. Scores 0..1. */
export const DecompositionFinding = z.object({
  scores: z.object({ completeness: rate, consistency: rate, groundedness: rate, routability: rate }),
  /** The judge's own sum and verdict: for audit (SOAR-4, SOAR-10). */
  statedOverall: rate.nullable(),
  statedVerdict: z.string().nullable(),
  reasoning: z.string(),
  issues: z.array(z.object({ message: z.string(), severity: z.enum(['low', 'medium', 'high']) })),
  suggestions: z.array(z.string()),
  /** Who judged; null where the caller brought the scores. */
  model: z.string().nullable(),
  /** Code points of the decomposition that the judge was not shown. */
  leftOut: z.number().int(),
});
export type DecompositionFinding = z.infer<typeof DecompositionFinding>;

const QUERY_CHARS_MAX = 8_000;
const AGENTS_CHARS_MAX = 16_000;
const CONTEXT_CHARS_MAX = 24_000;
const FINDINGS_CHARS_MAX = 4_000;
const OUTPUT_TOKENS = 4_000;

/** Asks one judge about one decomposition, once (SOAR-2). Never throws for what the judge does. */
export async function judgeDecomposition(
  question: DecompositionQuestion,
  bench: { readonly models: readonly string[]; readonly deadlineMs: number },
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<Judged<DecompositionFinding>> {
  const decomposition = showJson('decomposition', question.decomposition, question.shownChars);
  const query = showText(question.query, QUERY_CHARS_MAX);
  const { agents, environment, context, findings } = question;
  const data = new Map<string, DataBlock | null>([
    ['query', { name: 'query', value: query.text, notes: [`its complexity is ${question.complexity}`, ...query.notes] }],
    ['decomposition', decomposition.block],
    ['agents', agents === null ? null : showJson('agents', agents, AGENTS_CHARS_MAX).block],
    ['environment', environment === null ? null : { name: 'environment', value: environment, notes: [] }],
    ['context', context.length === 0 ? null : showJson('context', context, CONTEXT_CHARS_MAX).block],
    ['findings', findings.length === 0 ? null : showJson('findings', findings, FINDINGS_CHARS_MAX).block],
  ]);
  const task: JudgeTask<DecompositionReply> = {
    question: { prompt: question.prompt, data, reminder: 'query', format: decompositionFormat(question.option) },
    shape: decompositionShape(question.option),
    purpose: question.purpose,
    maxOutputTokens: OUTPUT_TOKENS,
    deadlineMs: bench.deadlineMs,
  };
  const judged = await askJudge(task, bench.models, ctx, draw);
  if (judged.state === 'failed') return judged;
  const { completeness, consistency, groundedness, routability, overall, verdict, reasoning, issues, suggestions } = judged.reply;
  const finding: DecompositionFinding = {
    scores: { completeness, consistency, groundedness, routability },
    statedOverall: overall,
    statedVerdict: verdict,
    reasoning: reasoning.toWellFormed(),
    issues: [...issues],
    suggestions: [...plainTexts(suggestions)],
    model: judged.model,
    leftOut: decomposition.leftOut,
  };
  return { ...judged, reply: finding };
}

/** JSON as it is where it is short enough and holds no base64, else its text, shortened. */
function showJson(name: string, value: unknown, charsMax: number): { readonly block: DataBlock; readonly leftOut: number } {
  const { text, leftOut, base64Removed, notes } = showText(JSON.stringify(value) ?? 'null', charsMax);
  const whole = leftOut === 0 && base64Removed === 0;
  return { block: { name, value: whole ? value : text, notes }, leftOut };
}
