import type { AskErrorClass, AskUsage } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import type { Draw } from '../fence';
import { composeQuestion, type Question } from './question';
import { readReply, type ReplyShape } from './read-reply';

/** The cost of judging, answered or not: all calls of all attempts. */
export interface JudgeUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars, for the calls with a known price. */
  readonly costUsd: number;
  /** The price of some call is unknown: `costUsd` is a lower bound. */
  readonly priceUnknown: boolean;
  /** Judges without a result that another one replaced. */
  readonly replaced: readonly ReplacedJudge[];
}

/** A judge without a result, and the one that replaced it. */
export interface ReplacedJudge {
  readonly model: string;
  readonly by: string;
  readonly reason: string;
}

export const noUsage: JudgeUsage = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  priceUnknown: false,
  replaced: [],
};

export function addUsage(a: JudgeUsage, b: JudgeUsage): JudgeUsage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
    priceUnknown: a.priceUnknown || b.priceUnknown,
    replaced: distinct([...a.replaced, ...b.replaced]),
  };
}

/** Each pair of judges once, over many questions. */
function distinct(replaced: readonly ReplacedJudge[]): readonly ReplacedJudge[] {
  return replaced.length < 2
    ? replaced
    : [...new Map(replaced.map((each) => [`${each.model} ${each.by}`, each])).values()];
}

/** A question to judges, and how to parse their reply. */
export interface JudgeTask<Reply> {
  readonly question: Question;
  readonly shape: ReplyShape<Reply>;
  /** For the record of the call. */
  readonly purpose: string;
  readonly maxOutputTokens: number;
  readonly deadlineMs: number;
}

/**
 * The reason why a judge returned no result: the provider's class of error, or an unreadable reply
 * . Never a score.
 */
export type JudgeErrorClass = AskErrorClass | 'unparseable';

export type Judged<Reply> =
  | {
      readonly state: 'judged';
      readonly model: string;
      readonly reply: Reply;
      readonly usage: JudgeUsage;
    }
  | {
      readonly state: 'failed';
      readonly model: string | null;
      readonly errorClass: JudgeErrorClass;
      readonly reason: string;
      readonly retryAfterMs: number | null;
      readonly usage: JudgeUsage;
    };

/**
 * Each judge is called once more after an unreadable reply, and this retry is for no other error
 * (VS-20, X-4).
 */
const ATTEMPTS = 2;

/**
 * Errors that may not occur with another judge. A question that is too large, or was cancelled,
 * fails for every judge.
 */
const retriableByOthers: ReadonlySet<JudgeErrorClass> = new Set<JudgeErrorClass>([
  'no_provider',
  'breaker_open',
  'timeout',
  'rate_limited',
  'overloaded',
  'unauthorized',
  'refused',
  'unreachable',
  'bad_reply',
  'unparseable',
]);

/**
 * Calls the first of `models`, and the next if that one cannot be called or returns no readable
 * reply. The result names the judge and those it replaced; a failure names every judge that
 * was called, with its reason. Each question has a new nonce.
 */
export async function askJudge<Reply>(
  task: JudgeTask<Reply>,
  models: readonly string[],
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<Judged<Reply>> {
  let spent = noUsage;
  const silent: { readonly model: string; readonly reason: string }[] = [];
  let last: Judged<Reply> = {
    state: 'failed',
    model: null,
    errorClass: 'no_provider',
    reason: 'no provider is configured',
    retryAfterMs: null,
    usage: noUsage,
  };
  for (const model of models) {
    const judged = await askOne(task, model, ctx, draw);
    spent = addUsage(spent, judged.usage);
    if (judged.state === 'judged')
      return {
        ...judged,
        usage: { ...spent, replaced: silent.map((each) => ({ ...each, by: judged.model })) },
      };
    silent.push({ model, reason: `${judged.errorClass}: ${judged.reason}` });
    const reason =
      silent.length === 1
        ? judged.reason
        : silent.map((each) => `${each.model}: ${each.reason}`).join('; ');
    last = { ...judged, reason, usage: spent };
    if (!retriableByOthers.has(judged.errorClass) || ctx.signal.aborted) break;
  }
  return last;
}

async function askOne<Reply>(
  task: JudgeTask<Reply>,
  model: string,
  ctx: EvaluatorContext,
  draw: Draw | undefined,
): Promise<Judged<Reply>> {
  let usage = noUsage;
  let fault: string | null = null;
  const failed = (
    errorClass: JudgeErrorClass,
    reason: string,
    retryAfterMs: number | null,
  ): Judged<Reply> => ({
    state: 'failed',
    model,
    errorClass,
    reason,
    retryAfterMs,
    usage,
  });
  if (ctx.ask === undefined) return failed('no_provider', 'no model may be asked here', null);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { nonce, system, user } = composeQuestion(task.question, fault, draw);
    const answer = await ctx.ask({
      model,
      system,
      messages: [{ role: 'user', content: user }],
      reply: { name: task.shape.name, schema: task.shape.schema },
      maxOutputTokens: task.maxOutputTokens,
      deadlineMs: task.deadlineMs,
      signal: ctx.signal,
      purpose: task.purpose,
      promptVersion: task.question.prompt.version,
    });
    usage = addUsage(usage, usageOf(answer.usage));
    if (answer.state === 'failed') {
      // A response that violates the provider's API counts as malformed too: the next one may not.
      if (answer.errorClass === 'bad_reply' && attempt + 1 < ATTEMPTS && !ctx.signal.aborted)
        continue;
      return failed(answer.errorClass, answer.message, answer.retryAfterMs);
    }
    const read = readReply(answer.text, nonce, task.shape);
    if (read.ok)
      return { state: 'judged', model: nameOf(answer.usage, model), reply: read.reply, usage };
    fault = read.reason;
  }
  return failed(
    'unparseable',
    `no reply that can be read in ${ATTEMPTS} attempts: ${fault ?? ''}`,
    null,
  );
}

function usageOf(usage: AskUsage): JudgeUsage {
  return {
    calls: usage.calls,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    costUsd: usage.costUsd ?? 0,
    priceUnknown: usage.costUsd === null && usage.calls > 0,
    replaced: [],
  };
}

/** The judge's name according to its provider. */
function nameOf({ provider, model }: AskUsage, requestedModel: string): string {
  if (model === '') return requestedModel;
  return provider === null ? model : `${provider}/${model}`;
}
