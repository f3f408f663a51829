import type { Evidence, PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import { askJudge, type Judged, type JudgeTask } from './ask-judge';
import type { DataBlock, Draw } from '../fence';
import { pairFormat } from './formats';
import { confidenceAfterQuotes, QuoteIndex, resolveQuotes } from './quotes';
import { fromLikert, type PairReply, pairShape } from './shapes';
import { lowest, reasonsOf } from './merge-windows';
import { type ShownText, showText } from './shorten';
import { askInWindows, confidenceSeen, crossReadings, planReading } from './windows';

/** Two outputs to compare with each other (VS-42). All texts but the prompt are untrusted. */
export interface PairQuestion {
  readonly prompt: PromptText;
  readonly first: { readonly id: string; readonly output: string };
  readonly second: { readonly id: string; readonly output: string };
  readonly context: string;
  /** Code points of each output in one judge call; longer ones are judged in windows (S-125). */
  readonly outputChars: number;
  readonly purpose: string;
}

/** How consistent two outputs are. */
export interface PairFinding {
  /** 0..1. */
  readonly value: number;
  readonly reasoning: string;
  readonly confidence: number;
  readonly issues: readonly {
    readonly description: string;
    readonly severity: 'low' | 'medium' | 'high';
  }[];
  readonly evidence: readonly Evidence[];
  readonly leftOut: number;
}

/** Code points of the context in each call. The rest counts as not shown. */
export const PAIR_CONTEXT_CHARS_MAX = 24_000;
const OUTPUT_TOKENS = 4_000;

/** Calls one judge about one pair, once (VS-42). Never throws for errors of the judge. */
export async function judgePair(
  question: PairQuestion,
  options: { readonly models: readonly string[]; readonly deadlineMs: number },
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<Judged<PairFinding>> {
  const context = showText(question.context, PAIR_CONTEXT_CHARS_MAX);
  const reading = crossReadings(
    planReading([question.first.output], question.outputChars),
    planReading([question.second.output], question.outputChars),
  );
  const judged = await askInWindows(
    reading,
    ([first, second]) =>
      composeTask(question, first ?? null, second ?? null, context, options.deadlineMs),
    (task) => askJudge(task, options.models, ctx, draw),
  );
  if (judged.state === 'failed') return judged;
  const findings = [judged.reply.whole, ...judged.reply.windows].map((reply) =>
    findingOf(question, reply, reading.leftOut + context.leftOut),
  );
  return { ...judged, reply: mergeFindings(findings) };
}

function composeTask(
  question: PairQuestion,
  first: ShownText | null,
  second: ShownText | null,
  context: ShownText,
  deadlineMs: number,
): JudgeTask<PairReply> {
  const data = new Map<string, DataBlock | null>([
    [
      'first',
      {
        name: 'first',
        value: { task_id: question.first.id, output: first?.text ?? '' },
        notes: first?.notes ?? [],
      },
    ],
    [
      'second',
      {
        name: 'second',
        value: { task_id: question.second.id, output: second?.text ?? '' },
        notes: second?.notes ?? [],
      },
    ],
    [
      'context',
      question.context === ''
        ? null
        : { name: 'context', value: context.text, notes: context.notes },
    ],
  ]);
  return {
    question: { prompt: question.prompt, data, reminder: null, format: pairFormat },
    shape: pairShape,
    purpose: question.purpose,
    maxOutputTokens: OUTPUT_TOKENS,
    deadlineMs,
  };
}

/**
 * The lowest score and confidence of all, and every contradiction of any call. The first finding is
 * that of the whole.
 */
function mergeFindings([whole, ...windows]: readonly PairFinding[]): PairFinding {
  if (whole === undefined) throw new Error('a pair has a finding');
  return {
    ...whole,
    value: lowest(
      whole.value,
      windows.map(({ value }) => value),
    ),
    reasoning: reasonsOf(whole, windows),
    confidence: lowest(
      whole.confidence,
      windows.map(({ confidence }) => confidence),
    ),
    issues: [whole, ...windows].flatMap(({ issues }) => issues),
    evidence: [whole, ...windows].flatMap(({ evidence }) => evidence),
  };
}

function findingOf(
  { first, second }: PairQuestion,
  reply: PairReply,
  leftOut: number,
): PairFinding {
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
    confidence: confidenceSeen(
      confidenceAfterQuotes(reply.confidence, { unresolved, total }),
      leftOut,
    ),
    issues: reply.issues.map(({ description, severity }) => ({ description, severity })),
    evidence: resolved.flatMap(({ evidence }) => evidence),
    leftOut,
  };
}
