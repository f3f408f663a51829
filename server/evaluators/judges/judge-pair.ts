import type { Evidence, PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import { askJudge, type Judged, type JudgeTask } from './ask-judge';
import type { DataBlock, Draw } from './fence';
import { pairFormat } from './formats';
import { confidenceAfterQuotes, QuoteIndex, resolveQuotes } from './quotes';
import { fromLikert, type PairReply, pairShape } from './shapes';
import { showText } from './shorten';

/** Two outputs that are held against each other (VS-42). All texts but the prompt are untrusted. */
export interface PairQuestion {
  readonly prompt: PromptText;
  readonly first: { readonly id: string; readonly output: string };
  readonly second: { readonly id: string; readonly output: string };
  readonly context: string;
  /** Code points of each output that a judge is shown. */
  readonly outputChars: number;
  readonly purpose: string;
}

/** How well two outputs fit together. */
export interface PairFinding {
  /** 0..1. */
  readonly value: number;
  readonly reasoning: string;
  readonly confidence: number;
  readonly issues: readonly { readonly description: string; readonly severity: 'low' | 'medium' | 'high' }[];
  readonly evidence: readonly Evidence[];
  readonly leftOut: number;
}

const CONTEXT_CHARS_MAX = 8_000;
const OUTPUT_TOKENS = 4_000;

/** Asks one judge about one pair, once (VS-42). Never throws for what the judge does. */
export async function judgePair(
  question: PairQuestion,
  bench: { readonly models: readonly string[]; readonly deadlineMs: number },
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<Judged<PairFinding>> {
  const [first, second] = [question.first, question.second].map(({ output }) => showText(output, question.outputChars));
  const context = showText(question.context, CONTEXT_CHARS_MAX);
  const data = new Map<string, DataBlock | null>([
    ['first', { name: 'first', value: { task_id: question.first.id, output: first?.text ?? '' }, notes: first?.notes ?? [] }],
    ['second', { name: 'second', value: { task_id: question.second.id, output: second?.text ?? '' }, notes: second?.notes ?? [] }],
    ['context', question.context === '' ? null : { name: 'context', value: context.text, notes: context.notes }],
  ]);
  const task: JudgeTask<PairReply> = {
    question: { prompt: question.prompt, data, reminder: null, format: pairFormat },
    shape: pairShape,
    purpose: question.purpose,
    maxOutputTokens: OUTPUT_TOKENS,
    deadlineMs: bench.deadlineMs,
  };
  const judged = await askJudge(task, bench.models, ctx, draw);
  if (judged.state === 'failed') return judged;
  return { ...judged, reply: findingOf(question, judged.reply, (first?.leftOut ?? 0) + (second?.leftOut ?? 0)) };
}

function findingOf({ first, second }: PairQuestion, reply: PairReply, leftOut: number): PairFinding {
  const resolved = [
    resolveQuotes(
      reply.issues.map(({ first_quote }) => first_quote),
      [new QuoteIndex({ name: first.id, text: first.output })],
    ),
    resolveQuotes(
      reply.issues.map(({ second_quote }) => second_quote),
      [new QuoteIndex({ name: second.id, text: second.output })],
    ),
  ];
  const unresolved = resolved.reduce((sum, each) => sum + each.unresolved, 0);
  const total = resolved.reduce((sum, each) => sum + each.total, 0);
  return {
    value: fromLikert(reply.score),
    reasoning: reply.reasoning,
    confidence: confidenceAfterQuotes(reply.confidence, { unresolved, total }),
    issues: reply.issues.map(({ description, severity }) => ({ description, severity })),
    evidence: resolved.flatMap(({ evidence }) => evidence),
    leftOut,
  };
}
